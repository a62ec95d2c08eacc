import Testing

@testable import CardFeedSpacedRepetition

/// Gradients are exact, and a fit finds what made the answers.
@Suite struct MemoryFitTests {
  private typealias Draws = MemoryModelTests.Draws

  /// The recall before the last answer of a history, as a function of the parameters.
  private func recall<K: MemoryKernel>(_: K.Type, _ w: [K.Number]) -> K.Number {
    let kernel = K(w)
    var state = kernel.initial(.good)
    var recall = K.Number(0)
    let history: [(Double, Rating)] = [
      (0, .good), (1, .hard), (3, .good), (9, .again), (1, .good), (5, .easy), (20, .good),
    ]
    for (days, rating) in history { (recall, state) = kernel.answer(state, days: days, rating) }
    return recall
  }

  private func checkGradient<K: MemoryKernel, P: MemoryKernel>(
    _ dual: K.Type, _ plain: P.Type, _ parameters: [Double]
  ) where K.Number == DualNumber<SIMD8<Double>>, P.Number == Double {
    for chunk in stride(from: 0, to: parameters.count, by: 8) {
      let numbers = parameters.enumerated().map { index, value in
        (chunk..<chunk + 8).contains(index)
          ? DualNumber<SIMD8<Double>>(value, lane: index - chunk) : DualNumber(value)
      }
      let gradient = recall(dual, numbers).gradient
      for lane in 0..<min(8, parameters.count - chunk) {
        let width = 1e-6 * max(1, parameters[chunk + lane])
        var (up, down) = (parameters, parameters)
        up[chunk + lane] += width
        down[chunk + lane] -= width
        let slope = (recall(plain, up) - recall(plain, down)) / (2 * width)
        #expect(abs(gradient[lane] - slope) < 1e-6 + 1e-5 * abs(slope), "\(chunk + lane)")
      }
    }
  }

  @Test func gradientsAgreeWithDifferences() {
    var sixth = FSRS6.defaults
    sixth[17] = 0.9
    checkGradient(
      FSRS6Kernel<DualNumber<SIMD8<Double>>>.self, FSRS6Kernel<Double>.self, sixth)
    var seventh = FSRS7.defaults
    // Off their bounds, where a slope has two sides.
    (seventh[8], seventh[29]) = (0.1, 0.1)
    checkGradient(
      FSRS7Kernel<DualNumber<SIMD8<Double>>>.self, FSRS7Kernel<Double>.self, seventh)
  }

  /// Answers of a learner whose memory is a model.
  private func log<M: MemoryModel>(_ model: M, cards: Int, seed: UInt64) -> ReviewLog {
    var draws = Draws(seed)
    var log = ReviewLog()
    for _ in 0..<cards {
      let first: Rating = draws.share() < 0.4 ? .again : .good
      var history = [ReviewLog.Review(days: 0, rating: first)]
      var state = model.initial(first)
      for _ in 0..<8 {
        let days = (1 + draws.share() * 12).rounded()
        let isRecall = draws.share() < model.retrievability(state, after: days)
        let rating: Rating = isRecall ? .good : .again
        history.append(.init(days: days, rating: rating))
        state = model.next(state, after: days, rating)
      }
      log.append(history)
    }
    return log
  }

  @Test func aFitComesNearTheTruth() throws {
    var truth = FSRS6.defaults
    (truth[0], truth[2], truth[8], truth[20]) = (1.2, 6, 1.2, 0.35)
    let model = try FSRS6(parameters: truth)
    let log = log(model, cards: 800, seed: 3)
    let result = FSRS6.fit(log)
    #expect(log.predictedCount == 6_400)
    #expect(result.answers == 6_400)
    #expect(result.loss < result.defaultLoss - 30)
    // On answers it has not seen it predicts nearly as well as the truth does.
    let other = self.log(model, cards: 800, seed: 4)
    let fitted = try FSRS6(parameters: result.parameters)
    let gap = loss(fitted, other) - loss(model, other)
    #expect(gap < 0.003 * Double(other.predictedCount))
    #expect(loss(FSRS6(), other) > loss(fitted, other))
  }

  private func loss<M: MemoryModel>(_ model: M, _ log: ReviewLog) -> Double {
    var loss = 0.0
    var start = 0
    for end in log.ends {
      var state = model.initial(log.reviews[start].rating)
      for review in log.reviews[start + 1..<end] {
        let recall = model.retrievability(state, after: review.days)
          .clamped(to: 1e-4...(1 - 1e-4))
        loss -= (review.rating.isRecall ? recall : 1 - recall).logarithm()
        state = model.next(state, after: review.days, review.rating)
      }
      start = end
    }
    return loss
  }

  @Test func theObjectiveIsTheModelsOwnLoss() {
    let log = log(FSRS7(), cards: 60, seed: 9)
    let result = FSRS7.fit(log)
    #expect(abs(result.defaultLoss - loss(FSRS7(), log)) < 1e-8 * result.defaultLoss)
    #expect(abs(result.loss - loss(FSRS7(unchecked: result.parameters), log)) < 1e-6)
    #expect(result.loss <= result.defaultLoss)
  }

  @Test func nothingToLearnFromLeavesTheDefaults() {
    #expect(FSRS6.fit(ReviewLog()).parameters == FSRS6.defaults)
    var single = ReviewLog()
    single.append([.init(days: 0, rating: .again)])
    #expect(FSRS7.fit(single).parameters == FSRS7.defaults)
  }

  @Test func onlyTwoGradesAreEnough() throws {
    let result = FSRS6.fit(log(FSRS6(), cards: 30, seed: 1))
    #expect(result.parameters.allSatisfy { $0.isFinite })
    #expect(zip(result.parameters, result.parameters.dropFirst()).prefix(3).allSatisfy { $0 <= $1 })
    // It has to be a model that may be used.
    _ = try FSRS6(parameters: result.parameters)
  }

  @Test func aFitIsTheSameEveryTimeAndCanBeStopped() {
    struct Stop: Error {}
    let log = log(FSRS7(), cards: 40, seed: 2)
    #expect(FSRS7.fit(log) == FSRS7.fit(log))
    var passes: [Int] = []
    #expect(throws: Stop.self) {
      try FSRS7.fit(log) { pass in
        passes.append(pass)
        if pass == 3 { throw Stop() }
      }
    }
    #expect(passes == [1, 2, 3])
  }
}
