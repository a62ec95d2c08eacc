import CardFeedTesting
import CardFeedTwoSidedMarket
import Testing

@testable import CardFeed
@testable import CardFeedConfiguration
@testable import CardFeedDating

@Suite("Lists that are planned for everybody")
struct MarketPlanTests {
  private static let methods: [MarketPlanMethod] = [
    .transferableUtility(TransferableUtility()),
    .bestResponse(from: TransferableUtility(beta: 0.5, joint: .harmonicMean)),
    .nashWelfare(FairLists(.nashSocialWelfare)), .mostCompatible(.match), .mostCompatible(.likes),
  ]

  /// Both sides' lists of a method on matrices.
  private func lists(
    _ method: MarketPlanMethod, _ market: TwoSidedMarket
  ) -> (left: RankedLists, right: RankedLists) {
    func masses(_ utility: TransferableUtility) -> DenseMatrix {
      utility.masses(utility.equilibrium(of: market), of: market)
    }
    switch method {
    case .transferableUtility(let utility):
      let masses = masses(utility)
      return (RankedLists(ranking: masses), RankedLists(ranking: masses.transposed()))
    case .bestResponse(let utility):
      let lists = BestResponse().lists(for: market, from: masses(utility))
      return (lists.left, lists.right)
    case .nashWelfare(let settings):
      let lists = settings.lottery(for: market).lists
      return (lists.left, lists.right)
    case .mostCompatible(let preference, _):
      let scores =
        preference == .match
        ? (market.match, market.match.transposed())
        : (market.likes, market.likesBack.transposed())
      // The larger side proposes, which is the right one here.
      let pairs = DeferredAcceptance.pairs(
        proposers: RankedLists(ranking: scores.1), receivers: RankedLists(ranking: scores.0))
      return (
        RankedLists(pairs.proposers.map { $0.map { [$0] } ?? [] }),
        RankedLists(pairs.receivers.map { $0.map { [$0] } ?? [] })
      )
    }
  }

  @Test("What the feed deals is what the matrix method says", arguments: methods.indices)
  func sameAsMatrices(index: Int) async throws {
    let method = Self.methods[index]
    let world = PlanWorld(11, 14)
    let bench = try await PlanBench(method, people: world.people.reversed())
    try await bench.feed.train()
    let expected = lists(method, world.market)
    for (side, others, lists) in [
      (world.women, world.men, expected.left), (world.men, world.women, expected.right),
    ] {
      for (person, viewer) in side.enumerated() {
        let planned = lists[person].map { others[Int($0)].id }
        let rest = others.map(\.id).filter { !planned.contains($0) }
        #expect(try await bench.feed.hand(for: viewer.id).ids == planned + rest)
      }
    }
  }

  @Test("A pair sees each other first, both on the same day")
  func bothSeeEachOther() async throws {
    let world = PlanWorld(8, 8)
    let bench = try await PlanBench(.mostCompatible(.match), people: world.people, hand: 1)
    try await bench.feed.train()
    for person in world.people {
      let first = try #require(try await bench.feed.hand(for: person.id).ids.first)
      #expect(try await bench.feed.hand(for: first).ids == [person.id])
    }
  }

  @Test("Whom filters keep apart, who is blocked and who was answered is in no list")
  func eligibility() async throws {
    let world = PlanWorld(6, 6)
    let picky = Person(id: "a00", age: 30, gender: "woman", seeks: ["man"], minimumAge: 40)
    let bench = try await PlanBench(
      .bestResponse(from: TransferableUtility()), people: world.people + [picky])
    try await bench.feed.block("b10", by: "a10", event: "block")
    try await bench.feed.answer("a11", .like, "b11")
    try await bench.feed.answer("b12", .pass, "a12")
    try await bench.feed.withdraw(["a15"])
    try await bench.feed.train()
    #expect(bench.list("a00").isEmpty)
    for (woman, man) in [("a10", "b10"), ("a11", "b11"), ("a12", "b12")] as [(CardID, CardID)] {
      #expect(bench.list(woman).count == 5 && !bench.list(woman).contains(man))
      #expect(bench.list(man).count == 4 && !bench.list(man).contains(woman))
    }
    #expect(bench.ranking.slot.model?.list(of: "a15") == nil)
    #expect(bench.list("b13").count == 5)
  }

