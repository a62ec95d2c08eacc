import Foundation
import Testing

@testable import CardFeedOnlineLearning

@Suite struct RegressionTests {
  @Test func theFitIsWhereTheGradientVanishes() {
    var draws = Draws(3)
    let rows = (0..<800).map { _ in [draws.normal() * 3 + 10, draws.normal(), 1.0] }
    let outcomes = rows.map { row in
      draws.share() < 1 / (1 + exp(-(0.4 * (row[0] - 10) - row[1] - 1)))
    }
    let model = LogisticRegression(rows: rows, outcomes: outcomes, ridge: 1e-6)
    // Without a prior, the residuals are orthogonal to every column.
    let residuals = zip(rows, outcomes).map { ($1 ? 1 : 0) - model.probability(of: $0) }
    #expect(abs(residuals.reduce(0, +)) < 1e-3)
    for column in 0..<2 {
      #expect(abs(zip(residuals, rows).reduce(0) { $0 + $1.0 * $1.1[column] }) < 1e-3)
    }
    #expect(abs(model.weights[1] - 0.4) < 0.12)
    #expect(abs(model.weights[2] + 1) < 0.3)
    let held = LogisticRegression(rows: rows, outcomes: outcomes, ridge: 1e9)
    #expect(abs(held.weights[1]) < 1e-5)
    let share = Double(outcomes.count { $0 }) / 800
    #expect(abs(held.probability(of: [0, 0, 0]) - share) < 1e-3)
  }

  @Test func separableRowsGiveFiniteWeights() {
    let rows = (0..<40).map { [Double($0)] }
    let model = LogisticRegression(rows: rows, outcomes: rows.map { $0[0] > 19.5 })
    #expect(model.weights.allSatisfy { $0.isFinite })
    #expect(model.probability(of: [0]) < 0.2 && model.probability(of: [39]) > 0.8)
  }

  @Test func aRateForgetsByHalves() {
    let settings = RecencyRate.Settings(halfLife: 10, prior: 0.2, strength: 4)
    var rate = RecencyRate()
    #expect(rate.probability(at: 3, settings) == 0.2)
    rate.observe(events: 3, of: 4, at: 0, settings)
    #expect(abs(rate.probability(at: 0, settings) - (3 + 0.8) / 8) < 1e-12)
    #expect(abs(rate.probability(at: 10, settings) - (1.5 + 0.8) / 6) < 1e-12)
    rate.observe(events: 1, at: 20, settings)
    #expect(abs(rate.probability(at: 20, settings) - (0.75 + 1 + 0.8) / (1 + 1 + 4)) < 1e-12)
    // What comes late counts by its age, as if it had come in time.
    var late = RecencyRate()
    late.observe(events: 1, at: 20, settings)
    late.observe(events: 3, of: 4, at: 0, settings)
    #expect(abs(late.probability(at: 25, settings) - rate.probability(at: 25, settings)) < 1e-12)
    let never = RecencyRate.Settings(halfLife: .infinity, prior: 0.5, strength: 2)
    var frequency = RecencyRate()
    frequency.observe(events: 1, of: 2, at: 0, never)
    frequency.observe(events: 2, of: 2, at: 1000, never)
    #expect(abs(frequency.probability(at: 1e6, never) - 4.0 / 6) < 1e-12)
  }

  @Test func calibrationByHand() throws {
    let check = CalibrationCheck(
      forecasts: [0.9, 0.1, 0.2, 0.8, 0.5], outcomes: [true, false, true, true, false], bins: 2)
    // Bins as numpy.array_split: the first three of the sorted, then two.
    #expect(check.bins.map(\.count) == [3, 2])
    #expect(abs(check.bins[0].forecast - 0.8 / 3) < 1e-12)
    #expect(abs(check.bins[0].share - 1.0 / 3) < 1e-12)
    #expect(abs(check.bins[1].forecast - 0.85) < 1e-12)
    #expect(abs(check.expectedError - (3 * (1 - 0.8) / 3 + 2 * 0.15) / 5) < 1e-12)
    #expect(abs(check.greatestError - 0.15) < 1e-12)
    #expect(abs(check.brierScore - (0.01 + 0.01 + 0.64 + 0.04 + 0.25) / 5) < 1e-12)
    let loss = -(log(0.9) + log(0.9) + log(0.2) + log(0.8) + log(0.5)) / 5
    #expect(abs(check.logLoss - loss) < 1e-12)
    #expect(CalibrationCheck(forecasts: [0, 1], outcomes: [false, true]).z == nil)
  }

  @Test func theStatisticTellsRightFromWrong() throws {
    var draws = Draws(11)
    let forecasts = (0..<5000).map { _ in draws.share() }
    let right = forecasts.map { draws.share() < $0 }
    let tooHigh = forecasts.map { draws.share() < $0 * $0 }
    let fine = try #require(CalibrationCheck(forecasts: forecasts, outcomes: right).z)
    #expect(abs(fine) < 3)
    let skewed = CalibrationCheck(
      forecasts: forecasts.map { $0 * $0 * $0 }, outcomes: right, bins: 10)
    let apart = try #require(skewed.z)
    #expect(apart.magnitude > 5)
    #expect(
      CalibrationCheck(forecasts: forecasts, outcomes: tooHigh).expectedError > 0.1)
  }
}
