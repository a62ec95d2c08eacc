import CardFeed
import CardFeedConfiguration
import CardFeedStandardPlugins
import Testing

@testable import CardFeedExperiments

/// What a split may tell a feed, and what the arms make of it.
@Suite struct PredictionSplitTests {
  private static let kinds: [(@Sendable (SpeedDatingData) -> PredictionSplit)] = [
    { .warmPairs($0) }, { .warmDecisions($0) }, { .coldWaves($0) }, { .coldTime($0) },
  ]

  private func data(waves: Int = 10, people: Int = 8) throws -> SpeedDatingData {
    var parameters = GeneratedDating.Parameters()
    (parameters.waves, parameters.womenPerWave, parameters.menPerWave) = (waves, people, people)
    var generator = SplitMix64(seed: 5)
    return try GeneratedDating(parameters, using: &generator).data
  }

  @Test(arguments: 0..<4)
  func everySplitKeepsApartWhatItMust(_ kind: Int) throws {
    let data = try data()
    let split = Self.kinds[kind](data)
    try split.checkLeaks(data)
    #expect(!split.cases.isEmpty)
    #expect(split.parts.allSatisfy { !$0.known.isEmpty && !$0.asked.isEmpty })
  }

  private func leak(_ split: PredictionSplit, _ data: SpeedDatingData) -> SplitLeak.Kind? {
    do {
      try split.checkLeaks(data)
      return nil
    } catch { return error.kind }
  }

  private func changed(
    _ split: PredictionSplit, known: (PredictionSplit.Part) -> [Int] = { $0.known },
    asked: (PredictionSplit.Part) -> [Int] = { $0.asked }
  ) -> PredictionSplit {
    PredictionSplit(
      unit: split.unit, cases: split.cases,
      parts: split.parts.map { .init(known: known($0), asked: asked($0)) }, isCold: split.isCold,
      referencePrefix: split.referencePrefix)
  }

