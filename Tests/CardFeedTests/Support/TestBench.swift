import CardFeed
import CardFeedTesting

/// A feed over a store, with its clock, and short ways to use it.
struct TestBench<Store: FeedStore>: Sendable {
  typealias Engine = FeedEngine<ToyDeck, Store, ManualClock, SplitMix64>

  let feed: Engine
  let store: Store
  let clock: ManualClock
  let deck: ToyDeck
  let options: FeedOptions
  let counter = EventCounter()

  init(
    _ store: Store, cards: [ToyCard] = [], deck: ToyDeck = ToyDeck(),
    clock: ManualClock = ManualClock(), options: FeedOptions = FeedOptions(),
    states: LearnerStates = LearnerStates(), pipelines: PipelineSet<ToyDeck>
  ) async throws {
    self.store = store
    self.clock = clock
    self.deck = deck
    self.options = options
    feed = try await Engine.open(
      deck: deck, store: store, pipelines: pipelines, states: states, clock: clock,
      options: options)
    if !cards.isEmpty { try await feed.put(cards) }
  }

  init(
    _ store: Store, cards: [ToyCard] = [], deck: ToyDeck = ToyDeck(),
    clock: ManualClock = ManualClock(), options: FeedOptions = FeedOptions(),
    states: LearnerStates = LearnerStates(), _ change: (inout PipelineBuilder<ToyDeck>) -> Void
  ) async throws {
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    change(&builder)
    try await self.init(
      store, cards: cards, deck: deck, clock: clock, options: options, states: states,
      pipelines: builder.buildSet())
  }

  /// The identifiers of the viewer's hand, top first.
  func hand(_ viewer: ViewerID = "viewer") async throws -> [CardID] {
    try await feed.hand(for: viewer).cards.map(\.id)
  }

  /// Swipes a card with a new event id.
  @discardableResult
  func swipe(
    _ card: CardID, _ answer: ToyAnswer = .pass, by viewer: ViewerID = "viewer",
    event: EventID? = nil
  ) async throws -> SwipeOutcome<ToyCard> {
    try await feed.swipe(
      Swipe(viewer: viewer, card: card, answer: answer, event: event ?? counter.next()))
  }

  /// Swipes the top of the hand and returns it; nil if the hand is empty.
  @discardableResult
  func swipeTop(
    _ answer: ToyAnswer = .pass, by viewer: ViewerID = "viewer"
  ) async throws -> CardID? {
    guard let top = try await hand(viewer).first else { return nil }
    guard case .applied = try await swipe(top, answer, by: viewer) else {
      throw TestFailure("the top of the hand could not be swiped")
    }
    return top
  }

  /// Asks for hands and swipes all cards until nothing comes, `limit` cards at most.
  func swipeAll(
    _ answer: ToyAnswer = .pass, by viewer: ViewerID = "viewer", limit: Int = 10_000
  ) async throws -> [CardID] {
    var swiped: [CardID] = []
    while swiped.count < limit, let card = try await swipeTop(answer, by: viewer) {
      swiped.append(card)
    }
    return swiped
  }

  func rewind(
    _ viewer: ViewerID = "viewer", event: EventID? = nil
  ) async throws -> RewindOutcome<ToyCard> {
    try await feed.rewind(for: viewer, event: event ?? counter.next())
  }

  /// The traces of the deals that happen while `body` runs.
  func traces(_ body: () async throws -> Void) async throws -> [DealTrace] {
    let outcomes = feed.outcomes
    try await body()
    // A listener hears what happened in order, so a deal to somebody else marks the end.
    let ghost: ViewerID = "somebody else"
    let dealt = try await feed.redeal(for: ghost)
    guard !dealt.cards.isEmpty else { throw TestFailure("no card is left to mark the end with") }
    var traces: [DealTrace] = []
    for await outcome in outcomes {
      guard case .dealt(let trace, _) = outcome else { continue }
      if trace.viewer == ghost { break }
      traces.append(trace)
    }
    return traces
  }
}

/// Event ids that were not used before.
final class EventCounter: Sendable {
  private let count = Lock(0)

  func next() -> EventID {
    EventID("e\(count.withLock { count in count += 1; return count })")
  }
}

struct TestFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Every order of the elements.
func permutations<Element>(_ elements: [Element]) -> [[Element]] {
  guard elements.count > 1 else { return [elements] }
  return elements.indices.flatMap { place in
    var rest = elements
    let first = rest.remove(at: place)
    return permutations(rest).map { [first] + $0 }
  }
}

extension Hand {
  var ids: [CardID] { cards.map(\.id) }

  /// What the hand holds and why, comparable.
  var contents: [HandContent] {
    cards.map { HandContent(id: $0.id, deal: $0.deal, reason: $0.reason) }
  }
}

struct HandContent: Hashable {
  let id: CardID
  let deal: LogPosition
  let reason: DealReason
}

extension SwipeOutcome {
  var isApplied: Bool { if case .applied = self { true } else { false } }
  var isRepeated: Bool { if case .repeated = self { true } else { false } }
  var isStale: Bool { if case .stale = self { true } else { false } }
  var overQuota: Allowance? { if case .overQuota(let quota, _) = self { quota } else { nil } }
}

extension RewindOutcome {
  var card: CardID? { if case .applied(let card, _) = self { card?.id } else { nil } }
  /// Whether a swipe was taken back, with or without its card.
  var isApplied: Bool { if case .applied = self { true } else { false } }
  var isTooOld: Bool { if case .tooOld = self { true } else { false } }
  var isRepeated: Bool { if case .repeated = self { true } else { false } }
  var isNothing: Bool { if case .nothingToRewind = self { true } else { false } }
}

extension Shortfall {
  var exhaustion: Exhaustion? { if case .exhausted(let why) = self { why } else { nil } }
}
