import CardFeedConfiguration
import CardFeedExperiments
import CardFeedTwoSidedMarket
import Foundation
import Testing

@Suite struct ListExperimentTests {
  private static let synthetic = #"{ "use": "synthetic-market", "left": 12, "right": 9 }"#
  private static let recorded = #"{ "use": "speed-dating", "controls": 2 }"#

  private func text(
    data: String = synthetic, metrics: String = #"["expected-matches"]"#,
    arms: String = #"[{ "name": "a", "lists": { "use": "product" } }]"#
  ) -> [UInt8] {
    Array(
      """
      { "version": 1, "name": "test", "data": \(data), "split": { "use": "lists" },
        "metrics": \(metrics), "resamples": 100,
        "arms": \(arms) }
      """.utf8)
  }

  private func experiment(
    data: String = synthetic, metrics: String, arms: String
  ) throws -> ListExperiment {
    try ListExperiment(
      parsing: text(data: data, metrics: metrics, arms: arms), file: "lists.json")
  }

  @Test func aSplitTellsTheKindOfExperiment() throws {
    #expect(ListExperiment.isDescribed(by: text()))
    #expect(!ListExperiment.isDescribed(by: Array(#"{ "split": { "use": "warm-pairs" } }"#.utf8)))
    #expect(!ListExperiment.isDescribed(by: Array("{".utf8)))
  }

  @Test(arguments: [
    (
      synthetic, #"["expected-match"]"#, #"[{ "name": "a", "lists": { "use": "naive" } }]"#,
      "$.metrics[0]: unknown metric; found \"expected-match\""
    ),
    (
      synthetic, #"["auc"]"#, #"[{ "name": "a", "lists": { "use": "naive" } }]"#,
      "$.metrics[0]: the metric does not belong to lists; found \"auc\""
    ),
    (
      synthetic, #"["gain-over-control"]"#, #"[{ "name": "a", "lists": { "use": "naive" } }]"#,
      "$.metrics[0]: the metric needs recorded decisions; found \"gain-over-control\""
    ),
    (
      recorded, #"["expected-matches"]"#, #"[{ "name": "a", "lists": { "use": "naive" } }]"#,
      "$.metrics: expected matches of predictions stand without their control; allowed: "
        + "\"control-matches\" beside \"expected-matches\""
    ),
    (
      synthetic, #"["gini@0.25", "gini@0.5"]"#,
      #"[{ "name": "a", "lists": { "use": "naive" } }]"#,
      "$.metrics[1]: exposure is counted at one budget only; found \"gini@0.5\""
    ),
    (
      synthetic, #"["envies-left"]"#, #"[{ "name": "a", "lists": { "use": "nash" } }]"#,
      "unknown ranking \"nash\""
    ),
    (
      synthetic, #"["envies-left"]"#, #"[{ "name": "a" }]"#,
      "missing key \"lists\""
    ),
    (
      synthetic, #"["envies-left"]"#,
      #"[{ "name": "a", "lists": { "use": "transferable-utility", "beta": 0 } }]"#,
      "beta: wrong value; found 0"
    ),
  ])
  func mistakesAreReported(_ data: String, _ metrics: String, _ arms: String, _ problem: String) {
    do {
      _ = try experiment(data: data, metrics: metrics, arms: arms)
      Issue.record("the mistake was not seen")
    } catch {
      #expect("\(error)".contains(problem), "\(error)")
    }
  }

  @Test func everyMethodRunsAndTheFiguresAreThoseOfTheMarket() async throws {
    let names = [
      "random", "naive", "product", "harmonic-mean", "transferable-utility", "best-response",
      "social-welfare", "nash-welfare",
    ]
    let arms = names.map { #"{ "name": "\#($0)", "lists": { "use": "\#($0)" } }"# }
    let experiment = try experiment(
      metrics: #"["expected-matches", "envies-left", "envies-right", "gini@0.25"]"#,
      arms: "[\(arms.joined(separator: ", "))]")
    let result = try await ListExperimentRunner(threads: 2).run(experiment)
    let single = try await ListExperimentRunner(threads: 1).run(experiment)
    #expect(result == single)
    #expect(result.matches == nil)
    #expect((result.people, result.pairs) == (21, 108))

    let market = SyntheticMarket(left: 12, right: 9).market(seed: 0)
    let product = MutualExamination(
      left: RankedLists(ranking: market.match),
      right: RankedLists(ranking: market.match.transposed()), .reciprocal)
    #expect(result.value("expected-matches", of: "product") == market.expectedMatches(product))
    #expect(
      result.value("envies-left", of: "product") == Double(market.envies(product).left))
    let best = try #require(result.value("expected-matches", of: "best-response"))
    for name in names {
      let value = try #require(result.value("expected-matches", of: name))
      #expect(value <= best + 1e-9, "\(name)")
      let gini = try #require(result.value("gini@0.25", of: name))
      #expect((0...1).contains(gini))
    }
    #expect(try abs(#require(result.value("gini@0.25", of: "random"))) < 1e-12)
    let nash = try #require(result.value("envies-left", of: "nash-welfare"))
    let social = try #require(result.value("envies-left", of: "social-welfare"))
    #expect(nash < social)
  }