  @Test func aSplitThatTellsWhatItAsksIsRefused() throws {
    let data = try data()
    // Everything is known.
    let all = Array(data.decisions.indices)
    #expect(leak(changed(.warmDecisions(data), known: { _ in all }), data) == .answer)
    #expect(leak(changed(.warmPairs(data), known: { _ in all }), data) == .otherSide)
    // One decision of one pair.
    let pairs = PredictionSplit.warmPairs(data)
    let asked = try #require(pairs.parts[0].asked.first)
    let half = try #require(
      data.decisions.firstIndex {
        $0.pairID == pairs.cases[asked].pairID && $0.raterGender == .man
      })
    #expect(leak(changed(pairs, known: { $0.known + [half] }), data) == .otherSide)
    // In the warm split people are known, and that is what it is for; in a cold one they are not.
    for split in [PredictionSplit.coldWaves(data), .coldTime(data)] {
      let stranger = try #require(split.parts[0].asked.first)
      let other = try #require(
        data.decisions.firstIndex {
          $0.rater == split.cases[stranger].rater && $0.target != split.cases[stranger].target
        })
      let leaking = PredictionSplit(
        unit: .pairs, cases: split.cases,
        parts: split.parts.map { part in
          .init(
            known: part.known + [other],
            asked: part.asked.filter { split.cases[$0].pairID != data.decisions[other].pairID })
        }, isCold: true, referencePrefix: "")
      #expect(leak(leaking, data) == .person)
    }
    #expect(leak(changed(pairs, asked: { Array($0.asked.dropFirst()) }), data) == .coverage)
    #expect(leak(changed(pairs, asked: { $0.asked + $0.asked.prefix(1) }), data) == .coverage)
    let error = SplitLeak(kind: .person, count: 3)
    #expect(
      error.description
        == "the split leaks: 3 people are known and asked about in a split about strangers; "
        + "nothing was predicted")
  }

  private func specification(_ split: String, _ arms: [(String, String)]) throws
    -> ExperimentSpecification
  {
    try ExperimentSpecification(
      ExperimentSpecification.text(
        split: #"{ "use": "\#(split)" }"#, metrics: ["auc", "within-wave-auc", "log-loss", "ece"],
        arms: arms.map { name, strategy in
          (
            name, 1,
            #""matchProbability": \#(strategy), "ranking": { "use": "match-probability" }"#
          )
        }))
  }

  private static let fixed = #""actorSpread": 1.5, "partnerSpread": 1.4"#
  private static let arms = [
    ("constant", #"{ "use": "constant", "value": 0.165 }"#),
    ("additive", #"{ "use": "additive", \#(fixed) }"#),
    ("social", #"{ "use": "social-relations", \#(fixed), "correlation": -0.2, "dyad": 0.2 }"#),
    (
      "hybrid",
      #"""
      { "use": "hybrid", \#(fixed), "correlation": -0.2, "dyad": 0.2, "featureSpread": 0.05,
        "own": ["age", "attr3_1"], "other": ["attr3_1"], "difference": ["age"],
        "product": ["sports", "music"] }
      """#
    ),
    (
      "profile",
      #"""
      { "use": "profile-logistic", "featureSpread": 0.03, "own": ["age", "attr3_1"],
        "other": ["attr3_1"], "difference": ["age"] }
      """#
    ),
  ]

  /// In generated evenings it is known what there is to be found.
  @Test(arguments: ["warm-pairs", "warm-decisions", "cold-waves", "cold-time"])
  func armsFindWhatTheEveningsWereMadeOf(_ split: String) async throws {
    let runner = ExperimentRunner(plugins: .standard, threads: 2)
    let result = try await runner.run(
      try specification(split, Self.arms), data: data(waves: 10, people: 7))
    func value(_ metric: String, _ arm: String) throws -> Double {
      try #require(result.value(metric, of: arm), "\(metric) of \(arm)")
    }
    #expect(result.arms.map(\.name) == Self.arms.map(\.0))
    if split.hasPrefix("warm") {
      for arm in ["additive", "social", "hybrid"] {
        #expect(try value("auc", arm) > 0.72)
        #expect(try value("within-wave-auc", arm) > 0.72)
      }
    }
    if split == "warm-pairs" {
      for arm in ["additive", "social", "hybrid"] {
        #expect(try value("log-loss", arm) < value("log-loss", "constant") - 0.02)
      }
    }
    // Strangers: only those who look at profiles can tell them apart.
    if split.hasPrefix("cold") {
      #expect(try abs(value("within-wave-auc", "social") - 0.5) < 1e-12)
      for arm in ["hybrid", "profile"] {
        #expect(try value("within-wave-auc", arm) != 0.5)
      }
    }
    let perCase = split == "warm-decisions" ? 1 : 2
    let cases =
      switch split {
      case "warm-decisions": 10 * 2 * 49
      case "cold-time": 4 * 49
      default: 10 * 49
      }
    #expect(result.predictions.count == Self.arms.count * cases * perCase)
    #expect(result.predictsPairs == (split != "warm-decisions"))
  }

  @Test func differencesToTheBaselineAreThoseOfTheFigures() async throws {
    let text = ExperimentSpecification.text(
      split: #"{ "use": "warm-pairs" }"#, metrics: ["within-wave-auc", "log-loss"],
      arms: [
        ("elo", 1, #""matchProbability": { "use": "elo-two-scale" }"#),
        ("constant", 1, #""matchProbability": { "use": "constant", "value": 0.2 }"#),
      ])
    let specification = try ExperimentSpecification(
      text.replacing("\"seed\": 1", with: "\"seed\": 1, \"baseline\": \"constant\""))
    let result = try await ExperimentRunner(plugins: .standard, threads: 2).run(
      specification, data: data())
    #expect(result.differences.map(\.arm) == ["elo", "elo"])
    #expect(result.differences.map(\.against) == ["constant", "constant"])
    for difference in result.differences {
      let metric = difference.metric.description
      let own = try #require(result.value(metric, of: "elo"))
      let other = try #require(result.value(metric, of: "constant"))
      let value = try #require(difference.figure.value)
      #expect(abs(value - (own - other)) < 1e-12)
      #expect(try #require(difference.figure.interval).contains(value))
    }
    #expect(throws: ConfigurationError.self) {
      try ExperimentSpecification(
        text.replacing("\"seed\": 1", with: "\"seed\": 1, \"baseline\": \"konstant\""))
    }
  }

  @Test func predictionsMadeElsewhereAreComparedWith() async throws {
    let data = try data()
    let scratch = try TemporaryFolder()
    let split = PredictionSplit.warmPairs(data)
    let rows = split.cases.flatMap { one in
      [(one.rater, one.target), (one.target, one.rater)].map { "\($0.0),\($0.1),0.4" }
    }
    let path = try scratch.write(
      "rater,target,p\n" + rows.joined(separator: "\n") + "\n", to: "warm_pair__flat.csv")
    let other = try scratch.write("pair_id,p_match\n0,0.5\n", to: "wave5__other.csv")
    let specification = try specification(
      "warm-pairs", [("constant", #"{ "use": "constant", "value": 0.16 }"#)])
    let result = try await ExperimentRunner(plugins: .standard, threads: 2).run(
      specification, data: data, references: ReferenceFolder(paths: [path, other]))
    // 0.4 · 0.4 = 0.16: the same predictions, but for rounding.
    #expect(result.differences.map(\.against) == ["flat", "flat"])
    for difference in result.differences {
      #expect(try abs(#require(difference.figure.value)) < 1e-12)
    }
    let broken = try scratch.write("rater,target\n1,2\n", to: "warm_pair__broken.csv")
    #expect(throws: DataProblems.self) { try ReferenceFolder(paths: [broken]) }
  }
}
