public import CardFeed

/// Keeps people who were shown enough today out of hands until tomorrow.
///
/// Two caps, each optional. `answersPerDay` counts the answers about a person on this day (UTC);
/// `likesPerDay` the likes that are expected of them: answers · share of likes that the person
/// received so far, drawn towards `prior` while there are few. Who is liked by nearly everybody is
/// full sooner, which keeps likes within what a person can answer. The idea of a limit in expected
/// likes: Sekiya, Otani et al. 2026 (arXiv 2602.19689).
///
/// A capped person is withheld, and returns with the next day. Hands stay short when nobody else is
/// left; the deal says why.
public struct ExposureCapRule: SlateRule {
  /// The deck of people.
  public typealias D = DatingDeck

  private let answersPerDay: Int?
  private let likesPerDay: Double?
  private let prior: Double
  private let numbers: ExposureNumbers

  /// How many answers the prior share of likes counts as.
  private static let priorAnswers = 10.0

  /// A cap.
  ///
  /// - Parameters:
  ///   - answersPerDay: The most answers about a person on a day, above 0; nil for no such cap.
  ///   - likesPerDay: The most likes expected on a day, above 0; nil for no such cap.
  ///   - prior: The share of likes that is assumed of a new person.
  ///   - states: Where answers are counted.
  public init(
    answersPerDay: Int?, likesPerDay: Double?, prior: Probability, states: LearnerStates
  ) {
    precondition(
      answersPerDay.map { $0 > 0 } ?? true && likesPerDay.map { $0 > 0 } ?? true,
      "A cap is above 0.")
    self.answersPerDay = answersPerDay
    self.likesPerDay = likesPerDay
    self.prior = prior.value
    numbers = ExposureNumbers(states: states)
  }

  /// The counts.
  public var learners: [any Learner<DatingDeck>] { [numbers] }

  /// Withholds whoever is at the cap. O(n).
  public func adjustment(
    for ranked: RankedSlate<DatingDeck>
  ) async throws -> SlateAdjustment {
    var adjustment = SlateAdjustment()
    for (place, person) in numbers.people(of: ranked.slate).enumerated() {
      let today = Double(person.answersToday)
      let share =
        (Double(person.likesReceived) + Self.priorAnswers * prior)
        / (Double(person.answersReceived) + Self.priorAnswers)
      if let answersPerDay, today >= Double(answersPerDay) {
        adjustment.withheld[place] = "shown often enough today"
      } else if let likesPerDay, today > 0, today * share >= likesPerDay {
        adjustment.withheld[place] = "enough likes expected today"
      }
    }
    return adjustment
  }
}
