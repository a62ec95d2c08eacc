import CardFeedBaselines
import CardFeedCollaborativeFiltering
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeed

/// A deck of things as a plugin.
struct Things: Plugin, DeckPlugin {
  var name: String { "things" }
  var decks: [any DeckPlugin] { [self] }
  var deck: ToyDeck { ToyDeck(isMutual: false) }
  var summary: String { "Things." }
  var defaults: JSONValue {
    ["sources": [["use": "all"]], "match": ["use": "threshold", "least": 0]]
  }

  func register(in registry: inout StrategyRegistry<ToyDeck>) {}

  func card(from json: JSONValue) throws -> ToyCard { ToyCard(CardID(json["id"]?.string ?? "")) }

  func json(of card: ToyCard) -> JSONValue { [:] }
}

let plugins = PluginSet([BaselinesPlugin(), CollaborativeFilteringPlugin(), Things()])
typealias Feed = FeedEngine<ToyDeck, InMemoryStore, ManualClock, SplitMix64>

@Suite struct CollaborativeFilteringTests {
  static let rankings: [String] = {
    var names = [
      "item-neighbours", "random-walk", "co-occurrence", "pairwise-factors", "collaborative-blend",
    ]
    #if OpenBLAS
      names += ["linear-autoencoder", "linear-transitions", "implicit-factors"]
    #endif
    return names
  }()

  /// Two tastes: cards "a0" … "a5" and "b0" … "b5", and "z", which comes when all is trained.
  static let cards: [ToyCard] = ["a", "b"].flatMap { (taste: String) in
    (0..<6).map { ToyCard(CardID("\(taste)\($0)"), group: taste) }
  }

  static func text(_ id: CardID) -> String { String(decoding: id.bytes, as: UTF8.self) }

  func feed(
    _ ranking: JSONValue, sources: JSONValue = [["use": "all"]],
    filters: JSONValue = [["use": "already-swiped"]]
  ) async throws -> Feed {
    let configuration = try FeedConfiguration(
      [
        "version": 1, "deck": "toy", "hand": ["size": 13, "refillBelow": 13], "sources": sources,
        "filters": filters, "matchProbability": ["use": "constant"],
        "ranking": ranking,
      ], file: "test.json", plugins: plugins)
    let feed = try await FeedBuilder.open(
      configuration, deck: Things(), store: InMemoryStore(), plugins: plugins,
      clock: ManualClock())
    try await feed.put(Self.cards)
    return feed
  }

  /// Says yes to some cards of the hand as they come up, and passes over none behind them.
  func like(_ feed: Feed, _ viewer: String, _ cards: Set<String>) async throws {
    var left = cards
    while !left.isEmpty, let top = try await feed.hand(for: ViewerID(viewer)).cards.first {
      let id = Self.text(top.id)
      _ = try await feed.swipe(
        Swipe<ToyAnswer>(
          viewer: ViewerID(viewer), card: top.id, answer: left.remove(id) != nil ? .like : .skip,
          event: EventID("\(viewer) \(id)")))
    }
  }

  func hand(_ feed: Feed, _ viewer: String) async throws -> [String] {
    try await feed.hand(for: ViewerID(viewer)).cards.map { Self.text($0.id) }
  }

  /// Twelve viewers, each with five cards of a taste.
  func trained(
    _ ranking: JSONValue, sources: JSONValue = [["use": "all"]]
  ) async throws -> Feed {
    let feed = try await feed(ranking, sources: sources)
    for viewer in 0..<12 {
      let taste = viewer % 2 == 0 ? "a" : "b"
      try await like(
        feed, "v\(viewer)", Set((0..<6).filter { $0 != viewer / 2 }.map { "\(taste)\($0)" }))
    }
    try await feed.train()
    return feed
  }

  @Test(arguments: rankings) func `who likes a card is dealt its like`(_ ranking: String)
    async throws
  {
    let feed = try await trained(["use": JSONValue(ranking)])
    // The hand of a stranger begins with whatever is popular; after likes of one taste with that.
    try await like(feed, "new", ["b0", "b1"])
    let rest = try await hand(feed, "new").filter { $0.hasPrefix("a") || $0.hasPrefix("b") }
    let own = rest.count { $0.hasPrefix("b") }
    #expect(rest.prefix(own).allSatisfy { $0.hasPrefix("b") }, "\(rest)")
  }

  @Test func `a viewer without a history gets the most liked cards, the same each time`()
    async throws
  {
    let feed = try await trained(["use": "co-occurrence"])
    let all = try await hand(feed, "cold")
    #expect(try await hand(feed, "cold") == all)
    let numbers = try await feed.appraise(["a3", "b2"], for: "cold")
    #expect(numbers[0].terms.map(\.name) == ["popular (no history)"])
    // Each card was left out by one viewer, and liked by the other five of its taste.
    #expect(numbers.map(\.score.value) == [5, 5])
  }

