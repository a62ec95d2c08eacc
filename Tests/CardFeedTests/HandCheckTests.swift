import CardFeedTesting
import Testing

@testable import CardFeed

/// Keeps people of one group together, and asks for what others said, as standing likes do.
private struct SameGroup: FilterStrategy {
  typealias D = ToyDeck

  let questions = Lock(0)
  let failing = Lock(false)
  var needs: ContextNeeds { .answersReceived }
  var reasons: [String] { ["another group"] }

  func verdicts(for slate: Slate<ToyDeck>, relaxation: Int) async throws -> [FilterVerdict] {
    questions.withLock { $0 += 1 }
    if failing.withLock({ $0 }) { throw TestFailure("unreadable") }
    let own = slate.context.row.map { slate.table.card(at: $0).group }
    let likers = Set(
      slate.context.answersReceived.filter { $0.meaning == .positive }.map(\.from))
    return slate.rows.map { row in
      let isWanted = likers.contains(slate.table.number(at: row))
      return isWanted || own == slate.table.card(at: row).group ? .keep : .remove()
    }
  }
}

@Suite("What lies in a hand is asked about again")
struct HandCheckTests {
  private typealias Store = InterceptedStore<InMemoryStore>
  private let memory = InMemoryStore()
  private let reads = Lock(0)
  private let clock = ManualClock(now: Timestamp(milliseconds: 1_000_000_000_000))
  private let group = SameGroup()

  private func person(_ id: CardID, _ group: String = "a") -> ToyCard {
    ToyCard(id, group: group)
  }

  /// A viewer "v" and six cards of one group.
  private func open(
    cards: Int = 6, _ change: (inout PipelineBuilder<ToyDeck>) -> Void = { _ in }
  ) async throws -> TestBench<Store> {
    let store = InterceptedStore(memory) { [reads] call in
      if call == .read { reads.withLock { $0 += 1 } }
    }
    let people = (0..<cards).map { person(CardID("\($0 + 1)")) }
    return try await TestBench(
      store, cards: cards == 0 ? [] : people + [person("v")], clock: clock
    ) {
      $0.hand = HandPolicy(size: 3, refillBelow: 2, rewind: 10, ties: .id)
      $0.filter("answered", AnsweredFilter())
      $0.filter("dealt", DealtFilter())
      $0.filter("group", group)
      change(&$0)
    }
  }

  @Test("A changed card leaves the hand: its swipe is stale and spends no event id")
  func changedCard() async throws {
    for puts in [true, false] {
      let bench = try await open()
      let hand = try await bench.hand("v")
      let event = EventID("\(puts)")
      let changed = [person(hand[0], "b"), person(hand[1])]
      if puts { try await bench.feed.put(changed) } else { try await bench.feed.revise(changed) }
      guard case .stale(let top) = try await bench.swipe(hand[0], .like, by: "v", event: event)
      else { throw TestFailure("the swipe counted") }
      #expect(top?.id == hand[1])
      #expect(try await bench.hand("v") == Array(hand[1...]))
      // The id is free, and the card can come back.
      #expect(try await bench.swipe(hand[1], .pass, by: "v", event: event).isApplied)
      try await bench.feed.put([person(hand[0])])
    }
  }

  @Test("A changed viewer, a restart, a count and an explanation find the same")
  func changedViewer() async throws {
    let bench = try await open()
    let hand = try await bench.hand("v")
    try await bench.feed.put([person("v", "b")])
    #expect(try await bench.feed.likesReceived(for: "v").count == 0)
    guard case .notDealt = try await bench.feed.explain(hand[0], for: "v") else {
      throw TestFailure("explained as lying in the hand")
    }
    #expect(try await bench.hand("v") == [])
    try await bench.feed.put([person("v")])

    let later = try await bench.hand("2")
    try await bench.feed.put([person(later[0], "b")])
    // A new process: nobody has looked at the hand since.
    let anew = try await open(cards: 0)
    #expect(try await anew.hand("2") == Array(later[1...]))
  }

