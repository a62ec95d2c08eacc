#if XGBoost
  import CardFeedBaselines
  import CardFeedConfiguration
  import CardFeedProduct
  import CardFeedTesting
  import Testing

  @testable import CardFeed
  @testable import CardFeedGradientBoosting

  private let plugins = PluginSet([
    BaselinesPlugin(), GradientBoostingPlugin(), ProductPlugin(vectorDimension: 0),
  ])

  /// Notes the rows that deals see, and the history that a training sees.
  private struct RowProbe: MatchProbabilityStrategy, TrainableStrategy {
    typealias D = ProductDeck

    let inner: AnswerBoostingProbability<ProductDeck>
    let model: AnswerBoostingModel
    let rows = Lock([[Float?]]())
    let history = Lock<TrainingHistory<ProductDeck>?>(nil)

    var slot: ModelSlot<AnswerBoostingModel> { inner.slot }
    var needs: ContextNeeds { inner.needs }
    var learners: [any Learner<ProductDeck>] { inner.learners }

    func fit(
      _ history: TrainingHistory<ProductDeck>, progress: TrainingProgress
    ) async throws -> AnswerBoostingModel {
      self.history.withLock { $0 = history }
      return model
    }

    func estimates(for slate: Slate<ProductDeck>) async throws -> MatchEstimates {
      let matrix = inner.rows(of: slate, model)
      rows.withLock { $0 += matrix.known }
      return MatchEstimates(count: slate.count)
    }
  }

  extension FeatureMatrix {
    /// The rows, with nil for NaN.
    fileprivate var known: [[Float?]] {
      (0..<rows).map { row in
        values[row * columns..<(row + 1) * columns].map { $0.isNaN ? nil : $0 }
      }
    }
  }

  @Suite struct OneSidedBoostingFeedTests {
    private typealias ProductFeed = FeedEngine<
      ProductDeck, InMemoryStore, ManualClock, SplitMix64
    >

    private func feed(_ shop: Shop, _ probability: JSONValue) async throws -> ProductFeed {
      let configuration = try FeedConfiguration(
        [
          "version": 1, "deck": "product", "sources": [["use": "all"]], "filters": [],
          "matchProbability": probability, "ranking": ["use": "match-probability"],
        ], file: "test.json", plugins: plugins)
      let feed = try await FeedBuilder.open(
        configuration, deck: ProductDeckPlugin(vectorDimension: 0), store: InMemoryStore(),
        plugins: plugins, clock: ManualClock(now: shop.end))
      try await feed.put(shop.products)
      return feed
    }

    private static let configured: JSONValue = [
      "use": "gradient-boosting", "other": ["*", "-stock"], "rounds": 30,
      "categories": ["department", "category"],
    ]

    private func record(_ shop: Shop, in feed: ProductFeed) async throws {
      _ = try await feed.record(shop.visits.indices.map(shop.swipe))
    }

    @Test func `a training's rows are those that deals saw, number for number`() async throws {
      let shop = Shop(visits: 400, viewers: 4)
      let settings = purchaseSettings { $0.other = ["*"] }
      let states = LearnerStates()
      let data = AnswerRows(shop.history(), settings)
      let probe = RowProbe(
        inner: purchases(settings, states),
        model: AnswerBoostingModel(
          features: data.features, numbers: data.numbers, column: "traits", trees: nil))
      let store = InMemoryStore()
      var builder = PipelineBuilder<ProductDeck>(safety: StoreSafety(store))
      builder.matchProbability = probe
      let clock = ManualClock(now: Shop.noon)
      let feed = try await ProductFeed.open(
        deck: ProductDeck(vectorDimension: 0), store: store, pipelines: builder.buildSet(),
        states: states, clock: clock)
      try await feed.put(shop.products)
      for (place, visit) in shop.visits.enumerated() {
        clock.set(visit.time)
        let viewer = ViewerID("v\(visit.viewer)")
        if place.isMultiple(of: 10) {
          // What is taken back was never there.
          let top = try #require(try await feed.hand(for: viewer).cards.first)
          let outcome = try await feed.swipe(
            Swipe(viewer: viewer, card: top.id, answer: .buy, event: EventID("s\(place)")))
          #expect(outcome.receipt != nil)
          _ = try await feed.rewind(for: viewer, event: EventID("r\(place)"))
        }
        let before = probe.rows.withLock { $0.count }
        _ = try await feed.estimates(for: viewer, cards: [shop.products[visit.product].id])
        probe.rows.withLock { $0.removeSubrange(place..<before) }
        _ = try await feed.record([shop.swipe(place)])
      }
      let seen = probe.rows.withLock { $0 }
      #expect(seen.count == shop.visits.count)
      _ = try await feed.train()
      let history = try #require(probe.history.withLock { $0 })
      let (rows, _) = try await AnswerRows(history, settings)
        .rows(column: "traits", holdingOutOneOf: nil, TrainingProgress())
      let trained = rows.matrix.known
      #expect(rows.outcomes == shop.visits.map(\.isBought))
      #expect(trained.count == seen.count)
      for (one, other) in zip(trained, seen) { #expect(one == other) }
      // Nothing is trivially equal: each number of answers takes several values.
      for column in data.features.count..<rows.matrix.columns {
        #expect(Set(trained.map { $0[column] }).count > 3)
      }
    }

    @Test func `buying again is likelier, and so is more of what a viewer likes`() async throws {
      let shop = Shop(visits: 5000)
      let feed = try await feed(shop, Self.configured)
      try await record(shop, in: feed)
      let report = try await feed.train()
      #expect(report.scored.first?.contains("pair-positives") == true)
      let bought = Set(
        shop.visits.filter(\.isBought).map { [$0.viewer, $0.product] })
      var sums: [String: (sum: Double, count: Int)] = [:]
      for viewer in 0..<12 {
        let estimates = try await feed.estimates(
          for: ViewerID("v\(viewer)"), cards: shop.products.map(\.id))
        for (product, estimate) in estimates.enumerated() {
          let isLiked = viewer % 3 == product % 3
          let name =
            (isLiked ? "liked" : "other") + (bought.contains([viewer, product]) ? " again" : "")
          let match = try #require(estimate.match).value
          sums[name, default: (0, 0)].sum += match
          sums[name, default: (0, 0)].count += 1
        }
      }
      func mean(_ name: String) throws -> Double {
        let found = try #require(sums[name])
        return found.sum / Double(found.count)
      }
      // The shop itself: 0.03, 0.18, 0.27 and 0.73.
      #expect(try mean("other") < 0.1 && mean("liked") < 0.3, "\(sums)")
      #expect(try mean("liked") > 2 * mean("other"), "\(sums)")
      #expect(try mean("liked again") > 2 * mean("liked"), "\(sums)")
      #expect(try mean("other again") > 2 * mean("other"), "\(sums)")
    }

    @Test func `a swipe counts at once and a rewind takes it back`() async throws {
      let shop = Shop(visits: 2500)
      let feed = try await feed(shop, Self.configured)
      try await record(shop, in: feed)
      try await feed.train()
      let cards = shop.products.map(\.id)
      let before = try await feed.estimates(for: "new", cards: cards)
      let top = try #require(try await feed.hand(for: "new").cards.first)
      _ = try await feed.swipe(
        Swipe(viewer: "new", card: top.id, answer: .buy, event: EventID("e")))
      #expect(try await feed.estimates(for: "new", cards: cards) != before)
      _ = try await feed.rewind(for: "new", event: EventID("r"))
      #expect(try await feed.estimates(for: "new", cards: cards) == before)
    }

    @Test func `a calibration over it is fitted to what it did not see`() async throws {
      let shop = Shop(visits: 2000)
      let feed = try await feed(shop, ["use": "calibrated", "of": Self.configured])
      try await record(shop, in: feed)
      let report = try await feed.train()
      #expect(report.scored.count == 2)
      var sums = (found: 0.0, truth: 0.0)
      for (viewer, truth) in shop.probabilities.enumerated() {
        let estimates = try await feed.estimates(
          for: ViewerID("v\(viewer)"), cards: shop.products.map(\.id))
        #expect(estimates.allSatisfy { $0.match != nil && $0.forward == $0.match })
        sums.found += estimates.compactMap(\.match?.value).reduce(0, +)
        sums.truth += truth.reduce(0, +)
      }
      let mean = sums.truth / Double(40 * shop.products.count)
      #expect(abs(sums.found / sums.truth - 1) < 0.2 && mean > 0.1, "\(sums)")
      let again = try await feed.train()
      #expect(again.file.bytes == report.file.bytes)
    }

    @Test func `the plugin describes itself in sentences`() throws {
      var registry = StrategyRegistry<ProductDeck>()
      GradientBoostingPlugin().register(in: &registry)
      let description = try #require(registry.descriptions.first)
      #expect(description.use == "gradient-boosting" && description.summary.hasSuffix("."))
      #expect(description.parameters.allSatisfy { $0.help.hasSuffix(".") })
    }

    @Test func `what a deck with one side makes no sense of is refused`() async throws {
      let shop = Shop(visits: 1)
      func text(_ members: JSONObject) async throws -> String? {
        var probability: JSONObject = ["use": "gradient-boosting"]
        for member in members.members { probability[member.key] = member.value }
        do {
          _ = try await feed(shop, JSONValue(probability))
          return nil
        } catch let error as FeedError { return error.description }
      }
      #expect(try await text([:]) == nil)
      #expect(try await text(["own": [], "difference": []]) == nil)
      #expect(
        try await text(["own": ["age"]])
          == "the match probability 'gradient-boosting' has \"own\", which needs a deck with two "
          + "sides; 'product' has one, and its viewers have no numbers; leave \"own\" out; numbers "
          + "of cards are named in \"other\"")
      #expect(
        try await text(["difference": ["price"]])?.contains("has \"difference\", which") == true)
      #expect(
        try await text(["categories": ["departement"]])
          == "the match probability 'gradient-boosting' asks for the column of names "
          + "\"departement\"; allowed: \"currency\", \"brand\", \"department\", \"category\", "
          + "\"repeat\"; did you mean \"department\"?")
    }
  }
#endif
