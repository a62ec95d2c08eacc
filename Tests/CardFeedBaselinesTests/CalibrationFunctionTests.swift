import CardFeedBaselines
import Testing

@testable import CardFeed

/// Mean distance between what was said and what happened, over ten equally wide bins.
private func calibrationError(_ said: [Double], _ happened: [Bool]) -> Double {
  var sums = Array(repeating: SIMD3<Double>.zero, count: 10)
  for (p, outcome) in zip(said, happened) {
    sums[min(9, Int(p * 10))] += SIMD3(p, outcome ? 1 : 0, 1)
  }
  return sums.filter { $0.z > 0 }.map { abs($0.x - $0.y) }.reduce(0, +) / Double(said.count)
}

/// Numbers in 0 … 1 and outcomes whose true probability is a function of the number.
private func sample(
  _ count: Int, seed: UInt64, truth: (Double) -> Double
) -> (scores: [Double], outcomes: [Bool]) {
  var generator = SplitMix64(seed: seed)
  let scores = (0..<count).map { _ in generator.unitInterval() }
  return (scores, scores.map { generator.unitInterval() < truth($0) })
}

@Suite struct IsotonicRegressionTests {
  private typealias Block = IsotonicRegression.Block

  @Test func smallCasesByHand() throws {
    let one = IsotonicRegression(
      scores: [5, 1, 3, 2, 4], outcomes: [true, false, false, true, true])
    #expect(
      one.blocks == [
        Block(low: 1, high: 1, positives: 0, count: 1),
        Block(low: 2, high: 3, positives: 1, count: 2),
        Block(low: 4, high: 5, positives: 2, count: 2),
      ])
    // Between two blocks it is a straight line, beyond the ends it is flat.
    let expected: [(Double, Double)] = [
      (-9, 0), (1, 0), (1.5, 0.25), (2, 0.5), (2.7, 0.5), (3, 0.5), (3.75, 0.875), (4, 1), (99, 1),
    ]
    for (score, value) in expected { #expect(one.value(at: score) == value) }
    #expect(one.value(at: .nan) == nil)

    // Equal scores are one before they are compared with others.
    let ties = IsotonicRegression(
      scores: [1, 2, 1, 2, 2], outcomes: [true, false, true, true, true])
    #expect(ties.blocks == [Block(low: 1, high: 2, positives: 4, count: 5)])
    let falling = IsotonicRegression(scores: [1, 2, 3], outcomes: [true, false, false])
    #expect(falling.blocks == [Block(low: 1, high: 3, positives: 1, count: 3)])
    #expect(IsotonicRegression(scores: [], outcomes: []).value(at: 1) == nil)
    let finite = IsotonicRegression(scores: [.nan, 1, .infinity], outcomes: [true, false, true])
    #expect(finite.blocks == [Block(low: 1, high: 1, positives: 0, count: 1)])
  }

  /// The maximum over starts of the minimum over ends of means: Barlow et al., equation 1.9.
  @Test func agreesWithTheMinimaxFormula() {
    var generator = SplitMix64(seed: 1)
    for count in 1...9 {
      for _ in 0..<200 {
        let scores = (0..<count).map { Double($0) }
        let outcomes = scores.map { _ in generator.unitInterval() < 0.5 }
        let fit = IsotonicRegression(scores: scores, outcomes: outcomes)
        for place in 0..<count {
          func mean(_ start: Int, _ end: Int) -> Double {
            Double(outcomes[start...end].count { $0 }) / Double(end - start + 1)
          }
          func least(from start: Int) -> Double {
            (place..<count).map { mean(start, $0) }.min() ?? 0
          }
          let formula = (0...place).map { least(from: $0) }.max()
          #expect(fit.value(at: Double(place)) == formula)
        }
      }
    }
  }

  @Test func neverFallsAndFittingTwiceChangesNothing() throws {
    var generator = SplitMix64(seed: 2)
    for round in 0..<60 {
      // Few different scores in every second round, so that there are many ties.
      let count = 1 + generator.index(below: 300)
      let scores = (0..<count).map { _ in
        round.isMultiple(of: 2)
          ? generator.unitInterval() : Double(generator.index(below: 12)) - 6
      }
      let outcomes = scores.map { generator.unitInterval() < ($0 + 6) / 12 }
      let fit = IsotonicRegression(scores: scores, outcomes: outcomes)
      let grid = (-70...70).map { Double($0) / 10 }
      let values = grid.compactMap { fit.value(at: $0) }
      #expect(values.count == grid.count)
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
      let fitted = scores.compactMap { fit.value(at: $0) }
      #expect(abs(fitted.reduce(0, +) - Double(outcomes.count { $0 })) < 1e-9)
      let again = IsotonicRegression(scores: fitted, outcomes: outcomes)
      #expect(fitted.compactMap { again.value(at: $0) } == fitted)
      let reversed = IsotonicRegression(
        scores: scores.reversed(), outcomes: outcomes.reversed())
      #expect(reversed == fit)
      #expect(try #require(IsotonicRegression(blocks: fit.blocks)) == fit)
    }
    let bad = [Block(low: 2, high: 1, positives: 0, count: 1)]
    #expect(IsotonicRegression(blocks: bad) == nil)
    #expect(
      IsotonicRegression(blocks: [
        Block(low: 1, high: 1, positives: 1, count: 2),
        Block(low: 2, high: 2, positives: 1, count: 2),
      ]) == nil)
  }
}