  @Test func `before a training cards come by likes`() async throws {
    let feed = try await feed(["use": "item-neighbours"])
    try await like(feed, "one", ["b4"])
    try await like(feed, "two", ["b4", "a1"])
    #expect(Array(try await hand(feed, "three").prefix(2)) == ["b4", "a1"])
    let numbers = try await feed.appraise(["b4"], for: "three")
    #expect(numbers[0].terms.map(\.name) == ["popular (no model)"])
  }

  @Test func `a card that came after the training is unscored, or scores as its features do`()
    async throws
  {
    for hasFeatures in [false, true] {
      let feed = try await trained(
        ["use": "item-neighbours", "features": hasFeatures ? ["group"] : []])
      try await feed.put([ToyCard("z", group: "a")])
      try await like(feed, "new", ["a0", "a1"])
      let scores = try await feed.appraise(["z", "a5", "b5"], for: "new").map(\.score.value)
      if hasFeatures {
        let (own, like, other) = (scores[0] ?? 0, scores[1] ?? 0, scores[2] ?? 0)
        #expect(other < own && own < like)
      } else {
        #expect(scores[0] == nil && scores[1] != nil)
      }
    }
  }

  @Test func `sources propose what is recommended and what is similar`() async throws {
    for source in ["recommended", "similar-cards"] {
      let feed = try await trained(
        ["use": "source-order"],
        sources: [["use": JSONValue(source), "by": ["use": "item-neighbours"]], ["use": "all"]])
      try await like(feed, "new", ["b0", "b1"])
      let rest = try await hand(feed, "new")
      let own = rest.count { $0.hasPrefix("b") }
      #expect(rest.prefix(own).allSatisfy { $0.hasPrefix("b") }, "\(source): \(rest)")
      // A stranger gets what the other source has.
      #expect(try await hand(feed, "cold").count == 12)
    }
  }

  @Test(arguments: ["recommended", "similar-cards"])
  func `a source without a model is a failure that the hand reports`(_ source: String) async throws
  {
    let sources: JSONValue = [
      ["use": JSONValue(source), "by": ["use": "item-neighbours"]], ["use": "all"],
    ]
    let before = try await feed(["use": "source-order"], sources: sources)
    try await like(before, "new", ["b0"])
    let hand = try await before.redeal(for: "new")
    #expect(!hand.cards.isEmpty)
    #expect(hand.degradations == [.source(name: source, failure: .failed)])
    let after = try await trained(["use": "source-order"], sources: sources)
    #expect(try await after.hand(for: "new").degradations.isEmpty)
  }

  @Test func `only a collaborative ranking can stand in its sources`() async throws {
    await #expect(throws: FeedError.self) {
      try await feed(
        ["use": "random"], sources: [["use": "recommended", "by": ["use": "random"]]])
    }
    await #expect(throws: ConfigurationError.self) {
      try await feed(["use": "collaborative-blend", "parts": ["nothing": 1]])
    }
  }

  @Test func `two trainings of the same log give the same bytes, with any number of threads`()
    async throws
  {
    var all: [[UInt8]] = []
    for threads in [1, 2] {
      let feed = try await trained(["use": "co-occurrence", "threads": JSONValue(threads)])
      all.append(try await feed.train().file.entries[0].model)
    }
    #expect(all[0] == all[1])
    let model = try CollaborativeModel(bytes: all[0])
    #expect(model.bytes == all[0])
    let forgotten = model.forgetting("a0")
    #expect(forgotten.bytes != all[0])
    #expect(try CollaborativeModel(bytes: forgotten.bytes).bytes == forgotten.bytes)
    for place in stride(from: 0, to: all[0].count, by: 7) {
      var damaged = all[0]
      damaged[place] ^= 0x20
      // Bytes of the header that nobody reads may change.
      if let read = try? CollaborativeModel(bytes: damaged) { #expect(read.bytes == all[0]) }
    }
    #expect(throws: FeedError.self) { try CollaborativeModel(bytes: Array(all[0].dropLast())) }
  }

  @Test func `a fit that runs away is an error of training, and what was served goes on`()
    async throws
  {
    let feed = try await feed(
      [
        "use": "pairwise-factors", "regularisation": 1e30, "learningRate": 10, "factors": 4,
      ])
    for (viewer, card) in [("one", "b4"), ("two", "a1"), ("three", "a5")] {
      try await like(feed, viewer, [card])
    }
    let before = try await hand(feed, "new")
    let error = await #expect(throws: FeedError.self) { try await feed.train() }
    #expect(error?.code == .training)
    #expect(try await hand(feed, "new") == before)
  }

  @Test func `a rewind takes a swipe out of the history and the counts`() async throws {
    let feed = try await trained(["use": "co-occurrence"])
    _ = try await feed.hand(for: "new")
    let before = try await feed.appraise(["a3", "b3"], for: "new").map(\.score.value)
    let top = try #require(try await feed.hand(for: "new").cards.first)
    _ = try await feed.swipe(
      Swipe<ToyAnswer>(viewer: "new", card: top.id, answer: .like, event: "e"))
    #expect(try await feed.appraise(["a3", "b3"], for: "new").map(\.score.value) != before)
    _ = try await feed.rewind(for: "new", event: "r")
    #expect(try await feed.appraise(["a3", "b3"], for: "new").map(\.score.value) == before)
  }
}
