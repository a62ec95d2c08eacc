/// How hands are kept.
public struct HandPolicy: Hashable, Sendable {
  /// Cards of a full hand.
  public var size: Int
  /// A hand with fewer cards is refilled when it is asked for.
  public var refillBelow: Int
  /// How many swipes can be rewound.
  public var rewind: Int
  /// How equal scores are ordered.
  public var ties: TieBreak
  /// What becomes of cards without a score.
  public var unscored: UnscoredPolicy
  /// Pages asked of each source for one deal, at most.
  public var batches: Int
  /// Milliseconds after which a deal stops looking for better cards; nil is no limit.
  public var timeBudget: Int?

  /// How equal scores are ordered.
  public enum TieBreak: String, Hashable, Sendable, CaseIterable {
    /// By a random order that is the viewer's own and stays the same.
    case seeded
    /// By the cards' identifiers, as bytes.
    case id
  }

  /// What becomes of cards without a score.
  public enum UnscoredPolicy: String, Hashable, Sendable, CaseIterable {
    /// They come after all others.
    case last
    /// They are not dealt.
    case exclude
  }

  /// How hands are kept. Counts must be positive, and `refillBelow` at most `size`.
  public init(
    size: Int = 5, refillBelow: Int = 3, rewind: Int = 20, ties: TieBreak = .seeded,
    unscored: UnscoredPolicy = .last, batches: Int = 32, timeBudget: Int? = nil
  ) {
    precondition(size > 0, "A hand needs at least one card; got size \(size).")
    precondition(
      (1...size).contains(refillBelow),
      "refillBelow is 1 … size (\(size)); got \(refillBelow).")
    precondition(rewind >= 0, "The rewind depth is 0 or more; got \(rewind).")
    precondition(batches > 0, "A deal asks each source at least once; got batches \(batches).")
    precondition(
      timeBudget ?? 0 >= 0, "A time budget is 0 milliseconds or more; got \(timeBudget ?? 0).")
    self.size = size
    self.refillBelow = refillBelow
    self.rewind = rewind
    self.ties = ties
    self.unscored = unscored
    self.batches = batches
    self.timeBudget = timeBudget
  }
}

/// Everything that decides what a viewer is dealt: strategies with their names, in their order.
/// Immutable; a feed swaps the whole.
public struct Pipeline<D: Deck>: Sendable {
  /// A source with its name and the size of its page.
  public struct Source: Sendable {
    /// The name in traces.
    public let name: String
    /// Candidates in a page.
    public let limit: Int
    /// The source.
    public let strategy: any CandidateSource<D>

    /// A source with its name and the size of its page, 1 or more.
    public init(name: String, limit: Int, strategy: any CandidateSource<D>) {
      precondition(limit > 0, "A page holds at least one candidate; got limit \(limit).")
      self.name = name
      self.limit = limit
      self.strategy = strategy
    }
  }

  /// A strategy with its name.
  public struct Named<S: Sendable>: Sendable {
    /// The name in traces.
    public let name: String
    /// The strategy.
    public let strategy: S

    /// A strategy with its name.
    public init(_ name: String, _ strategy: S) {
      self.name = name
      self.strategy = strategy
    }
  }

  /// Identifies what decides: equal pipelines of equal configurations have equal fingerprints.
  public let fingerprint: String
  /// How hands are kept.
  public internal(set) var hand: HandPolicy
  /// Where candidates come from, in order of precedence.
  public internal(set) var sources: [Source]
  /// Which candidates may be dealt: the built-in safety filters first, unless named elsewhere.
  public let filters: [Named<any FilterStrategy<D>>]
  /// How likely a match is.
  public let matchProbability: Named<any MatchProbabilityStrategy<D>>
  /// In what order cards come.
  public let ranking: Named<any RankingStrategy<D>>
  /// What changes the whole hand, in order.
  public let rules: [Named<any SlateRule<D>>]
  /// What makes a match.
  public let matchRule: any MatchRule
  /// How many answers viewers may give, in order.
  public let quotas: [Named<any QuotaStrategy<D>>]

  /// Puts a pipeline together. Safety filters (`unavailable`, `self`, `blocked`) are always in it:
  /// those that `filters` does not name are put first.
  public init(
    fingerprint: String, hand: HandPolicy, sources: [Source],
    filters: [Named<any FilterStrategy<D>>], safety: any SafetyLookup,
    matchProbability: Named<any MatchProbabilityStrategy<D>>,
    ranking: Named<any RankingStrategy<D>>, rules: [Named<any SlateRule<D>>] = [],
    matchRule: any MatchRule, quotas: [Named<any QuotaStrategy<D>>] = []
  ) {
    self.fingerprint = fingerprint
    self.hand = hand
    self.sources = sources
    let builtIn: [Named<any FilterStrategy<D>>] = [
      Named("unavailable", AvailabilityFilter<D>()),
      Named("self", SelfFilter<D>()),
      Named("blocked", SafetyFilter<D>(lookup: safety)),
    ]
    let named = Set(filters.map(\.name))
    self.filters = builtIn.filter { !named.contains($0.name) } + filters
    self.matchProbability = matchProbability
    self.ranking = ranking
    self.rules = rules
    self.matchRule = matchRule
    self.quotas = quotas
    needs = strategies.reduce(into: []) { $0.formUnion($1.needs) }
  }

