import CardFeedStack
import Testing

@Suite("Card stack: further cases")
struct CardStackExtraCaseTests {
  @Test("two stacks are independent values: changing one leaves the other as it was")
  func independence() throws {
    let original = makeStack("ABC")
    var other = original
    try other.swipeTop(answer: .right)
    other.append(cards("D"))
    other.remove(["B"])
    #expect(original.word == "ABC")
    #expect(original.history.isEmpty)
    #expect(original.contains(upcoming: "B"))
    #expect(!original.contains(upcoming: "D"))
    #expect(other.word == "CD")
    #expect(original != other)
    original.checkInvariants()
    other.checkInvariants()
  }

  @Test("a window of 1 shows exactly the top, to the end")
  func windowOfOne() throws {
    var stack = makeStack("ABC")
    var shown: [[String]] = []
    repeat { shown.append(stack.window(1).map(\.id)) } while try stack.swipeTop(answer: .up) != nil
    #expect(shown == [["A"], ["B"], ["C"], []])
    #expect(makeStack("ABC").window(0).isEmpty)
  }

  @Test("a reload in which nothing changed is no change: decisions under way stay valid")
  func reloadUnchanged() throws {
    var stack = makeStack("XABC")
    try stack.swipeTop(answer: .left)
    let token = try #require(stack.token)
    let before = stack
    // X is seen and the second B a duplicate, so the same three cards would remain.
    let accounting = stack.replaceUpcoming(with: cards("XABBC"))
    #expect(accounting.isUnchanged)
    #expect(accounting.droppedUpcoming == 0)
    #expect(accounting.cards.alreadyUpcoming == 3)
    #expect(accounting.cards.alreadySeen == 1)
    #expect(accounting.cards.duplicateInBatch == 1)
    #expect(accounting.cards.total == 5)
    #expect(stack == before)
    #expect(try stack.swipe(token, answer: .right).card.id == "A")
    stack.checkInvariants()
  }

  @Test("a reload with the same ids renews the cards' values")
  func reloadRenews() {
    var stack = makeStack("AB")
    stack.replaceUpcoming(with: [Card("A", version: 1), Card("B", version: 2)])
    #expect(stack.upcoming.map(\.version) == [1, 2])
    #expect(stack.generation == 0)
    stack.checkInvariants()
  }

  @Test(
    "a reload with another order, one card less or one more is a change",
    arguments: [
      "BA", "A", "ABC", "",
    ])
  func reloadChanged(word: String) {
    var stack = makeStack("AB")
    let accounting = stack.replaceUpcoming(with: cards(word))
    #expect(!accounting.isUnchanged)
    #expect(accounting.ranOut == word.isEmpty)
    #expect(stack.word == word)
    #expect(stack.generation == 1)
    stack.checkInvariants()
  }