  @Test("What happens after the plan is honoured, and newcomers follow in the other order")
  func afterThePlan() async throws {
    let world = PlanWorld(3, 4)
    let bench = try await PlanBench(
      .nashWelfare(FairLists(.nashSocialWelfare)), people: world.people)
    try await bench.feed.train()
    let planned = bench.list("a10")
    try await bench.feed.block(planned[0], by: "a10", event: "block")
    try await bench.feed.answer("a10", .pass, planned[2])
    try await bench.feed.put(
      ["b01", "b99"].map { Person(id: $0, age: 30, gender: "man", seeks: ["woman"]) })
    #expect(
      try await bench.feed.redeal(for: "a10").ids == [planned[1], planned[3], "b01", "b99"])
    // A newcomer has no list.
    #expect(try await bench.feed.hand(for: "b01").ids == ["a10", "a11", "a12"])
    let numbers = try await bench.feed.appraise([planned[1], "b01"], for: "a10")
    #expect(numbers[0].terms.map(\.name) == ["order", "plan"])
    let (order, plan) = (numbers[0].terms[0].value, numbers[0].terms[1].value)
    let score = try #require(numbers[0].score.value)
    #expect(abs(try #require(order) + #require(plan) - score) < 1e-12)
    #expect(try #require(numbers[1].terms[1].value) < 0)
    #expect(numbers.allSatisfy { $0.terms[1].isPrivate })
  }

  @Test("Of each person the likeliest candidates are planned; lists are no longer than that")
  func candidates() async throws {
    let world = PlanWorld(10, 12)
    let bench = try await PlanBench(
      .transferableUtility(TransferableUtility()), people: world.people, candidates: 3)
    try await bench.feed.train()
    func likeliest(_ person: Person, _ others: [Person]) -> Set<CardID> {
      let sorted = others.map(\.id).sorted {
        taste(person.id, $0) * taste($0, person.id) > taste(person.id, $1) * taste($1, person.id)
      }
      return Set(sorted.prefix(3))
    }
    for woman in world.women {
      let own = likeliest(woman, world.men)
      let list = bench.list(woman.id)
      #expect(list.count == 3)
      for man in list where !own.contains(man) {
        let other = try #require(world.men.first { $0.id == man })
        #expect(likeliest(other, world.women).contains(woman.id))
      }
    }
  }

  @Test("People of all kinds in one population meet only whom they may", arguments: methods.indices)
  func mixed(index: Int) async throws {
    let kinds: [(gender: String, seeks: [String])] = [
      ("woman", ["man"]), ("man", ["woman"]), ("woman", ["woman"]), ("man", ["man"]),
      ("woman", ["man", "woman"]), ("man", ["man", "woman"]), ("other", []),
    ]
    let people = (0..<35).map { index in
      Person(
        id: "p\(index + 10)", age: 30, gender: kinds[index % kinds.count].gender,
        seeks: kinds[index % kinds.count].seeks)
    }
    let bench = try await PlanBench(Self.methods[index], people: people)
    try await bench.feed.train()
    let preferences = MutualPreferences()
    let now = Timestamp(milliseconds: 0)
    for person in people {
      let list = bench.list(person.id)
      let allowed = people.filter { preferences.fit(of: person, with: $0, at: now) == .fits }
      if case .mostCompatible = Self.methods[index] {
        #expect(list.count <= 1)
        for partner in list { #expect(bench.list(partner) == [person.id]) }
        #expect(Set(allowed.map(\.id)).isSuperset(of: list))
      } else {
        #expect(Set(list) == Set(allowed.map(\.id)))
        #expect(list.count == allowed.count)
      }
    }
  }

  @Test("The same people and answers give the same bytes, whatever the order of their coming")
  func determinism() async throws {
    let world = PlanWorld(7, 9)
    for method in Self.methods {
      let one = try await PlanBench(method, people: world.people)
      let other = try await PlanBench(method, people: world.people.reversed())
      let bytes = try await one.feed.train().file.bytes
      #expect(try await other.feed.train().file.bytes == bytes)
      #expect(try await one.feed.train().file.bytes == bytes)
      let model = try #require(one.ranking.slot.model)
      #expect(try MarketPlan(bytes: model.bytes) == model)
    }
  }

  @Test("Who is erased leaves every list at once")
  func erasure() async throws {
    let world = PlanWorld(4, 5)
    let bench = try await PlanBench(
      .nashWelfare(FairLists(.nashSocialWelfare)), people: world.people)
    try await bench.feed.train()
    let before = bench.list("a11")
    _ = try await bench.feed.erase("b12")
    #expect(bench.list("a11") == before.filter { $0 != "b12" })
    let model = try #require(bench.ranking.slot.model)
    #expect(model.list(of: "b12") == nil)
    #expect(model.peopleCount == 8)
    #expect(try MarketPlan(bytes: model.bytes) == model)
  }

  @Test("A cancelled plan leaves the old one")
  func cancellation() async throws {
    let world = PlanWorld(4, 4)
    let bench = try await PlanBench(
      .bestResponse(from: TransferableUtility()), people: world.people)
    try await bench.feed.train()
    let before = bench.ranking.slot.model
    _ = try await bench.feed.erase("a10")
    let kept = bench.ranking.slot.model
    #expect(kept != before)
    let (reports, reported) = AsyncStream<TrainingStep>.makeStream()
    let task = Task {
      try await bench.feed.train { step in
        reported.yield(step)
        // Waits to be cancelled, so that the plan is not done before.
        while step.done == 3, !step.strategy.isEmpty, !Task.isCancelled {}
      }
    }
    for await step in reports where step.done == 3 && !step.strategy.isEmpty { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.ranking.slot.model == kept)
  }

  @Test("Damaged plans are refused, and never trap")
  func damage() throws {
    let plan = MarketPlan(ids: ["a", "b", "c"], lists: [[(1, 0.5), (2, 0.25)], [(0, 1)], []])
    #expect(try MarketPlan(bytes: plan.bytes) == plan)
    for length in 0..<plan.bytes.count {
      #expect(throws: FeedError.self) { try MarketPlan(bytes: Array(plan.bytes[..<length])) }
    }
    for (place, byte) in [(0, 9), (2, 99), (9, 0), (9, 7)] as [(Int, UInt8)] {
      var bytes = plan.bytes
      bytes[place] = byte
      #expect(throws: FeedError.self, "byte \(place)") { try MarketPlan(bytes: bytes) }
    }
    #expect(throws: FeedError.self) { try MarketPlan(bytes: plan.bytes + [0]) }
  }
}

