import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting
import Testing

@Suite struct WithinDistanceTests {
  private let cards = [
    PlacedCard("viewer", kilometresNorth: 0), PlacedCard("near", kilometresNorth: 49.9),
    PlacedCard("far", kilometresNorth: 50.1), PlacedCard("farther", kilometresNorth: 150),
    PlacedCard("nowhere", kilometresNorth: nil),
  ]

  private func verdicts(
    _ filter: WithinDistanceFilter<PlacedDeck>, viewer: ViewerID = "viewer", relaxation: Int = 0
  ) async throws -> [FilterVerdict] {
    let slate = placedSlate(cards, viewer: viewer)
    #expect(await StrategyConformance.violations(of: filter, on: slate).isEmpty)
    return try await filter.verdicts(for: slate, relaxation: relaxation)
  }

  @Test func theLimitIsInclusiveAndTheUnknownIsRemoved() async throws {
    let filter = WithinDistanceFilter<PlacedDeck>(.kilometres(50), column: "home")
    #expect(filter.kind == .hard)
    #expect(
      try await verdicts(filter) == [.keep, .keep, .remove(), .remove(), .remove(reason: 1)])
    let here = try #require(cards[0].place)
    let exact = here.distance(to: try #require(cards[1].place))
    #expect(try await verdicts(WithinDistanceFilter(exact, column: "home"))[1] == .keep)
    let less = Distance.metres(exact.metres.nextDown)
    #expect(try await verdicts(WithinDistanceFilter(less, column: "home"))[1] == .remove())
  }

  @Test func furtherLimitsAreTakenInOrder() async throws {
    let filter = WithinDistanceFilter<PlacedDeck>(
      .kilometres(50), relaxed: [.kilometres(100), .kilometres(200)], column: "home",
      keepsUnknown: true)
    #expect(filter.kind == .soft && filter.relaxations == 2)
    #expect(try await verdicts(filter) == [.keep, .keep, .remove(), .remove(), .keep])
    #expect(
      try await verdicts(filter, relaxation: 1) == [.keep, .keep, .keep, .remove(), .keep])
    #expect(try await verdicts(filter, relaxation: 2) == [.keep, .keep, .keep, .keep, .keep])
  }

  @Test(arguments: ["nowhere", "somebody else"] as [ViewerID])
  func aViewerWithoutAPlaceIsNowhereNear(viewer: ViewerID) async throws {
    let keeping = WithinDistanceFilter<PlacedDeck>(
      .kilometres(50), column: "home", keepsUnknown: true)
    #expect(try await verdicts(keeping, viewer: viewer).allSatisfy { $0 == .keep })
    let removing = WithinDistanceFilter<PlacedDeck>(.kilometres(50), column: "home")
    #expect(try await verdicts(removing, viewer: viewer).allSatisfy { $0 == .remove(reason: 1) })
  }

  private func dealt(_ filter: JSONValue) async throws -> [CardID] {
    let feed = try await placedFeed(
      cards, ["filters": [filter], "ranking": ["use": "nearest", "column": "home"]])
    return try await feed.hand(for: "viewer").cards.map(\.id)
  }

  @Test func theJSONSaysItAll() async throws {
    #expect(
      try await dealt(["use": "within-distance", "kilometres": 50, "column": "home"]) == ["near"])
    // 50.1 km are 31.13 miles.
    #expect(
      try await dealt(["use": "within-distance", "miles": 31.2, "column": "home"])
        == ["near", "far"])
    #expect(
      try await dealt([
        "use": "within-distance", "kilometres": 10, "relax": [20, 60], "column": "home",
      ]) == ["near", "far"])
    #expect(
      try await dealt([
        "use": "within-distance", "miles": 10, "relax": [100], "column": "home",
        "unknown": "keep",
      ]) == ["near", "far", "farther", "nowhere"])
  }

  @Test(
    arguments: [
      (
        ["use": "within-distance", "column": "home"],
        "the filter 'within-distance' has neither of the keys \"kilometres\" and \"miles\"; "
          + "allowed: exactly one of them; write the limit in one unit, as in "
          + "{\"use\": \"within-distance\", \"kilometres\": 50}"
      ),
      (
        ["use": "within-distance", "column": "home", "kilometres": 50, "miles": 30],
        "the filter 'within-distance' has both of the keys \"kilometres\" and \"miles\"; "
          + "allowed: exactly one of them; write the limit in one unit, as in "
          + "{\"use\": \"within-distance\", \"kilometres\": 50}"
      ),
      (
        ["use": "within-distance", "column": "home", "kilometres": 50, "relax": [50, 60]],
        "the first limit in \"relax\" of the filter 'within-distance' is not above the limit "
          + "itself; found 50.0 after 50.0, allowed: greater numbers, ascending; list only the "
          + "limits that follow when cards run out"
      ),
      (
        ["use": "within-distance", "kilometres": 50, "column": "hom"],
        "the filter 'within-distance' asks for the column \"hom\", which is no column of places; "
          + "allowed: \"home\"; did you mean \"home\"?"
      ),
      (
        ["use": "within-distance", "kilometres": 50, "column": "name"],
        "the filter 'within-distance' asks for the column \"name\", which is no column of places; "
          + "allowed: \"home\""
      ),
    ] as [(JSONValue, String)])
  func whatCannotBeBuiltSaysWhy(filter: JSONValue, message: String) async {
    let error = await #expect(throws: FeedError.self) { try await dealt(filter) }
    #expect(error?.description == message)
  }

  @Test func aDeckWhoseViewersAreNowhereIsRefused() async {
    let things = PlacedDeck(policy: DeckPolicy(isMutual: false))
    for members: JSONObject in [
      ["filters": [["use": "within-distance", "kilometres": 1, "column": "home"]]],
      ["ranking": ["use": "nearest", "column": "home"]],
      ["sources": [["use": "nearest", "column": "home"]]],
    ] {
      let error = await #expect(throws: FeedError.self) {
        try await placedFeed([], members, deck: things)
      }
      #expect(
        error?.message.hasSuffix(
          "needs to know where a viewer is; the viewers of the deck 'placed' are no cards and have "
            + "no place") == true)
    }
  }
}

