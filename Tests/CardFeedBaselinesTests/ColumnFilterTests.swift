import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting
import Testing

@Suite("Filters by column")
struct ColumnFilterTests {
  private static let cards = [
    ToyCard("a", group: "x", weight: -1, tags: ["red", "new"]),
    ToyCard("b", group: "y", weight: 0, tags: ["red"]),
    ToyCard("c", weight: 2.5), ToyCard("d", group: "e\u{301}", tags: ["\u{e9}"]),
  ]

  private func kept(_ filter: some FilterStrategy<ToyDeck>) async throws -> [Int] {
    let slate = toySlate(Self.cards)
    #expect(await StrategyConformance.violations(of: filter, on: slate).isEmpty)
    let verdicts = try await filter.verdicts(for: slate, relaxation: 0)
    return verdicts.indices.filter { verdicts[$0] == .keep }
  }

  @Test func boundsAreInclusiveAndUnknownIsNeither() async throws {
    func kept(_ range: ClosedRange<Double>, unknown: Bool = false) async throws -> [Int] {
      try await self.kept(
        ColumnRangeFilter<ToyDeck>(column: "weight", range: range, keepsUnknown: unknown))
    }
    #expect(try await kept(-1...0) == [0, 1])
    #expect(try await kept(0...Double.infinity) == [1, 2])
    #expect(try await kept(-Double.infinity ... -0.5) == [0])
    #expect(try await kept(5...6, unknown: true) == [3])
  }

  @Test func namesAreAnyAllAndNone() async throws {
    func tags(
      any: [String] = [], all: [String] = [], none: [String] = []
    ) async throws -> [Int] {
      try await kept(ColumnNamesFilter<ToyDeck>(column: "tags", any: any, all: all, none: none))
    }
    #expect(try await tags(any: ["new", "red"]) == [0, 1])
    #expect(try await tags(all: ["new", "red"]) == [0])
    #expect(try await tags(none: ["new"]) == [1, 2, 3])
    #expect(try await tags(any: ["red"], none: ["new"]) == [1])
    #expect(try await tags(any: ["nobody has it"]).isEmpty)
    #expect(try await tags(all: ["red", "nobody has it"]).isEmpty)
    #expect(try await tags(none: ["nobody has it"]) == [0, 1, 2, 3])
    // Unicode twins are two names.
    #expect(try await tags(any: ["\u{e9}"]) == [3])
    #expect(try await tags(any: ["e\u{301}"]).isEmpty)
  }

  @Test func aCategoryIsOneName() async throws {
    func groups(any: [String] = [], none: [String] = []) async throws -> [Int] {
      try await kept(ColumnNamesFilter<ToyDeck>(column: "group", any: any, none: none))
    }
    #expect(try await groups(any: ["x", "y"]) == [0, 1])
    #expect(try await groups(none: ["x"]) == [1, 2, 3])
    #expect(try await groups(any: ["e\u{301}"]) == [3])
    #expect(try await groups(any: ["\u{e9}"]).isEmpty)
  }

  @Test func aColumnOfAnotherKindIsAnError() async {
    let slate = toySlate(Self.cards)
    await #expect(throws: FeedError.self) {
      _ = try await ColumnRangeFilter<ToyDeck>(column: "tags", range: 0...1).verdicts(
        for: slate, relaxation: 0)
    }
    await #expect(throws: FeedError.self) {
      _ = try await ColumnNamesFilter<ToyDeck>(column: "weight", any: ["x"]).verdicts(
        for: slate, relaxation: 0)
    }
  }

  @Test(
    arguments: [
      (["use": "column-range", "column": "wieght", "least": 1], "did you mean \"weight\"?"),
      (["use": "column-range", "column": "tags", "least": 1], "allowed: \"weight\""),
      (["use": "column-range", "column": "weight"], "has no bound"),
      (["use": "column-range", "column": "weight", "least": 2, "most": 1], "keeps nothing"),
      (["use": "column-names", "column": "weight", "any": ["x"]], "allowed: \"group\", \"tags\""),
      (["use": "column-names", "column": "tags"], "asks for no name"),
      (["use": "column-names", "column": "tags", "any": ["x"], "none": ["x"]], "refuses it"),
      (["use": "column-names", "column": "tags", "any": "x"], "a list of texts"),
      (["use": "column-names", "any": ["x"]], "column"),
    ] as [(JSONValue, String)])
  func whatCannotBeAskedForIsRefused(filter: JSONValue, expected: String) throws {
    let error = #expect(throws: (any Error).self) {
      let configuration = try FeedConfiguration(
        ["version": 1, "deck": "toy", "filters": [filter]], file: "test.json",
        plugins: toyPlugins)
      _ = try configuration.pipelines(
        BuildContext(
          deck: ToyDeck(), states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
          registry: toyPlugins.registry(for: ToyPlugin())))
    }
    #expect("\(try #require(error))".contains(expected))
  }
}
