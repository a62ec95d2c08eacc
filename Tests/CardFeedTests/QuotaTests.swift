import CardFeedTesting
import Testing

@testable import CardFeed

/// As many answers in every span of ten seconds as it is told.
private struct TenSeconds: QuotaStrategy {
  typealias D = ToyDeck

  let answers: [String]
  let most: Int
  static let length: Int64 = 10_000

  init(_ answers: [ToyAnswer], _ most: Int) {
    self.answers = answers.map(\.rawValue)
    self.most = most
  }

  func limit(for context: QuotaContext<ToyDeck>) -> QuotaLimit? {
    let start = context.now.milliseconds / Self.length * Self.length
    return QuotaLimit(
      answers: answers, most: most,
      span: Timestamp(milliseconds: start)..<Timestamp(milliseconds: start + Self.length))
  }
}

/// Whoever is called after a number may give as many answers.
private struct ByName: QuotaStrategy {
  typealias D = ToyDeck

  func limit(for context: QuotaContext<ToyDeck>) -> QuotaLimit? {
    Int("\(context.viewer)").map {
      QuotaLimit(
        answers: ["like"], most: $0,
        span: Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max))
    }
  }
}

@Suite("Quotas")
struct QuotaTests {
  private let clock = ManualClock(now: Timestamp(milliseconds: 1_000_000))

  private func configure(
    _ builder: inout PipelineBuilder<ToyDeck>, _ quotas: [any QuotaStrategy<ToyDeck>]
  ) {
    builder.hand = HandPolicy(size: 3, refillBelow: 2, rewind: 10, ties: .id)
    builder.filter("already-swiped", AnsweredFilter())
    builder.quotas = quotas.map { .init("quota", $0) }
  }

  private func open<Store: FeedStore>(
    _ store: Store, cards: Int = 30, _ quotas: [any QuotaStrategy<ToyDeck>]
  ) async throws -> TestBench<Store> {
    try await TestBench(store, cards: ToyCard.numbered(cards), clock: clock) {
      configure(&$0, quotas)
    }
  }

  private func remaining<Store: FeedStore>(
    _ bench: TestBench<Store>, _ viewer: ViewerID = "viewer"
  ) async throws -> [Int] {
    try await bench.feed.allowances(for: viewer).map(\.remaining)
  }

  @Test("An answer over the limit changes nothing, and the card stays on top")
  func overTheLimit() async throws {
    let bench = try await open(InMemoryStore(), [TenSeconds([.like], 2)])
    #expect(try await remaining(bench) == [2])
    for _ in 0..<2 { try await bench.swipeTop(.like) }
    let hand = try await bench.hand()
    let before = try await WholeState(of: bench, viewers: ["viewer"], learners: [])
    let last = try await bench.store.lastPosition()
    let outcome = try await bench.swipe(hand[0], .like, event: "over")
    let quota = try #require(outcome.overQuota)
    #expect(quota.quota == "quota" && quota.answers == ["like"])
    #expect((quota.limit, quota.used, quota.remaining) == (2, 2, 0))
    #expect(quota.start == Timestamp(milliseconds: 1_000_000))
    #expect(quota.end == Timestamp(milliseconds: 1_010_000))
    #expect(outcome.receipt == nil)
    guard case .overQuota(_, let top) = outcome else { throw TestFailure("\(outcome)") }
    #expect(top?.id == hand[0])
    #expect(try await bench.hand() == hand)
    #expect(try await bench.store.lastPosition() == last)
    let after = try await WholeState(of: bench, viewers: ["viewer"], learners: [])
    #expect(after.differences(from: before) == [])
    // Other answers are not counted, and the span ends.
    #expect(try await bench.swipe(hand[0], .pass).isApplied)
    clock.advance(byMilliseconds: 9_999)
    #expect(try await bench.swipe(hand[1], .like, event: "over").overQuota != nil)
    clock.advance(byMilliseconds: 1)
    #expect(try await bench.swipe(hand[1], .like, event: "over").isApplied)
    #expect(try await remaining(bench) == [1])
  }

  @Test("An event that counted before keeps its receipt; a late card is stale")
  func earlierEvents() async throws {
    let bench = try await open(InMemoryStore(), [TenSeconds([.like], 1)])
    let hand = try await bench.hand()
    let receipt = try await bench.swipe(hand[0], .like, event: "e").receipt
    let again = try await bench.swipe(hand[0], .like, event: "e")
    #expect(again.isRepeated && again.receipt == receipt)
    #expect(try await bench.swipe(hand[0], .like).isStale)
    #expect(try await remaining(bench) == [0], "neither of them counts")
  }

