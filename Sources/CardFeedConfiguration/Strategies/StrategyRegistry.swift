public import CardFeed

/// What a strategy may use while it is built.
public struct BuildContext<D: Deck>: Sendable {
  /// The deck.
  public let deck: D
  /// Where learners get their numbers from.
  public let states: LearnerStates
  /// Who must not meet whom.
  public let safety: any SafetyLookup
  /// Brings pages of cards from elsewhere, if the host has such a place.
  public let pageLoader: PageLoader<D.Card>?
  /// Builds strategies inside strategies.
  public let registry: StrategyRegistry<D>
  /// Reads the file of a model.
  public let models: ModelReader
  /// Identifies who may be dealt to whom in the pipeline that is built, and how likely matches are:
  /// its filters and its match probability, but for the files of models. Part of the identity of
  /// what is made by asking the pipeline. Empty outside of a pipeline.
  public internal(set) var eligibility = ""

  /// What a strategy may use while it is built.
  public init(
    deck: D, states: LearnerStates, safety: any SafetyLookup,
    pageLoader: PageLoader<D.Card>? = nil, registry: StrategyRegistry<D>,
    models: ModelReader = .files
  ) {
    self.models = models
    self.deck = deck
    self.states = states
    self.safety = safety
    self.pageLoader = pageLoader
    self.registry = registry
  }
}

/// The strategies that a deck's configurations can ask for. A value that is passed, not a global.
public struct StrategyRegistry<D: Deck>: Sendable {
  /// Makes a strategy of decoded parameters.
  public typealias Maker<S> = @Sendable (Parameters, BuildContext<D>) throws -> S

  private var sources: [String: Maker<any CandidateSource<D>>] = [:]
  private var filters: [String: Maker<any FilterStrategy<D>>] = [:]
  private var probabilities: [String: Maker<any MatchProbabilityStrategy<D>>] = [:]
  private var rankings: [String: Maker<any RankingStrategy<D>>] = [:]
  private var slateRules: [String: Maker<any SlateRule<D>>] = [:]
  private var matchRules: [String: Maker<any MatchRule>] = [:]
  private var quotas: [String: Maker<any QuotaStrategy<D>>] = [:]

  /// What can be asked for, in the order of registration.
  public private(set) var descriptions: [StrategyDescription] = []

  /// A registry without strategies.
  public init() {}

  private mutating func add(_ description: StrategyDescription, _ kind: StrategyKind) {
    precondition(
      description.kind == kind,
      "'\(description.use)' is described as a \(description.kind.noun), registered as a "
        + "\(kind.noun).")
    precondition(
      !descriptions.contains { $0.kind == kind && $0.use == description.use },
      "Two plugins register a \(kind.noun) called '\(description.use)'; rename one.")
    descriptions.append(description)
  }

  /// Adds a source. Every source also has the parameter `limit`, which the pipeline uses.
  public mutating func register(
    source description: StrategyDescription, _ make: @escaping Maker<any CandidateSource<D>>
  ) {
    let limit = ParameterDescription(
      "limit", .integer(1...1_000_000), unit: "cards", default: 2000,
      help: "How many candidates it proposes in one page.")
    add(
      StrategyDescription(
        description.use, description.kind, summary: description.summary,
        discussion: description.discussion, parameters: description.parameters + [limit]), .source)
    sources[description.use] = make
  }

  /// Adds a filter.
  public mutating func register(
    filter description: StrategyDescription, _ make: @escaping Maker<any FilterStrategy<D>>
  ) {
    add(description, .filter)
    filters[description.use] = make
  }

  /// Adds a match probability.
  public mutating func register(
    matchProbability description: StrategyDescription,
    _ make: @escaping Maker<any MatchProbabilityStrategy<D>>
  ) {
    add(description, .matchProbability)
    probabilities[description.use] = make
  }

  /// Adds a ranking.
  public mutating func register(
    ranking description: StrategyDescription, _ make: @escaping Maker<any RankingStrategy<D>>
  ) {
    add(description, .ranking)
    rankings[description.use] = make
  }

  /// Adds a slate rule.
  public mutating func register(
    slateRule description: StrategyDescription, _ make: @escaping Maker<any SlateRule<D>>
  ) {
    add(description, .slateRule)
    slateRules[description.use] = make
  }

  /// Adds a match rule.
  public mutating func register(
    matchRule description: StrategyDescription, _ make: @escaping Maker<any MatchRule>
  ) {
    add(description, .matchRule)
    matchRules[description.use] = make
  }

  /// Adds a quota.
  public mutating func register(
    quota description: StrategyDescription, _ make: @escaping Maker<any QuotaStrategy<D>>
  ) {
    add(description, .quota)
    quotas[description.use] = make
  }

  private func make<S>(
    _ makers: [String: Maker<S>], _ specification: StrategySpecification,
    _ context: BuildContext<D>
  ) throws -> S {
    guard let maker = makers[specification.use] else {
      preconditionFailure(
        "'\(specification.use)' was decoded with another registry than it is built with.")
    }
    return try maker(specification.parameters, context)
  }

  /// Builds a source.
  public func source(
    _ specification: StrategySpecification, _ context: BuildContext<D>
  ) throws -> any CandidateSource<D> { try make(sources, specification, context) }

  /// Builds a filter.
  public func filter(
    _ specification: StrategySpecification, _ context: BuildContext<D>
  ) throws -> any FilterStrategy<D> { try make(filters, specification, context) }

  /// Builds a match probability.
  public func matchProbability(
    _ specification: StrategySpecification, _ context: BuildContext<D>
  ) throws -> any MatchProbabilityStrategy<D> { try make(probabilities, specification, context) }

  /// Builds a ranking.
  public func ranking(
    _ specification: StrategySpecification, _ context: BuildContext<D>
  ) throws -> any RankingStrategy<D> { try make(rankings, specification, context) }

  /// Builds a slate rule.
  public func slateRule(
    _ specification: StrategySpecification, _ context: BuildContext<D>
  ) throws -> any SlateRule<D> { try make(slateRules, specification, context) }

  /// Builds a match rule.
  public func matchRule(
    _ specification: StrategySpecification, _ context: BuildContext<D>
  ) throws -> any MatchRule { try make(matchRules, specification, context) }

  /// Builds a quota.
  public func quota(
    _ specification: StrategySpecification, _ context: BuildContext<D>
  ) throws -> any QuotaStrategy<D> { try make(quotas, specification, context) }
}
