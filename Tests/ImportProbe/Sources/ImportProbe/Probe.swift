import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedLayout
import CardFeedSQLite
import CardFeedStandardPlugins

/// Deals and swipes through public products only, over a database that it is given, and ends with an
/// error if anything is not as promised.
@main
struct Probe {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      throw Failure(description: "usage: ImportProbe DATABASE")
    }
    let configuration = try FeedConfiguration(
      parsing: Array(
        #"{ "version": 1, "deck": "dating", "hand": { "size": 2, "refillBelow": 1 } }"#.utf8),
      file: "feed.json", plugins: .standard)
    let feed = try await FeedBuilder.open(
      configuration, deck: DatingDeckPlugin(),
      store: try await SQLiteStore.open(path: CommandLine.arguments[1]), plugins: .standard,
      clock: SystemClock())
    try await feed.put([
      Person(id: "ada", age: 30, gender: "woman", seeks: ["man"]),
      Person(id: "ben", age: 31, gender: "man", seeks: ["woman"]),
    ])

    let hand = try await feed.hand(for: "ada").cards
    try check(hand.map(\.id) == ["ben"], "the one eligible card is dealt")
    _ = try await feed.swipe(Swipe(viewer: "ada", card: "ben", answer: .like, event: "a1"))
    try check(try await feed.hand(for: "ben").cards.map(\.id) == ["ada"], "and the other way")
    let outcome = try await feed.swipe(
      Swipe(viewer: "ben", card: "ada", answer: .like, event: "b1"))
    try check(outcome.receipt?.match != nil, "two likes make a match")
    try check(try await feed.matches(of: "ada") == ["ben"], "the match is kept")
    try check(
      LayoutPreset.stackOfThree.style.layer(at: 1).scale == 0.95, "the geometry is the table's")
    try await feed.close()
    print("imported, dealt, swiped, matched")
  }

  static func check(_ isTrue: Bool, _ what: String) throws {
    if !isTrue { throw Failure(description: "not true: \(what)") }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
