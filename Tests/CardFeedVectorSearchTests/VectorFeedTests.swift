import CardFeed
import CardFeedTesting
import CardFeedVectorSearch
import Testing

@Suite("A feed of nearest cards")
struct VectorFeedTests {
  /// Swipes the top card; returns its identity.
  private func swipe(
    _ feed: ThingFeed, _ answer: ToyAnswer, event: Int
  ) async throws -> CardID? {
    guard let top = try await feed.hand(for: "viewer").cards.first else { return nil }
    let outcome = try await feed.swipe(
      Swipe(viewer: "viewer", card: top.id, answer: answer, event: EventID("\(event)")))
    #expect(outcome.receipt != nil)
    return top.id
  }

  @Test(
    "a card that is withdrawn or expired is gone at the very next request, and the hand is full")
  func hiddenAtOnce() async throws {
    let clock = ManualClock()
    let feed = try await thingFeed(size: 5, clock: clock)
    var cards = circle(60)
    let later = clock.now.advanced(byMilliseconds: 3_600_000)
    cards[3].expires = later.milliseconds
    try await feed.put(cards)
    #expect(try await swipe(feed, .like, event: 0) == "0")
    #expect(try await feed.redeal(for: "viewer").cards.map(\.id) == ["1", "2", "3", "4", "5"])
    try await feed.withdraw(["2", "6"])
    let without = try await feed.redeal(for: "viewer").cards.map(\.id)
    #expect(without == ["1", "3", "4", "5", "7"])
    clock.advance(byMilliseconds: 3_600_000)
    #expect(try await feed.redeal(for: "viewer").cards.map(\.id) == ["1", "4", "5", "7", "8"])
    // Also without a new deal: what lies in the hand is judged again.
    try await feed.withdraw(["1"])
    #expect(try await feed.hand(for: "viewer").cards.first?.id == "4")
    try await feed.reinstate(["2"])
    #expect(
      try await feed.redeal(for: "viewer").cards.map(\.id) == ["2", "4", "5", "7", "8"])
    // Another vector counts at once too.
    try await feed.put([Thing("59", angle(0.001))])
    #expect(try await feed.redeal(for: "viewer").cards.first?.id == "59")
  }

  @Test("pages of hands hold every card once, and none that was seen, until there is none left")
  func pagesAreDisjoint() async throws {
    let feed = try await thingFeed()
    try await feed.put(circle(130) + [Thing("x", nil), Thing("y", nil)])
    var met: [CardID] = []
    while let id = try await swipe(feed, met.count % 3 == 0 ? .like : .pass, event: met.count) {
      met.append(id)
    }
    #expect(met.count == 132)
    #expect(Set(met).count == 132)
    guard case .exhausted = try await feed.hand(for: "viewer").shortfall else {
      Issue.record("The hand does not say that all cards were seen.")
      return
    }
  }

  @Test("a hand as large as the deck holds every unseen card once")
  func everything() async throws {
    let feed = try await thingFeed(size: 400, limit: 64)
    try await feed.put(circle(400, step: 0.005))
    #expect(try await swipe(feed, .like, event: 0) == "0")
    let hand = try await feed.redeal(for: "viewer").cards
    #expect(hand.map(\.id) == (1..<400).map { CardID("\($0)") })
  }
}
