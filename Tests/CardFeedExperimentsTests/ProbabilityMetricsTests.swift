import CardFeedExperiments
import Testing

@Suite("Metrics of scores and probabilities")
struct ProbabilityMetricsTests {
  let outcomes = [true, false, true, false, false]
  let probabilities = [0.9, 0.4, 0.4, 0.2, 0.05]

  func close(_ value: Double?, _ expected: Double, _ tolerance: Double = 1e-12) -> Bool {
    value.map { abs($0 - expected) <= tolerance } ?? false
  }

  @Test("AUC counts a tie one half")
  func aucTies() throws {
    let scored = try ScoredOutcomes(outcomes: outcomes, scores: probabilities)
    // 6 couples: five won, one (0.4 against 0.4) tied.
    #expect(scored.auc == 5.5 / 6)
    #expect(try ScoredOutcomes(outcomes: [true, false], scores: [1, 2]).auc == 0)
    #expect(try ScoredOutcomes(outcomes: [true, false, false], scores: [3, 3, 3]).auc == 0.5)
  }

  @Test("AUC equals the count over all couples")
  func aucAgainstCouples() throws {
    var generator = TestSplitMix64(seed: 5)
    for size in 2...30 {
      let flags = (0..<size).map { _ in generator.unit() < 0.4 }
      let scores = (0..<size).map { _ in (generator.unit() * 6).rounded() }
      var won = 0.0
      var couples = 0.0
      for high in 0..<size where flags[high] {
        for low in 0..<size where !flags[low] {
          couples += 1
          won += scores[high] > scores[low] ? 1 : scores[high] == scores[low] ? 0.5 : 0
        }
      }
      let auc = try ScoredOutcomes(outcomes: flags, scores: scores).auc
      #expect(auc == (couples == 0 ? nil : won / couples))
    }
  }

  @Test("one class only is undefined, never NaN")
  func undefined() throws {
    #expect(try ScoredOutcomes(outcomes: [true, true], scores: [1, 2]).auc == nil)
    #expect(try ScoredOutcomes(outcomes: [], scores: []).auc == nil)
    let groups = try ScoredOutcomes(outcomes: [true, false], scores: [1, 2])
      .withinGroupAUC(groups: ["a", "b"])
    #expect(groups == nil)
    let empty = try ProbabilityForecasts(outcomes: [], probabilities: [])
    #expect(empty.logLoss() == nil)
    #expect(empty.brierScore == nil)
    #expect(empty.expectedCalibrationError() == nil)
    #expect(empty.equalCountCalibrationError() == nil)
    #expect(empty.baseRate == nil)
    #expect(empty.meanProbability == nil)
  }

