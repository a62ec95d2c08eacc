import CardFeed

/// A store under test, with short ways to do what a feed does.
final class StoreBench: Sendable {
  private let current: Lock<any FeedStore>
  private let reopenStore: FeedStoreConformance.Reopen?
  private let events = Lock(0)

  init(store: any FeedStore, reopen: FeedStoreConformance.Reopen?) {
    current = Lock(store)
    reopenStore = reopen
  }

  var store: any FeedStore { current.withLock { $0 } }

  static let start = Timestamp(milliseconds: 1_000_000_000_000)

  /// Closes the store and opens what it left, if it is durable.
  func reopen() async throws {
    guard let reopenStore else { return }
    let old = store
    try await old.close()
    let new = try await reopenStore(old)
    current.withLock { $0 = new }
  }

  func number(_ id: CardID) async throws -> CardNumber {
    let numbers = try await store.numbers(for: [id])
    guard let number = numbers.first, numbers.count == 1 else {
      throw ConformanceFailure("one identifier was given, \(numbers.count) numbers came back")
    }
    return number
  }

  func numbers(_ ids: CardID...) async throws -> [CardNumber] {
    try await store.numbers(for: ids)
  }

  /// An event id that was not used before.
  func newEvent() -> EventID {
    EventID(
      "event-\(events.withLock { next in next += 1; return next })")
  }

  /// A stack with its top at `top` whose image is one byte for each position from `top` on.
  func stack(generation: Int64 = 0, top: Int64 = 0, bytes: [UInt8] = [0, 7, 255]) -> StoredStack {
    StoredStack(generation: generation, top: top, imageStart: top, image: bytes)
  }

  @discardableResult
  func deal(
    _ cards: [CardNumber], to viewer: CardNumber, stack: StoredStack? = nil,
    time: Timestamp = StoreBench.start
  ) async throws -> LogPosition {
    let stack = stack ?? self.stack()
    let decision = try await store.commit(
      DealCommand(
        viewer: viewer, time: time, fingerprint: "print",
        exposures: cards.enumerated().map { place, card in
          Exposure(
            card: card, position: place, score: place == 0 ? nil : Double(place) / 3,
            probability: place == 0 ? nil : 0.1 * Double(place), propensity: 1 / Double(place + 1))
        }, stack: { _ in stack }))
    guard case .dealt(let position) = decision else {
      throw ConformanceFailure("a deal without blocked cards was answered with \(decision)")
    }
    return position
  }

  func command(
    _ viewer: CardNumber, _ card: CardNumber, _ meaning: AnswerMeaning = .positive,
    event: EventID? = nil, at top: Int64? = nil, generation: Int64 = 0, deal: LogPosition? = nil,
    time: Timestamp = StoreBench.start, rule: any MatchRule = BothLikeRule(), remaining: Int = 4,
    learned: [LearnerDelta] = [], isOverQuota: Bool = false
  ) -> SwipeCommand {
    let answer: ToyAnswer =
      switch meaning {
      case .positive: .like
      case .negative: .pass
      case .neutral: .skip
      }
    return SwipeCommand(
      viewer: viewer, card: card, event: event ?? newEvent(), answer: answer.rawValue,
      meaning: meaning, time: time,
      expectation: top.map { .top(generation: generation, position: $0) } ?? .recorded,
      deal: top == nil ? nil : deal ?? .start, compatibility: nil, remaining: remaining,
      matchRule: rule, learned: learned, isOverQuota: isOverQuota)
  }

  func decide(_ command: SwipeCommand) async throws -> SwipeDecision {
    let decisions = try await store.commit([command])
    guard let decision = decisions.first, decisions.count == 1 else {
      throw ConformanceFailure("one swipe was given, \(decisions.count) decisions came back")
    }
    return decision
  }

  /// A swipe that must be applied.
  @discardableResult
  func swipe(_ command: SwipeCommand) async throws -> StoredReceipt {
    let decision = try await decide(command)
    guard case .applied(let receipt) = decision else {
      throw ConformanceFailure("a new swipe was answered with \(decision)")
    }
    return receipt
  }

  @discardableResult
  func swipe(
    _ viewer: CardNumber, _ card: CardNumber, _ meaning: AnswerMeaning = .positive,
    time: Timestamp = StoreBench.start, learned: [LearnerDelta] = []
  ) async throws -> StoredReceipt {
    try await swipe(command(viewer, card, meaning, time: time, learned: learned))
  }

  func rewind(
    _ viewer: CardNumber, _ swipe: LogPosition, event: EventID? = nil, stack: StoredStack? = nil,
    basis: HandRevision? = nil
  ) async throws -> RewindDecision {
    try await store.commit(
      RewindCommand(
        viewer: viewer, event: event ?? newEvent(), swipe: swipe, time: StoreBench.start,
        basis: basis, stack: stack ?? self.stack()))
  }

  func block(
    _ viewer: CardNumber, _ card: CardNumber, event: EventID? = nil, kind: EventKind = .block
  ) async throws -> RecordDecision {
    try await store.commit(
      BlockCommand(
        viewer: viewer, card: card, event: event ?? newEvent(), kind: kind,
        time: StoreBench.start))
  }

  func record(_ viewer: CardNumber) async throws -> ViewerRecord {
    try await store.viewer(viewer, swipes: 100)
  }

  func events() async throws -> [LoggedEvent] {
    try await store.events(after: .start, limit: 1_000_000)
  }

  /// Runs bodies side by side and returns what they return, in order.
  func together<Result: Sendable>(
    _ bodies: [@Sendable () async throws -> Result]
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      for (place, body) in bodies.enumerated() { group.addTask { (place, try await body()) } }
      var results: [Int: Result] = [:]
      for try await (place, result) in group { results[place] = result }
      return bodies.indices.compactMap { results[$0] }
    }
  }
}
