public import CardFeed

/// Keeps or removes cards as a closure says, one card at a time.
public struct ClosureFilter<D: Deck>: FilterStrategy {
  /// The verdict on one card, given the step of relaxation.
  public typealias Body = @Sendable (D.Card, Int, DealContext<D>) throws -> FilterVerdict

  /// Whether the filter may be relaxed.
  public let kind: FilterKind
  /// How many times it can be relaxed.
  public let relaxations: Int
  /// Why it removes cards.
  public let reasons: [String]
  private let body: Body

  /// A filter with a closure's verdicts.
  public init(
    kind: FilterKind = .hard, relaxations: Int = 0, reasons: [String] = ["removed by the test"],
    _ body: @escaping Body
  ) {
    self.kind = kind
    self.relaxations = relaxations
    self.reasons = reasons
    self.body = body
  }

  /// The closure's verdict on each card.
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    try slate.rows.map { try body(slate.table.card(at: $0), relaxation, slate.context) }
  }
}

/// Answers for a whole slate with a closure: for filters that fail or answer with a wrong length.
public struct ClosureSlateFilter<D: Deck>: FilterStrategy {
  /// The verdicts on a slate.
  public typealias Body = @Sendable (Slate<D>) async throws -> [FilterVerdict]

  /// Whether the filter may be relaxed.
  public let kind: FilterKind
  /// Why it removes cards.
  public var reasons: [String] { ["removed by the test"] }
  private let body: Body

  /// A filter with a closure's verdicts.
  public init(kind: FilterKind = .hard, _ body: @escaping Body) {
    self.kind = kind
    self.body = body
  }

  /// The closure's verdicts.
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    try await body(slate)
  }
}

/// P(match) by the card's identifier; nil for others.
public struct FixedProbabilities<D: Deck>: MatchProbabilityStrategy {
  private let probabilities: [CardID: Double]

  /// Estimates by identifier. Numbers outside of 0 … 1 count as not known.
  public init(_ probabilities: [CardID: Double] = [:]) { self.probabilities = probabilities }

  /// What was fixed.
  public func estimates(for slate: Slate<D>) async throws -> MatchEstimates {
    var estimates = MatchEstimates(count: slate.count)
    for (index, row) in slate.rows.enumerated() {
      let fixed = probabilities[slate.table.id(at: row)]
      estimates[index] = MatchEstimate(match: fixed.flatMap(Probability.init))
    }
    return estimates
  }
}

/// P(match) of a whole slate by a closure.
public struct ClosureProbabilities<D: Deck>: MatchProbabilityStrategy {
  /// The estimates of a slate.
  public typealias Body = @Sendable (Slate<D>) async throws -> MatchEstimates

  private let body: Body

  /// Answers with `body`.
  public init(_ body: @escaping Body) { self.body = body }

  /// What the closure says.
  public func estimates(for slate: Slate<D>) async throws -> MatchEstimates {
    try await body(slate)
  }
}

/// Scores by the card's identifier; unscored where there is none.
public struct FixedScores<D: Deck>: RankingStrategy {
  private let scores: [CardID: Double]

  /// Scores by identifier, non-finite ones as they are.
  public init(_ scores: [CardID: Double]) { self.scores = scores }

  /// What was fixed, as the only term.
  public func scores(for slate: Slate<D>, estimates: MatchEstimates) async throws -> SlateScores {
    let values = slate.rows.map { scores[slate.table.id(at: $0)] ?? .nan }
    return SlateScores(values: values, terms: [.init(name: "fixed", values: values)])
  }
}

/// Scores of a whole slate by a closure.
public struct ClosureRanking<D: Deck>: RankingStrategy {
  /// The scores of a slate.
  public typealias Body = @Sendable (Slate<D>, MatchEstimates) async throws -> SlateScores

  private let body: Body

  /// Answers with `body`.
  public init(_ body: @escaping Body) { self.body = body }

  /// What the closure says.
  public func scores(for slate: Slate<D>, estimates: MatchEstimates) async throws -> SlateScores {
    try await body(slate, estimates)
  }
}

extension ClosureRanking where D == ToyDeck {
  /// The card's weight is its score.
  public static var weight: ClosureRanking {
    ClosureRanking { slate, _ in
      SlateScores(values: slate.rows.map { slate.table.card(at: $0).weight ?? .nan })
    }
  }
}

/// Changes the whole hand as a closure says.
public struct ClosureRule<D: Deck>: SlateRule {
  /// What to change.
  public typealias Body = @Sendable (RankedSlate<D>) async throws -> SlateAdjustment

  private let body: Body

  /// Answers with `body`.
  public init(_ body: @escaping Body) { self.body = body }

  /// Asks for an exploration, whatever the slate.
  public init(_ exploration: Exploration) {
    body = { _ in SlateAdjustment(exploration: exploration) }
  }

  /// What the closure says.
  public func adjustment(for ranked: RankedSlate<D>) async throws -> SlateAdjustment {
    try await body(ranked)
  }
}

/// Safety data by a closure; without one, everybody may meet everybody.
public struct ClosureSafety: SafetyLookup {
  /// The standing of a card towards a viewer.
  public typealias Body = @Sendable (CardNumber, ViewerNumber) -> SafetyStanding

  private let body: Body

  /// Answers with `body`.
  public init(_ body: @escaping Body = { _, _ in .clear }) { self.body = body }

  /// What the closure says of each card.
  public func standings(
    of cards: [CardNumber], for viewer: ViewerNumber
  ) async -> [SafetyStanding] {
    cards.map { body($0, viewer) }
  }
}
