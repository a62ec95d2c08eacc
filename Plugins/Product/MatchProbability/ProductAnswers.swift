internal import CardFeed

/// Counts the answers that each product has had, and how many of them made a match.
struct ProductAnswers: Learner {
  typealias D = ProductDeck

  private enum Slot {
    static let answers: UInt8 = 0
    static let matches: UInt8 = 1
    static let count = 2
  }

  private static let identity = "product-answers/1"

  let numbers: LearnedNumbers

  /// Counts over shared learner states; all strategies of a feed share them.
  init(states: LearnerStates) {
    numbers = states.numbers(for: Self.identity, stride: Slot.count)
  }

  var identity: String { Self.identity }

  /// One answer more, of the product and of the deck, and one match more if it is one. O(1).
  func increments(for event: LearningEvent<ProductDeck>) -> [Increment] {
    let owners = [event.card, nil]
    let answers = owners.map { Increment(LearnedKey(owner: $0, slot: Slot.answers), 1) }
    guard event.meaning == .positive else { return answers }
    return answers + owners.map { Increment(LearnedKey(owner: $0, slot: Slot.matches), 1) }
  }

  /// How often something happened.
  struct Counts {
    var answers: Double
    var matches: Double
  }

  /// The counts of some products, and of the whole deck. O(n).
  func counts(of cards: [CardNumber]) -> (cards: [Counts], deck: Counts) {
    numbers.read { numbers in
      func counts(_ owner: CardNumber?) -> Counts {
        // A sum that others' rewinds took below zero counts as none.
        let answers = max(0, numbers(owner, Slot.answers))
        return Counts(
          answers: Double(answers),
          matches: Double(min(answers, max(0, numbers(owner, Slot.matches)))))
      }
      return (cards.map { counts($0) }, counts(nil))
    }
  }

  /// The matches of every row. O(cards).
  func matches(of table: CardTable<ProductDeck>) -> [Int64] {
    numbers.read { numbers in
      (0..<table.count).map { max(0, numbers(table.number(at: Row($0)), Slot.matches)) }
    }
  }
}

/// Estimates P(match) of a product as the share of its answers that were a save or a purchase, drawn
/// towards the share of the whole deck while there are few.
///
/// The mean of a Beta distribution whose prior weighs as much as `weight` answers; the standard error is
/// that distribution's. The same for every viewer. When not to use it: where more is known of viewers
/// than their answers to a handful of products, a model that looks at them tells more.
struct MatchRateProbability: MatchProbabilityStrategy {
  typealias D = ProductDeck

  /// The share that is assumed before there are answers.
  let prior: Double
  /// How many answers the prior counts as, for the deck and for each product.
  let weight: Double
  let answers: ProductAnswers

  var learners: [any Learner<ProductDeck>] { [answers] }

  var uncertainty: MatchUncertainty {
    .standardError(covers: "how few answers the product has had; not who the viewer is")
  }

  /// O(n).
  func estimates(for slate: Slate<ProductDeck>) async throws -> MatchEstimates {
    let (cards, deck) = answers.counts(of: slate.numbers)
    let share = (deck.matches + prior * weight) / (deck.answers + weight)
    var estimates = MatchEstimates(count: slate.count)
    for (index, card) in cards.enumerated() {
      let total = card.answers + weight
      let mean = (card.matches + share * weight) / total
      estimates[index] = MatchEstimate(
        match: Probability(mean),
        standardError: (mean * (1 - mean) / (total + 1)).squareRoot())
    }
    return estimates
  }

  /// What the share is made of. O(n).
  func reasons(for slate: Slate<ProductDeck>) async throws -> [EstimatePart] {
    let (cards, _) = answers.counts(of: slate.numbers)
    return [
      EstimatePart(name: "answers", values: cards.map(\.answers)),
      EstimatePart(name: "matches", values: cards.map(\.matches)),
    ]
  }
}