  /// Everybody likes everybody, so nothing but places counts: each woman and man meet with 1 / rank
  /// on both sides, whatever the lists, and (1 + 1/2)² / 2 matches are expected in the mean.
  @Test func decisionsJudgeTheLists() async throws {
    let yes = Array(repeating: true, count: 2)
    let data = try SpeedDatingData.evening(women: [yes, yes], men: [yes, yes])
    let folder = try TemporaryFolder()
    // Woman 1 and man 11 like each other best, and woman 2 and man 12.
    let file = try folder.write(
      "pair_id,p_match,p_f,p_m\n0,0,0.9,0.9\n1,0,0.1,0.1\n2,0,0.1,0.1\n3,0,0.9,0.9\n", to: "p.csv")
    let experiment = try experiment(
      data: Self.recorded,
      metrics: #"["expected-matches", "control-matches", "gain-over-control"]"#,
      arms: """
        [{ "name": "random", "lists": { "use": "random" } },
         { "name": "naive", "lists": { "use": "naive" } },
         { "name": "oracle", "oracle": true, "lists": { "use": "best-response" } }]
        """)
    let result = try await ListExperimentRunner(threads: 1).run(
      experiment, data: data, source: PairPredictions(path: file))
    #expect(result.value("expected-matches", of: "naive") == 2.5)
    #expect(result.value("expected-matches", of: "random") == 2.25)
    #expect(result.value("control-matches", of: "random") == 2.25)
    #expect(result.value("gain-over-control", of: "random") == 0)
    // The decisions are all alike, so it begins with everybody's list by number, and ends there: no
    // side gains by itself.
    #expect(result.value("expected-matches", of: "oracle") == 2.25)
    #expect(result.matches == 4)
    #expect(result.predictionsChecksum?.count == 64)
  }

  @Test(arguments: [
    ("pair_id,p_f,p_m\n0,0.5,0.5\n0,0.5,0.5\n", "the pair stands twice; found 0 again"),
    ("pair_id,p_f,p_m\n0,1.5,0.5\n", "the field is no probability; found a number outside"),
    ("pair_id,p_f,p_m\n0,,0.5\n", "the field is no probability; found nothing"),
    ("pair_id,p_f,p_m\n0,x,0.5\n", "the field is not a number"),
    ("pair_id,p_f\n0,0.5\n", "columns are missing"),
    (
      "pair_id,p_f,p_m\n0,0.5,0.5\n",
      "the predictions are not those of the data set; found 3 pairs without a prediction, 0 "
        + "predictions without a pair; allowed: one row for each of the 4 pairs"
    ),
  ])
  func predictionsAreReadStrictly(_ text: String, _ problem: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "p.csv")
    let data = try SpeedDatingData.evening(
      women: [[true, false], [true, true]], men: [[true, true], [false, true]])
    do {
      _ = try await PairPredictions(path: file).probabilities(of: data)
      Issue.record("the fault was not seen")
    } catch {
      #expect("\(error)".contains(problem), "\(error)")
      #expect(!"\(error)".contains("1.5"))
    }
  }

  /// The figures that a reference implementation in Python has on the same predictions.
  @Test(.enabled(if: SharedData.folder != nil, SharedData.skipped))
  func recordedEvenings() async throws {
    let shared = try #require(SharedData.folder)
    let data = try SpeedDatingLoader.load(directory: shared + "/data", strict: true).data
    let predictions = try PairPredictions(
      path: shared + "/reference/dating/pred/wave5__lr__product__pre.csv")
    let experiment = try experiment(
      data: #"{ "use": "speed-dating", "controls": 5 }"#,
      metrics: #"["expected-matches", "control-matches", "expected-matches-test", "gini@0.25"]"#,
      arms: """
        [{ "name": "random", "lists": { "use": "random" } },
         { "name": "naive", "lists": { "use": "naive" } },
         { "name": "product", "lists": { "use": "product" } },
         { "name": "tu", "lists": { "use": "transferable-utility", "beta": 0.1 } },
         { "name": "best", "lists": { "use": "best-response", "beta": 0.1 } },
         { "name": "harmonic",
           "lists": { "use": "best-response", "beta": 0.1, "joint": "harmonic-mean" } }]
        """)
    let result = try await ListExperimentRunner(threads: 2).run(
      experiment, data: data, source: predictions)
    for (arm, matches, control) in [
      ("random", 35.3, 35.3), ("naive", 44.2, 34.8), ("product", 56.4, 62.4), ("tu", 78.1, 65.1),
      ("best", 89.0, 69.1),
    ] {
      let found = try #require(result.value("expected-matches", of: arm))
      #expect(abs(found - matches) < 0.06, "\(arm): \(found)")
      let random = try #require(result.value("control-matches", of: arm))
      #expect(abs(random - control) < 0.06, "\(arm): \(random)")
    }
    #expect(try #require(result.value("expected-matches", of: "harmonic")) >= 92)
    #expect(try #require(result.value("gini@0.25", of: "harmonic")) <= 0.15)
  }
}
