import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedStandardPlugins
import CardFeedTesting
import Testing

/// A feed whose configuration changes while hands are held.
@Suite struct FeedReloadTests {
  private typealias DatingFeed = FeedEngine<DatingDeck, InMemoryStore, ManualClock, SplitMix64>

  private let deck = DatingDeckPlugin()

  private func text(_ rest: String) -> String {
    """
    {"version": 1, "deck": "dating", "sources": [{"use": "all"}],
     "filters": [{"use": "already-swiped"}], "matchProbability": {"use": "constant"}, \(rest)}
    """
  }

  private func open(_ text: String, people: Int = 30) async throws -> DatingFeed {
    let feed = try await FeedBuilder.open(
      FeedConfiguration(text), deck: deck, store: InMemoryStore(), plugins: .plain,
      clock: ManualClock())
    try await feed.put((0..<people).map { Person(id: "person-\($0)") })
    return feed
  }

  private func reload(_ feed: DatingFeed, _ text: String) async throws {
    try await FeedBuilder.reload(
      feed, with: FeedConfiguration(text), deck: deck, plugins: .plain)
  }

  private func fingerprints(_ feed: DatingFeed, _ viewer: ViewerID) async throws -> [String] {
    try await feed.hand(for: viewer).cards.map(\.reason.fingerprint)
  }

  @Test func cardsKeepTheFingerprintThatDealtThem() async throws {
    let before = text(#""hand": {"size": 3, "refillBelow": 3}, "ranking": {"use": "random"}"#)
    let after = text(#""hand": {"size": 5, "refillBelow": 3}, "ranking": {"use": "source-order"}"#)
    let old = try FeedConfiguration(before).base.fingerprint
    let new = try FeedConfiguration(after).base.fingerprint
    #expect(old != new)
    let feed = try await open(before)
    let held = try await feed.hand(for: "person-0")
    #expect(held.cards.map(\.reason.fingerprint) == [old, old, old])

    try await reload(feed, after)
    // Three cards are enough for the new pipeline, so the hand stays as it is.
    #expect(try await feed.hand(for: "person-0").cards.map(\.id) == held.cards.map(\.id))
    #expect(try await fingerprints(feed, "person-0") == [old, old, old])
    // Who comes after the reload gets the new pipeline only.
    #expect(try await fingerprints(feed, "person-1") == [new, new, new, new, new])

    let outcome = try await feed.swipe(
      Swipe(viewer: "person-0", card: held.cards[0].id, answer: .like, event: "1"))
    #expect(outcome.receipt != nil)
    #expect(try await fingerprints(feed, "person-0") == [old, old, new, new, new])
  }

  @Test func hundredReloadsInConcurrencyWithDealsMixNothing() async throws {
    let texts = [
      text(#""hand": {"size": 4, "refillBelow": 4}, "ranking": {"use": "random"}"#),
      text(#""hand": {"size": 6, "refillBelow": 6}, "ranking": {"use": "source-order"}"#),
    ]
    let sizes = try Dictionary(
      uniqueKeysWithValues: texts.map {
        let configuration = try FeedConfiguration($0)
        return (configuration.base.fingerprint, configuration.base.hand.size)
      })
    let feed = try await open(texts[0], people: 200)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 0..<100 { try await reload(feed, texts[round % 2]) }
      }
      for lane in 0..<4 {
        group.addTask {
          for index in 0..<50 {
            let hand = try await feed.hand(for: ViewerID("person-\(lane * 50 + index)"))
            // A first hand comes from one pipeline: its size and its fingerprint belong together.
            let fingerprints = Set(hand.cards.map(\.reason.fingerprint))
            #expect(fingerprints.count == 1)
            #expect(sizes[fingerprints.first ?? ""] == hand.cards.count)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func aBadFileLeavesTheRunningFeedAlone() async throws {
    let good = text(#""ranking": {"use": "random"}"#)
    let feed = try await open(good)
    let held = try await feed.hand(for: "person-0").cards.map(\.id)
    for bad in [
      text(#""ranking": {"use": "randm"}"#), text(#""ranking": "#), "",
      #"{"version": 1, "deck": "dating", "sources": [{"use": "page"}]}"#,
      text(#""ranking": {"use": "weighted", "terms": {"agee": 1}}"#),
    ] {
      await #expect(throws: (any Error).self) { try await reload(feed, bad) }
      #expect(try await feed.hand(for: "person-0").cards.map(\.id) == held)
      let fingerprint = try FeedConfiguration(good).base.fingerprint
      #expect(feed.pipelines.base.fingerprint == fingerprint)
    }
    #expect(
      try await fingerprints(feed, "person-1")
        == Array(repeating: FeedConfiguration(good).base.fingerprint, count: 5))
  }

  @Test func aViewerStaysInTheVariant() async throws {
    let variants = """
      "ranking": {"use": "random"}, "variants": [
        {"name": "quarter", "share": 0.25, "set": {"ranking": {"use": "source-order"}}},
        {"name": "half", "share": 0.5, "set": {"hand": {"size": 2, "refillBelow": 1}}}]
      """
    func assigned(_ feed: DatingFeed) async throws -> [String?] {
      var names: [String?] = []
      for viewer in 0..<400 {
        let hand = try await feed.hand(for: ViewerID("person-\(viewer)"))
        let variants = Set(hand.cards.map(\.reason.variant))
        #expect(variants.count == 1)
        if variants.first == "half" { #expect(hand.cards.count == 2) }
        names.append(variants.first ?? nil)
      }
      return names
    }
    let feed = try await open(text(variants), people: 400)
    let names = try await assigned(feed)
    for (name, share) in [("quarter", 0.25), ("half", 0.5), (nil, 0.25)] as [(String?, Double)] {
      let count = Double(names.count { $0 == name })
      #expect(abs(count - 400 * share) < 4 * (400 * share * (1 - share)).squareRoot())
    }
    // In another process, with another store: the same viewers in the same variants.
    #expect(try await assigned(open(text(variants), people: 400)) == names)
    // Another salt deals the viewers anew.
    let salted = try await open(text(variants + #", "salt": "b""#), people: 400)
    #expect(try await assigned(salted) != names)
  }
}
