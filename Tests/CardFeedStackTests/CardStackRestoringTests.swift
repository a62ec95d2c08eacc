import CardFeedStack
import Testing

@Suite("Restoring a card stack")
struct CardStackRestoringTests {
  private func record(_ id: String, _ sequence: Int, lap: Int = 0) -> SwipeRecord<Card, Answer> {
    SwipeRecord(
      card: Card(id), answer: .right, position: StackPosition(99), sequence: sequence, lap: lap)
  }

  private func restore(
    _ past: [SwipeRecord<Card, Answer>], _ upcoming: String, capacity: Int = 3,
    historyLimit: Int = 3, policy: StackPolicy = .stop, nextSequence: Int? = nil, evicted: Int = 0
  ) throws(StackRestorationError) -> Stack {
    try Stack(
      restoring: past, upcoming: cards(upcoming), topPosition: StackPosition(0), generation: 4,
      capacity: capacity, historyLimit: historyLimit, policy: policy, nextSequence: nextSequence,
      evicted: evicted)
  }

  @Test("a saved stack and the restored one are equal", arguments: StackPolicy.allCases)
  func roundTrip(policy: StackPolicy) throws {
    var stack = makeStack("ABCDE", historyLimit: 3, policy: policy)
    stack.reset(with: cards("ABCDE"))
    for _ in 0..<4 { try stack.swipeTop(answer: .right) }
    let restored = try Stack(
      restoring: Array(stack.history), upcoming: Array(stack.upcoming),
      topPosition: stack.topPosition, generation: stack.generation, capacity: stack.capacity,
      historyLimit: stack.historyLimit, policy: policy, nextSequence: stack.nextSequence,
      evicted: stack.counts.evicted)
    #expect(restored == stack)
    #expect(restored.hashValue == stack.hashValue)
    #expect(restored.counts == stack.counts)
    #expect(restored.token == stack.token)
    restored.checkInvariants()
  }

  @Test("the past may lie at negative positions, and swiping and rewinding go through zero")
  func negativePositions() throws {
    var stack = try restore([record("A", 0), record("B", 1)], "CD")
    #expect(stack.history.map(\.position.value) == [-2, -1])
    stack.checkInvariants()
    try stack.rewind()
    #expect(stack.topPosition == StackPosition(-1))
    try stack.rewind()
    #expect(stack.topPosition == StackPosition(-2))
    #expect(stack.word == "ABCD")
    stack.checkInvariants()
    for value in -2..<2 {
      #expect(stack.topPosition.value == value)
      let outcome = try stack.swipe(#require(stack.token), answer: .left)
      #expect(outcome.record.position == StackPosition(value))
      stack.checkInvariants()
    }
    #expect(stack.isEmpty)
  }

  @Test("a looping deck maps floorMod(position, n), far below zero as well", arguments: -12 ... -5)
  func negativeLoop(start: Int) throws {
    let deck = cards("ABCDE")
    let offset = floorMod(start, 5)
    var stack = try Stack(
      restoring: [], upcoming: Array(deck[offset...] + deck[..<offset]),
      topPosition: StackPosition(start), generation: 0, capacity: 5, historyLimit: 7, policy: .loop)
    for _ in 0..<20 {
      #expect(stack.top == deck[floorMod(stack.topPosition.value, 5)])
      try stack.swipeTop(answer: .right)
      stack.checkInvariants()
    }
    for _ in 0..<7 {
      try stack.rewind()
      #expect(stack.top == deck[floorMod(stack.topPosition.value, 5)])
      stack.checkInvariants()
    }
    #expect(stack.topPosition == StackPosition(start + 13))
  }

  @Test("evicted records are remembered, so that a rewind says too old")
  func evicted() throws {
    var stack = try restore([], "A", nextSequence: 7, evicted: 7)
    #expect(throws: StackError.rewindTooOld(historyLimit: 3, evicted: 7)) { try stack.rewind() }
    #expect(stack.progress == StackProgress(swiped: 7, total: 8))
    #expect(try stack.swipeTop(answer: .up)?.record.sequence == 7)
    stack.checkInvariants()
  }

  @Test("forced swipes and gaps in the sequence survive")
  func details() throws {
    let forced = SwipeRecord(
      card: Card("A"), answer: Answer.up, position: StackPosition(0), sequence: 5, isForced: true)
    let stack = try restore([forced, record("B", 9)], "C")
    #expect(stack.history.map(\.isForced) == [true, false])
    #expect(stack.history.map(\.sequence) == [5, 9])
    #expect(stack.nextSequence == 10)
  }

  @Test("parts that cannot be one stack are refused with the reason")
  func refusals() {
    let four = (0..<4).map { record("\($0)", $0) }
    #expect(throws: StackRestorationError.tooManyRecords(found: 4, limit: 3)) {
      try restore(four, "")
    }
    #expect(throws: StackRestorationError.tooManyCards(found: 6, limit: 5)) {
      try restore([record("X", 0)], "ABCDEF")
    }
    #expect(throws: StackRestorationError.sequenceNotIncreasing(found: 3, least: 4)) {
      try restore([record("A", 3), record("B", 3)], "")
    }
    #expect(throws: StackRestorationError.sequenceNotIncreasing(found: -1, least: 0)) {
      try restore([record("A", -1)], "")
    }
    #expect(throws: StackRestorationError.sequenceNotIncreasing(found: 1, least: 2)) {
      try restore([record("A", 1)], "", nextSequence: 1)
    }
    #expect(throws: StackRestorationError.cardHeldTwice(at: 1)) {
      try restore([record("A", 0), record("A", 1)], "")
    }
    #expect(throws: StackRestorationError.cardHeldTwice(at: 2)) {
      try restore([record("A", 0)], "BA")
    }
    #expect(throws: StackRestorationError.cardHeldTwice(at: 1)) {
      try restore([], "AA", policy: .loop)
    }
    #expect(throws: StackRestorationError.negativeEvicted(found: -1)) {
      try restore([], "A", evicted: -1)
    }
  }

  @Test("a looping stack may hold several swipes of a card that is upcoming")
  func loopingRecords() throws {
    var stack = try restore(
      [record("A", 0), record("B", 1), record("A", 2, lap: 1)], "BA", policy: .loop)
    stack.checkInvariants()
    #expect(try stack.rewind().record.lap == 1)
    #expect(stack.word == "AB")
    stack.checkInvariants()
  }
}