  @Test("A rewind gives the answer back, also after a restart")
  func rewind() async throws {
    let store = InMemoryStore()
    let bench = try await open(store, [TenSeconds([.like], 2)])
    for _ in 0..<2 { try await bench.swipeTop(.like) }
    #expect(try await bench.rewind().card != nil)
    #expect(try await remaining(bench) == [1])
    try await bench.swipeTop(.like)
    let anew = try await open(store, [TenSeconds([.like], 2)])
    #expect(try await remaining(anew) == [0])
    let top = try #require(try await anew.hand().first)
    #expect(try await anew.swipe(top, .like, event: "late").overQuota != nil)
    let back = try #require(try await anew.rewind(event: "back").card)
    #expect(try await remaining(anew) == [1])
    #expect(try await anew.swipe(back, .like, event: "late").isApplied)
    #expect(try await remaining(anew) == [0])
  }

  @Test(
    "A rewind in another process counts: neither an answer too few nor one too many",
    arguments: [ToyAnswer.like, .pass], [true, false])
  func rewindElsewhere(first: ToyAnswer, dealsBefore: Bool) async throws {
    let store = InMemoryStore()
    let quota = [TenSeconds([.like], 2)]
    let one = try await open(store, quota)
    let other = try await open(store, cards: 0, quota)
    let hand = try await one.hand()
    try await one.swipe(hand[0], .like)
    try await one.swipe(hand[1], first)
    let back = try await other.rewind(event: "back").card
    #expect(back == hand[1])
    let second: ToyAnswer = first == .like ? .pass : .like
    #expect(try await other.swipe(hand[1], second, event: "anew").isApplied)
    #expect(try await remaining(other) == [first == .like ? 1 : 0])

    if dealsBefore {
      #expect(try await one.hand().first == hand[2])
    } else {
      // The top lies where it lay, and yet the hand is another one.
      guard case .stale(let top) = try await one.swipe(hand[2], .like, event: "late") else {
        throw TestFailure("the hand of before is taken for the one that stands")
      }
      #expect(top?.id == hand[2])
    }
    let outcome = try await one.swipe(hand[2], .like, event: "late")
    #expect(outcome.isApplied == (first == .like))
    #expect((outcome.overQuota != nil) == (first == .pass))
    #expect(try await remaining(one) == [0])
  }

  @Test("Several limits hold side by side; the one that ends last answers")
  func severalLimits() async throws {
    let bench = try await open(
      InMemoryStore(), [TenSeconds([.like, .skip], 3), TenSeconds([.skip], 1)])
    try await bench.swipeTop(.skip)
    let top = try #require(try await bench.hand().first)
    #expect(try await bench.swipe(top, .skip).overQuota?.answers == ["skip"])
    for _ in 0..<2 { try await bench.swipeTop(.like) }
    #expect(try await remaining(bench) == [0, 0])
    let next = try #require(try await bench.hand().first)
    #expect(try await bench.swipe(next, .like).overQuota?.answers == ["like", "skip"])
    #expect(try await bench.swipe(next, .pass).isApplied)
  }

  @Test("A limit of 0, a viewer without a limit, and a feed without quotas")
  func whoHasWhichLimit() async throws {
    let bench = try await open(InMemoryStore(), [ByName()])
    for viewer in ["0", "2", "nobody"] as [ViewerID] {
      var liked = 0
      while liked < 5, let top = try await bench.hand(viewer).first,
        try await bench.swipe(top, .like, by: viewer).isApplied
      { liked += 1 }
      #expect(liked == (Int("\(viewer)") ?? 5))
    }
    #expect(try await bench.feed.allowances(for: "nobody").isEmpty)
    let free = try await open(InMemoryStore(), [])
    #expect(try await free.feed.allowances(for: "viewer").isEmpty)
    #expect(try await free.swipeAll(.like).count == 30)
  }

