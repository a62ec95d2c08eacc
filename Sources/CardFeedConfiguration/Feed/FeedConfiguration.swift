public import CardFeed

/// What decides in a feed, or in one variant of it: decoded, but not built.
public struct PipelineSpecification: Sendable {
  /// How hands are kept.
  public let hand: HandPolicy
  /// Where candidates come from.
  public let sources: [StrategySpecification]
  /// Which may be dealt.
  public let filters: [StrategySpecification]
  /// How likely a match is.
  public let matchProbability: StrategySpecification
  /// In what order they come.
  public let ranking: StrategySpecification
  /// What changes the whole hand.
  public let slate: [StrategySpecification]
  /// What makes a match.
  public let match: StrategySpecification
  /// How many answers viewers may give.
  public let quotas: [StrategySpecification]
  /// Everything spelled out.
  public let effective: JSONObject
  /// Of `effective`, in its canonical form: 16 hexadecimal digits.
  public let fingerprint: String
}

/// A feed configuration that was read without a problem.
///
/// This module turns a file into pipelines: it reads JSON strictly, finds strategies by name in the
/// plugins it is given and reports every problem at once, each with its path. Programs and plugins
/// call it. It must never import a plugin, a store or Foundation.
public struct FeedConfiguration: Sendable {
  /// A pipeline for a share of the viewers.
  public struct Variant: Sendable {
    /// Its name.
    public let name: String
    /// The share of viewers, above 0 and at most 1.
    public let share: Double
    /// What they get.
    public let pipeline: PipelineSpecification
  }

  /// The name of the deck.
  public let deck: String
  /// Where cards and events are kept.
  public let store: StrategySpecification
  /// How the engine runs.
  public let options: FeedOptions
  /// What everybody gets who is in no variant.
  public let base: PipelineSpecification
  /// Pipelines for shares of the viewers.
  public let variants: [Variant]
  /// Changes which viewers fall into which share.
  public let salt: String
  /// The configuration with every default spelled out, in the order of the documentation.
  public let effective: JSONValue
  /// Of what decides: base and variants. 16 hexadecimal digits.
  public let fingerprint: String

  /// Of any value that decides something: 16 hexadecimal digits of its canonical text. O(n).
  public static func fingerprint(of value: JSONValue) -> String {
    var hash = StableHash()
    hash.combine(value.canonicalBytes())
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension FeedConfiguration {
  /// The keys of a configuration, in the order of the documentation.
  static let keys = [
    "version", "deck", "store", "seed", "sessions", "trace", "hand", "sources", "filters",
    "matchProbability", "ranking", "slate", "match", "quotas", "variants", "salt",
  ]

  /// The keys that a variant may set, which are those of a pipeline.
  static let pipelineKeys = [
    "hand", "sources", "filters", "matchProbability", "ranking", "slate", "match", "quotas",
  ]

  /// What every deck means where neither the file nor the deck says anything.
  static let defaults: JSONObject = [
    "store": ["use": "memory"], "hand": [:], "filters": [],
    "matchProbability": ["use": "constant"], "ranking": ["use": "source-order"], "slate": [],
    "quotas": [], "variants": [], "salt": "",
  ]

  /// The parameters of the engine that stand beside the pipeline's keys.
  static let optionParameters: [ParameterDescription] = [
    ParameterDescription(
      "seed", .integer(0...Int64.max), default: 0, help: "The seed of everything random."),
    ParameterDescription(
      "sessions", .integer(1...100_000_000), unit: "viewers", default: 10_000,
      help: "Viewers kept in memory."),
  ]

  /// The parameters of a variant, beside `set`.
  static let variantParameters: [ParameterDescription] = [
    ParameterDescription("name", .text, help: "The name in hands and traces."),
    ParameterDescription(
      "share", .number(Double.leastNonzeroMagnitude...1), unit: "share of viewers",
      help: "The share of viewers that gets the variant."),
  ]

  /// The parameters of `hand`.
  static let handParameters: [ParameterDescription] = [
    ParameterDescription(
      "size", .integer(1...1000), unit: "cards", default: 5, help: "Cards of a full hand."),
    ParameterDescription(
      "refillBelow", .integer(1...1000), unit: "cards", default: 3,
      help: "A hand with fewer cards is refilled when it is asked for."),
    ParameterDescription(
      "rewind", .integer(0...10_000), unit: "swipes", default: 20,
      help: "How many swipes can be rewound."),
    ParameterDescription(
      "ties", .choice(HandPolicy.TieBreak.allCases.map(\.rawValue)), default: "seeded",
      help: "How equal scores are ordered: by the viewer's own random order, or by identifier."),
    ParameterDescription(
      "unscored", .choice(HandPolicy.UnscoredPolicy.allCases.map(\.rawValue)), default: "last",
      help: "Whether cards without a score come last or not at all."),
    ParameterDescription(
      "batches", .integer(1...100_000), default: 32,
      help: "Pages asked of each source for one deal, at most."),
    ParameterDescription(
      "timeBudgetMilliseconds", .integer(1...3_600_000), unit: "milliseconds", default: .null,
      help: "After this time a deal stops looking for better cards; null is no limit."),
  ]

  /// The parameters of `trace`.
  static let traceParameters: [ParameterDescription] = [
    ParameterDescription(
      "share", .number(.share), unit: "share of deals", default: 0,
      help: "The share of deals whose trace names every candidate.")
  ]
}
