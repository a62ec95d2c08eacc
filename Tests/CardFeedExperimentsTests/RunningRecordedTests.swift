import CardFeed
import CardFeedConfiguration
import CardFeedExperiments
import CardFeedStandardPlugins
import Foundation
import Testing

/// The published evenings: figures that others computed, where the data are at hand.
@Suite struct RunningRecordedTests {
  private let runner = ExperimentRunner(plugins: .standard, threads: 2)

  /// Fewer seeds in a debug build, where they take twenty times as long.
  private static var seeds: Int {
    #if DEBUG
      4
    #else
      10
    #endif
  }

  private func load(_ folder: String) throws -> SpeedDatingData {
    try SpeedDatingLoader.load(directory: folder + "/data", strict: true).data
  }

  @Test(.enabled(if: SharedData.folder != nil, SharedData.skipped))
  func deckReplay() async throws {
    let folder = try #require(SharedData.folder)
    let data = try load(folder)
    let ranking = ExperimentSpecification.ranking
    let specification = try ExperimentSpecification(
      ExperimentSpecification.text(
        split: #"{ "use": "deck-replay", "budgets": [0.25] }"#,
        metrics: ["matches@0.25", "gini@0.25", "matched-people@0.25"],
        arms: [
          ("source-order", 1, ranking("source-order")), ("popularity", 1, ranking("popularity")),
          ("oracle", 1, ranking("oracle")), ("queue-aware", 1, ranking("queue-aware")),
          ("random", Self.seeds, ranking("random")),
          (
            "likers-first", Self.seeds,
            #""ranking": { "use": "likers-first", "then": { "use": "random" } }"#
          ),
        ], data: #"{ "use": "speed-dating" }"#))
    let result = try await runner.run(specification, data: data)
    #expect((result.people, result.pairs, result.matches) == (551, 4184, 690))

    let simulator = DeckSimulator(data)
    for policy in DeckSimulator.Policy.allCases {
      for (metric, expected) in simulator.figures(policy, budget: 0.25) {
        let found = try #require(result.value(metric, of: policy.rawValue))
        #expect(abs(found - expected) <= 1e-12, "\(policy) \(metric)")
      }
    }
    // To the digits that were published beside the definition.
    let oracle = try #require(result.value("matches@0.25", of: "oracle"))
    #expect(abs(oracle - 0.749) < 0.0005)
    #expect(try abs(#require(result.value("gini@0.25", of: "oracle")) - 0.519) < 0.0005)
    #expect(result.value("matched-people@0.25", of: "oracle") == 418)
    let popularity = try #require(result.value("matches@0.25", of: "popularity"))
    #expect(abs(popularity - 0.1203) < 0.00005)

    // In a random order each side of a match is shown with probability ⌈b·n⌉ / n, independently.
    let sizes = Dictionary(grouping: data.persons) { [$0.wave, $0.gender.rawValue] }
      .mapValues(\.count)
    let chances = data.pairs.filter(\.match).map { pair in
      [0, 1].reduce(1.0) { product, side in
        let size = sizes[[pair.wave, side]] ?? 0
        return product * Double(MatchShare.cards(budget: 0.25, opposite: size)) / Double(size)
      }
    }
    let expected = chances.reduce(0, +) / 690
    let variance = chances.reduce(0) { $0 + $1 * (1 - $1) } / Double(Self.seeds)
    let random = try #require(result.value("matches@0.25", of: "random"))
    #expect(abs(expected - 0.077) < 0.003)
    #expect(abs(random - expected) < 3 * variance.squareRoot() / 690)

    // Found shares of 690 matches, as if each were found by itself.
    let likers = try #require(result.value("matches@0.25", of: "likers-first"))
    let deviation = (0.319 * 0.681 / 690 * (1 / Double(Self.seeds) + 1 / 10)).squareRoot()
    #expect(abs(likers - 0.319) < 3 * deviation)
  }

  /// The columns of the reference's answer that are figures of ours.
  private struct Reference: Decodable {
    struct Mine: Decodable { let auc, wauc, logloss, brier, ece: Double }
    let mine: Mine
  }

  @Test(.enabled(if: SharedData.folder != nil, SharedData.skipped))
  func warmPairs() async throws {
    let folder = try #require(SharedData.folder)
    let data = try load(folder)
    let specification = try ExperimentSpecification(
      ExperimentSpecification.text(
        split: #"{ "use": "warm-pairs" }"#,
        metrics: ["auc", "within-wave-auc", "log-loss", "brier", "ece"],
        arms: [
          (
            "elo", 1,
            #""matchProbability": { "use": "elo-two-scale" }, "ranking": { "use": "match-probability" }"#
          )
        ], data: #"{ "use": "speed-dating" }"#))
    let result = try await runner.run(specification, data: data)
    let auc = try #require(result.value("auc", of: "elo"))
    let logLoss = try #require(result.value("log-loss", of: "elo"))
    #expect(auc >= 0.74)
    #expect(logLoss <= 0.392)
    #expect(result.predictions.count == 2 * 4184)

    guard try output(of: ["python3", "-c", "import numpy, pandas, scipy"]) != nil else {
      return print("skipped: python3 with numpy, pandas and scipy is not installed")
    }
    let scratch = try TemporaryFolder()
    let lines = result.predictions.map { prediction in
      "\(prediction.rater),\(prediction.target),\(prediction.yes ?? .nan)"
    }
    let table = try scratch.write(
      "rater,target,p\n" + lines.joined(separator: "\n") + "\n", to: "predictions.csv")
    let json = try #require(
      try output(
        of: ["python3", folder + "/reference/dating/score.py", "warm_pair", table]))
    let reference = try JSONDecoder().decode(Reference.self, from: json).mine
    for (metric, expected) in [
      ("auc", reference.auc), ("within-wave-auc", reference.wauc),
      ("log-loss", reference.logloss), ("brier", reference.brier), ("ece", reference.ece),
    ] {
      let found = try #require(result.value(metric, of: "elo"))
      #expect(abs(found - expected) <= 1e-9, "\(metric): \(found), the reference says \(expected)")
    }
  }

  /// The fitted models with fixed spreads, so that a debug build comes to an end: better than what
  /// others made of the same folds, and the same figures as the reference's own code.
  @Test(.enabled(if: SharedData.folder != nil, SharedData.skipped))
  func fittedModels() async throws {
    let folder = try #require(SharedData.folder)
    let data = try load(folder)
    let spreads = #""actorSpread": 1.8, "partnerSpread": 1.4"#
    let ranking = #""ranking": { "use": "match-probability" }"#
    let specification = try ExperimentSpecification(
      ExperimentSpecification.text(
        split: #"{ "use": "warm-pairs" }"#,
        metrics: ["auc", "within-wave-auc", "log-loss", "brier", "ece"],
        arms: [
          (
            "social-relations", 1,
            """
            "matchProbability": { "use": "social-relations", \(spreads), "correlation": -0.4,
              "dyad": 0.3 }, \(ranking)
            """
          )
        ], data: #"{ "use": "speed-dating" }"#))
    let result = try await runner.run(specification, data: data)
    func value(_ metric: String) throws -> Double {
      try #require(result.value(metric, of: "social-relations"))
    }
    #expect(try value("auc") >= 0.765)
    #expect(try value("log-loss") <= 0.3815)
    #expect(try value("ece") <= 0.012)

    guard try output(of: ["python3", "-c", "import numpy, pandas, scipy"]) != nil else {
      return print("skipped: python3 with numpy, pandas and scipy is not installed")
    }
    let scratch = try TemporaryFolder()
    let pairs = Dictionary(grouping: result.predictions, by: \.pair)
    let lines = pairs.map { "\($0),\($1.first?.match ?? .nan)" }
    let table = try scratch.write(
      "pair_id,p_match\n" + lines.joined(separator: "\n") + "\n", to: "predictions.csv")
    let json = try #require(
      try output(of: ["python3", folder + "/reference/dating/score.py", "wave5", table]))
    let reference = try JSONDecoder().decode(Reference.self, from: json).mine
    for (metric, expected) in [
      ("log-loss", reference.logloss), ("brier", reference.brier), ("ece", reference.ece),
    ] {
      #expect(try abs(value(metric) - expected) <= 1e-9, "\(metric)")
    }
  }
}
