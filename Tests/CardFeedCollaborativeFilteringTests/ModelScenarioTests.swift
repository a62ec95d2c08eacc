import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedCollaborativeFiltering

/// Faults that public recommenders had, in a feed over the models of this plugin. The numbers are
/// those of the list of scenarios.
extension CollaborativeFilteringTests {
  static let everyRanking = rankings + ["personal-counts", "recent-popularity", "trend"]

  private func recordLikes(_ feed: Feed, _ viewer: ViewerID, _ cards: [CardID]) async throws {
    _ = try await feed.record(
      cards.map {
        RecordedSwipe(
          Swipe(
            viewer: viewer, card: $0, answer: .like, event: EventID(bytes: [1] + $0.bytes)))
      })
  }

  /// Exactly what is wanted or available, nothing of what was liked, and a hand that says why it is
  /// short.
  @Test(arguments: everyRanking)
  func `p01, p02, p03: what is left is dealt, and nothing else`(_ ranking: String) async throws {
    let feed = try await trained(["use": JSONValue(ranking)])
    for left in [0, 2, 5] {
      let viewer = ViewerID("viewer \(left)")
      try await recordLikes(feed, viewer, Self.cards.dropFirst(left).map(\.id))
      let hand = try await feed.redeal(for: viewer)
      #expect(Set(hand.cards.map(\.id)) == Set(Self.cards.prefix(left).map(\.id)))
      guard case .exhausted(let exhaustion) = hand.shortfall else {
        Issue.record("a short hand does not say why")
        return
      }
      #expect(exhaustion.removed.map(\.filter) == ["already-swiped"])
      #expect(exhaustion.removed.map(\.count) == [12 - left])
    }
  }

  /// A viewer with a sparse history was shown what they had liked; the rest had no order.
  @Test func `p02: what the viewer's swipes say nothing of is left to the next source`()
    async throws
  {
    let feed = try await feed(
      ["use": "source-order"],
      sources: [["use": "recommended", "by": ["use": "item-neighbours"]], ["use": "all"]])
    for viewer in ["u", "v", "w"] { try await recordLikes(feed, ViewerID(viewer), ["a0", "a1"]) }
    for viewer in ["x", "y"] { try await recordLikes(feed, ViewerID(viewer), ["a0", "a3"]) }
    try await recordLikes(feed, "z", ["b0", "b1"])
    try await feed.train()
    let hand = try await feed.redeal(for: "u").cards
    #expect(hand.count == 10)
    #expect(hand.map(\.reason.source) == ["recommended"] + Array(repeating: "all", count: 9))
    #expect(hand.first?.id == "a3")
  }

  @Test(arguments: everyRanking)
  func `p04: of whom nothing is known gets the popular, whatever cards are called`(
    _ ranking: String
  ) async throws {
    func order(_ name: (Int) -> CardID) async throws -> [Int] {
      let feed = try await feed(["use": JSONValue(ranking)])
      let ids = (0..<5).map(name)
      try await feed.put(ids.map { ToyCard($0) })
      // Card i has i likers.
      for viewer in 1..<5 {
        try await recordLikes(feed, ViewerID("v\(viewer)"), Array(ids[viewer...]))
      }
      try await feed.train()
      let numbers = try await feed.appraise(ids, for: "cold")
      #expect(numbers.allSatisfy { $0.terms.map(\.name) == ["popular (no history)"] })
      let hand = try await feed.hand(for: "cold").cards.map(\.id)
      return hand.compactMap { ids.firstIndex(of: $0) }.filter { $0 > 0 }
    }
    #expect(try await order { CardID("p\($0)") } == [4, 3, 2, 1])
    #expect(try await order { CardID("p\(9 - $0)") } == [4, 3, 2, 1])
  }