  private var strategies: [any Strategy<D>] {
    sources.map { $0.strategy as any Strategy<D> }
      + filters.map { $0.strategy as any Strategy<D> }
      + [matchProbability.strategy as any Strategy<D>, ranking.strategy as any Strategy<D>]
      + rules.map { $0.strategy as any Strategy<D> }
      + quotas.map { $0.strategy as any Strategy<D> }
  }

  /// What the strategies need in the context, together.
  private(set) var needs: ContextNeeds = []

  var learners: [any Learner<D>] { strategies.flatMap { $0.learners } }

  var trainables: [any TrainableStrategy<D>] { strategies.flatMap { $0.trainables } }

  /// What match probability, ranking and slate rules score beside answers, by the strategy.
  var scored: [ScoredFeatures] {
    let scoring =
      [(matchProbability.name, matchProbability.strategy as any Strategy<D>)]
      + [(ranking.name, ranking.strategy as any Strategy<D>)]
      + rules.map { ($0.name, $0.strategy as any Strategy<D>) }
    return scoring.map { name, strategy in
      let features = strategy.scored + strategy.trainables.flatMap { $0.anySlot.scored }
      var known = Set<String>()
      return ScoredFeatures(
        strategy: name, features: features.filter { known.insert($0).inserted },
        lacksModel: strategy.trainables.contains { $0.anySlot.bytes == nil })
    }
  }
}

/// What a strategy scores beside answers.
public struct ScoredFeatures: Hashable, Sendable {
  /// The strategy, as the pipeline names it.
  public let strategy: String
  /// Columns, traits, or what is made of them, each once.
  public let features: [String]
  /// Whether a model is missing, which would say what it scores.
  public let lacksModel: Bool
}

/// The pipelines of a feed: one for everybody, and variants for fixed shares of the viewers.
public struct PipelineSet<D: Deck>: Sendable {
  /// A pipeline that a share of the viewers gets.
  public struct Variant: Sendable {
    /// Its name in hands and traces.
    public let name: String
    /// The share of viewers, 0 … 1.
    public let share: Double
    /// What they get.
    public let pipeline: Pipeline<D>

    /// A pipeline for a share of the viewers.
    public init(name: String, share: Double, pipeline: Pipeline<D>) {
      self.name = name
      self.share = share
      self.pipeline = pipeline
    }
  }

  /// What everybody gets who is in no variant.
  public let base: Pipeline<D>
  /// The variants, in order; their shares add up to 1 at most.
  public let variants: [Variant]
  /// Changes which viewers fall into which share.
  public let salt: String
  /// Every learner of every pipeline, each identity once.
  let learners: [any Learner<D>]
  /// Every trainable strategy of every pipeline, each slot once, with the pipeline it stands in.
  let trainings: [(strategy: any TrainableStrategy<D>, pipeline: Pipeline<D>)]

  var trainables: [any TrainableStrategy<D>] { trainings.map(\.strategy) }

  /// What the strategies of all pipelines score beside answers, for audits; each once.
  public var scored: [ScoredFeatures] {
    var known = Set<ScoredFeatures>()
    return ([base] + variants.map(\.pipeline)).flatMap { $0.scored }
      .filter { known.insert($0).inserted }
  }

  /// Pipelines of a feed.
  public init(base: Pipeline<D>, variants: [Variant] = [], salt: String = "") {
    self.base = base
    self.variants = variants
    self.salt = salt
    var known = Set<String>()
    learners = ([base] + variants.map(\.pipeline)).flatMap { $0.learners }
      .filter { known.insert($0.identity).inserted }
    var slots = Set<ObjectIdentifier>()
    trainings = ([base] + variants.map(\.pipeline)).flatMap { pipeline in
      pipeline.trainables.map { ($0, pipeline) }
    }.filter { slots.insert(ObjectIdentifier($0.strategy.anySlot)).inserted }
  }

  /// What a viewer gets: always the same for the same salt and shares. O(variants).
  public func pipeline(for viewer: ViewerID) -> (variant: String?, pipeline: Pipeline<D>) {
    guard !variants.isEmpty else { return (nil, base) }
    var hash = StableHash()
    hash.combine(salt)
    hash.combine(viewer.bytes)
    var rest = hash.unitInterval
    for variant in variants {
      if rest < variant.share { return (variant.name, variant.pipeline) }
      rest -= variant.share
    }
    return (nil, base)
  }

}