  @Test("A counted answer happens when the feed says; others when the client says")
  func oneClock() async throws {
    let bench = try await open(InMemoryStore(), [TenSeconds([.like], 1)])
    let hand = try await bench.hand()
    let yesterday = Timestamp(milliseconds: 5_000)
    for (card, answer) in [(hand[0], ToyAnswer.like), (hand[1], .pass)] {
      _ = try await bench.feed.swipe(
        Swipe(
          viewer: "viewer", card: card, answer: answer, event: EventID("\(card)"), time: yesterday))
    }
    let swipes = try await bench.store.events(after: .start, limit: 100).filter {
      $0.kind == .swipe
    }
    #expect(swipes.map(\.time) == [Timestamp(milliseconds: 1_000_000), yesterday])
    #expect(try await remaining(bench) == [0])
  }

  @Test("Recorded swipes are neither refused nor counted")
  func recorded() async throws {
    let bench = try await open(InMemoryStore(), [TenSeconds([.like], 1)])
    let swipes = (1...5).map { card in
      RecordedSwipe(
        Swipe(
          viewer: "viewer", card: CardID("\(card)"), answer: ToyAnswer.like,
          event: EventID("recorded \(card)")))
    }
    #expect(try await bench.feed.record(swipes) == 5)
    #expect(try await remaining(bench) == [1])
  }

  @Test("Other quotas count what happened before them; an erased card counts no more")
  func reloadAndErase() async throws {
    let bench = try await open(InMemoryStore(), [])
    let liked = [try await bench.swipeTop(.like), try await bench.swipeTop(.like)]
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(bench.store))
    configure(&builder, [TenSeconds([.like], 4)])
    try await bench.feed.reload(builder.buildSet())
    #expect(try await remaining(bench) == [2])
    try await bench.swipeTop(.like)
    try await bench.feed.erase(ViewerID("\(try #require(liked[0]))"))
    #expect(try await remaining(bench) == [2], "what is gone from the log is gone from the count")
  }

  @Test("Never more than the limit in a span, whatever is sent at once", arguments: 0..<8)
  func neverMore(seed: Int) async throws {
    let store = InMemoryStore()
    let bench = try await open(store, cards: 60, [TenSeconds([.like], 4)])
    var random = SplitMix64(seed: UInt64(seed))
    for round in 0..<12 {
      let cards = try await bench.hand() + bench.hand()
      let answers = cards.map { _ in random.next() % 4 == 0 ? ToyAnswer.pass : .like }
      await withTaskGroup(of: Void.self) { group in
        for (place, (card, answer)) in zip(cards, answers).enumerated() {
          // Some events are sent twice.
          let event = EventID("\(round) \(place / 2 * (place % 3 == 0 ? 1 : 2))")
          group.addTask { _ = try? await bench.swipe(card, answer, event: event) }
        }
        if random.next() % 3 == 0 { group.addTask { _ = try? await bench.rewind() } }
      }
      clock.advance(byMilliseconds: Int64(random.next() % 6_000))
    }
    var counts: [Int64: Int] = [:]
    for event in try await store.events(after: .start, limit: 10_000)
    where event.kind == .swipe && event.answer == "like" && !event.isRewound {
      counts[event.time.milliseconds / TenSeconds.length, default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 <= 4 })
    #expect(counts.values.contains(4), "the limit was reached at all")
    let now = counts[clock.now.milliseconds / TenSeconds.length] ?? 0
    #expect(try await remaining(bench) == [4 - now])
    let anew = try await open(store, cards: 60, [TenSeconds([.like], 4)])
    #expect(try await remaining(anew) == [4 - now])
  }

  @Test("A store that cannot be read refuses the swipe, and the next one counts")
  func failingStore() async throws {
    let fails = Lock(false)
    let store = InterceptedStore(InMemoryStore()) { call in
      if call == .read, fails.withLock({ $0 }) { throw TestFailure("no disk") }
    }
    let bench = try await open(store, [TenSeconds([.like], 1)])
    let hand = try await bench.hand()
    fails.withLock { $0 = true }
    await #expect(throws: TestFailure.self) { try await bench.swipe(hand[0], .like) }
    #expect(try await bench.store.lastPosition(of: .swipe) == nil)
    fails.withLock { $0 = false }
    #expect(try await bench.swipe(hand[0], .like).isApplied)
    #expect(try await remaining(bench) == [0])
  }
}

extension FeedStore {
  fileprivate func lastPosition(of kind: EventKind) async throws -> LogPosition? {
    guard let store = self as? InterceptedStore<InMemoryStore> else { return nil }
    return try await store.base.events(after: .start, limit: 100).last { $0.kind == kind }?.position
  }
}
