import Testing

@testable import CardFeedSpacedRepetition

/// What holds for every memory model, whatever its formulas.
@Suite struct MemoryModelTests {
  /// A draw that is the same everywhere (SplitMix64).
  struct Draws {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
    mutating func share() -> Double { Double(next() >> 11) / Double(1 << 53) }
    mutating func rating() -> Rating { Rating.allCases[Int(next() % 4)] }
  }

  private func checkHistories<M: MemoryModel>(_ model: M, _ name: String) {
    for seed in 0..<40 {
      var draws = Draws(UInt64(seed))
      var state = model.initial(draws.rating())
      for _ in 0..<30 {
        let days = draws.share() < 0.2 ? -1 : (draws.share() * 8).rounded() * draws.share() * 50
        let state0 = state
        let recalls = [0, 0.5, 1, 7, 400].map { model.retrievability(state, after: $0) }
        #expect(recalls.allSatisfy { $0 > 0 && $0 <= 1 }, "\(name)")
        #expect(zip(recalls, recalls.dropFirst()).allSatisfy { $0 >= $1 }, "\(name) falls")
        let middles = [0.2, 3, 100].map { half in
          model.retrievability(state, after: half)
            - (recalls[0] + model.retrievability(state, after: 2 * half)) / 2
        }
        #expect(middles.allSatisfy { $0 <= 1e-12 }, "\(name) falls ever more slowly")
        for retention in [0.7, 0.9, 0.97] {
          let interval = model.interval(state, retention: retention)
          #expect(interval.isFinite && interval >= 0, "\(name)")
          if interval > 1e-8 && interval < 1e6 {
            let recall = model.retrievability(state, after: interval)
            #expect(abs(recall - retention) < 1e-9, "\(name): the interval is the inverse")
          }
        }
        // Better answers never come back sooner.
        let after = Rating.allCases.map { model.next(state, after: days, $0) }
        let intervals = after.map { model.interval($0, retention: 0.9) }
        #expect(
          zip(intervals, intervals.dropFirst()).allSatisfy { $0 <= $1 * (1 + 1e-12) },
          "\(name): \(intervals)")
        state = after[Int(draws.next() % 4)]
        #expect(model.next(state0, after: days, .good) == after[2], "\(name) keeps nothing")
      }
    }
  }

  @Test func everyModelStaysWithinItsBounds() throws {
    checkHistories(FSRS6(), "FSRS-6")
    checkHistories(SM2(), "SM-2")
    checkHistories(try HalfLifeRegression(), "half-life regression")
    checkHistories(FSRS7(), "FSRS-7")
  }

  @Test func storedNonsenseBecomesAState() {
    let state = FSRS6.State(stability: 0, difficulty: .nan)
    let next = FSRS6().next(state, after: 1, .good)
    #expect(next.stability.isFinite && next.stability >= 0.001)
    #expect((1...10).contains(next.difficulty))
    let seventh = FSRS7.State(stability: .infinity, fastStability: -1, difficulty: 0)
    let after = FSRS7().next(seventh, after: 1, .again)
    #expect(after.stability.isFinite && after.fastStability > 0)
  }

  @Test("Scenario 8: a hard card that is known twice a day grows")
  func aHardCardThatIsAskedTwiceADayGrows() {
    let model = FSRS7()
    var state = FSRS7.State(stability: 0.1, fastStability: 0.08, difficulty: 9.6)
    for _ in 0..<20 { state = model.next(state, after: 0.5, .good) }
    #expect(model.stability(state) > 3)
  }

  @Test func parametersOfOlderVersionsAreConverted() throws {
    #expect(
      try FSRS6(
        parameters: Array(repeating: 0.5, count: 19).map { $0 }
          .enumerated().map { [4, 16].contains($0) ? 1.5 : $0 == 12 ? 0.1 : $1 }
      ).parameters.count == 21)
    let four = [
      0.4, 0.6, 2.4, 5.8, 4.93, 0.94, 0.86, 0.01, 1.49, 0.14, 0.94, 2.18, 0.05, 0.34, 1.26,
      0.29, 2.61,
    ]
    let six = try FSRS6(parameters: four).parameters
    #expect(abs(six[4] - (4.93 + 2 * 0.94)) < 1e-12)
    #expect(abs(six[6] - 1.36) < 1e-12)
    #expect(Array(six.suffix(4)) == [0, 0, 0, 0.5])
  }

  @Test func wrongParametersAreRefusedWithTheirPlace() {
    let few = #expect(throws: MemoryParameterError.self) { try FSRS6(parameters: [1, 2]) }
    #expect(few?.description == "FSRS-6 has 21 or 19 or 17 parameters; found 2")
    var high = FSRS7.defaults
    high[4] = 11
    let error = #expect(throws: MemoryParameterError.self) { try FSRS7(parameters: high) }
    #expect(error?.description == "parameter 4 of FSRS-7 is 11.0; allowed is 1.0 … 10.0")
  }

  @Test func sm2FollowsItsTable() {
    let model = SM2()
    var state = model.initial(.good)
    #expect(state.interval == 1)
    state = model.next(state, after: 1, .good)
    #expect(state.interval == 6)
    state = model.next(state, after: 6, .good)
    #expect(state.interval == 15)
    #expect(state.easiness == 2.5)
    #expect(model.next(state, after: 0.2, .again) == state)
    state = model.next(state, after: 15, .again)
    #expect(state.interval == 1)
    #expect(abs(state.easiness - 1.96) < 1e-12)
  }
}