@Suite struct NearestTests {
  private func somewhere(_ generator: inout SplitMix64) -> Place? {
    guard generator.index(below: 10) > 0 else { return nil }
    // Coarse, so that some are equally far away.
    return Place(
      latitude: Double(generator.index(below: 30)), longitude: Double(generator.index(below: 3)))
  }

  @Test func theRankingIsByDistance() async throws {
    let cards = [
      PlacedCard("viewer", kilometresNorth: 0), PlacedCard("b", kilometresNorth: 20),
      PlacedCard("c", kilometresNorth: nil), PlacedCard("d", kilometresNorth: 10),
    ]
    let slate = placedSlate(cards)
    let ranking = NearestRanking<PlacedDeck>(column: "home")
    #expect(await StrategyConformance.violations(of: ranking, on: slate).isEmpty)
    let scores = try await ranking.scores(for: slate, estimates: MatchEstimates(count: 4))
    #expect(order(scores) == [0, 3, 1, 2])
    #expect(scores.values[2].isNaN)
    #expect(abs(scores.values[1] + 20) < 1e-6)
    #expect(scores.terms.map(\.name) == ["kilometres"])
    // Three exact distances tell where somebody is.
    #expect(scores.terms.allSatisfy { $0.isPrivate })
  }

  /// Page by page it is the whole table in the order of distances, ties as the cards came.
  @Test(arguments: [1, 2, 7, 64, 1000])
  func theSourceIsEveryCardInOrder(limit: Int) async throws {
    var generator = SplitMix64(seed: 41)
    var cards = [PlacedCard("viewer", kilometresNorth: 500)]
    for index in 0..<150 { cards.append(PlacedCard(CardID("\(index)"), somewhere(&generator))) }
    let slate = placedSlate(cards)
    let here = cards[0].place
    let keys = cards.map { Distance.between(here, $0.place).map(\.metres) ?? .infinity }
    let expected = cards.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    let source = NearestSource<PlacedDeck>(column: "home")
    var found: [Int] = []
    var cursor: SourceCursor? = .start
    while let from = cursor {
      let page = try await source.page(
        from: from, limit: limit, table: slate.table, context: slate.context)
      #expect(page.rows.count <= limit)
      found += page.rows.map(\.index)
      cursor = page.next
    }
    #expect(found == expected)
    let beyond = try await source.page(
      from: SourceCursor(9999), limit: limit, table: slate.table, context: slate.context)
    #expect(beyond.rows.isEmpty && beyond.next == nil)
  }

