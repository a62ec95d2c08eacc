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
    let gap = fitted.loss(of: other) - model.loss(of: other)
    #expect(gap < 0.003 * Double(other.predictedCount))
    #expect(FSRS6().loss(of: other) > fitted.loss(of: other))
  }

  @Test func theObjectiveIsTheModelsOwnLoss() {
    let log = log(FSRS7(), cards: 60, seed: 9)
    let result = FSRS7.fit(log)
    #expect(abs(result.defaultLoss - FSRS7().loss(of: log)) < 1e-8 * result.defaultLoss)
    #expect(abs(result.loss - FSRS7(unchecked: result.parameters).loss(of: log)) < 1e-6)
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

  /// The same answers, one after the other in time.
  private func timed(_ log: ReviewLog) -> ReviewLog {
    var result = ReviewLog()
    var start = 0
    for end in log.ends {
      result.append(
        log.reviews[start..<end].enumerated().map { index, review in
          var review = review
          review.time = Double(index) * 10 + Double(start) / 1_000
          return review
        })
      start = end
    }
    return result
  }

  @Test func earlierAnswersAreToldApartFromLaterOnes() {
    let log = timed(log(FSRS6(), cards: 20, seed: 6))
    #expect(log.predictedCount == 160)
    let half = log.predictedTimes[80]
    let known = log.before(half)
    let asked = log.counting(from: half)
    #expect(known.predictedCount == 80)
    #expect(asked.predictedCount == 80)
    let model = FSRS6()
    let sum = model.loss(of: known) + model.loss(of: asked)
    #expect(abs(sum - model.loss(of: log)) < 1e-9)
  }

  @Test func heldOutAnswersDecideHowFarToGo() throws {
    // Who is like everybody keeps the defaults, or nearly.
    let usual = timed(log(FSRS6(), cards: 100, seed: 11))
    var shares: [Double] = []
    let kept = FSRS6.fitHeldOut(usual) { shares.append($0) }
    #expect(kept.heldOutLoss <= kept.defaultHeldOutLoss)
    #expect(kept.answers == 800)
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 })
    #expect(shares.allSatisfy { $0 > 0 && $0 < 1 })
    // Who is not gets parameters that predict answers of another log better.
    var truth = FSRS6.defaults
    (truth[0], truth[2], truth[8], truth[20]) = (1.2, 6, 1.2, 0.35)
    let model = try FSRS6(parameters: truth)
    let fit = FSRS6.fitHeldOut(timed(log(model, cards: 200, seed: 12))) { _ in }
    #expect(fit.strength != nil)
    #expect(fit.heldOutLoss < fit.defaultHeldOutLoss)
    let other = log(model, cards: 400, seed: 13)
    #expect(try FSRS6(parameters: fit.parameters).loss(of: other) < FSRS6().loss(of: other))
  }

  @Test func littleIsBelievedLittle() {
    let few = timed(log(FSRS7(), cards: 4, seed: 5))
    let fit = FSRS7.fitHeldOut(few) { _ in }
    #expect(fit.strength == nil)
    #expect(fit.parameters == FSRS7.defaults)
    #expect(fit.heldOutLoss.isNaN)
    #expect(FSRS7.fitHeldOut(ReviewLog()) { _ in }.parameters == FSRS7.defaults)
  }
}
