import CardFeedStack
import CardFeedTesting
import Testing

/// An id whose hash is one of three, so that every look-up probes past other ids.
struct ClashingID: Hashable, Sendable {
  let value: Int

  func hash(into hasher: inout Hasher) { hasher.combine(value % 3) }
}

struct NumberedCard<ID: Hashable & Sendable>: Identifiable, Hashable, Sendable {
  let id: ID
  let version: Int
}

@Suite("Card stack against its oracle")
struct CardStackPropertyTests {
  /// Applies random operations to a stack and to its oracle and compares after each step.
  struct Run<ID: Hashable & Sendable> {
    typealias Numbered = NumberedCard<ID>

    var random: SplitMix64
    var stack: CardStack<Numbered, Int>
    var oracle: CardStackOracle<Numbered, Int>
    let makeID: (Int) -> ID
    var oldTokens: [StackToken<ID>] = []
    // What the outcomes alone say; must agree with the state at the end of each step.
    var swipesLessRewinds = 0
    var remainingByOutcomes = 0
    var ranOutEvents = 0
    var timesEmptied = 0

    init(seed: UInt64, policy: StackPolicy, makeID: @escaping (Int) -> ID) {
      random = SplitMix64(state: seed)
      self.makeID = makeID
      let capacity = Int.random(in: 0...6, using: &random)
      let historyLimit = Int.random(in: 0...5, using: &random)
      let gate: CardStack<Numbered, Int>.Gate = { card, answer in
        (card.version + answer).isMultiple(of: 7) ? Refusal("seven") : nil
      }
      stack = CardStack(
        capacity: capacity, historyLimit: historyLimit, policy: policy, gate: gate)
      oracle = CardStackOracle(
        capacity: capacity, historyLimit: historyLimit, policy: policy, gate: gate)
    }

    mutating func batch() -> [Numbered] {
      if Int.random(in: 0..<4, using: &random) == 0 {
        return stack.upcoming.map { Numbered(id: $0.id, version: $0.version + 1) }
      }
      return (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Numbered(
          id: makeID(Int.random(in: 0..<12, using: &random)),
          version: Int.random(in: 0..<20, using: &random))
      }
    }

    mutating func token() -> StackToken<ID>? {
      if let token = stack.token { oldTokens.append(token) }
      let isLate = Int.random(in: 0..<5, using: &random) == 0
      guard let token = isLate ? oldTokens.randomElement(using: &random) : stack.token else {
        return oldTokens.last
      }
      let isPlain = Int.random(in: 0..<3, using: &random) == 0
      return isPlain ? StackToken(id: token.id, generation: token.generation) : token
    }

    mutating func note(_ outcome: StackOutcome<Numbered, Int>) {
      swipesLessRewinds += outcome.kind == .swiped ? 1 : -1
      remainingByOutcomes = outcome.remaining
      #expect(outcome.top == stack.top)
      #expect(outcome.progress == stack.progress)
      ranOutEvents += outcome.ranOut ? 1 : 0
    }

    mutating func swipe() {
      guard let token = token() else { return }
      let answer = Int.random(in: 0..<20, using: &random)
      let force = Int.random(in: 0..<6, using: &random) == 0
      let before = stack
      let expected = Result { () throws(StackError) in
        try oracle.swipe(token, answer: answer, force: force)
      }
      let found = Result { () throws(StackError) in
        try stack.swipe(token, answer: answer, force: force)
      }
      #expect(found == expected)
      guard case .success(let outcome) = found else {
        #expect(stack == before)
        #expect(stack.counts == before.counts)
        return
      }
      note(outcome)
      if outcome.evicted != nil { return }
      var rewound = stack
      #expect((try? rewound.rewind())?.record == outcome.record)
      #expect(rewound == before)
      #expect(rewound.hashValue == before.hashValue)
      #expect(rewound.counts == before.counts)
      #expect(rewound.brokenInvariants == [])
    }

    mutating func rewind() {
      let before = stack
      let expected = Result { () throws(StackError) in try oracle.rewind() }
      let found = Result { () throws(StackError) in try stack.rewind() }
      #expect(found == expected)
      if case .success(let outcome) = found {
        note(outcome)
      } else {
        #expect(stack == before)
      }
    }

