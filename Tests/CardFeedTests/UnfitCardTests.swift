import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("What becomes of cards that a check does not let through")
struct UnfitCardTests {
  private let store = InMemoryStore()
  private let failing = Lock(false)

  private func open(cards: Int = 4) async throws -> TestBench<InMemoryStore> {
    try await TestBench(store, cards: cards == 0 ? [] : ToyCard.numbered(cards) + [ToyCard("v")]) {
      $0.hand = HandPolicy(size: 3, refillBelow: 2, rewind: 10, ties: .id)
      $0.filter("answered", AnsweredFilter())
      $0.filter("dealt", DealtFilter())
      $0.filter(
        "group",
        ClosureFilter { [failing] card, _, _ in
          if failing.withLock({ $0 }) { throw TestFailure("unreadable") }
          return card.group == "away" ? .remove() : .keep
        })
    }
  }

  @Test("A rewind whose card may not be shown says that a match ended, and is one when repeated")
  func endedMatch() async throws {
    let bench = try await open()
    #expect(try await bench.hand("v").first == "1")
    try await bench.like("1", "v")
    try await bench.swipe("1", .like, by: "v")
    #expect(try await bench.feed.matches(of: "v") == ["1"])
    try await bench.feed.withdraw(["1"])
    guard case .applied(nil, endedMatch: true) = try await bench.rewind("v", event: "back") else {
      throw TestFailure("the end of the match was not told")
    }
    #expect(try await bench.feed.matches(of: "1").isEmpty)
    #expect(try await bench.rewind("v", event: "back").isRepeated)
    #expect(try await bench.rewind("v").isNothing)
    #expect(try await store.check() == [])
    // Who is back can be dealt: what was said of them was taken back.
    try await bench.feed.reinstate(["1"])
    #expect(try await bench.swipeAll(by: "v") == ["2", "3", "1", "4"])
  }

  @Test("The past is as it was once its card is fit again")
  func fitAgain() async throws {
    let bench = try await open()
    try await bench.swipeTop(by: "v")
    try await bench.feed.withdraw(["1"])
    #expect(try await bench.hand("v").contains("1") == false)
    try await bench.feed.reinstate(["1"])
    #expect(try await bench.hand("v").contains("1") == false)
    #expect(try await bench.rewind("v").card == "1")
    #expect(try await bench.hand("v").first == "1")
  }

  @Test("A card that was taken out counts as not dealt, after a restart too", arguments: [1, 2])
  func dealtAgain(processes: Int) async throws {
    var bench = try await open()
    #expect(try await bench.hand("v") == ["1", "2", "3"])
    try await bench.feed.withdraw(["1"])
    try await bench.feed.put([ToyCard("2", group: "away")])
    #expect(try await bench.hand("v") == ["3", "4"])
    if processes == 2 { bench = try await open(cards: 0) }
    try await bench.feed.reinstate(["1"])
    try await bench.feed.put([ToyCard("2")])
    try await bench.swipe("3", by: "v")
    #expect(try await bench.hand("v") == ["4", "1", "2"])
    // From then on it was dealt.
    _ = try await bench.feed.redeal(for: "v")
    bench = try await open(cards: 0)
    #expect(try await bench.hand("v").isEmpty)
  }

  @Test("What a failing filter cannot judge is hidden, and lies where it was once it can")
  func failing() async throws {
    let bench = try await open()
    let hand = try await bench.hand("v")
    try await bench.feed.put([ToyCard("1", weight: 7), ToyCard("3", weight: 8)])
    failing.withLock { $0 = true }
    let short = try await bench.feed.hand(for: "v")
    #expect(short.ids == ["2"])
    #expect(short.shortfall == .degraded)
    for card in hand {
      guard case .stale(top: nil) = try await bench.swipe(card, by: "v") else {
        throw TestFailure("a swipe counted under a card that could not be judged")
      }
    }
    failing.withLock { $0 = false }
    #expect(try await bench.hand("v") == hand)
    #expect(try await bench.swipe("1", by: "v").isApplied)
    // The same for a rewind: the swipe is taken back, the card comes when it can be judged.
    try await bench.feed.put([ToyCard("1", weight: 9)])
    failing.withLock { $0 = true }
    let back = try await bench.rewind("v")
    #expect(back.isApplied && back.card == nil)
    failing.withLock { $0 = false }
    #expect(try await bench.hand("v") == hand)
  }

  @Test("A match behind a wall is a tombstone; other filters leave matches alone")
  func walls() async throws {
    struct Wall: FilterStrategy {
      typealias D = ToyDeck
      let failing: Lock<Bool>
      var isWall: Bool { true }
      var reasons: [String] { ["a wall"] }
      func verdicts(for slate: Slate<ToyDeck>, relaxation: Int) async throws -> [FilterVerdict] {
        if failing.withLock({ $0 }) { throw TestFailure("unreadable") }
        return slate.rows.map { row in
          switch slate.table.card(at: row).group {
          case "behind": .remove()
          case "unknown": .unavailable
          default: .keep
          }
        }
      }
    }
    let bench = try await TestBench(store, cards: ToyCard.numbered(5)) {
      $0.filter("wall", Wall(failing: failing))
      $0.filter("other", ClosureFilter { _, _, _ in .remove() })
    }
    for card in ["2", "3", "4"] as [CardID] {
      try await bench.like("1", card)
      try await bench.like(card, "1")
    }
    #expect(try await bench.feed.matchedCards(of: "1").map { $0.card?.id } == ["2", "3", "4"])
    try await bench.feed.put([ToyCard("2", group: "behind"), ToyCard("4", group: "unknown")])
    let matched = try await bench.feed.matchedCards(of: "1")
    #expect(matched.map(\.id) == ["2", "3", "4"])
    #expect(matched.map { $0.card?.id } == [nil, "3", nil])
    failing.withLock { $0 = true }
    #expect(try await bench.feed.matchedCards(of: "1").map { $0.card?.id } == [nil, nil, nil])
  }
}
