import CardFeedConfiguration
import CardFeedDating
import CardFeedExperiments
import CardFeedStandardPlugins
import Foundation
import Testing

/// Experiments are read strictly, and their fingerprint is of what decides.
@Suite struct RunningSpecificationTests {
  private func problems(_ text: String) -> String {
    do {
      _ = try ExperimentSpecification(text)
      return ""
    } catch {
      return error.description
    }
  }

  /// The strategies of the dating deck as error texts list them, so that a new one does not change
  /// the text; the order that only experiments have stands before the deck's own.
  private func names(of kind: StrategyKind) -> String {
    var names = PluginSet.standard.descriptions(for: DatingDeckPlugin())
      .filter { $0.kind == kind }.map { "\"\($0.use)\"" }
    if kind == .ranking, let own = names.firstIndex(of: "\"activity\"") {
      names.insert("\"oracle\"", at: own)
    }
    return names.joined(separator: ", ")
  }

  @Test func everyMistakeAtOnce() {
    let text = """
      {
        "version": 2, "nam": "x",
        "data": { "use": "generated-datin", "waves": 3 },
        "split": { "use": "deck-replay", "budgets": [0.25, 0.5, 0.5] },
        "metrics": ["auc", "auk", "auc", "hit@0", 3],
        "feed": { "deck": "dating", "store": { "use": "memory" },
          "matchProbability": { "use": "konstant" } },
        "arms": [
          { "name": "a", "feed": { "ranking": { "use": "oracle" } } },
          { "name": "a", "sead": 2, "feed": { "ranking": { "use": "rndom" }, "seed": 3 } }
        ]
      }
      """
    #expect(
      problems(text) == """
        experiment.json: line 1, column 1, $: missing key "name"; allowed: a text that is \
        not empty
        experiment.json: line 2, column 14, $.version: wrong value; found 2; allowed: the \
        number 1
        experiment.json: line 2, column 17, $.nam: unknown key "nam"; allowed: "version", \
        "name", "summary", "data", "split", "metrics", "seed", "resamples", "feed", "arms", \
        "baseline"; did you mean "name"?
        experiment.json: line 3, column 20, $.data.use: unknown source "generated-datin"; \
        allowed: "speed-dating", "generated-dating"; did you mean "generated-dating"?
        experiment.json: line 4, column 47, $.split.budgets: wrong value; found an array; \
        allowed: a list of ascending numbers, each above 0, at most 1
        experiment.json: line 5, column 22, $.metrics[1]: unknown metric; found "auk"; \
        allowed: a list of auc, within-wave-auc, ranking-auc, log-loss, brier, ece, ndcg@K, \
        hit@K for predictions, matches@B, matches-train@B, matches-test@B, mean-matches, gini@B, \
        matched-people@B for replays; did you mean "auc"?
        experiment.json: line 5, column 29, $.metrics[2]: the metric stands twice; found \
        "auc"; allowed: each metric once
        experiment.json: line 5, column 36, $.metrics[3]: unknown metric; found "hit@0"; \
        allowed: a list of auc, within-wave-auc, ranking-auc, log-loss, brier, ece, ndcg@K, \
        hit@K for predictions, matches@B, matches-train@B, matches-test@B, mean-matches, gini@B, \
        matched-people@B for replays
        experiment.json: line 5, column 45, $.metrics[4]: unknown metric; found a number; \
        allowed: a list of auc, within-wave-auc, ranking-auc, log-loss, brier, ece, ndcg@K, \
        hit@K for predictions, matches@B, matches-train@B, matches-test@B, mean-matches, gini@B, \
        matched-people@B for replays
        experiment.json: line 6, column 31, $.feed.store: the key "store" decides nothing in \
        an experiment; allowed: no such key; an arm has an empty store in memory and the \
        experiment's seed
        experiment.json: line 7, column 34, $.feed.matchProbability.use: unknown match \
        probability "konstant"; allowed: \(names(of: .matchProbability)); did you mean "constant"?
        experiment.json: line 10, column 15, $.arms[1].name: two arms are called "a"; \
        allowed: a name of its own for each arm
        experiment.json: line 10, column 20, $.arms[1].sead: unknown key "sead"; allowed: \
        "feed", "name", "seeds", "prior", "refit"
        experiment.json: line 10, column 61, $.arms[1].feed.ranking.use: unknown ranking \
        "rndom"; allowed: \(names(of: .ranking)); did you mean "random"?
        experiment.json: line 10, column 72, $.arms[1].feed.seed: the key "seed" decides \
        nothing in an experiment; allowed: no such key; an arm has an empty store in memory \
        and the experiment's seed
        experiment.json: 15 problems; nothing was changed
        """)
  }

  @Test(arguments: [
    (
      #"["matches@0.3"]"#, #"{ "use": "deck-replay", "budgets": [0.25] }"#,
      "$.metrics[0]: the budget of the metric is none of the split's; found \"matches@0.3\""
    ),
    (
      #"["auc"]"#, #"{ "use": "deck-replay", "budgets": [0.25] }"#,
      "$.metrics[0]: the metric belongs to splits that predict; found \"auc\""
    ),
    (
      #"["gini@0.25"]"#, #"{ "use": "warm-pairs" }"#,
      "$.metrics[0]: the metric belongs to the split \"deck-replay\"; found \"gini@0.25\""
    ),
    (
      #"["mean-matches"]"#, #"{ "use": "deck-replay", "budgets": [0.25] }"#,
      "$.metrics[0]: the metric needs a budget other than 0.25; found \"mean-matches\""
    ),
    (
      #"["matches@0.25", "matches@0.250"]"#, #"{ "use": "deck-replay", "budgets": [0.25] }"#,
      "$.metrics[1]: the metric stands twice; found \"matches@0.250\"; allowed: each metric once"
    ),
    (
      #"[]"#, #"{ "use": "warm-pairs" }"#,
      "$.metrics: must be a list of metrics; found an array; allowed: "
    ),
    (
      #"["auc"]"#, #"{ "use": "warm-pairs", "folds": 3 }"#,
      "$.split.folds: unknown key \"folds\"; allowed: \"use\""
    ),
  ])
  func metricsFitTheirSplit(_ metrics: String, _ split: String, _ problem: String) {
    let text = """
      {"version": 1, "name": "x", "data": {"use": "speed-dating"}, "split": \(split),
       "metrics": \(metrics), "arms": [{"name": "a", "feed": {"deck": "dating"}}]}
      """
    let found = problems(text)
    #expect(found.contains(problem), "\(found)")
    #expect(found.hasSuffix("experiment.json: 1 problem; nothing was changed"))
  }

  @Test(arguments: [
    (
      #""prior": "cold""#, #"{ "use": "deck-replay", "budgets": [0.5] }"#,
      "$.arms[0].prior: unknown name \"cold\"; allowed: \"none\", \"other-evenings\""
    ),
    (
      #""refit": true"#, #"{ "use": "deck-replay", "budgets": [0.5] }"#,
      "$.arms[0].refit: wrong value; found true; allowed: \"never\", \"each-round\""
    ),
    (
      #""prior": "other-evenings""#, #"{ "use": "cold-time" }"#,
      "$.arms[0].prior: the key \"prior\" belongs to the split \"deck-replay\"; found "
        + "\"other-evenings\"; allowed: no such key"
    ),
    (
      #""refit": "each-round""#, #"{ "use": "warm-pairs" }"#,
      "$.arms[0].refit: the key \"refit\" belongs to the split \"deck-replay\"; found "
        + "\"each-round\"; allowed: no such key"
    ),
  ])
  func trainingFitsTheSplit(_ key: String, _ split: String, _ problem: String) {
    let metric = split.contains("deck-replay") ? "matches@0.5" : "auc"
    let text = """
      {"version": 1, "name": "x", "data": {"use": "speed-dating"}, "split": \(split),
       "metrics": ["\(metric)"], "arms": [{"name": "a", \(key), "feed": {"deck": "dating"}}]}
      """
    let found = problems(text)
    #expect(found.contains(problem), "\(found)")
    #expect(found.hasSuffix("experiment.json: 1 problem; nothing was changed"))
  }

  @Test func aPriorFitsEverythingWhereTheArmFitsPeople() throws {
    let model = #"{ "use": "additive", "refit": "people" }"#
    let text = ExperimentSpecification.text(
      split: #"{ "use": "deck-replay", "budgets": [0.5] }"#, metrics: ["matches@0.5"],
      arms: [("a", 1, #""matchProbability": \#(model)"#)]
    ).replacing(#""seeds": 1"#, with: #""seeds": 1, "prior": "other-evenings""#)
    let arm = try #require(try ExperimentSpecification(text).arms.first)
    let prior = try #require(arm.prior)
    #expect(arm.feed.effective.description.contains(#""refit":"people""#))
    #expect(!prior.effective.description.contains(#""refit":"people""#))
    #expect(
      prior.effective.description
        == arm.feed.effective.description.replacing(
          #""refit":"people""#, with: #""refit":"all""#))
    #expect(!arm.refitsEachRound)
  }

  @Test(arguments: [
    "ndcg@1e30", "ndcg@inf", "hit@nan", "ndcg@0", "ndcg@1.5", "ndcg", "ndcg@", "ndcg@5@5",
    "matches@0", "matches@1.1", "matches@-0.1", "auc@1", "AUC", "", "@", "gini", "mean-matches@1",
    "matches-train", "matches-test@2",
  ])
  func thereIsNoSuchMetric(_ name: String) {
    #expect(MetricName(name) == nil)
  }

  @Test(arguments: [
    "auc", "within-wave-auc", "log-loss", "brier", "ece", "ndcg@5", "hit@1", "ndcg@1000000",
    "matches@0.25", "matches@1", "mean-matches", "gini@0.1", "matched-people@0.5",
    "matches-train@0.25", "matches-test@0.5",
  ])
  func metricsAreCalledWhatTheyAreCalled(_ name: String) {
    #expect(MetricName(name)?.description == name)
  }

  @Test func aSyntaxErrorHasItsPlaceAndAdvice() {
    #expect(
      problems("{\n  \"version\": 1,\n}") == """
        experiment.json: line 3, column 1, $: a key is missing; found '}'; allowed: a key in \
        double quotes (remove the comma before it)
        experiment.json: 1 problem; nothing was changed
        """)
  }

  @Test func anOracleIsNoStrategyOfServers() {
    do {
      _ = try FeedConfiguration(
        ["version": 1, "deck": "dating", "ranking": ["use": "oracle"]], file: "feed.json",
        plugins: .standard)
      Issue.record("a server could be told to use the recorded answers")
    } catch {
      #expect(error.problems.map(\.message) == ["unknown ranking \"oracle\""])
    }
  }

  private static let base = ExperimentSpecification.text(
    split: #"{ "use": "deck-replay", "budgets": [0.25] }"#, metrics: ["matches@0.25"],
    arms: [("a", 1, #""ranking": { "use": "random" }"#)])

  @Test(arguments: [
    // Spaces, defaults spelled out, the name and the summary decide nothing.
    ("\n", "  \n"), ("\"generated-dating\"", "\"generated-dating\", \"waves\": 12, \"seed\": 1"),
    ("\"name\": \"test\"", "\"summary\": \"Other words.\", \"name\": \"other\""),
    ("{ \"use\": \"random\" }", "{ \"use\": \"random\" }, \"salt\": \"\""),
    ("[0.25]", "[2.5e-1]"),
    ("\"seeds\": 1", "\"seeds\": 1, \"prior\": \"none\", \"refit\": \"never\""),
  ])
  func whatDecidesNothingIsNotInTheFingerprint(_ old: String, _ new: String) throws {
    let text = Self.base.replacing(old, with: new)
    #expect(text != Self.base)
    #expect(
      try ExperimentSpecification(text).fingerprint
        == ExperimentSpecification(Self.base).fingerprint)
  }

  @Test(arguments: [
    ("\"seed\": 1", "\"seed\": 2"), ("\"resamples\": 100", "\"resamples\": 200"),
    ("\"generated-dating\"", "\"generated-dating\", \"waves\": 13"),
    ("[0.25]", "[0.25, 0.5]"), ("\"random\"", "\"popularity\""), ("\"seeds\": 1", "\"seeds\": 2"),
    ("\"seeds\": 1", "\"seeds\": 1, \"prior\": \"other-evenings\""),
    ("\"seeds\": 1", "\"seeds\": 1, \"refit\": \"each-round\""),
    ("[\"matches@0.25\"]", "[\"gini@0.25\"]"), ("\"name\": \"a\"", "\"name\": \"b\""),
  ])
  func whatDecidesIsInTheFingerprint(_ old: String, _ new: String) throws {
    let text = Self.base.replacing(old, with: new)
    #expect(text != Self.base)
    #expect(
      try ExperimentSpecification(text).fingerprint
        != ExperimentSpecification(Self.base).fingerprint)
  }

  @Test(arguments: ["experiments", "searches"])
  func theExperimentsThatShipAreRight(kind: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("datasets/\(kind)")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "json" }
    #expect(files.count >= 2)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      let name = file.deletingPathExtension().lastPathComponent
      #if !XGBoost
        if name == "dating-boosting" { continue }
      #endif
      if ListExperiment.isDescribed(by: Array(text.utf8)) {
        let lists = try ListExperiment(parsing: Array(text.utf8), file: file.lastPathComponent)
        #expect(lists.name == name)
        continue
      }
      if RankingExperiment.isDescribed(by: Array(text.utf8)) {
        #if OpenBLAS
          let ranking = try RankingExperiment(
            parsing: Array(text.utf8), file: file.lastPathComponent)
          #expect(ranking.name == name)
        #endif
        continue
      }
      if QuizExperiment.isDescribed(by: Array(text.utf8)) {
        let quiz = try QuizExperiment(parsing: Array(text.utf8), file: file.lastPathComponent)
        #expect(quiz.name == name)
        continue
      }
      if OnlineExperiment.isDescribed(by: Array(text.utf8)) {
        let online = try OnlineExperiment(
          parsing: Array(text.utf8), file: file.lastPathComponent)
        #expect(online.name == name)
        continue
      }
      #expect(problems(text) == "", "\(file.lastPathComponent)")
      #expect(try ExperimentSpecification(text).name == name)
    }
  }
}