    mutating func fill() {
      let batch = batch()
      let held = stack.upcomingCount
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let accounting = stack.reset(with: batch)
        #expect(accounting == oracle.reset(with: batch))
        #expect(accounting.cards.total == batch.count)
        ranOutEvents += accounting.ranOut ? 1 : 0
      case 1, 2:
        let accounting = stack.replaceUpcoming(with: batch)
        #expect(accounting == oracle.replaceUpcoming(with: batch))
        #expect(accounting.cards.total == batch.count)
        #expect(
          stack.upcomingCount == held - accounting.droppedUpcoming + accounting.inserted)
        ranOutEvents += accounting.ranOut ? 1 : 0
      default:
        let accounting = stack.append(batch)
        #expect(accounting == oracle.append(batch))
        #expect(accounting.total == batch.count)
        #expect(stack.upcomingCount == held + accounting.inserted)
      }
      remainingByOutcomes = stack.upcomingCount
    }

    mutating func remove() {
      let count = Int.random(in: 0...3, using: &random)
      let ids = (0..<count).map { _ in makeID(Int.random(in: 0..<14, using: &random)) }
      let accounting = stack.remove(ids)
      #expect(accounting == oracle.remove(ids))
      #expect(accounting.total == ids.count)
      #expect(ids.allSatisfy { !stack.contains(upcoming: $0) && !stack.hasSeen($0) })
      remainingByOutcomes -= accounting.removedUpcoming
      ranOutEvents += accounting.ranOut ? 1 : 0
    }

    mutating func step() {
      let (before, oracleBefore) = (stack, oracle)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: swipe()
      case 5, 6: rewind()
      case 7, 8: fill()
      default: remove()
      }
      timesEmptied += stack.isEmpty && !before.isEmpty ? 1 : 0
      #expect(stack.brokenInvariants == [])
      #expect(oracle.differences(from: stack) == [])
      #expect(oracleBefore.differences(from: before) == [], "a copy changed")
      #expect(stack.topPosition.value == swipesLessRewinds)
      #expect(stack.remaining == remainingByOutcomes)
      #expect(ranOutEvents == timesEmptied)
    }
  }

  @Test(
    "random operation lists give the same results and the same state",
    arguments: 0..<60 as Range<UInt64>, StackPolicy.allCases)
  func randomOperations(seed: UInt64, policy: StackPolicy) {
    var run = Run(seed: seed, policy: policy, makeID: { $0 })
    for _ in 0..<120 { run.step() }
  }

  @Test(
    "random operation lists with clashing hashes",
    arguments: 100..<120 as Range<UInt64>, StackPolicy.allCases)
  func clashingHashes(seed: UInt64, policy: StackPolicy) {
    var run = Run(seed: seed, policy: policy, makeID: { ClashingID(value: $0) })
    for _ in 0..<120 { run.step() }
  }

  @Test("the random lists reach every kind of result", arguments: StackPolicy.allCases)
  func coverage(policy: StackPolicy) {
    var evicted = 0
    var removed = 0
    var positions: Set<Int> = []
    var generations: Set<Int> = []
    var emptied = 0
    for seed in 0..<60 as Range<UInt64> {
      var run = Run(seed: seed, policy: policy, makeID: { $0 })
      for _ in 0..<120 { run.step() }
      evicted += run.stack.counts.evicted
      removed += run.stack.counts.removed
      positions.insert(run.stack.topPosition.value)
      generations.insert(run.stack.generation)
      emptied += run.timesEmptied
    }
    #expect(evicted > 50)
    #expect(removed > 50)
    #expect(positions.count > 10)
    #expect(generations.count > 5)
    #expect(emptied > 20)
  }

  @Test("the oracle notices a difference")
  func oracleNotices() throws {
    var run = Run(seed: 3, policy: .stop, makeID: { $0 })
    run.oracle = CardStackOracle(capacity: 3, historyLimit: 3)
    run.stack = CardStack(capacity: 3, historyLimit: 3)
    run.stack.append([NumberedCard(id: 1, version: 0)])
    #expect(run.oracle.differences(from: run.stack).contains("top"))
    #expect(run.oracle.differences(from: run.stack).contains("offered"))
  }
}