@Suite struct PlattScalingTests {
  @Test func smallCasesByHand() throws {
    // Targets 2/3 and 1/3 at ±1: σ(slope) = 2/3.
    let two = PlattScaling(scores: [1, -1], outcomes: [true, false])
    #expect(abs(two.slope - naturalLogarithm(2)) < 1e-5)
    #expect(abs(two.intercept) < 1e-5)
    #expect(abs(two.value(at: 1) - 2.0 / 3) < 1e-5)
    // Equal scores: the mean of the targets 4/5, 4/5, 4/5, 1/3.
    let flat = PlattScaling(scores: [0, 0, 0, 0], outcomes: [true, true, true, false])
    #expect(flat.slope == 0)
    #expect(abs(flat.value(at: 7) - (3 * 0.8 + 1.0 / 3) / 4) < 1e-9)
    // What points the wrong way is not turned around.
    let wrong = PlattScaling(scores: [1, 2, 3, 4], outcomes: [true, true, false, false])
    #expect(wrong.slope == 0 && abs(wrong.value(at: 1) - 0.5) < 1e-12)
    #expect(PlattScaling(scores: [], outcomes: []).value(at: 1) == 0.5)
    #expect(PlattScaling(slope: -1, intercept: 0, covariance: .zero) == nil)
    #expect(PlattScaling(slope: .nan, intercept: 0, covariance: .zero) == nil)
    #expect(PlattScaling(slope: 1, intercept: 0, covariance: SIMD3(1, 2, 1)) == nil)
    #expect(
      try #require(
        PlattScaling(slope: two.slope, intercept: two.intercept, covariance: two.covariance)) == two
    )
  }

  /// The spread of many fits is what one fit says of itself.
  @Test func theErrorIsTheSpreadOfFits() {
    let probes = [0.1, 0.5, 0.9]
    var values = probes.map { _ in [Double]() }
    var said = probes.map { _ in 0.0 }
    let rounds = 300
    for seed in 0..<UInt64(rounds) {
      let (scores, outcomes) = sample(200, seed: seed) { logistic(3 * ($0 - 0.5)) }
      let fit = PlattScaling(scores: scores, outcomes: outcomes)
      for (place, probe) in probes.enumerated() {
        values[place].append(fit.value(at: probe))
        said[place] += fit.standardError(at: probe) / Double(rounds)
      }
    }
    for (place, found) in values.enumerated() {
      let mean = found.reduce(0, +) / Double(rounds)
      let variance = found.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(rounds - 1)
      #expect(abs(said[place] / variance.squareRoot() - 1) < 0.2, "at \(probes[place])")
    }
  }

  @Test func theErrorOfABlockIsThatOfItsShare() throws {
    let all = IsotonicRegression(
      scores: Array(repeating: 1, count: 97), outcomes: (0..<97).map { $0 < 49 })
    // Beta(50, 49).
    let error = try #require(all.standardError(at: 1))
    #expect(abs(error - (50.0 * 49 / (99 * 99 * 100)).squareRoot()) < 1e-12)
    let sure = IsotonicRegression(scores: [1, 2], outcomes: [true, true])
    #expect(try #require(sure.standardError(at: 5)) > 0.1)
    #expect(sure.standardError(at: .nan) == nil)
  }

  @Test func theGradientIsZeroAtTheFit() {
    for seed in UInt64(1)...20 {
      let (scores, outcomes) = sample(300, seed: seed) { logistic(Double(seed) * ($0 - 0.7)) }
      let fit = PlattScaling(scores: scores, outcomes: outcomes)
      let positives = Double(outcomes.count { $0 })
      var gradient = SIMD2<Double>.zero
      for (score, outcome) in zip(scores, outcomes) {
        let target =
          outcome ? (positives + 1) / (positives + 2) : 1 / (Double(scores.count) - positives + 2)
        gradient += (fit.value(at: score) - target) * SIMD2(score, 1)
      }
      guard fit.slope > 0 else { continue }
      #expect(abs(gradient.x) < 1e-3 && abs(gradient.y) < 1e-3, "seed \(seed)")
    }
  }

  @Test(arguments: [(1.7, -0.4), (0.5, 2.0), (6.0, -3.0)])
  func findsTheCurveThatWasDrawnFrom(slope: Double, intercept: Double) {
    let (scores, outcomes) = sample(60_000, seed: 9) { logistic(slope * $0 + intercept) }
    let fit = PlattScaling(scores: scores, outcomes: outcomes)
    #expect(abs(fit.slope - slope) < 0.15)
    #expect(abs(fit.intercept - intercept) < 0.15)
  }

  @Test func separableScoresKeepAFiniteSlope() {
    let scores = (0..<200).map { Double($0 - 100) * 1000 }
    let fit = PlattScaling(scores: scores, outcomes: scores.map { $0 >= 0 })
    #expect(fit.slope.isFinite && fit.slope > 0)
    #expect(fit.value(at: 99_000) > 0.9 && fit.value(at: -99_000) < 0.1)
  }
}