  @Test(arguments: everyRanking)
  func `p05: the same log gives the same bytes at one thread and two`(_ ranking: String)
    async throws
  {
    var all: [[UInt8]] = []
    for threads in [1, 2] {
      let feed = try await trained(["use": JSONValue(ranking), "threads": JSONValue(threads)])
      all.append(try await feed.train().file.entries[0].model)
    }
    #expect(!all[0].isEmpty && all[0] == all[1])
  }

  @Test func `p07: any viewer is served, with a history that is known at once`() async throws {
    let feed = try await trained(["use": "item-neighbours"])
    for name in ["18446744073709551616", "-1", "2147483648", "", "\u{0}"] {
      let viewer = ViewerID(name)
      let before = try await feed.appraise(["a5"], for: viewer)
      #expect(before.map { $0.terms.map(\.name) } == [["popular (no history)"]])
      try await recordLikes(feed, viewer, ["a0"])
      let after = try await feed.appraise(["a5"], for: viewer)
      #expect(after[0].terms.first?.name == "liked a0")
    }
  }

  @Test(arguments: ["recommended", "similar-cards"])
  func `p08: a card that is withdrawn is gone with the next request`(_ source: String) async throws
  {
    let feed = try await trained(
      ["use": "source-order"],
      sources: [["use": JSONValue(source), "by": ["use": "item-neighbours"]], ["use": "all"]])
    try await recordLikes(feed, "new", ["b0", "b1"])
    let before = try await feed.redeal(for: "new").cards
    #expect(before.count == 10 && before[0].reason.source == source)
    try await feed.withdraw([before[0].id])
    #expect(try await feed.hand(for: "new").cards.map(\.id) == before.dropFirst().map(\.id))
    for viewer in ["new", "other"] as [ViewerID] {
      if viewer == "other" { try await recordLikes(feed, viewer, ["b0", "b1"]) }
      let after = try await feed.redeal(for: viewer).cards.map(\.id)
      #expect(after.count == 9 && !after.contains(before[0].id))
    }
    try await feed.reinstate([before[0].id])
    #expect(try await feed.redeal(for: "new").cards.map(\.id) == before.map(\.id))
  }

  @Test(arguments: ["recommended", "similar-cards"])
  func `p09: pages repeat nothing`(_ source: String) async throws {
    let feed = try await trained(
      ["use": "item-neighbours"],
      sources: [
        ["use": JSONValue(source), "by": ["use": "item-neighbours"], "limit": 2],
        ["use": "all", "limit": 3],
      ])
    try await recordLikes(feed, "new", ["b0"])
    var met: [CardID] = ["b0"]
    while let top = try await feed.hand(for: "new").cards.first {
      met.append(top.id)
      _ = try await feed.swipe(
        Swipe(
          viewer: "new", card: top.id, answer: met.count % 2 == 0 ? .like : .pass,
          event: EventID("\(met.count)")))
    }
    #expect(met.count == 12 && Set(met).count == 12)
  }

  @Test(arguments: everyRanking)
  func `p10, p11: all are dealt once, with the score that is asked for`(_ ranking: String)
    async throws
  {
    let feed = try await trained(["use": JSONValue(ranking)])
    try await recordLikes(feed, "new", ["a0", "b1", "a4"])
    let hand = try await feed.redeal(for: "new").cards
    #expect(Set(hand.map(\.id)).count == 9)
    let asked = try await feed.appraise(hand.map(\.id), for: "new")
    #expect(asked.map(\.score) == hand.map(\.reason.score))
    #expect(asked.map(\.terms) == hand.map(\.reason.terms))
    let values = hand.map { $0.reason.score.value ?? -.infinity }
    #expect(values == values.sorted(by: >))
  }