  @Test("history overflow: evicted records are reported, and rewinding stops where they begin")
  func overflow() throws {
    var stack = makeStack("ABCDE", historyLimit: 2)
    var evicted: [String?] = []
    for _ in 0..<4 {
      evicted.append(try #require(try stack.swipeTop(answer: .right)).evicted?.card.id)
      stack.checkInvariants()
    }
    #expect(evicted == [nil, nil, "A", "B"])
    #expect(stack.pastWord == "CD")
    #expect(stack.counts.evicted == 2)
    #expect(stack.progress.ordinal == 5)
    try stack.rewind()
    try stack.rewind()
    let before = stack
    #expect(throws: StackError.rewindTooOld(historyLimit: 2, evicted: 2)) { try stack.rewind() }
    #expect(stack == before)
    #expect(stack.word == "CDE")
    stack.checkInvariants()
  }

  @Test("without a history every swipe is evicted at once and reported")
  func noHistory() throws {
    var stack = makeStack("AB", historyLimit: 0)
    let outcome = try #require(try stack.swipeTop(answer: .right))
    #expect(outcome.evicted == outcome.record)
    #expect(!stack.canRewind)
    #expect(throws: StackError.rewindTooOld(historyLimit: 0, evicted: 1)) { try stack.rewind() }
    stack.checkInvariants()
  }

  @Test("swipe and rewind at a full history is the identity but for the evicted record")
  func identityAtFullHistory() throws {
    var stack = makeStack("ABCD", historyLimit: 2)
    try stack.swipeTop(answer: .right)
    try stack.swipeTop(answer: .right)
    let before = stack
    let outcome = try #require(try stack.swipeTop(answer: .left))
    try stack.rewind()
    #expect(outcome.evicted?.card.id == "A")
    #expect(stack.word == before.word)
    #expect(stack.topPosition == before.topPosition)
    #expect(stack.nextSequence == before.nextSequence)
    #expect(Array(stack.history) == Array(before.history.dropFirst()))
  }

  /// Our rule: a filter is a `replaceUpcoming` with the cards that pass, and swiped cards never
  /// come back by it. 50 cards, 10 swiped, 20 of the other 40 pass, 5 of those are swiped, then
  /// all 50 are offered again: 35 are upcoming, in the original order.
  @Test("a filter removes cards and later restores them in the original order")
  func filterAndRestore() throws {
    let all = cards(50)
    var stack = Stack(capacity: 50, historyLimit: 50)
    stack.append(all)
    for _ in 0..<10 { try stack.swipeTop(answer: .right) }
    let passing = all[10...].filter { (Int($0.id) ?? 0).isMultiple(of: 2) }
    let filtered = stack.replaceUpcoming(with: passing)
    #expect(filtered.inserted == 20)
    #expect(filtered.droppedUpcoming == 40)
    for _ in 0..<5 { try stack.swipeTop(answer: .left) }
    let restored = stack.replaceUpcoming(with: all)
    #expect(restored.inserted == 35)
    #expect(restored.cards.alreadySeen == 15)
    #expect(restored.cards.total == 50)
    let swiped = Set(stack.history.map(\.card))
    #expect(swiped.count == 15)
    #expect(Array(stack.upcoming) == all.filter { !swiped.contains($0) })
    stack.checkInvariants()
  }

  @Test("a card that comes back has room even when the stack is full again")
  func rewindIntoFullStack() throws {
    var stack = makeStack("AB", capacity: 2, historyLimit: 2)
    try stack.swipeTop(answer: .right)
    stack.append(cards("C"))
    #expect(stack.upcomingCount == 2)
    try stack.rewind()
    #expect(stack.word == "ABC")
    #expect(stack.append(cards("D")).rejectedForCapacity == 1)
    stack.checkInvariants()
  }

  @Test("a token without a position is accepted at any position, but not in another generation")
  func tokenWithoutPosition() throws {
    var stack = makeStack("AB")
    stack.replaceUpcoming(with: cards("BA"))
    #expect(throws: StackError.self) {
      try stack.swipe(StackToken(id: "B", generation: 0), answer: .up)
    }
    #expect(throws: StackError.self) {
      try stack.swipe(StackToken(id: "A", generation: 1), answer: .up)
    }
    #expect(try stack.swipe(StackToken(id: "B", generation: 1), answer: .up).card.id == "B")
  }

  @Test("another generation makes earlier decisions stale and changes nothing else")
  func startingAGeneration() throws {
    var stack = makeStack("AB")
    let token = try #require(stack.token)
    try stack.swipe(token, answer: .up)
    try stack.rewind()
    let position = stack.topPosition
    stack.startGeneration()
    #expect(stack.word == "AB" && stack.topPosition == position && stack.generation == 1)
    #expect(throws: StackError.self) { try stack.swipe(token, answer: .up) }
    stack.checkInvariants()
    #expect(try stack.swipe(#require(stack.token), answer: .up).card.id == "A")
  }

  @Test("the position moves with swipes and rewinds and with nothing else")
  func positions() throws {
    var stack = makeStack("ABCDE")
    try stack.swipeTop(answer: .right)
    try stack.swipeTop(answer: .right)
    stack.append(cards("F"))
    stack.remove(["A", "C", "E"])
    stack.replaceUpcoming(with: cards("XY"))
    #expect(stack.topPosition == StackPosition(2))
    stack.reset(with: cards("XY"))
    #expect(stack.topPosition == StackPosition(2))
    stack.checkInvariants()
  }

  @Test("ids that differ only in case or in Unicode composition are what the id type says")
  func idEquality() {
    struct Bytes: Identifiable { let id: [UInt8] }
    var stack = CardStack<Bytes, Answer>(capacity: 4, historyLimit: 0)
    let accounting = stack.append(
      ["A", "a", "\u{E9}", "e\u{301}"].map { Bytes(id: Array($0.utf8)) })
    #expect(accounting.inserted == 4)
  }

  @Test("updating the upcoming cards reaches each once, and neither the past nor a copy")
  func updating() throws {
    var stack = makeStack("ABC")
    try stack.swipeTop(answer: .right)
    let before = stack
    var visited = ""
    stack.updateUpcoming { card in
      visited += card.id
      card.version += 1
    }
    #expect(visited == "BC")
    #expect(stack.upcoming.map(\.version) == [1, 1])
    #expect(stack.history.map(\.card.version) == [0])
    #expect(before.upcoming.map(\.version) == [0, 0])
    #expect(stack.generation == before.generation)
    stack.checkInvariants()
  }

  @Test("misuse traps")
  func traps() async {
    await #expect(processExitsWith: .failure) { _ = Stack(capacity: -1, historyLimit: 0) }
    await #expect(processExitsWith: .failure) { _ = Stack(capacity: 0, historyLimit: -1) }
    await #expect(processExitsWith: .failure) { _ = makeStack("A").window(-1) }
    await #expect(processExitsWith: .failure) { _ = makeStack("A").upcoming[1] }
    await #expect(processExitsWith: .failure) { _ = makeStack("A").upcoming[-1] }
    await #expect(processExitsWith: .failure) { _ = makeStack("A").history[0] }
    await #expect(processExitsWith: .failure) {
      var stack = makeStack("AB")
      stack.updateUpcoming { $0 = Card("C") }
    }
  }
}
