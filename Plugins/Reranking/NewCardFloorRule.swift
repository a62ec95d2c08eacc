public import CardFeed
internal import CardFeedDiversity

/// Keeps a share of the places of all hands for cards about which few have answered yet.
///
/// Of a hand of w places, share · w are kept: the whole part always, and one more with the
/// probability of the fraction, drawn from the deal's seed. They go to the new cards that rank
/// highest.
public struct NewCardFloorRule<D: Deck>: SlateRule {
  private let answers: Int
  private let share: Double
  private let numbers: AnswersReceived<D>

  /// A floor.
  ///
  /// - Parameters:
  ///   - answers: A card with fewer answers than this is new; above 0.
  ///   - share: The share of places that is kept.
  ///   - states: Where answers are counted.
  public init(answers: Int, share: Probability, states: LearnerStates) {
    precondition(answers > 0, "A new card has fewer answers than 1 or more; got \(answers).")
    self.answers = answers
    self.share = share.value
    numbers = AnswersReceived(states: states)
  }

  /// The counts.
  public var learners: [any Learner<D>] { [numbers] }

  /// Penalties on those who stand before new cards with a kept place. O(n).
  public func adjustment(for ranked: RankedSlate<D>) async throws -> SlateAdjustment {
    var generator = SplitMix64(seed: ranked.slate.context.seed(for: "new-card-floor"))
    let floor = PlaceFloor(share: share, of: ranked.wanted, draw: generator.unitInterval())
    guard floor.kept > 0 else { return SlateAdjustment() }
    let counts = numbers.counts(of: ranked.slate.numbers)
    return SlateAdjustment(
      penalties: floor.penalties(
        scores: ranked.scores, isFavoured: counts.map { $0 < Int64(answers) },
        wanted: ranked.wanted))
  }
}

/// Counts the answers about each card.
struct AnswersReceived<D: Deck>: Learner {
  let numbers: LearnedNumbers

  init(states: LearnerStates) {
    numbers = states.numbers(for: Self.version, stride: 1)
  }

  private static var version: String { "answers-received/2" }

  var identity: String { Self.version }

  func increments(for event: LearningEvent<D>) -> [Increment] {
    event.outcome == nil
      ? [] : [Increment(LearnedKey(owner: event.card, slot: 0), 1)]
  }

  func counts(of cards: [CardNumber]) -> [Int64] {
    numbers.read { read in cards.map { read($0, 0) } }
  }
}
