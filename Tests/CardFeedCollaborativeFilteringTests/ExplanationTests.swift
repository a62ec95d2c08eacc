import CardFeed
import CardFeedConfiguration
import CardFeedTesting
import Testing

/// Why a card was dealt, and more cards like it, asked of a feed.
extension CollaborativeFilteringTests {
  static let exact: [String] = {
    var names = ["co-occurrence", "item-neighbours", "random-walk"]
    #if OpenBLAS
      names += ["linear-autoencoder", "linear-transitions"]
    #endif
    return names
  }()

  @Test(arguments: exact)
  func `an explanation names the viewer's own swipes, and adds up`(_ ranking: String) async throws {
    let feed = try await trained(["use": JSONValue(ranking), "reasons": 1])
    try await like(feed, "new", ["a0", "a1"])
    let numbers = try #require(try await feed.appraise(["a5"], for: "new").first)
    #expect(numbers.terms.count == 2)
    #expect(numbers.terms[0].name.hasPrefix("liked a") && numbers.terms[1].name == "other swipes")
    let sum = numbers.terms.reduce(0.0) { $0 + ($1.value ?? 0) }
    #expect(abs(sum - (numbers.score.value ?? 0)) < 1e-6)
    // A linear model may take off for one swipe what another has said already.
    if ranking != "linear-transitions" {
      #expect(numbers.terms.allSatisfy { ($0.value ?? 0) > 0 })
    }
  }

  @Test(arguments: exact)
  func `with a reason for every swipe nothing is left over`(_ ranking: String) async throws {
    let feed = try await trained(["use": JSONValue(ranking), "reasons": 20])
    try await like(feed, "new", ["a0", "a1", "b3"])
    let hand = try await feed.redeal(for: "new").cards
    let top = try #require(hand.first)
    guard case .inHand(0, let reason) = try await feed.explain(top.id, for: "new") else {
      Issue.record("the top card is explained as something else")
      return
    }
    #expect(Set(reason.terms.map(\.name).dropLast()) == ["liked a0", "liked a1", "liked b3"])
    #expect(reason.terms.last?.name == "other swipes")
    #expect(abs(reason.terms.last?.value ?? 1) < 1e-6)
  }

  @Test func `a blend's explanation says what each part adds`() async throws {
    let feed = try await trained([
      "use": "collaborative-blend", "parts": ["co-occurrence": 1, "item-neighbours": 0.5],
    ])
    try await like(feed, "new", ["a0", "a1"])
    for numbers in try await feed.appraise(["a5", "b5"], for: "new") {
      #expect(numbers.terms.map(\.name) == ["co-occurrence", "item-neighbours"])
      let sum = numbers.terms.reduce(0.0) { $0 + ($1.value ?? 0) }
      #expect(abs(sum - (numbers.score.value ?? 0)) < 1e-5)
    }
  }

  @Test(arguments: ["item-neighbours", "co-occurrence", "random-walk", "pairwise-factors"])
  func `more like this: cards liked by those who liked the last one`(_ ranking: String) async throws
  {
    let feed = try await trained(
      ["use": "source-order"],
      sources: [
        ["use": "similar-cards", "by": ["use": JSONValue(ranking)], "likes": 1, "most": 3],
        ["use": "all"],
      ])
    _ = try await feed.record([
      RecordedSwipe(Swipe(viewer: "new", card: "b2", answer: .like, event: "1"))
    ])
    let hand = try await feed.redeal(for: "new").cards
    #expect(hand.prefix(3).allSatisfy { $0.reason.source == "similar-cards" })
    #expect(hand.prefix(3).allSatisfy { Self.text($0.id).hasPrefix("b") })
    #expect(Set(hand.map(\.id)).count == 11)
  }

  @Test(arguments: ["collaborative-blend", "personal-counts", "repurchase", "trend"])
  func `a ranking that compares no cards cannot say what is similar`(_ ranking: String) async {
    await #expect(throws: FeedError.self) {
      try await feed(
        ["use": "random"],
        sources: [["use": "similar-cards", "by": ["use": JSONValue(ranking)]], ["use": "all"]])
    }
  }
}