  @Test("A rewind never shows who may not be shown any more")
  func rewinding() async throws {
    let bench = try await open()
    let hand = try await bench.hand("v")
    try await bench.swipe(hand[0], .pass, by: "v")
    try await bench.swipe(hand[1], .like, by: "v")
    try await bench.feed.put([person(hand[1], "b")])
    // The last swipe is taken back, and none before it.
    let last = try await bench.rewind("v")
    #expect(last.isApplied && last.card == nil)
    let viewer = try #require(try await memory.numbers(for: ["v"]).first)
    #expect(try await memory.answersGiven(by: viewer).map(\.meaning) == [.negative])
    #expect(try await bench.hand("v").contains(hand[1]) == false)
    #expect(try await bench.rewind("v").card == hand[0])
    #expect(try await bench.hand("v").contains(hand[1]) == false)
  }

  @Test("Time passes: asked again in the next quarter of an hour, and not before")
  func time() async throws {
    let day = clock.now.milliseconds + 2 * 60 * 60 * 1000
    let bench = try await open {
      $0.filter(
        "age",
        ClosureFilter { card, _, context in
          context.now.milliseconds >= day && "\(card.id)" < "3" ? .remove() : .keep
        })
    }
    let hand = try await bench.hand("v")
    #expect(hand == ["1", "2", "3"])
    let asked = group.questions.withLock { $0 }
    for _ in 0..<5 { #expect(try await bench.hand("v") == hand) }
    #expect(group.questions.withLock { $0 } == asked)
    clock.advance(byMilliseconds: 2 * 60 * 60 * 1000)
    guard case .stale(let top) = try await bench.swipe("1", .pass, by: "v") else {
      throw TestFailure("the swipe counted")
    }
    #expect(top?.id == "3")
  }

  @Test("A warm hand asks the store nothing, and neither does a change of other people")
  func noQuestions() async throws {
    let bench = try await open()
    let hand = try await bench.hand("v")
    let (asked, read) = (group.questions.withLock { $0 }, reads.withLock { $0 })
    for round in 0..<5 {
      try await bench.feed.put([person("6", "\(round)")])
      #expect(try await bench.hand("v") == hand)
    }
    try await bench.swipe(hand[0], by: "v")
    #expect(group.questions.withLock { $0 } == asked)
    #expect(reads.withLock { $0 } == read)
    try await bench.feed.put([person(hand[1])])
    #expect(try await bench.hand("v") == Array(hand[1...]))
    #expect(group.questions.withLock { $0 } == asked + 1)
  }

  @Test("A filter that fails, or answers nothing, shows nobody; unreadable data throw")
  func failClosed() async throws {
    let unreadable = Lock(false)
    let store = InterceptedStore(memory) { call in
      if call == .read, unreadable.withLock({ $0 }) { throw TestFailure("unreadable") }
    }
    let people = ["1", "2", "3", "v"].map { person($0) }
    let bench = try await TestBench(store, cards: people, clock: clock) {
      $0.hand = HandPolicy(size: 3, refillBelow: 2, rewind: 10, ties: .id)
      $0.filter("group", group)
    }
    #expect(try await bench.hand("v") == ["1", "2", "3"])
    try await bench.feed.put([person("1")])
    unreadable.withLock { $0 = true }
    await #expect(throws: TestFailure.self) { _ = try await bench.hand("v") }
    await #expect(throws: TestFailure.self) { _ = try await bench.swipe("1", by: "v") }
    unreadable.withLock { $0 = false }
    #expect(try await bench.hand("v") == ["1", "2", "3"])
    try await bench.feed.put([person("2")])
    group.failing.withLock { $0 = true }
    #expect(try await bench.swipe("1", by: "v", event: "e").isApplied)
    #expect(try await bench.hand("v") == ["3"], "2 cannot be judged, and nobody is dealt")
    group.failing.withLock { $0 = false }
    #expect(try await bench.hand("v").contains("2"))
  }

  @Test("Soft filters take out what no relaxation lets through; some filters are never asked")
  func whichFilters() async throws {
    struct Once: FilterStrategy {
      typealias D = ToyDeck
      var revalidates: Bool { false }
      var reasons: [String] { ["it has changed"] }
      func verdicts(for slate: Slate<ToyDeck>, relaxation: Int) async throws -> [FilterVerdict] {
        slate.rows.map { slate.table.card(at: $0).weight == 1 ? .remove() : .keep }
      }
    }
    let bench = try await open {
      $0.filter("once", Once())
      $0.filter(
        "soft",
        ClosureFilter(kind: .soft, relaxations: 1) { card, relaxation, _ in
          switch card.tags.first {
          case "far": relaxation > 0 ? .keep : .remove()
          case "gone": .remove()
          case "unknown": .unavailable
          default: .keep
          }
        })
    }
    let hand = try await bench.hand("v")
    try await bench.feed.put([
      ToyCard(hand[0], group: "a", weight: 1, tags: ["far"]),
      ToyCard(hand[1], group: "a", tags: ["gone"]),
      ToyCard(hand[2], group: "a", tags: ["unknown"]),
    ])
    #expect(try await bench.hand("v") == [hand[0], hand[2]])
  }

  @Test("A standing like counts as in a deal")
  func standingLikes() async throws {
    let bench = try await open()
    try await bench.feed.put([person("1", "b"), person("2", "b")])
    let theirs = try await bench.hand("1")
    #expect(theirs == ["2"])
    try await bench.feed.put([person("v", "b")])
    #expect(try await bench.feed.redeal(for: "1").ids.contains("v"))
    while let top = try await bench.hand("1").first {
      try await bench.swipe(top, top == "v" ? .like : .pass, by: "1")
      if top == "v" { break }
    }
    try await bench.feed.put([person("v")])
    let hand = try await bench.feed.redeal(for: "v").ids
    #expect(hand.contains("1"))
    try await bench.feed.put([person("1", "c")])
    #expect(try await bench.hand("v") == hand)
    let back = try await bench.rewind("1")
    #expect(back.isApplied && back.card == nil, "v is no more what 1 may be shown")
    #expect(try await bench.hand("v") == hand.filter { $0 != "1" }, "the like does not stand")
  }

  @Test("Who takes a like back leaves the hand that they are in for it")
  func likeTakenBack() async throws {
    let bench = try await open(cards: 2)
    #expect(try await bench.hand("1") == ["2", "v"])
    try await bench.swipe("2", .pass, by: "1")
    try await bench.swipe("v", .like, by: "1")
    try await bench.feed.put([person("v", "b")])
    #expect(try await bench.hand("v") == ["1"])
    try await bench.feed.put([person("v", "a")])
    #expect(try await bench.hand("v") == ["1", "2"])
    #expect(try await bench.rewind("1").card == "v")
    #expect(try await bench.hand("v") == ["1", "2"], "they are of one group")
    try await bench.swipe("v", .like, by: "1")
    try await bench.feed.put([person("v", "b")])
    #expect(try await bench.hand("v") == ["1"])
    // Elsewhere, since 1 would not be shown v any more.
    _ = try await bench.feed.record([
      RecordedSwipe(Swipe(viewer: "1", card: "v", answer: .pass, event: "elsewhere"))
    ])
    #expect(try await bench.hand("v") == [])
  }

  @Test("Who was withdrawn and came back between two looks at a hand has left it")
  func comingBack() async throws {
    let bench = try await open {
      $0.filters.removeAll { $0.name == "dealt" }
    }
    let hand = try await bench.hand("v")
    #expect(hand == ["1", "2", "3"])
    try await bench.feed.withdraw(["1"])
    try await bench.feed.reinstate(["1"])
    guard case .stale(let top) = try await bench.swipe("1", .like, by: "v") else {
      throw TestFailure("the swipe counted")
    }
    #expect(top?.id == "2")
    #expect(try await bench.hand("v") == ["2", "3"])
    #expect(try await bench.swipeAll(by: "v") == ["2", "3", "1", "4", "5", "6"])
  }
}
