import CardFeedStack
import Testing

/// Ten situations in which card stacks have gone wrong before.
@Suite("Card stack scenarios")
struct CardStackScenarioTests {
  // MARK: 1 New cards after the last one

  @Test("1a all swiped, then append: the new top is D and the history is kept")
  func appendAfterTheEnd() throws {
    var stack = try swipedOut()
    let accounting = stack.append(cards("DEF"))
    #expect(accounting.inserted == 3)
    #expect(stack.top?.id == "D")
    #expect(stack.pastWord == "ABC")
    #expect(stack.generation == 0)
    #expect(stack.progress.ordinal == 4)
    stack.checkInvariants()
  }

  @Test("1b all swiped, then replaceUpcoming: the new top is D, history kept, the rest dropped")
  func replaceAfterTheEnd() throws {
    var stack = try swipedOut()
    stack.append(cards("XY"))
    let accounting = stack.replaceUpcoming(with: cards("DEF"))
    #expect(accounting.inserted == 3)
    #expect(accounting.droppedUpcoming == 2)
    #expect(accounting.droppedHistory == 0)
    #expect(stack.word == "DEF")
    #expect(stack.pastWord == "ABC")
    #expect(stack.generation == 1)
    #expect(try stack.rewind().card.id == "C")
    #expect(stack.word == "CDEF")
    stack.checkInvariants()
  }

  @Test("1c all swiped, then reset: the new top is D, history and seen cards are forgotten")
  func resetAfterTheEnd() throws {
    var stack = try swipedOut()
    let accounting = stack.reset(with: cards("DEF"))
    #expect(accounting.inserted == 3)
    #expect(accounting.droppedHistory == 3)
    #expect(stack.word == "DEF")
    #expect(stack.history.isEmpty)
    #expect(!stack.hasSeen("A"))
    #expect(stack.generation == 1)
    #expect(stack.progress.ordinal == 1)
    #expect(stack.append(cards("A")).inserted == 1)
    stack.checkInvariants()
  }

  private func swipedOut() throws -> Stack {
    var stack = makeStack("ABC")
    for _ in 0..<3 { try stack.swipeTop(answer: .right) }
    #expect(stack.isEmpty)
    return stack
  }

  // MARK: 2 A change while a decision is under way

  @Test("2a append while A is being decided: the swipe of A succeeds")
  func appendDuringDecision() throws {
    var stack = makeStack("AB")
    let token = try #require(stack.token)
    stack.append(cards("D"))
    #expect(try stack.swipe(token, answer: .right).card.id == "A")
    #expect(stack.word == "BD")
    stack.checkInvariants()
  }

