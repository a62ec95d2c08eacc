import CardFeedStack
import Testing

@Suite("Card stack scenario 8: a looping deck")
struct CardStackLoopTests {
  @Test(
    "8a the window shows min(window, count) distinct cards, in cyclic order, for 10,000 swipes",
    arguments: [(4, 4), (3, 5), (1, 3), (1, 1), (7, 3)])
  func window(count: Int, window: Int) throws {
    let deck = cards(count)
    var stack = Stack(capacity: count, historyLimit: 5, policy: .loop)
    stack.append(deck)
    let slots = stack.ringCapacity
    for swipe in 0..<10_000 {
      let shown = stack.window(window)
      #expect(shown.count == min(window, count))
      #expect(Set(shown).count == shown.count)
      for (offset, card) in shown.enumerated() {
        #expect(card == deck[floorMod(stack.topPosition.value + offset, count)])
      }
      #expect(stack.progress.ordinal == swipe % count + 1)
      #expect(stack.progress.total == count)
      let outcome = try #require(try stack.swipeTop(answer: .right))
      #expect(outcome.record.lap == swipe / count)
      #expect(outcome.record.sequence == swipe)
      #expect(outcome.remaining == count)
      #expect(!outcome.ranOut)
      if swipe % 500 == 0 { stack.checkInvariants() }
    }
    #expect(stack.ringCapacity == slots)
    #expect(stack.historyCount == 5)
    #expect(stack.counts.offered == count)
    #expect(stack.counts.recirculated == 10_000)
    #expect(stack.counts.evicted == 9_995)
    stack.checkInvariants()
  }

  @Test("8b with stop, the window shrinks towards the end and the stack runs out once")
  func stop() throws {
    var stack = makeStack("ABCD")
    var lengths: [Int] = []
    var ranOut: [Bool] = []
    while let outcome = try stack.swipeTop(answer: .right) {
      lengths.append(stack.window(4).count)
      ranOut.append(outcome.ranOut)
    }
    #expect(lengths == [3, 2, 1, 0])
    #expect(ranOut == [false, false, false, true])
    #expect(try stack.swipeTop(answer: .right) == nil)
  }

  @Test("8c rewinds go back through the laps, swipe by swipe")
  func rewindThroughLaps() throws {
    var stack = makeStack("ABC", historyLimit: 8, policy: .loop)
    var states: [Stack] = []
    for _ in 0..<8 {
      states.append(stack)
      try stack.swipeTop(answer: .right)
    }
    #expect(stack.pastWord == "ABCABCAB")
    #expect(stack.history.map(\.lap) == [0, 0, 0, 1, 1, 1, 2, 2])
    while let before = states.popLast() {
      try stack.rewind()
      #expect(stack == before)
      #expect(stack.counts == before.counts)
      stack.checkInvariants()
    }
    #expect(throws: StackError.nothingToRewind) { try stack.rewind() }
  }

  @Test("8d one card repeats, and a decision of one lap does not count in the next")
  func oneCard() throws {
    var stack = makeStack("A", policy: .loop)
    let token = try #require(stack.token)
    try stack.swipe(token, answer: .right)
    #expect(stack.window(3).map(\.id) == ["A"])
    #expect(throws: StackError.self) { try stack.swipe(token, answer: .right) }
    #expect(stack.historyCount == 1)
    #expect(try stack.swipe(#require(stack.token), answer: .left).record.lap == 1)
    stack.checkInvariants()
  }

  @Test("8e rewind after cards were appended behind the swiped one: no card is there twice")
  func rewindAfterAppend() throws {
    var stack = makeStack("AB", policy: .loop)
    try stack.swipeTop(answer: .right)
    stack.append(cards("CD"))
    #expect(stack.word == "BACD")
    try stack.rewind()
    #expect(stack.word == "ABCD")
    stack.checkInvariants()
  }

  @Test("8f a removed card takes all its laps along; removing all runs out once")
  func removal() throws {
    var stack = makeStack("AB", policy: .loop)
    for _ in 0..<4 { try stack.swipeTop(answer: .right) }
    let accounting = stack.remove(["A"])
    #expect(accounting.removedUpcoming == 1)
    #expect(stack.word == "B")
    #expect(stack.pastWord == "BB")
    #expect(!stack.hasSeen("A"))
    stack.checkInvariants()
    #expect(stack.remove(["B"]).ranOut)
    #expect(stack.isEmpty)
    #expect(stack.progress.ordinal == nil)
    stack.checkInvariants()
  }

  @Test("8g a deck that fills the whole ring gives up its history, not its cards")
  func fullRing() throws {
    var stack = makeStack("A", capacity: 1, historyLimit: 1, policy: .loop)
    try stack.swipeTop(answer: .right)
    stack.replaceUpcoming(with: cards("B"))
    try stack.rewind()
    #expect(stack.word == "AB")
    let outcome = try #require(try stack.swipeTop(answer: .left))
    #expect(outcome.evicted == outcome.record)
    #expect(stack.word == "BA")
    #expect(!stack.canRewind)
    stack.checkInvariants()
  }
}
