public import CardFeed

extension FeedConfiguration {
  /// Builds the pipelines of this configuration.
  ///
  /// - Parameter context: What strategies may use; its registry is the one of the deck.
  /// - Throws: What a strategy throws when it cannot be built.
  public func pipelines<D: Deck>(_ context: BuildContext<D>) throws -> PipelineSet<D> {
    precondition(
      D.name == deck, "A configuration of the deck '\(deck)' was built for '\(D.name)'.")
    return PipelineSet(
      base: try base.build(context),
      variants: try variants.map { variant in
        PipelineSet.Variant(
          name: variant.name, share: variant.share, pipeline: try variant.pipeline.build(context))
      }, salt: salt)
  }

  /// Builds every strategy once and names each that cannot be built: an unknown column, something
  /// that the host program has to bring. Nothing is opened.
  ///
  /// - Parameter context: As for `pipelines`.
  /// - Returns: The problems in the order of the pipeline, each once.
  public func buildingProblems<D: Deck>(_ context: BuildContext<D>) -> [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    for pipeline in [base] + variants.map(\.pipeline) {
      // A variant has the base's strategies where it sets none: they are complained about once.
      for problem in pipeline.buildingProblems(context)
      where !problems.contains(where: {
        $0.location == problem.location && $0.message == problem.message
      }) {
        problems.append(problem)
      }
    }
    return problems
  }

  /// The same for the configuration's own deck among some plugins, without a feed: whether the host
  /// program brings pages of cards is not asked.
  ///
  /// - Parameters:
  ///   - plugins: The strategies; the same that the configuration was read with.
  ///   - models: Reads the files of models.
  package func buildingProblems(
    plugins: PluginSet, models: ModelReader = .files
  ) -> [ConfigurationProblem] {
    func problems<P: DeckPlugin>(_ deck: P) -> [ConfigurationProblem] {
      buildingProblems(
        BuildContext(
          deck: deck.deck, states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
          pageLoader: { _ in [] }, registry: plugins.registry(for: deck), models: models))
    }
    return plugins.deck(named: deck).map { problems($0) } ?? []
  }

  /// Opens the store that this configuration asks for.
  public func openStore(plugins: PluginSet) async throws -> any FeedStore {
    guard let description = plugins.stores.first(where: { $0.description.use == store.use })
    else {
      preconditionFailure("'\(store.use)' was decoded with other plugins than it is opened with.")
    }
    return try await description.open(store.parameters)
  }
}

extension PipelineSpecification {
  func build<D: Deck>(_ context: BuildContext<D>) throws -> Pipeline<D> {
    var context = context
    context.eligibility = eligibility
    let registry = context.registry
    return Pipeline(
      fingerprint: fingerprint, hand: hand,
      sources: try sources.map { source in
        Pipeline.Source(
          name: source.use, limit: source.parameters.integer("limit"),
          strategy: try registry.source(source, context))
      },
      filters: try filters.map { .init($0.use, try registry.filter($0, context)) },
      safety: context.safety,
      matchProbability: .init(
        matchProbability.use, try registry.matchProbability(matchProbability, context)),
      ranking: .init(ranking.use, try registry.ranking(ranking, context)),
      rules: try slate.map { .init($0.use, try registry.slateRule($0, context)) },
      matchRule: try registry.matchRule(match, context),
      quotas: try quotas.map { .init($0.use, try registry.quota($0, context)) })
  }
}

extension PipelineSpecification {
  /// Of the filters and the match probability. Where a model lies says nothing about it.
  var eligibility: String {
    let filters = JSONValue(filters.map { $0.effective.withoutModels })
    return FeedConfiguration.fingerprint(of: [filters, matchProbability.effective.withoutModels])
  }

  func buildingProblems<D: Deck>(_ context: BuildContext<D>) -> [ConfigurationProblem] {
    var context = context
    context.eligibility = eligibility
    let registry = context.registry
    var problems: [ConfigurationProblem] = []
    func attempt<S>(
      _ strategies: [StrategySpecification],
      _ build: (StrategySpecification, BuildContext<D>) throws -> S
    ) {
      for strategy in strategies {
        do {
          _ = try build(strategy, context)
        } catch {
          problems.append(
            ConfigurationProblem(
              path: strategy.path, location: strategy.location, message: "\(error)"))
        }
      }
    }
    attempt(sources, registry.source)
    attempt(filters, registry.filter)
    attempt([matchProbability], registry.matchProbability)
    attempt([ranking], registry.ranking)
    attempt(slate, registry.slateRule)
    attempt([match], registry.matchRule)
    attempt(quotas, registry.quota)
    return problems
  }
}

extension JSONValue {
  /// Without the parameter "model" of every strategy.
  fileprivate var withoutModels: JSONValue {
    if let object {
      let rest = object.members.filter { $0.key != "model" }
      return JSONValue(JSONObject(rest.map { ($0.key, $0.value.withoutModels) }))
    }
    if let array { return JSONValue(array.map(\.withoutModels)) }
    return self
  }
}

/// Opens feeds from configurations.
public enum FeedBuilder {
  /// Opens a feed over a store, with the machine's clock.
  ///
  /// - Parameters:
  ///   - configuration: What decides.
  ///   - deck: The plugin of the configuration's deck.
  ///   - store: Where cards and events are kept. The feed closes it.
  ///   - plugins: The strategies; the same that the configuration was read with.
  ///   - clock: Where the time comes from.
  ///   - pageLoader: Brings pages of cards from elsewhere, for the source `page`.
  ///   - models: Reads the files of models.
  public static func open<P: DeckPlugin, Store: FeedStore, Clock: FeedClock>(
    _ configuration: FeedConfiguration, deck: P, store: Store, plugins: PluginSet, clock: Clock,
    pageLoader: PageLoader<P.D.Card>? = nil, models: ModelReader = .files
  ) async throws -> FeedEngine<P.D, Store, Clock, SplitMix64> {
    let states = LearnerStates()
    let context = BuildContext(
      deck: deck.deck, states: states, safety: StoreSafety(store), pageLoader: pageLoader,
      registry: plugins.registry(for: deck), models: models)
    return try await FeedEngine.open(
      deck: deck.deck, store: store, pipelines: try configuration.pipelines(context),
      states: states, clock: clock, options: configuration.options)
  }

  /// Swaps a feed's pipelines for those of another configuration of the same deck. Learners keep
  /// what they know.
  public static func reload<P: DeckPlugin, Store: FeedStore, Clock: FeedClock>(
    _ feed: FeedEngine<P.D, Store, Clock, SplitMix64>, with configuration: FeedConfiguration,
    deck: P, plugins: PluginSet, pageLoader: PageLoader<P.D.Card>? = nil,
    models: ModelReader = .files
  ) async throws {
    let context = BuildContext(
      deck: deck.deck, states: feed.learnerStates, safety: feed.safety, pageLoader: pageLoader,
      registry: plugins.registry(for: deck), models: models)
    try await feed.reload(try configuration.pipelines(context))
  }
}
