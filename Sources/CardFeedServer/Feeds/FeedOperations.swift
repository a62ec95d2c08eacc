internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedEventSinks

/// What routes do with an open feed, whatever its deck and store. Answers are JSON texts.
protocol FeedOperations: Sendable {
  var deckName: String { get }
  var sessions: Int { get }
  var subscribers: Int { get }
  var eventCounts: EventCounts { get }

  func information(named name: String, viewers: [String]) -> JSONValue
  func hand(for viewer: ViewerID, isFresh: Bool, showsFilters: Bool) async throws -> [UInt8]
  func swipe(
    by viewer: ViewerID, card: CardID, answer: String, event: EventID, time: Timestamp?
  ) async throws -> SwipeAnswer
  func rewind(for viewer: ViewerID, event: EventID) async throws -> [UInt8]
  func impression(
    of card: CardID, by viewer: ViewerID, event: EventID, dwell: Dwell?
  ) async throws -> String
  func part(
    _ parting: Parting, _ card: CardID, from viewer: ViewerID, event: EventID
  ) async throws -> String
  func matches(of viewer: ViewerID) async throws -> [UInt8]
  func likesReceived(for viewer: ViewerID) async throws -> DealableCount
  func allowances(for viewer: ViewerID) async throws -> [Allowance]
  func events(of viewer: ViewerID, after last: String?) async throws -> ServerSentEventStream

  func explain(_ card: CardID, for viewer: ViewerID) async throws -> CardExplanation
  func export(_ viewer: ViewerID) async throws -> JSONValue
  func erase(_ viewer: ViewerID) async throws -> ErasureReport

  func card(_ id: CardID) -> [UInt8]?
  func put(_ record: JSONValue, as id: CardID) async throws
  func putLines(_ lines: [UInt8], firstLine: Int) async throws -> StoredLines
  func record(_ viewers: [ViewerID], answering answer: String, to card: CardID) async throws
  func withdraw(_ ids: [CardID]) async throws -> Int

  var configuration: FeedConfiguration { get }
  func check(_ text: [UInt8], file: String) throws(ConfigurationError) -> FeedConfiguration
  func reload(_ configuration: FeedConfiguration) async throws
  var strategies: [StrategyDescription] { get }

  func keepAlive() async
  func endStreams()
  func close() async throws
}

/// What streams of events have done, for metrics.
struct EventCounts: Sendable {
  /// Matches made and ended, and erasures, that were carried to the streams.
  let changes: UInt64
  /// Streams that were ended because their reader was too slow.
  let endedStreams: UInt64
  /// Streams that began with the message `reload`.
  let reloads: UInt64
  /// Attempts to read the log that failed.
  let failures: UInt64
}

/// How two are kept apart.
enum Parting: Sendable {
  case block
  case report
  case unmatch
}

/// What became of a swipe, as JSON.
enum SwipeAnswer: Sendable {
  case counts([UInt8], isNew: Bool, isMatch: Bool)
  case stale(top: [UInt8])
  case overQuota(Allowance, top: [UInt8])
}

/// What became of some lines of cards.
struct StoredLines: Sendable {
  var stored = 0
  var problems: [(line: Int, text: String)] = []
}
