public import CardFeed
internal import CardFeedDiversity

/// Keeps a share of the places of all hands for people about whom few have answered yet.
///
/// Of a hand of w places, share · w are kept: the whole part always, and one more with the
/// probability of the fraction, drawn from the deal's seed. Kept places go to the newcomers that
/// rank highest; they are made room for by penalties on those who would stand before them, never by
/// raising anybody. Newcomers who are in the hand anyway count. Whatever the seed, the same deal
/// keeps the same places; an exploration that another rule declares draws from the penalised
/// scores, so the propensities that are stored with the cards stay exact.
///
/// Newcomers without a score cannot be placed before others and are left where they are: put the
/// rule behind a ranking that scores them.
public struct NewcomerFloorRule: SlateRule {
  /// The deck of people.
  public typealias D = DatingDeck

  private let answers: Int
  private let share: Double
  private let numbers: ExposureNumbers

  /// A floor.
  ///
  /// - Parameters:
  ///   - answers: Who has fewer answers received than this is a newcomer; above 0.
  ///   - share: The share of places that is kept.
  ///   - states: Where answers are counted.
  public init(answers: Int, share: Probability, states: LearnerStates) {
    precondition(answers > 0, "A newcomer has fewer answers than 1 or more; got \(answers).")
    self.answers = answers
    self.share = share.value
    numbers = ExposureNumbers(states: states)
  }

  /// The counts.
  public var learners: [any Learner<DatingDeck>] { [numbers] }

  /// Penalties on those who stand before newcomers with a kept place. O(n).
  public func adjustment(
    for ranked: RankedSlate<DatingDeck>
  ) async throws -> SlateAdjustment {
    var generator = SplitMix64(seed: ranked.slate.context.seed(for: "newcomer-floor"))
    let floor = PlaceFloor(share: share, of: ranked.wanted, draw: generator.unitInterval())
    guard floor.kept > 0 else { return SlateAdjustment() }
    let isNewcomer = numbers.people(of: ranked.slate).map { $0.answersReceived < answers }
    return SlateAdjustment(
      penalties: floor.penalties(
        scores: ranked.scores, isFavoured: isNewcomer, wanted: ranked.wanted))
  }
}
