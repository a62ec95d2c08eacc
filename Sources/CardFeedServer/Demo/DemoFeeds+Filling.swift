public import CardFeed
public import CardFeedConfiguration

extension DemoFeeds {
  /// The decks that there is a demonstration of.
  public static var decks: [String] { configurations.map(\.deck) }

  /// The configuration of a demonstration.
  ///
  /// - Parameters:
  ///   - deck: One of ``decks``.
  ///   - plugins: The decks and strategies.
  /// - Throws: `FeedError` `badInput` for any other deck.
  public static func configuration(
    of deck: String, plugins: PluginSet
  ) throws -> FeedConfiguration {
    guard let found = configurations.first(where: { $0.deck == deck }) else {
      throw FeedError(
        .badInput, "there is no demonstration of a deck '\(deck)'",
        hint: "take one of \(decks.joined(separator: ", "))")
    }
    return try FeedConfiguration(
      found.configuration, file: "the demonstration", plugins: plugins)
  }

  /// Puts the cards of a demonstration into an empty feed, and makes its viewer somebody: in the dating
  /// deck two in five of the others like them already.
  ///
  /// - Parameters:
  ///   - feed: A feed of ``configuration(of:plugins:)``.
  ///   - deck: Its deck.
  ///   - viewer: Who will look.
  public static func fill<P: DeckPlugin, Store: FeedStore, Clock: FeedClock>(
    _ feed: FeedEngine<P.D, Store, Clock, SplitMix64>, deck: P, for viewer: ViewerID
  ) async throws {
    try await feed.put(cards(of: P.D.name).map { try deck.card(from: $0) })
    guard P.D.name == "dating", let like = P.D.Answer(rawValue: "like") else { return }
    try await feed.put([deck.card(from: DemoCards.guest("\(viewer)"))])
    let likers = (0..<DemoCards.people).filter { DemoCards.likes($0, viewer: viewer.bytes) }
    _ = try await feed.record(
      likers.map { number in
        RecordedSwipe(
          Swipe(
            viewer: ViewerID(DemoCards.personID(number)), card: CardID(bytes: viewer.bytes),
            answer: like, event: EventID("recorded/\(viewer)")))
      })
  }
}
