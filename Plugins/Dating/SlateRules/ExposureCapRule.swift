public import CardFeed

/// Keeps people who were shown enough today out of hands until tomorrow.
///
/// Three caps, each optional, for one day (UTC). `impressionsPerDay` counts how often a person was shown,
/// as clients report it; `answersPerDay` the answers about them; `likesPerDay` the likes that are
/// expected of what happened so far: events · share of likes that the person received so far, drawn
/// towards `prior` while there are few. The events are answers or impressions. Who is liked by nearly
/// everybody is full sooner, which keeps likes within what a person can answer. The idea of a limit in
/// expected likes: Sekiya, Otani et al. 2026 (arXiv 2602.19689).
///
/// A cap acts when cards are dealt, and cards that lie in hands by then still come: with hands of h
/// cards and v people who hold one, a cap may be passed by as many as hold the person at that moment.
/// A capped person is withheld, and returns with the next day. Hands stay short when nobody else is
/// left; the deal says why.
public struct ExposureCapRule: SlateRule {
  /// The deck of people.
  public typealias D = DatingDeck

  /// What likes are expected of.
  public enum Event: String, Hashable, Sendable, CaseIterable {
    /// Answers about the person.
    case answers
    /// Impressions of the person.
    case impressions
  }

  /// How much of one day is enough; nil for no such cap.
  public struct Caps: Hashable, Sendable {
    /// The most impressions of a person on a day, above 0.
    public var impressions: Int?
    /// The most answers about a person on a day, above 0.
    public var answers: Int?
    /// The most likes expected on a day, above 0.
    public var likes: Double?
    /// What likes are expected of.
    public var likesOf: Event

    /// Caps; none unless told otherwise.
    public init(
      impressions: Int? = nil, answers: Int? = nil, likes: Double? = nil, likesOf: Event = .answers
    ) {
      self.impressions = impressions
      self.answers = answers
      self.likes = likes
      self.likesOf = likesOf
    }

    fileprivate var countsImpressions: Bool {
      impressions != nil || (likes != nil && likesOf == .impressions)
    }
  }

  private let caps: Caps
  private let prior: Double
  private let answers: ExposureNumbers
  /// Nil where no cap counts impressions.
  private let impressions: ImpressionNumbers?

  /// How many answers the prior share of likes counts as.
  private static let priorAnswers = 10.0

  /// A cap.
  ///
  /// - Parameters:
  ///   - caps: How much is enough.
  ///   - prior: The share of likes that is assumed of a new person.
  ///   - states: Where answers and impressions are counted.
  public init(_ caps: Caps, prior: Probability, states: LearnerStates) {
    precondition(
      (caps.impressions ?? 1) > 0 && (caps.answers ?? 1) > 0 && (caps.likes ?? 1) > 0,
      "A cap is above 0.")
    self.caps = caps
    self.prior = prior.value
    answers = ExposureNumbers(states: states)
    impressions = caps.countsImpressions ? ImpressionNumbers(states: states) : nil
  }

  /// The counts.
  public var learners: [any Learner<DatingDeck>] {
    [answers] + (impressions.map { [$0] } ?? [])
  }

  /// Withholds whoever is at the cap. O(n).
  public func adjustment(
    for ranked: RankedSlate<DatingDeck>
  ) async throws -> SlateAdjustment {
    var adjustment = SlateAdjustment()
    let shown = impressions?.impressionsToday(
      of: ranked.slate.numbers, now: ranked.slate.context.now)
    for (place, person) in answers.people(of: ranked.slate).enumerated() {
      let impressions = Double(shown?[place] ?? 0)
      let today = caps.likesOf == .impressions ? impressions : Double(person.answersToday)
      let share =
        (Double(person.likesReceived) + Self.priorAnswers * prior)
        / (Double(person.answersReceived) + Self.priorAnswers)
      if let most = caps.impressions, impressions >= Double(most) {
        adjustment.withheld[place] = "shown often enough today"
      } else if let most = caps.answers, person.answersToday >= most {
        adjustment.withheld[place] = "answered about often enough today"
      } else if let most = caps.likes, today > 0, today * share >= most {
        adjustment.withheld[place] = "enough likes expected today"
      }
    }
    return adjustment
  }
}