  /// The nearest card came last, behind more cards than a page holds.
  @Test func theNearestIsFirstHoweverSmallThePage() async throws {
    var cards = [PlacedCard("viewer", kilometresNorth: 0)]
    for index in 0..<30 { cards.append(PlacedCard(CardID("\(index)"), kilometresNorth: 40)) }
    cards.append(PlacedCard("nearest", kilometresNorth: 1))
    let feed = try await placedFeed(
      cards,
      [
        "hand": ["size": 5, "refillBelow": 1],
        "sources": [["use": "nearest", "column": "home", "limit": 5]],
        "ranking": ["use": "nearest", "column": "home"],
      ])
    #expect(try await feed.hand(for: "viewer").cards.first?.id == "nearest")
  }
}

@Suite struct MetBeforeTests {
  private func verdicts(
    _ filter: MetBeforeFilter<ToyDeck>, seen: [CardID: SeenEntry] = [:],
    received: [(from: CardID, meaning: AnswerMeaning, time: Timestamp)] = []
  ) async throws -> [FilterVerdict] {
    let slate = toySlate(.numbered(4), seen: seen, received: received)
    #expect(await StrategyConformance.violations(of: filter, on: slate).isEmpty)
    #expect(filter.kind == .hard && filter.needs == .answersReceived)
    return try await filter.verdicts(for: slate, relaxation: 0)
  }

  private func hoursAgo(_ hours: Int64) -> Timestamp {
    noon.advanced(byMilliseconds: -hours * 3_600_000)
  }

  @Test func bothDirectionsCount() async throws {
    let seen: [CardID: SeenEntry] = [
      "1": answered(.pass, daysAgo: 1), "4": SeenEntry(dealtAt: noon),
    ]
    let received: [(from: CardID, meaning: AnswerMeaning, time: Timestamp)] = [
      ("2", .negative, hoursAgo(1)), ("3", .positive, hoursAgo(2)),
    ]
    #expect(
      try await verdicts(MetBeforeFilter(), seen: seen, received: received)
        == [.remove(), .remove(), .keep, .keep])
    #expect(
      try await verdicts(
        MetBeforeFilter(received: [.positive, .negative, .neutral]), seen: seen,
        received: received) == [.remove(), .remove(), .remove(), .keep])
  }

  /// The time of somebody else's answer is told to nobody.
  @Test func theyMeetAgainAfterATime() async throws {
    let filter = MetBeforeFilter<ToyDeck>(forMilliseconds: 24 * 3_600_000)
    let due = noon.advanced(byMilliseconds: 12 * 3_600_000)
    #expect(
      try await verdicts(
        filter, seen: ["1": answered(.pass, daysAgo: 0.5), "2": answered(.like, daysAgo: 1)],
        received: [
          ("3", .negative, hoursAgo(23)), ("4", .negative, hoursAgo(24)),
          ("1", .negative, hoursAgo(1)),
        ]) == [.remove(due: due), .keep, .remove(), .keep])
  }

  @Test func onlyTheLastAnswerOfEachPersonCounts() async throws {
    #expect(
      try await verdicts(
        MetBeforeFilter(),
        received: [("1", .positive, hoursAgo(1)), ("1", .negative, hoursAgo(2))])[0] == .keep)
  }
}
