public import CardFeed

/// A store that lets a test look at, delay or refuse every call before it reaches another store.
public struct InterceptedStore<Base: FeedStore>: FeedStore {
  /// What is about to happen.
  public enum Call: Hashable, Sendable {
    /// Something is read.
    case read
    /// Identifiers get numbers.
    case numbers
    /// Cards are added, changed, withdrawn or brought back.
    case cards
    /// A deal is committed.
    case deal
    /// Swipes are committed.
    case swipes
    /// A rewind is committed.
    case rewind
    /// A block or report is committed.
    case block
    /// An impression is recorded.
    case impression
    /// A stack is replaced.
    case stack
    /// Something of a learner is saved.
    case learner
    /// The store is closed.
    case close
  }

  /// The store behind.
  public let base: Base
  private let before: @Sendable (Call) async throws -> Void

  /// Runs `before` ahead of every call; what it throws, the call throws.
  public init(_ base: Base, before: @escaping @Sendable (Call) async throws -> Void) {
    self.base = base
    self.before = before
  }

  /// See `FeedStore`.
  public func numbers(for ids: [CardID]) async throws -> [CardNumber] {
    try await before(.numbers)
    return try await base.numbers(for: ids)
  }

  /// See `FeedStore`.
  public func ids(for numbers: [CardNumber]) async throws -> [CardID?] {
    try await before(.read)
    return try await base.ids(for: numbers)
  }

  /// See `FeedStore`.
  public func put(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard] {
    try await before(.cards)
    return try await base.put(cards, at: time)
  }

  /// See `FeedStore`.
  public func revise(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard?] {
    try await before(.cards)
    return try await base.revise(cards, at: time)
  }

  /// See `FeedStore`.
  public func reinstate(_ cards: [CardNumber]) async throws -> [CardNumber] {
    try await before(.cards)
    return try await base.reinstate(cards)
  }

  /// See `FeedStore`.
  public func withdraw(_ cards: [CardNumber]) async throws {
    try await before(.cards)
    try await base.withdraw(cards)
  }

  /// See `FeedStore`.
  public func cards(after number: CardNumber?, limit: Int) async throws -> [StoredCard] {
    try await before(.read)
    return try await base.cards(after: number, limit: limit)
  }

  /// See `FeedStore`.
  public func viewer(_ number: ViewerNumber, swipes: Int) async throws -> ViewerRecord {
    try await before(.read)
    return try await base.viewer(number, swipes: swipes)
  }

  /// See `FeedStore`.
  public func answersReceived(
    by viewer: ViewerNumber, limit: Int
  ) async throws -> [ReceivedAnswer] {
    try await before(.read)
    return try await base.answersReceived(by: viewer, limit: limit)
  }

  /// See `FeedStore`.
  public func unansweredLikes(of cards: [CardNumber], limit: Int) async throws -> [Int] {
    try await before(.read)
    return try await base.unansweredLikes(of: cards, limit: limit)
  }

  /// See `FeedStore`.
  public func handAnswers(
    of viewer: ViewerNumber, since time: Timestamp
  ) async throws -> [DatedAnswer] {
    try await before(.read)
    return try await base.handAnswers(of: viewer, since: time)
  }

  /// See `FeedStore`.
  public func answersGiven(by viewer: ViewerNumber) async throws -> [GivenAnswer] {
    try await before(.read)
    return try await base.answersGiven(by: viewer)
  }

  /// See `FeedStore`.
  public func impressions(of viewer: ViewerNumber) async throws -> [Impression] {
    try await before(.read)
    return try await base.impressions(of: viewer)
  }

  /// See `FeedStore`.
  public func unsafe(for viewer: ViewerNumber) async throws -> [CardNumber: SafetyStanding] {
    try await before(.read)
    return try await base.unsafe(for: viewer)
  }

  /// See `FeedStore`.
  public func commit(_ deal: DealCommand) async throws -> DealDecision {
    try await before(.deal)
    return try await base.commit(deal)
  }

  /// See `FeedStore`.
  public func commit(_ swipes: [SwipeCommand]) async throws -> [SwipeDecision] {
    try await before(.swipes)
    return try await base.commit(swipes)
  }

  /// See `FeedStore`.
  public func commit(_ rewind: RewindCommand) async throws -> RewindDecision {
    try await before(.rewind)
    return try await base.commit(rewind)
  }

  /// See `FeedStore`.
  public func commit(_ block: BlockCommand) async throws -> RecordDecision {
    try await before(.block)
    return try await base.commit(block)
  }

  /// See `FeedStore`.
  public func recordImpression(
    viewer: ViewerNumber, card: CardNumber, event: EventID, time: Timestamp, dwell: Dwell?
  ) async throws -> RecordDecision {
    try await before(.impression)
    return try await base.recordImpression(
      viewer: viewer, card: card, event: event, time: time, dwell: dwell)
  }

  /// See `FeedStore`.
  public func save(
    _ stack: StoredStack, of viewer: ViewerNumber, basis: HandRevision?
  ) async throws -> Bool {
    try await before(.stack)
    return try await base.save(stack, of: viewer, basis: basis)
  }

  /// See `FeedStore`.
  public func matches(of viewer: ViewerNumber) async throws -> [StoredMatch] {
    try await before(.read)
    return try await base.matches(of: viewer)
  }

  /// See `FeedStore`.
  public func events(after position: LogPosition, limit: Int) async throws -> [LoggedEvent] {
    try await before(.read)
    return try await base.events(after: position, limit: limit)
  }

  /// See `FeedStore`.
  public func partings(after position: LogPosition, limit: Int) async throws -> Partings {
    try await before(.read)
    return try await base.partings(after: position, limit: limit)
  }

  /// See `FeedStore`.
  public func matchChanges(
    after position: LogPosition, limit: Int
  ) async throws -> MatchChanges {
    try await before(.read)
    return try await base.matchChanges(after: position, limit: limit)
  }

  /// See `FeedStore`.
  public func exposures(of deal: LogPosition) async throws -> [Exposure] {
    try await before(.read)
    return try await base.exposures(of: deal)
  }

  /// See `FeedStore`.
  public func learnerBlob(_ learner: String) async throws -> LearnerBlob? {
    try await before(.read)
    return try await base.learnerBlob(learner)
  }

  /// See `FeedStore`.
  public func save(_ blob: LearnerBlob, of learner: String) async throws {
    try await before(.learner)
    try await base.save(blob, of: learner)
  }

  /// See `FeedStore`.
  public func learnerDeltas(
    of learner: String, after position: LogPosition, limit: Int
  ) async throws -> [(position: LogPosition, increments: [Increment])] {
    try await before(.read)
    return try await base.learnerDeltas(of: learner, after: position, limit: limit)
  }

  /// See `FeedStore`.
  public func save(
    _ deltas: [(position: LogPosition, increments: [Increment])], of learner: String
  ) async throws {
    try await before(.learner)
    try await base.save(deltas, of: learner)
  }

  /// See `FeedStore`.
  public func lastPosition() async throws -> LogPosition {
    try await before(.read)
    return try await base.lastPosition()
  }

  /// See `FeedStore`.
  public func check() async throws -> [StoreProblem] { try await base.check() }

  /// See `FeedStore`.
  public func close() async throws {
    try await before(.close)
    try await base.close()
  }
}
