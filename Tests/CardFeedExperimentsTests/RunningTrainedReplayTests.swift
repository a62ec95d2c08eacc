import CardFeed
import CardFeedConfiguration
import CardFeedExperiments
import CardFeedStandardPlugins
import Testing

/// Replays with models: trained on other evenings before the first card, and anew in every round.
@Suite struct RunningTrainedReplayTests {
  private let runner = ExperimentRunner(plugins: .standard, threads: 2)

  private func data(seed: UInt64) throws -> SpeedDatingData {
    var parameters = GeneratedDating.Parameters()
    (parameters.waves, parameters.womenPerWave, parameters.menPerWave) = (7, 6, 6)
    var generator = SplitMix64(seed: seed)
    return try GeneratedDating(parameters, using: &generator).data
  }

  private static let model = """
    "matchProbability": { "use": "additive", "refit": "people", "actorSpread": 1.5,
      "partnerSpread": 1.2 }
    """

  /// Arms that differ in how they are trained.
  private func specification(
    _ arms: [(name: String, training: String, feed: String)], baseline: String = "random",
    metrics: [String] = ["matches@0.5", "matches-train@0.5", "matches-test@0.5", "gini@0.5"]
  ) throws -> ExperimentSpecification {
    var text = ExperimentSpecification.text(
      split: #"{ "use": "deck-replay", "budgets": [0.25, 0.5] }"#, metrics: metrics,
      arms: arms.map { ($0.name, 1, $0.feed) })
    for arm in arms where !arm.training.isEmpty {
      text = text.replacing(
        #""name": "\#(arm.name)", "#, with: #""name": "\#(arm.name)", \#(arm.training), "#)
    }
    return try ExperimentSpecification(
      text.replacing(#""seed": 1,"#, with: #""seed": 1, "baseline": "\#(baseline)","#))
  }

  private static let prior = #""prior": "other-evenings""#
  private static let both = #""prior": "other-evenings", "refit": "each-round""#

  private static func queueAware(_ model: String = model) -> String {
    #"\#(model), "ranking": { "use": "queue-aware" }"#
  }

  @Test func trainingFindsMoreAndIsTheSameForAnyThreads() async throws {
    let data = try data(seed: 3)
    let specification = try specification([
      ("random", "", ExperimentSpecification.ranking("random")),
      ("prior", Self.prior, Self.queueAware()), ("both", Self.both, Self.queueAware()),
      ("again", Self.both, Self.queueAware()),
    ])
    let progress = Lock<[Int]>([])
    let result = try await runner.run(specification, data: data) { done, total in
      progress.withLock { $0.append(total - done) }
    }
    // One prior serves three arms in five folds; then four arms of seven evenings.
    #expect(progress.withLock { $0 } == Array((0..<33).reversed()))
    func value(_ metric: String, _ arm: String) throws -> Double {
      try #require(result.value(metric, of: arm))
    }
    #expect(try value("matches@0.5", "both") > value("matches@0.5", "random") + 0.1)
    #expect(result.arms[1].figures.map(\.figure) != result.arms[2].figures.map(\.figure))
    #expect(result.arms[2].figures.map(\.figure) == result.arms[3].figures.map(\.figure))

    // The two parts make the whole.
    let later = Set(data.pairs.filter { $0.timeSplit == .test }.map(\.id))
    let matches = data.pairs.filter(\.match)
    let late = Double(matches.count { later.contains($0.id) }) / Double(matches.count)
    #expect(late > 0 && late < 1)
    let parts =
      try (1 - late) * value("matches-train@0.5", "both") + late * value("matches-test@0.5", "both")
    #expect(try abs(parts - value("matches@0.5", "both")) < 1e-12)

    // Differences are those of the figures; they are formed for shares of matches only.
    #expect(result.differences.count == 3 * 3)
    for difference in result.differences {
      #expect(difference.against == "random")
      let metric = difference.metric.description
      let expected = try value(metric, difference.arm) - value(metric, "random")
      #expect(try abs(#require(difference.figure.value) - expected) < 1e-12)
      #expect(difference.figure.interval?.contains(expected) == true)
    }
    let one = ExperimentRunner(plugins: .standard, threads: 1)
    #expect(try await one.run(specification, data: data) == result)
  }

  @Test func aPriorNeedsAModelAndOtherEvenings() async throws {
    let untrained = try specification(
      [("random", Self.prior, ExperimentSpecification.ranking("random"))])
    let first = await #expect(throws: FeedError.self) {
      try await runner.run(untrained, data: data(seed: 1))
    }
    #expect(
      first?.description == "an arm with a prior has no strategy that is trained; take \"prior\" "
        + "out of the arm, or give it a match probability that needs training")
    let evening = try SpeedDatingData.evening(
      women: [[true, true], [true, true]], men: [[true, true], [true, true]])
    let trained = try specification(
      [("random", Self.prior, Self.queueAware())], metrics: ["matches@0.5"])
    let second = await #expect(throws: FeedError.self) {
      try await runner.run(trained, data: evening)
    }
    #expect(
      second?.description == "a prior has no evenings of other folds to be trained on; take "
        + "\"prior\" out of the arms, or give data with more evenings")
  }
}
