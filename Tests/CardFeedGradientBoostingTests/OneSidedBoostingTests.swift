#if XGBoost
  import CardFeedBaselines
  import CardFeedConfiguration
  import CardFeedProduct
  import CardFeedTesting
  import Testing

  @testable import CardFeed
  @testable import CardFeedGradientBoosting

  /// A shop in which viewers buy again what they bought, and more in the department that they like.
  struct Shop {
    struct Visit {
      let viewer: Int
      let product: Int
      let isBought: Bool
      let probability: Double
      let time: Timestamp
    }

    static let departments = ["Food", "Toys", "Books"]
    static let noon = Timestamp(milliseconds: 1_700_000_000_000)

    let products: [Product]
    let visits: [Visit]
    /// How likely each viewer buys each product at the end.
    let probabilities: [[Double]]

    init(visits count: Int, viewers: Int = 40, seed: UInt64 = 1) {
      var generator = SplitMix64(seed: seed)
      let products = (0..<30).map { index in
        Product(
          id: CardID("p\(index)"), title: "Product \(index)",
          category: [Self.departments[index % 3], "Kind \(index % 6)"],
          stock: index == 4 ? nil : Int64(index))
      }
      var bought: Set<[Int]> = []
      func probability(_ viewer: Int, _ product: Int) -> Double {
        let isLiked = viewer % 3 == product % 3
        return logistic(
          -3.5 + (isLiked ? 2 : 0) + (bought.contains([viewer, product]) ? 2.5 : 0))
      }
      visits = (0..<count).map { place in
        let (viewer, product) = (
          generator.index(below: viewers), generator.index(below: products.count)
        )
        let probability = probability(viewer, product)
        let isBought = generator.unitInterval() < probability
        if isBought { bought.insert([viewer, product]) }
        return Visit(
          viewer: viewer, product: product, isBought: isBought, probability: probability,
          time: Self.noon.advanced(byMilliseconds: Int64(place) * Timestamp.day / 50))
      }
      self.products = products
      probabilities = (0..<viewers).map { viewer in
        products.indices.map { probability(viewer, $0) }
      }
    }

    var end: Timestamp { visits.last?.time ?? Self.noon }

    /// Cards have numbers from 1 on, viewers from 1000 on.
    func history(_ count: Int? = nil) -> TrainingHistory<ProductDeck> {
      let log = visits.prefix(count ?? visits.count).enumerated().map { place, visit in
        TrainingAnswer(
          viewer: CardNumber(Int64(1000 + visit.viewer)),
          card: CardNumber(Int64(1 + visit.product)), answer: visit.isBought ? "buy" : "skip",
          meaning: visit.isBought ? .positive : .neutral, time: visit.time,
          event: LogPosition(Int64(place + 1)))
      }
      var last: [[CardNumber]: LogPosition] = [:]
      for answer in log { last[[answer.viewer, answer.card]] = answer.event }
      let deck = ProductDeck(vectorDimension: 0)
      return TrainingHistory(
        answers: log.filter { last[[$0.viewer, $0.card]] == $0.event }, log: log,
        table: CardTable<ProductDeck>.make(
          products.enumerated().map { (card: $1, number: CardNumber(Int64($0 + 1))) }, deck: deck),
        deck: deck, now: end)
    }

    func swipe(_ place: Int) -> RecordedSwipe<ProductDeck.Answer> {
      let visit = visits[place]
      return RecordedSwipe(
        Swipe(
          viewer: ViewerID("v\(visit.viewer)"), card: products[visit.product].id,
          answer: visit.isBought ? ProductDeck.Answer.buy : .skip, event: EventID("\(place)"),
          time: visit.time))
    }
  }

  func purchaseSettings(
    _ change: (inout GradientBoostingSettings) -> Void = { _ in }
  ) -> GradientBoostingSettings {
    var settings = GradientBoostingSettings()
    settings.rounds = 20
    settings.other = ["*", "-stock"]
    settings.categories = ["department", "category"]
    change(&settings)
    return settings
  }

  func purchases(
    _ settings: GradientBoostingSettings = purchaseSettings(),
    _ states: LearnerStates = LearnerStates()
  ) -> AnswerBoostingProbability<ProductDeck> {
    AnswerBoostingProbability(
      settings, slot: states.slot(for: settings.answerIdentity, of: AnswerBoostingModel.self),
      states: states)
  }

  @Suite struct OneSidedBoostingTests {
    @Test func `forecasts the next purchases nearly as well as the shop itself could`() async throws
    {
      let shop = Shop(visits: 9000)
      let settings = purchaseSettings { $0.rounds = nil }
      let model = try await purchases(settings)
        .fit(shop.history(6000), progress: TrainingProgress())
      let rows = AnswerRows(shop.history(), settings)
      let (known, held) = try await rows.rows(
        column: "traits", holdingOutOneOf: 3, TrainingProgress())
      #expect(held.outcomes == shop.visits.suffix(3000).map(\.isBought))
      let share = Double(known.outcomes.count { $0 }) / Double(known.outcomes.count)
      func loss(_ probabilities: [Double]) -> Double {
        zip(probabilities, held.outcomes).reduce(0) { sum, row in
          sum - naturalLogarithm(row.1 ? row.0 : 1 - row.0)
        } / Double(held.outcomes.count)
      }
      let trees = try #require(model.trees)
      let found = loss(try trees.probabilities(held.matrix))
      let constant = loss(held.outcomes.map { _ in share })
      let best = loss(shop.visits.suffix(3000).map(\.probability))
      #expect(found < constant - 0.08, "\(found), constant \(constant), best \(best)")
      #expect(found < best + 0.03, "\(found), constant \(constant), best \(best)")
    }

    @Test func `equal logs give equal bytes, and another kind of deck refuses them`() async throws {
      let shop = Shop(visits: 800)
      let strategy = purchases()
      let model = try await strategy.fit(shop.history(), progress: TrainingProgress())
      let again = try await purchases().fit(shop.history(), progress: TrainingProgress())
      #expect(again.bytes == model.bytes)
      let read = try AnswerBoostingModel(bytes: model.bytes)
      #expect(read.bytes == model.bytes && read.scored == model.scored)
      let without = try await strategy.fit(shop.history(0), progress: TrainingProgress())
      #expect(without.trees == nil)
      #expect(try AnswerBoostingModel(bytes: without.bytes).bytes == without.bytes)

      let wrongDeck = #expect(throws: FeedError.self) {
        try GradientBoostingModel(bytes: model.bytes)
      }
      #expect(
        wrongDeck?.description
          == "boosted trees of a deck with one side were given to a deck with two sides; train "
          + "this deck, and name its own model")
      let people = GradientBoostingModel(features: [.own("age")], column: "traits", trees: nil)
      let wrongTrees = #expect(throws: FeedError.self) {
        try AnswerBoostingModel(bytes: people.bytes)
      }
      #expect(
        wrongTrees?.description
          == "boosted trees of a deck with two sides were given to a deck with one side; train "
          + "this deck, and name its own model")
    }

    @Test func `damaged bytes throw`() async throws {
      let bytes = try await purchases(purchaseSettings { $0.rounds = 2 })
        .fit(Shop(visits: 300).history(), progress: TrainingProgress()).bytes
      for length in stride(from: 0, to: bytes.count, by: 7) {
        #expect(throws: FeedError.self) { try AnswerBoostingModel(bytes: Array(bytes[..<length])) }
      }
      #expect(throws: FeedError.self) { try AnswerBoostingModel(bytes: bytes + [0]) }
      #expect(throws: FeedError.self) { try AnswerBoostingModel(bytes: [3] + bytes.dropFirst()) }
    }

    @Test func `what is sensitive is fitted only by name, and rates can be left out`() async throws
    {
      let shop = Shop(visits: 300)
      func scored(_ change: (inout GradientBoostingSettings) -> Void) async throws -> [String] {
        try await purchases(purchaseSettings(change))
          .fit(shop.history(), progress: TrainingProgress()).scored
      }
      let all = try await scored { $0.categories = ["department"] }
      #expect(all.contains("other(price)") && !all.contains("other(stock)"))
      #expect(
        all.suffix(14) == [
          "other(department=Books)", "other(department=Food)", "other(department=Toys)",
          "card-rate", "card-answers", "viewer-rate", "viewer-answers",
          "viewer-rate-in(department)", "viewer-answers-in(department)", "pair-positives",
          "days-since-answer", "days-since-positive", "days-between-positives",
          "periods-since-positive",
        ])
      let few = try await scored {
        $0.other = ["stock"]
        $0.categories = []
        $0.hasRates = false
      }
      #expect(few == ["other(stock)"])
      let settings = purchaseSettings { $0.hasRates = false }
      #expect(purchases(settings).needs == [] && purchases(settings).learners.isEmpty)
      #expect(purchases().needs == .answersGiven && purchases().learners.count == 1)
      let weights = GradientBoostingSettings.resolved(["*"], among: ["price", "religion_code"])
      #expect(weights == ["price"])
    }

    @Test func `answers without an outcome are no rows and count nowhere`() async throws {
      let deck = ToyDeck(isMutual: false)
      let table = StrategyConformance.slate(of: ToyCard.numbered(2), deck: deck, viewer: "v").table
      let meanings: [AnswerMeaning] = [.positive, .neutral, .negative, .neutral]
      let log = meanings.enumerated().map { place, meaning in
        TrainingAnswer(
          viewer: CardNumber(9), card: CardNumber(1), meaning: meaning,
          time: Timestamp(milliseconds: Int64(place) * Timestamp.day),
          event: LogPosition(Int64(place + 1)))
      }
      let history = TrainingHistory(
        answers: [], log: log, table: table, deck: deck, now: Timestamp(milliseconds: 0))
      var settings = GradientBoostingSettings()
      settings.other = []
      settings.categories = []
      let (rows, _) = try await AnswerRows(history, settings)
        .rows(column: "traits", holdingOutOneOf: nil, TrainingProgress())
      #expect(rows.outcomes == [true, false])
      let second = rows.matrix.values.suffix(rows.matrix.columns).map { $0.isNaN ? -1 : $0 }
      // (1 + 10 · ⅔) / 11, one answer, the same of the viewer; the pair, two days ago.
      let rate = Float((1 + 10 * (2.0 / 3)) / 11)
      #expect(second == [rate, 1, rate, 1, 1, 2, 2, -1, -1])
    }

    @Test func `a candidate is asked about alone, and a stranger is known by the products`()
      async throws
    {
      let shop = Shop(visits: 3000)
      let strategy = purchases()
      let slate = StrategyConformance.slate(
        of: shop.products, deck: ProductDeck(vectorDimension: 0), viewer: "nobody yet")
      #expect(try await strategy.estimates(for: slate)[0] == MatchEstimate(match: nil))
      strategy.slot.replace(
        with: try await strategy.fit(shop.history(), progress: TrainingProgress()))
      #expect(await StrategyConformance.violations(of: strategy, on: slate).isEmpty)
      let estimates = try await strategy.estimates(for: slate)
      for index in 0..<slate.count {
        let match = try #require(estimates[index].match)
        #expect(match.value > 0.005 && match.value < 0.5)
        #expect(estimates[index].forward == match && estimates[index].backward == nil)
      }
      let reasons = try await strategy.reasons(for: slate)
      #expect(reasons.map(\.name) == (strategy.slot.model?.scored ?? []) + ["base"])
      for index in 0..<slate.count {
        let sum = reasons.reduce(0.0) { $0 + $1.values[index] }
        let match = try #require(estimates[index].match)
        #expect(abs(logistic(sum) - match.value) < 1e-5)
      }
    }

    @Test func `a cancelled fit ends between two trees`() async throws {
      let history = Shop(visits: 300).history()
      let steps = Lock(0)
      let task = Task {
        try await purchases(purchaseSettings { $0.rounds = 100_000 }).fit(
          history,
          progress: TrainingProgress { _ in
            if steps.withLock({
              $0 += 1
              return $0 == 5
            }) {
              withUnsafeCurrentTask { $0?.cancel() }
            }
          })
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(steps.withLock { $0 } == 5)
    }
  }
#endif