@Suite("Plans in configurations")
struct MarketPlanConfigurationTests {
  private func people(_ count: Int) -> [Person] {
    PlanWorld(count, count).people
  }

  /// Everybody has answered a few others, so that something is known of them.
  private func answer(_ feed: DatingFeed, _ people: [Person]) async throws {
    for (index, person) in people.enumerated() {
      for step in 0..<3 {
        let others = people.filter { $0.gender != person.gender }
        let other = others[(index * 7 + step * 5) % others.count]
        try await feed.answer(
          person.id, taste(person.id, other.id) < 0.5 ? .like : .pass, other.id)
      }
    }
  }

  @Test("A plan sees the probabilities that the same training fits")
  func freshModels() async throws {
    let people = people(8)
    let feed = try await datingFeed(
      people,
      [
        "matchProbability": ["use": "additive", "actorSpread": 1, "partnerSpread": 1],
        "ranking": [
          "use": "likers-first", "then": ["use": "activity", "of": ["use": "best-response"]],
        ],
      ])
    try await answer(feed, people)
    let report = try await feed.train()
    #expect(report.file.entries.map(\.name) == ["additive", "best-response"])
    let plan = try MarketPlan(bytes: try #require(report.file.entries.last).model)
    for person in people { #expect(plan.list(of: person.id)?.isEmpty == false) }
  }

  @Test(
    "Variants with other probabilities have plans of their own; models' files are no part of it")
  func identities() async throws {
    func identities(_ members: JSONObject) async throws -> [String] {
      let feed = try await datingFeed(people(2), members)
      return try await feed.train().file.entries.map(\.identity).filter {
        $0.hasPrefix("nash-welfare")
      }
    }
    let base: JSONObject = [
      "ranking": ["use": "nash-welfare"],
      "variants": [
        [
          "name": "flat", "share": 0.5,
          "set": ["matchProbability": ["use": "constant", "value": 0.5]],
        ],
        ["name": "same", "share": 0.5, "set": ["hand": ["size": 9]]],
      ],
    ]
    let found = try await identities(base)
    #expect(Set(found).count == 2 && found.count == 2)

    func eligibility(_ members: JSONObject) throws -> String {
      var object: JSONObject = ["version": 1, "deck": "dating"]
      for member in members.members { object[member.key] = member.value }
      return try FeedConfiguration(
        JSONValue(object), file: "test.json", plugins: datingPlugins
      ).base.eligibility
    }
    let hybrid = try eligibility(["matchProbability": ["use": "hybrid"]])
    #expect(try eligibility(["matchProbability": ["use": "hybrid", "model": "x"]]) == hybrid)
    #expect(try eligibility(["matchProbability": ["use": "additive"]]) != hybrid)
    #expect(try eligibility(["matchProbability": ["use": "hybrid"], "filters": []]) != hybrid)
  }

  @Test("The source brings the viewer's list, however many people come before it")
  func plannedSource() async throws {
    let people = people(9)
    let plan: JSONValue = ["use": "nash-welfare", "candidates": 50]
    func feed(_ sources: JSONValue) async throws -> DatingFeed {
      let feed = try await datingFeed(
        people,
        [
          "sources": sources, "ranking": plan,
          "hand": ["size": 3, "refillBelow": 3, "batches": 1],
        ])
      try await answer(feed, people)
      try await feed.train()
      return feed
    }
    let short = try await feed([["use": "all", "limit": 1]])
    let planned = try await feed([["use": "planned", "plan": plan], ["use": "all", "limit": 1]])
    for person in people {
      let report = try await planned.train().file
      let list = try #require(
        try MarketPlan(bytes: report.entries[0].model).list(of: person.id)?.map(\.id))
      #expect(report.entries.count == 1, "the source and the ranking share one plan")
      #expect(try await planned.people(for: person.id) == Array(list.prefix(3)))
      #expect(try await short.people(for: person.id).count <= 1)
    }
    await #expect(throws: FeedError.self) {
      try await datingFeed([], ["sources": [["use": "planned", "plan": ["use": "random"]]]])
    }
  }

  @Test("Without a pipeline there is nothing to plan for")
  func alone() async throws {
    let bench = try await PlanBench(.mostCompatible(.match), people: [])
    let history = TrainingHistory(
      answers: [], table: bench.feed.cards, deck: DatingDeck(), now: Timestamp(milliseconds: 0))
    await #expect(throws: FeedError.self) {
      try await bench.ranking.fit(history, progress: TrainingProgress())
    }
    // In a feed, nobody is planned for nobody.
    try await bench.feed.train()
    #expect(bench.ranking.slot.model?.peopleCount == 0)
  }
}

extension Hand {
  fileprivate var ids: [CardID] { cards.map(\.id) }
}