  @Test("2b reset while A is being decided: a stale decision, nothing changes, the next one works")
  func resetDuringDecision() throws {
    var stack = makeStack("AB")
    let token = try #require(stack.token)
    stack.reset(with: cards("AB"))
    let before = stack
    #expect(
      throws: StackError.staleDecision(
        StaleDecision(
          topPosition: StackPosition(0), generation: 1, decidedPosition: StackPosition(0),
          decidedGeneration: 0))
    ) { try stack.swipe(token, answer: .right) }
    #expect(stack == before)
    #expect(stack.counts == before.counts)
    #expect(try stack.swipe(#require(stack.token), answer: .left).card.id == "A")
    stack.checkInvariants()
  }

  @Test("2c the top was removed while it was being decided: stale, also when nothing is left")
  func removalDuringDecision() throws {
    var stack = makeStack("AB")
    let first = try #require(stack.token)
    stack.remove(["A"])
    #expect(throws: StackError.self) { try stack.swipe(first, answer: .right) }
    #expect(stack.top?.id == "B")
    let second = try #require(stack.token)
    stack.remove(["B"])
    #expect(
      throws: StackError.staleDecision(
        StaleDecision(
          topPosition: nil, generation: 0, decidedPosition: StackPosition(0), decidedGeneration: 0))
    ) { try stack.swipe(second, answer: .right) }
    stack.checkInvariants()
  }

  // MARK: 3 Rewind at once

  @Test("3 rewind inside the handler of the first, a middle and the last swipe", arguments: 0..<3)
  func rewindInHandler(swipesBefore: Int) throws {
    var stack = makeStack("ABC")
    for _ in 0..<swipesBefore { try stack.swipeTop(answer: .left) }
    let before = stack
    let expected = try #require(stack.top)

    func handle(_ outcome: StackOutcome<Card, Answer>) throws {
      #expect(outcome.card == expected)
      let rewound = try stack.rewind()
      #expect(rewound.kind == .rewound)
      #expect(rewound.card == expected)
      #expect(rewound.answer == .up)
      #expect(rewound.top == expected)
      #expect(rewound.record == outcome.record)
    }
    let token = try #require(stack.token)
    let outcome = try stack.swipe(token, answer: .up)
    #expect(outcome.kind == .swiped)
    #expect(outcome.ranOut == (swipesBefore == 2))
    try handle(outcome)
    #expect(stack == before)
    #expect(stack.hashValue == before.hashValue)
    #expect(stack.counts == before.counts)
    stack.checkInvariants()
  }

  // MARK: 4 Nothing to rewind

  @Test("4 rewind of a new stack, an empty one, after a reset, twice after one swipe")
  func nothingToRewind() throws {
    var fresh = makeStack("ABC")
    expectNothingToRewind(&fresh)
    var empty = makeStack()
    expectNothingToRewind(&empty)
    var without = Stack(capacity: 0, historyLimit: 0)
    expectNothingToRewind(&without)
    var swiped = makeStack("ABC")
    try swiped.swipeTop(answer: .left)
    #expect(swiped.canRewind)
    try swiped.rewind()
    expectNothingToRewind(&swiped)
    try swiped.swipeTop(answer: .left)
    swiped.reset(with: cards("ABC"))
    expectNothingToRewind(&swiped)
  }

  private func expectNothingToRewind(
    _ stack: inout Stack, location: SourceLocation = #_sourceLocation
  ) {
    let before = stack
    #expect(!stack.canRewind, sourceLocation: location)
    #expect(throws: StackError.nothingToRewind, sourceLocation: location) { try stack.rewind() }
    #expect(stack == before, sourceLocation: location)
    stack.checkInvariants()
  }

  // MARK: 6 Removal

  @Test("6a removing a swiped card removes its record, and rewind skips it")
  func removeSwiped() throws {
    var stack = makeStack("ABC")
    try stack.swipeTop(answer: .right)
    try stack.swipeTop(answer: .left)
    let accounting = stack.remove(["B"])
    #expect(accounting.removedHistory == 1)
    #expect(!accounting.ranOut)
    #expect(stack.topPosition == StackPosition(2))
    stack.checkInvariants()
    let outcome = try stack.rewind()
    #expect(outcome.card.id == "A")
    #expect(outcome.answer == .right)
    #expect(stack.word == "AC")
    #expect(throws: StackError.nothingToRewind) { try stack.rewind() }
    stack.checkInvariants()
  }

  @Test("6b removing the top reveals the next card")
  func removeTop() {
    var stack = makeStack("ABC")
    #expect(stack.remove(["A"]).removedUpcoming == 1)
    #expect(stack.top?.id == "B")
    #expect(stack.topPosition == StackPosition(0))
    stack.checkInvariants()
  }

  @Test("6c removing the first and the last card")
  func removeFirstAndLast() {
    var stack = makeStack("ABCD")
    #expect(stack.remove(["D", "A"]).removedUpcoming == 2)
    #expect(stack.word == "BC")
    stack.checkInvariants()
  }

  @Test("6d removing everything empties the stack and says once that it ran out")
  func removeEverything() throws {
    var stack = makeStack("ABC")
    try stack.swipeTop(answer: .right)
    let accounting = stack.remove(["A", "B", "C"])
    #expect(accounting.ranOut)
    #expect(accounting.removedUpcoming == 2)
    #expect(accounting.removedHistory == 1)
    #expect(stack.isEmpty)
    #expect(stack.history.isEmpty)
    #expect(!stack.remove(["A", "B", "C"]).ranOut)
    #expect(stack.counts.removed == 3)
    stack.checkInvariants()
  }

  @Test("6e unknown and repeated ids are accounted for, not an error")
  func removeUnknown() {
    var stack = makeStack("ABC")
    let accounting = stack.remove(["X", "B", "B", "Y", "X"])
    #expect(accounting.unknownIDs == ["X", "Y", "X"])
    #expect(accounting.unknown == 3)
    #expect(accounting.removedUpcoming == 1)
    #expect(accounting.duplicateInBatch == 1)
    #expect(accounting.total == 5)
    #expect(stack.word == "AC")
    let before = stack
    stack.remove(["X"])
    #expect(stack == before)
    stack.checkInvariants()
  }

  // MARK: 7 Append

  @Test("7a append to an empty stack and to one emptied by an empty reset")
  func appendToEmpty() {
    var fresh = makeStack()
    #expect(fresh.append(cards("AB")).inserted == 2)
    #expect(fresh.word == "AB")
    var emptied = makeStack("XYZ")
    #expect(emptied.reset(with: []).ranOut)
    #expect(!emptied.reset(with: []).ranOut)
    #expect(emptied.append(cards("AB")).inserted == 2)
    #expect(emptied.word == "AB")
    #expect(emptied.progress == fresh.progress)
    #expect(emptied.counts == fresh.counts)
    #expect(emptied.nextSequence == 0)
    emptied.checkInvariants()
  }

  @Test("7b the same batch twice inserts nothing the second time")
  func appendTwice() {
    var stack = makeStack()
    #expect(stack.append(cards("ABC")).inserted == 3)
    let accounting = stack.append(cards("ABC"))
    #expect(accounting.inserted == 0)
    #expect(accounting.alreadyUpcoming == 3)
    #expect(stack.word == "ABC")
    stack.checkInvariants()
  }

  @Test("7c inner duplicates, seen and upcoming cards, more cards than room: all accounted for")
  func appendEverythingAtOnce() throws {
    var stack = makeStack("AB", capacity: 4)
    try stack.swipeTop(answer: .right)
    let accounting = stack.append(cards("ABCCDACBEFE"))
    #expect(accounting.inserted == 3)
    #expect(accounting.alreadySeen == 2)
    #expect(accounting.alreadyUpcoming == 2)
    #expect(accounting.duplicateInBatch == 3)
    #expect(accounting.rejectedForCapacity == 1)
    #expect(accounting.total == 11)
    #expect(accounting.rejections.map(\.id).joined() == "ABCACBFE")
    #expect(
      accounting.rejections.map(\.reason) == [
        .alreadySeen, .alreadyUpcoming, .duplicateInBatch, .alreadySeen, .duplicateInBatch,
        .alreadyUpcoming, .rejectedForCapacity, .duplicateInBatch,
      ])
    #expect(stack.word == "BCDE")
    stack.checkInvariants()
  }

  @Test("7d a batch larger than the capacity keeps its first cards, in order")
  func appendTooMuch() {
    var stack = makeStack("", capacity: 3)
    let accounting = stack.append(cards("ABCDE"))
    #expect(accounting.inserted == 3)
    #expect(accounting.rejectedForCapacity == 2)
    #expect(stack.word == "ABC")
    stack.checkInvariants()
  }

  @Test("7e an ordinary batch leaves the list of rejections empty")
  func appendOrdinary() {
    var stack = makeStack()
    let accounting = stack.append(cards("ABCDE"))
    #expect(accounting.rejections.isEmpty)
    #expect(accounting.rejections.capacity == 0)
  }

  // MARK: 9 Outcomes

  @Test("9 every outcome tells the state after the commit, for swipes and for rewinds")
  func outcomes() throws {
    var stack = makeStack("ABC")
    let tops: [Card?] = [Card("B"), Card("C"), nil]
    for k in 0..<3 {
      let outcome = try #require(try stack.swipeTop(answer: .right))
      #expect(outcome.top == tops[k])
      #expect(outcome.top == stack.top)
      #expect(outcome.remaining == 2 - k)
      #expect(outcome.progress.total == 3)
      #expect(outcome.progress.ordinal == (k < 2 ? k + 2 : nil))
      #expect(outcome.record.sequence == k)
      #expect(outcome.record.position == StackPosition(k))
      #expect(outcome.ranOut == (k == 2))
      #expect(outcome.evicted == nil)
    }
    for k in (0..<3).reversed() {
      let outcome = try stack.rewind()
      #expect(outcome.top == cards("ABC")[k])
      #expect(outcome.remaining == 3 - k)
      #expect(outcome.progress.ordinal == k + 1)
      #expect(outcome.record.sequence == k)
      #expect(!outcome.ranOut)
    }
    stack.checkInvariants()
  }

  // MARK: 10 The gate

  @Test("10 the gate holds for every way in; force skips it and is recorded")
  func gate() throws {
    var stack = makeStack("AB") { card, answer in
      card.id == "B" && answer == .right ? Refusal("question unanswered") : nil
    }
    try stack.swipeTop(answer: .right)
    let before = stack
    let token = try #require(stack.token)
    let refused = StackError.refused(Refusal("question unanswered"))
    #expect(throws: refused) { try stack.swipe(token, answer: .right) }
    #expect(throws: refused) { try stack.swipeTop(answer: .right) }
    #expect(throws: refused) {
      for (token, answer) in [(token, Answer.right), (token, .left)] {
        try stack.swipe(token, answer: answer)
      }
    }
    #expect(stack == before)
    #expect(stack.counts == before.counts)

    let outcome = try stack.swipe(token, answer: .right, force: true)
    #expect(outcome.record.isForced)
    #expect(stack.history.map(\.isForced) == [false, true])
    try stack.rewind()
    #expect(stack == before)
    #expect(try stack.swipe(token, answer: .left).record.isForced == false)
    stack.checkInvariants()
  }

  @Test("10b a stale decision is reported as stale, and the gate is not asked about it")
  func gateAfterStaleness() throws {
    var stack = makeStack("AB") { _, _ in Refusal("never") }
    let token = StackToken(id: "B", generation: 0)
    let error = #expect(throws: StackError.self) { try stack.swipe(token, answer: .left) }
    guard case .staleDecision = error else {
      Issue.record("expected a stale decision")
      return
    }
  }
}