  @Test func `what was answered is recommended too, if the filters let it`() async throws {
    for (ranking, isAboutRepeats) in [("personal-counts", true), ("item-neighbours", false)] {
      let feed = try await feed(
        ["use": "source-order"],
        sources: [["use": "recommended", "by": ["use": JSONValue(ranking)]]], filters: [])
      for viewer in ["u", "v", "w"] { try await recordLikes(feed, ViewerID(viewer), ["b0", "b1"]) }
      for viewer in ["x", "y"] { try await recordLikes(feed, ViewerID(viewer), ["b1", "b2"]) }
      try await recordLikes(feed, "z", ["b0", "b2", "a1"])
      try await feed.train()
      let hand = try await feed.redeal(for: "u").cards.map(\.id)
      #expect(Set(hand).isSuperset(of: ["b0", "b1", "b2"]) && hand.count == Set(hand).count)
      // What is taken again comes first, or what is new.
      let own: Set<CardID> = ["b0", "b1"]
      let places = hand.indices.filter { own.contains(hand[$0]) }
      let last = [hand.count - 2, hand.count - 1]
      #expect(places == (isAboutRepeats ? [0, 1] : last), "\(ranking): \(hand)")
    }
  }

  @Test func `a model says what is like a card`() async throws {
    let feed = try await trained(["use": "item-neighbours"])
    let bytes = try #require(try await feed.train().file.entries.first).model
    let model = try CollaborativeModel(bytes: bytes)
    let like = try model.cards(like: "b0", limit: 3)
    #expect(like.count == 3 && like.allSatisfy { $0.id.bytes.first == UInt8(ascii: "b") })
    #expect(
      like.map(\.score) == like.map(\.score).sorted(by: >) && !like.contains { $0.id == "b0" })
    #expect(try model.cards(like: "nothing", limit: 3).isEmpty)
    #expect(try model.cards(like: "b0", limit: 0).isEmpty)
    #expect(try CollaborativeModel(bytes: []).cards(like: "b0", limit: 3).isEmpty)
    let counts = try await trained(["use": "personal-counts"])
    let personal = try #require(try await counts.train().file.entries.first).model
    let error = #expect(throws: FeedError.self) {
      try CollaborativeModel(bytes: personal).cards(like: "b0", limit: 3)
    }
    #expect(error?.code == .badInput)
  }

  /// Identities are bytes: two spellings of a letter, joined emoji, nothing, much, and what separates
  /// elsewhere.
  @Test func `ids of any kind are themselves in a model`() async throws {
    let names = [
      "\u{e9}", "e\u{301}", "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}",
      "\u{1F469}\u{1F469}\u{1F467}", "", String(repeating: "x", count: 10_240), "a/b", "a\u{0}b",
      "a", "\u{0}", " a", "A", "a\nb", "\"", "\u{0}viewer", "-0", "0",
    ]
    let ids = names.map { CardID($0) }
    let feed = try await feed(["use": "item-neighbours", "reasons": 1])
    func partner(_ index: Int) -> CardID { CardID("partner \(index)") }
    try await feed.put(
      ids.map { ToyCard($0) } + ids.indices.map { ToyCard(partner($0)) })
    for (index, id) in ids.enumerated() {
      for viewer in 0..<2 {
        try await recordLikes(feed, ViewerID("\(index) \(viewer)"), [id, partner(index)])
      }
    }
    let bytes = try #require(try await feed.train().file.entries.first).model
    let model = try CollaborativeModel(bytes: bytes)
    let rows = ids.compactMap { model.row(of: $0) }
    #expect(Set(rows).count == ids.count)
    #expect(rows.map { model.card(at: $0) } == ids)
    #expect(model.row(of: "E\u{301}") == nil)
    for (index, id) in ids.enumerated() {
      let viewer = ViewerID("new \(index)")
      try await recordLikes(feed, viewer, [id])
      let numbers = try await feed.appraise(ids.indices.map(partner), for: viewer)
      let positive = numbers.indices.filter { (numbers[$0].score.value ?? 0) > 0 }
      #expect(positive == [index], "the card of index \(index)")
      #expect(numbers[index].terms.first?.name == "liked \(names[index])")
    }
    // Who is erased is forgotten, and no twin with them.
    let without = model.forgetting("\u{e9}")
    #expect(without.row(of: "\u{e9}") == nil && without.row(of: "e\u{301}") != nil)
  }
}
