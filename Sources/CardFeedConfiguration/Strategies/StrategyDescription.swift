/// What a strategy is for.
public enum StrategyKind: String, Hashable, Sendable, CaseIterable {
  /// Proposes candidates.
  case source
  /// Decides which may be dealt.
  case filter
  /// Estimates P(match).
  case matchProbability = "match-probability"
  /// Scores.
  case ranking
  /// Looks at the whole hand.
  case slateRule = "slate-rule"
  /// Decides what makes a match.
  case matchRule = "match-rule"
  /// Says how many answers a viewer may give.
  case quota
  /// Keeps cards and events.
  case store

  /// The kind in a sentence.
  public var noun: String {
    switch self {
    case .source: "source"
    case .filter: "filter"
    case .matchProbability: "match probability"
    case .ranking: "ranking"
    case .slateRule: "slate rule"
    case .matchRule: "match rule"
    case .quota: "quota"
    case .store: "store"
    }
  }
}

/// Describes a strategy that a configuration can ask for.
public struct StrategyDescription: Sendable {
  /// The stable, lower-case, dashed name in the JSON.
  public let use: String
  /// What it is for.
  public let kind: StrategyKind
  /// What it does, as one sentence.
  public let summary: String
  /// More: sources of formulas, when not to use it.
  public let discussion: String
  /// Its parameters.
  public let parameters: [ParameterDescription]

  /// Describes a strategy.
  public init(
    _ use: String, _ kind: StrategyKind, summary: String, discussion: String = "",
    parameters: [ParameterDescription] = []
  ) {
    let allowed = use.utf8.allSatisfy { byte in
      (97...122).contains(byte) || (48...57).contains(byte) || byte == 45
    }
    precondition(
      allowed && !use.isEmpty,
      "A strategy's name has lower-case letters, digits and dashes only; got '\(use)'.")
    self.use = use
    self.kind = kind
    self.summary = summary
    self.discussion = discussion
    self.parameters = parameters
  }
}
