public import CardFeed

/// Orders candidates by the share of positive answers that each card has received, drawn towards a
/// prior while there are few: (positive + prior · weight) / (answers + weight).
///
/// The posterior mean of a Beta(prior · weight, (1 − prior) · weight) distribution. Neutral answers
/// do not count. When not to use it: it looks at one side only, and what it shows often it learns
/// most about, so a few cards collect nearly all exposures.
public struct PopularityRanking<D: Deck>: RankingStrategy, Learner {
  private let prior: Double
  private let weight: Double
  /// The answers and the positive answers of each card.
  public let numbers: LearnedNumbers

  /// A popularity over shared learner states.
  ///
  /// - Parameters:
  ///   - prior: The share that is assumed of a card without answers.
  ///   - weight: How many answers the prior counts as, finite and above 0.
  ///   - states: Where the counts are.
  public init(prior: Probability, weight: Double = 2, states: LearnerStates) {
    precondition(
      weight > 0 && weight.isFinite, "The prior's weight is finite and above 0; got \(weight).")
    self.prior = prior.value
    self.weight = weight
    numbers = states.numbers(for: Self.identity, stride: 2)
  }

  private static var identity: String { "popularity/2" }

  /// The prior and its weight are no part of it: they change how counts are read, not the counts.
  public var identity: String { Self.identity }

  /// Itself.
  public var learners: [any Learner<D>] { [self] }

  /// One answer more, and one positive answer more if it is one. O(1).
  public func increments(for event: LearningEvent<D>) -> [Increment] {
    let answers = Increment(LearnedKey(owner: event.card, slot: Slot.answers), 1)
    switch event.outcome {
    case nil: return []
    case false: return [answers]
    case true:
      return [answers, Increment(LearnedKey(owner: event.card, slot: Slot.positive), 1)]
    }
  }

  /// The smoothed share of each candidate. O(n).
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let cards = slate.numbers
    return numbers.read { numbers in
      SlateScores(
        values: cards.map { card in
          let answers = Double(numbers(card, Slot.answers))
          let positive = Double(numbers(card, Slot.positive))
          return (positive + prior * weight) / (answers + weight)
        })
    }
  }
}

/// What each number of a card counts.
private enum Slot {
  static let answers: UInt8 = 0
  static let positive: UInt8 = 1
}
