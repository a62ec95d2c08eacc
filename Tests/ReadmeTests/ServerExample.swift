// README begin
import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedSQLite
import CardFeedStandardPlugins

/// The part of a server that deals people to people.
struct DatingService {
  let feed: FeedEngine<DatingDeck, SQLiteStore, SystemClock, SplitMix64>

  init(configuration json: [UInt8], database path: String) async throws {
    let configuration = try FeedConfiguration(
      parsing: json, file: "feed.json", plugins: .standard)
    feed = try await FeedBuilder.open(
      configuration, deck: DatingDeckPlugin(), store: try await SQLiteStore.open(path: path),
      plugins: .standard, clock: SystemClock())
  }

  /// What a client shows: the same cards until the viewer swipes.
  func hand(of viewer: String) async throws -> [DealtCard<Person>] {
    try await feed.hand(for: ViewerID(viewer)).cards.map(\.forViewer)
  }

  /// Applies a swipe once, however often the client sends it. Returns whether it made a match.
  func swipe(
    _ viewer: String, _ card: String, _ answer: DatingDeck.Answer, event: String
  ) async throws -> Bool {
    let outcome = try await feed.swipe(
      Swipe(
        viewer: ViewerID(viewer), card: CardID(card), answer: answer, event: EventID(event)))
    return outcome.receipt?.match != nil
  }

  /// Takes the last swipe back.
  func undo(_ viewer: String, event: String) async throws {
    _ = try await feed.rewind(for: ViewerID(viewer), event: EventID(event))
  }

  /// From now on the two never meet again.
  func block(_ card: String, by viewer: String, event: String) async throws {
    try await feed.block(CardID(card), by: ViewerID(viewer), event: EventID(event))
  }
}
// README end
