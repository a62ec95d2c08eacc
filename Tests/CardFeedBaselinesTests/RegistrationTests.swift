import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting
import Testing

@Suite struct RegistrationTests {
  @Test func theNamesAreTheseAndStay() {
    let registry = toyPlugins.registry(for: ToyPlugin())
    #expect(
      registry.descriptions.map { "\($0.kind.rawValue) \($0.use)" } == [
        "source all", "source likes-received", "source page", "filter already-swiped",
        "filter already-dealt", "filter unavailable", "filter self", "filter blocked",
        "filter column-range", "filter column-names", "match-probability constant",
        "ranking source-order", "ranking random",
        "ranking match-probability", "ranking popularity", "ranking weighted",
        "ranking likers-first", "slate-rule epsilon", "slate-rule softmax",
        "slate-rule group-cap", "match-rule mutual-like", "match-rule threshold",
        "source nearest", "filter within-distance", "ranking nearest", "filter met-before",
        "ranking reciprocal", "quota daily-quota", "match-probability calibrated",
      ])
  }

  @Test func textsAreSentences() {
    for description in toyPlugins.registry(for: ToyPlugin()).descriptions {
      #expect(description.summary.hasSuffix("."), "\(description.use)")
      #expect(description.discussion.isEmpty || description.discussion.hasSuffix("."))
      for parameter in description.parameters {
        #expect(parameter.help.hasSuffix("."), "\(description.use) \(parameter.name)")
      }
    }
  }

  private func build(
    _ members: JSONObject, pageLoader: PageLoader<ToyCard>? = nil, isMutual: Bool = true
  ) throws -> (pipeline: Pipeline<ToyDeck>, effective: JSONValue) {
    var object: JSONObject = ["version": 1, "deck": "toy"]
    for member in members.members { object[member.key] = member.value }
    let configuration = try FeedConfiguration(
      JSONValue(object), file: "test.json", plugins: toyPlugins)
    let context = BuildContext(
      deck: ToyDeck(isMutual: isMutual, negativeReturnsAfter: 5 * Timestamp.day),
      states: LearnerStates(),
      safety: StoreSafety(InMemoryStore()), pageLoader: pageLoader,
      registry: toyPlugins.registry(for: ToyPlugin()))
    return (try configuration.pipelines(context).base, configuration.effective)
  }

  @Test func everyStrategyIsBuiltFromItsName() throws {
    let (pipeline, effective) = try build(
      [
        "sources": [["use": "all"], ["use": "likes-received"], ["use": "page"]],
        "filters": [
          ["use": "already-swiped"], ["use": "already-dealt", "forHours": 1.5],
          ["use": "unavailable"], ["use": "self"], ["use": "blocked"],
        ],
        "matchProbability": ["use": "constant"],
        "ranking": [
          "use": "likers-first",
          "then": ["use": "likers-first", "then": ["use": "popularity"]],
        ],
        "slate": [
          ["use": "epsilon", "epsilon": 0.1], ["use": "softmax", "temperature": 2],
          ["use": "group-cap", "column": "group", "most": 2],
        ],
        "match": ["use": "threshold", "least": 0.2],
      ], pageLoader: { _ in [] })
    #expect(pipeline.sources.map(\.name) == ["all", "likes-received", "page"])
    #expect(pipeline.sources[2].strategy is PageSource<ToyDeck>)
    #expect(
      pipeline.filters.map(\.name)
        == ["already-swiped", "already-dealt", "unavailable", "self", "blocked"])
    #expect(pipeline.ranking.strategy.learners.map(\.identity) == ["popularity/2"])
    #expect(pipeline.rules.count == 3)
    #expect(
      effective["filters"]?[0] == [
        "use": "already-swiped", "answers": ["like", "pass", "skip"],
        "negativeReturnsAfterDays": nil, "neutralReturnsAfterDays": nil,
      ])
    #expect(
      effective["ranking"] == [
        "use": "likers-first",
        "then": [
          "use": "likers-first", "then": ["use": "popularity", "prior": 0.42, "weight": 2],
        ],
      ])
    #expect(effective["matchProbability"] == ["use": "constant", "value": 0.5])
    #expect(
      effective["sources"]?[2] == [
        "use": "page", "pageSize": 20, "refillBelow": 10, "timeoutMilliseconds": 2000,
        "limit": 2000,
      ])
  }

  @Test(arguments: [
    "source-order", "random", "match-probability", "popularity", "likers-first", "reciprocal",
  ])
  func everyRankingHasDefaults(name: String) throws {
    #expect(try build(["ranking": ["use": JSONValue(name)]]).pipeline.ranking.name == name)
  }

  @Test func daysInTheFileOverruleTheDeck() async throws {
    let slate = toySlate(.numbered(2), seen: ["1": answered(.pass, daysAgo: 1)])
    func verdict(_ filter: JSONValue) async throws -> FilterVerdict {
      let pipeline = try build(["filters": [filter]]).pipeline
      let named = try #require(pipeline.filters.first { $0.name == "already-swiped" })
      return try await named.strategy.verdicts(for: slate, relaxation: 0)[0]
    }
    let fourDays = noon.advanced(byMilliseconds: 4 * Timestamp.day)
    #expect(try await verdict(["use": "already-swiped"]) == .remove(reason: 1, due: fourDays))
    let halfADay = noon.advanced(byMilliseconds: Timestamp.day / 2)
    #expect(
      try await verdict(["use": "already-swiped", "negativeReturnsAfterDays": 1.5])
        == .remove(reason: 1, due: halfADay))
    #expect(
      try await verdict(["use": "already-swiped", "negativeReturnsAfterDays": 1]) == .keep)
    #expect(try await verdict(["use": "already-swiped", "answers": ["like"]]) == .keep)
  }

  @Test func unknownColumnsAreRefusedWhenBuilt() throws {
    let cap = #expect(throws: FeedError.self) {
      try build(["slate": [["use": "group-cap", "column": "grup", "most": 1]]])
    }
    #expect(
      cap?.description
        == "the slate rule 'group-cap' asks for an unknown column \"grup\"; allowed: \"group\", "
        + "\"weight\", \"tags\"; did you mean \"group\"?")
    #expect(throws: FeedError.self) {
      try build(["ranking": ["use": "weighted", "terms": ["nothing": 1]]])
    }
  }

  @Test func twoSidesNeedADeckThatHasThem() throws {
    let fusions = ["harmonic-mean", "minimum", "geometric-mean"]
    for fusion in fusions {
      let built = try build(["ranking": ["use": "reciprocal", "fusion": JSONValue(fusion)]])
      #expect(built.pipeline.ranking.strategy is ReciprocalRanking<ToyDeck>)
    }
    let error = #expect(throws: FeedError.self) {
      try build(["ranking": ["use": "reciprocal"]], isMutual: false)
    }
    #expect(
      error?.description
        == "the ranking 'reciprocal' needs a deck with two sides; 'toy' has one; order by "
        + "\"match-probability\"")
  }

  @Test func broadRangesAreRefused() {
    let wrong: [JSONObject] = [
      ["matchProbability": ["use": "constant", "value": 1.1]],
      ["slate": [["use": "epsilon", "epsilon": -0.1]]],
      ["slate": [["use": "softmax", "temperature": 0]]],
      ["ranking": ["use": "weighted", "terms": ["weight": 0]]],
      ["ranking": ["use": "popularity", "weight": 0]],
      ["match": ["use": "threshold", "least": 2]],
      ["filters": [["use": "already-swiped", "answers": ["likes"]]]],
    ]
    for members in wrong {
      #expect(throws: ConfigurationError.self) { try build(members) }
    }
  }
}
