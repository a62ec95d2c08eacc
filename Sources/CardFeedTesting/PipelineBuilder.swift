public import CardFeed

/// Puts a pipeline together piece by piece, with a harmless default for each piece: the whole
/// table as source, no filters but the built-in ones, no estimates, and every score 0, so that the
/// tie-break alone decides (by identifier, unless changed).
public struct PipelineBuilder<D: Deck>: Sendable {
  /// Identifies what decides.
  public var fingerprint = "test"
  /// How hands are kept.
  public var hand = HandPolicy(ties: .id)
  /// Where candidates come from.
  public var sources: [Pipeline<D>.Source] = []
  /// Which candidates may be dealt.
  public var filters: [Pipeline<D>.Named<any FilterStrategy<D>>] = []
  /// Where safety data come from.
  public var safety: any SafetyLookup
  /// How likely a match is.
  public var matchProbability: any MatchProbabilityStrategy<D> = FixedProbabilities<D>()
  /// In what order cards come.
  public var ranking: any RankingStrategy<D> = ClosureRanking<D> { slate, _ in
    SlateScores(values: Array(repeating: 0, count: slate.count))
  }
  /// What changes the whole hand.
  public var rules: [Pipeline<D>.Named<any SlateRule<D>>] = []
  /// What makes a match.
  public var matchRule: any MatchRule = BothLikeRule()
  /// How many answers viewers may give.
  public var quotas: [Pipeline<D>.Named<any QuotaStrategy<D>>] = []

  /// Starts with safety data, for a real feed `StoreSafety(store)`.
  public init(safety: any SafetyLookup = ClosureSafety()) { self.safety = safety }

  /// Adds a source.
  public mutating func source(
    _ name: String, limit: Int = 1000, _ source: some CandidateSource<D>
  ) {
    sources.append(.init(name: name, limit: limit, strategy: source))
  }

  /// Adds a filter.
  public mutating func filter(_ name: String, _ filter: some FilterStrategy<D>) {
    filters.append(.init(name, filter))
  }

  /// Adds a slate rule.
  public mutating func rule(_ name: String, _ rule: some SlateRule<D>) {
    rules.append(.init(name, rule))
  }

  /// The pipeline. Match probability and ranking are called just that in traces.
  public func build() -> Pipeline<D> {
    let whole = Pipeline<D>.Source(name: "all", limit: 1000, strategy: ListSource<D>())
    return Pipeline(
      fingerprint: fingerprint, hand: hand, sources: sources.isEmpty ? [whole] : sources,
      filters: filters, safety: safety, matchProbability: .init("probability", matchProbability),
      ranking: .init("ranking", ranking), rules: rules, matchRule: matchRule,
      quotas: quotas)
  }

  /// The only pipeline of a feed.
  public func buildSet() -> PipelineSet<D> { PipelineSet(base: build()) }
}
