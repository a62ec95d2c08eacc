internal import CardFeed
public import CardFeedConfiguration

/// Feeds to try the service out: dating, quiz and product with made-up cards, in memory.
public enum DemoFeeds {
  /// Opens those of the three whose decks the plugins bring.
  ///
  /// In the dating feed everybody who comes is somebody to the others, and two in five of these like
  /// them already, so that a match is a few swipes away.
  ///
  /// - Parameter plugins: The decks and strategies.
  /// - Returns: The feeds; the service that serves them closes them.
  /// - Throws: What opening a feed throws.
  public static func open(plugins: PluginSet) async throws -> [ServedFeed] {
    var feeds: [ServedFeed] = []
    for (deck, configuration) in configurations where plugins.deckNames.contains(deck) {
      var feed = try await ServedFeed.open(
        FeedConfiguration(configuration, file: "the demonstration", plugins: plugins),
        plugins: plugins)
      let cards = cards(of: deck)
      let lines = cards.flatMap { $0.bytes() + [UInt8(ascii: "\n")] }
      let stored = try await feed.operations.putLines(lines, firstLine: 1)
      guard stored.stored == cards.count else {
        throw FeedError(
          .badInput,
          "the demonstration's \(deck) cards do not fit the deck: "
            + (stored.problems.first?.text ?? "some are missing"))
      }
      feed.exampleViewers = ["demo"] + (2...8).map { "demo-\($0)" }
      if deck == "dating" {
        let guests = DemoGuests(feed.operations)
        feed.welcome = { try await guests.welcome($0) }
      }
      feeds.append(feed)
    }
    return feeds
  }

  static let configurations: [(deck: String, configuration: JSONValue)] = [
    (
      "dating",
      [
        "version": 1, "deck": "dating", "hand": ["size": 8, "refillBelow": 5],
        "sources": [["use": "all"]], "ranking": ["use": "source-order"],
      ]
    ),
    ("quiz", ["version": 1, "deck": "quiz", "hand": ["size": 6, "refillBelow": 4]]),
    ("product", ["version": 1, "deck": "product", "hand": ["size": 8, "refillBelow": 5]]),
  ]

  static func cards(of deck: String) -> [JSONValue] {
    switch deck {
    case "dating": (0..<DemoCards.people).map { DemoCards.person($0) }
    case "quiz": DemoCards.questions
    default: DemoCards.products
    }
  }
}

/// Makes somebody of whoever comes to the demonstration of the dating feed, once each.
final class DemoGuests: Sendable {
  private static let most = 1000

  private let feed: any FeedOperations
  private let known = Lock<Set<[UInt8]>>([])
  private let lane = SerialLane()

  init(_ feed: any FeedOperations) { self.feed = feed }

  func welcome(_ viewer: [UInt8]) async throws {
    guard isUnknown(viewer), let name = String(validating: viewer, as: UTF8.self) else { return }
    try await lane.run {
      // Another request of the same viewer may have waited here.
      guard isUnknown(viewer) else { return }
      let id = CardID(bytes: viewer)
      if feed.card(id) == nil {
        try await feed.put(DemoCards.guest(name), as: id)
        let likers = (0..<DemoCards.people).filter { DemoCards.likes($0, viewer: viewer) }
        try await feed.record(
          likers.map { CardID(DemoCards.personID($0)) }, answering: "like", to: id)
      }
      known.withLock { _ = $0.insert(viewer) }
    }
  }

  private func isUnknown(_ viewer: [UInt8]) -> Bool {
    known.withLock { !$0.contains(viewer) && $0.count < Self.most }
  }
}