@Suite struct CalibrationModelTests {
  @Test(arguments: CalibrationMethod.allCases, [true, false])
  func theCalibrationErrorFalls(method: CalibrationMethod, areProbabilities: Bool) throws {
    // Said is p, true is p². Half of the sample is fitted, the other half judged.
    let (scores, outcomes) = sample(40_000, seed: 3) { $0 * $0 }
    let model = CalibrationModel(
      method, scores: Array(scores[..<20_000]), outcomes: Array(outcomes[..<20_000]),
      areProbabilities: areProbabilities, least: 1000)
    let judged = Array(scores[20_000...])
    let happened = Array(outcomes[20_000...])
    let before = calibrationError(judged, happened)
    let after = calibrationError(
      try judged.map { try #require(model.probability(of: $0)).value }, happened)
    #expect(before > 0.15)
    #expect(after < 0.03)
    #expect(model.shortage == nil && model.answers == 20_000)
  }

  @Test(arguments: CalibrationMethod.allCases)
  func whatIsCalibratedStaysSo(method: CalibrationMethod) throws {
    let (scores, outcomes) = sample(40_000, seed: 4) { $0 }
    let model = CalibrationModel(
      method, scores: Array(scores[..<20_000]), outcomes: Array(outcomes[..<20_000]),
      areProbabilities: true, least: 1000)
    let after = try scores[20_000...].map { try #require(model.probability(of: $0)).value }
    #expect(calibrationError(after, Array(outcomes[20_000...])) < 0.015)
    let grid = try (0...1000).map { try #require(model.probability(of: Double($0) / 1000)).value }
    #expect(zip(grid, grid.dropFirst()).allSatisfy { $0 <= $1 })
    // Never "never" and never "certainly".
    #expect(grid.allSatisfy { $0 > 0 && $0 < 1 })
    #expect(model.probability(of: .nan) == nil)
    for score in [0.05, 0.4, 0.8] {
      let own = try #require(model.standardError(of: score, error: 0))
      let wider = try #require(model.standardError(of: score, error: 0.1))
      #expect(own > 0 && own < 0.05)
      // Nearly the identity: the error of the number comes through.
      #expect(wider > own && abs(wider - 0.1) < 0.04)
    }
    #expect(model.standardError(of: .nan, error: 0) == nil)
  }

  @Test func tooLittleDataIsSaid() {
    let (scores, outcomes) = sample(999, seed: 5) { $0 }
    let few = CalibrationModel(
      .isotonic, scores: scores, outcomes: outcomes, areProbabilities: true, least: 1000)
    #expect(few.shortage == "not enough data: 999 pairs with a known outcome, 1000 needed")
    #expect(few.probability(of: 0.5) == nil)
    let rare = CalibrationModel(
      .platt, scores: scores, outcomes: scores.indices.map { $0 < 9 }, areProbabilities: true,
      least: 200)
    #expect(
      rare.shortage
        == "not enough data: 9 matches among 999 pairs, at least 10 of either outcome needed")
  }

  @Test func bytesAreReadBackAndDamageThrows() throws {
    let (scores, outcomes) = sample(500, seed: 6) { $0 }
    let models = [
      CalibrationModel(
        .isotonic, scores: scores, outcomes: outcomes, areProbabilities: true, least: 100),
      CalibrationModel(
        .platt, scores: scores, outcomes: outcomes, areProbabilities: true, least: 100),
      CalibrationModel(
        .platt, scores: scores, outcomes: outcomes, areProbabilities: false, least: 100),
      CalibrationModel(
        .platt, scores: scores, outcomes: outcomes, areProbabilities: false, least: 1000),
    ]
    #expect(Set(models).count == models.count)
    var generator = SplitMix64(seed: 7)
    for model in models {
      let bytes = model.bytes
      #expect(try CalibrationModel(bytes: bytes) == model)
      #expect(model.forgetting("a") == model && model.scored.isEmpty)
      for length in 0..<bytes.count {
        #expect(throws: FeedError.self) { try CalibrationModel(bytes: Array(bytes[..<length])) }
      }
      #expect(throws: FeedError.self) { try CalibrationModel(bytes: bytes + [0]) }
      for _ in 0..<1000 {
        var damaged = bytes
        damaged[generator.index(below: bytes.count)] = UInt8(generator.index(below: 256))
        // A number may change its value; nothing may trap, and nothing may fall.
        let read = try? CalibrationModel(bytes: damaged)
        let values = (0...20).compactMap { read?.probability(of: Double($0) / 20)?.value }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
      }
    }
    let error = #expect(throws: FeedError.self) { try CalibrationModel(bytes: [9]) }
    #expect(error?.description.hasPrefix("a calibration has version 9; ") == true)
  }
}