  @Test("the within-group AUC weighs groups by their couples and ignores levels between them")
  func withinGroups() throws {
    let scored = try ScoredOutcomes(
      outcomes: [true, false, true, false, false, true], scores: [1, 2, 30, 20, 10, 99])
    // Group 1: 0 of 1. Group 2: 2 of 2. Group 3 has no negative row.
    let groups = [1, 1, 2, 2, 2, 3]
    #expect(try scored.withinGroupAUC(groups: groups) == 2.0 / 3)
    #expect(
      try scored.concordanceByGroup(groups) == [
        1: Concordance(doubledWins: 0, couples: 1), 2: Concordance(doubledWins: 4, couples: 2),
        3: Concordance(),
      ])
  }

  @Test("log loss, Brier score and base rate by hand")
  func losses() throws {
    let forecasts = try ProbabilityForecasts(outcomes: [true, false], probabilities: [0.5, 0.25])
    // ln 2 and ln 4/3.
    #expect(close(forecasts.logLoss(), (0.6931471805599453 + 0.2876820724517809) / 2))
    #expect(forecasts.brierScore == (0.25 + 0.0625) / 2)
    #expect(forecasts.baseRate == 0.5)
    #expect(forecasts.meanProbability == 0.375)
  }

  @Test("a certain and wrong forecast costs what the clip allows")
  func clip() throws {
    let wrong = try ProbabilityForecasts(outcomes: [true], probabilities: [0])
    #expect(close(wrong.logLoss(), 13.815510557964274))
    #expect(close(wrong.logLoss(clip: 0.01), 4.605170185988091))
    let right = try ProbabilityForecasts(outcomes: [false], probabilities: [0])
    #expect(close(right.logLoss(), 1.0000005000003334e-06, 1e-15))
  }

  @Test(
    "calibration error over bins of equal width: borders belong to the upper bin, 1 to the last")
  func equalWidth() throws {
    let forecasts = try ProbabilityForecasts(
      outcomes: [true, false, true, false], probabilities: [1, 0.5, 0.55, 0])
    // Bins: {1}: gap 0; {0.5, 0.55}: |0.525 − 0.5|, half of the rows; {0}: gap 0.
    #expect(close(forecasts.expectedCalibrationError(), 0.0125))
    // One bin: |2.05/4 − 0.5|.
    #expect(close(forecasts.expectedCalibrationError(bins: 1), 0.0125))
    let worst = try ProbabilityForecasts(outcomes: [true, false], probabilities: [0, 1])
    #expect(worst.expectedCalibrationError() == 1)
  }

  @Test(
    "calibration error over bins of equal count: equal forecasts in row order, first bins longer")
  func equalCount() throws {
    let forecasts = try ProbabilityForecasts(
      outcomes: outcomes, probabilities: probabilities)
    // Ascending: .05 F, .2 F, .4 F | .4 T, .9 T. Gaps: .65/3 and .35.
    #expect(close(forecasts.equalCountCalibrationError(bins: 2), 0.6 * 0.65 / 3 + 0.4 * 0.35))
    // More bins than rows: each row alone.
    let alone = (0.1 + 0.4 + 0.6 + 0.2 + 0.05) / 5
    #expect(close(forecasts.equalCountCalibrationError(bins: 10), alone))
  }

  @Test("every metric but the log loss stays in 0…1 on random input")
  func range() throws {
    var generator = TestSplitMix64(seed: 9)
    for size in 1...60 {
      let forecasts = try ProbabilityForecasts(
        outcomes: (0..<size).map { _ in generator.unit() < 0.3 },
        probabilities: (0..<size).map { _ in (generator.unit() * 8).rounded() / 8 })
      let values = [
        forecasts.auc, forecasts.brierScore, forecasts.expectedCalibrationError(),
        forecasts.equalCountCalibrationError(), forecasts.baseRate, forecasts.meanProbability,
      ].compactMap { $0 }
      #expect(values.count >= 5)
      #expect(values.allSatisfy { $0 >= 0 && $0 <= 1 })
      #expect(forecasts.logLoss().map { $0 >= 0 && $0.isFinite } == true)
    }
  }

  @Test("columns that cannot be measured are refused with their place")
  func refused() {
    #expect(throws: MetricInputError.self) {
      try ScoredOutcomes(outcomes: [true], scores: [])
    }
    let notFinite = #expect(throws: MetricInputError.self) {
      try ScoredOutcomes(outcomes: [true, false], scores: [1, .nan])
    }
    #expect(
      notFinite?.description
        == "scores[1] is not a finite number; "
        + "allowed: finite numbers; leave unscored cards out before measuring")
    let outside = #expect(throws: MetricInputError.self) {
      try ProbabilityForecasts(outcomes: [true], probabilities: [1.5])
    }
    #expect(
      outside?.description
        == "scores[0] is 1.5; allowed for a probability: 0…1; "
        + "use ScoredOutcomes for scores on another scale")
    #expect(throws: MetricInputError.self) {
      try ScoredOutcomes(outcomes: [true], scores: [1]).withinGroupAUC(groups: [1, 2])
    }
  }
}
