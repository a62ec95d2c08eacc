import CardFeedCommandLine
import CardFeedConfiguration
import Foundation
import Testing

/// `cardfeed bench`: the shapes of its results, and that they repeat.
@Suite struct BenchCommandTests {
  private static func experiment(split: String, metrics: String) -> String {
    """
    { "version": 1, "name": "tiny", "resamples": 100, "seed": 3,
      "data": { "use": "generated-dating", "waves": 5, "peoplePerSide": 4 },
      "split": \(split), "metrics": \(metrics),
      "feed": { "deck": "dating", "hand": { "size": 1, "refillBelow": 1, "ties": "id" },
        "sources": [{ "use": "all" }], "matchProbability": { "use": "elo-two-scale" } },
      "arms": [
        { "name": "elo", "feed": { "ranking": { "use": "match-probability" } } },
        { "name": "random", "seeds": 2, "feed": { "ranking": { "use": "random" } } } ] }
    """
  }

  private static let replay = experiment(
    split: #"{ "use": "deck-replay", "budgets": [0.25, 0.5] }"#,
    metrics: #"["matches@0.25", "mean-matches", "gini@0.5", "matched-people@0.25"]"#)
  private static let warm = experiment(
    split: #"{ "use": "warm-pairs" }"#, metrics: #"["auc", "log-loss", "ndcg@5"]"#)

  @Test(arguments: [replay, warm])
  func oneObjectOfTheDocumentedShape(_ experiment: String) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(experiment, to: "experiment.json")
    let call = await Call.tool("bench", "run", path, "--format", "json")
    #expect(call.status == .fine)
    let json = try call.json
    for key in ["experiment", "fingerprint"] { #expect(json[key]?.string != nil) }
    #expect(json["seed"]?.int64 == 3)
    #expect(json["data"]?["set"] == "generated-dating")
    let arms = try #require(json["arms"]?.array)
    #expect(arms.map { $0["name"] } == ["elo", "random"])
    let expected = try #require(try JSONDocument(parsing: experiment).root["metrics"]?.array)
    for arm in arms {
      let metrics = try #require(arm["metrics"]?.object)
      #expect(metrics.members.map { JSONValue($0.key) } == expected)
      for member in metrics.members {
        let value = try #require(member.value["value"]?.double)
        #expect(value >= 0)
        let interval = try #require(member.value["interval"])
        let bounds = (interval.array ?? []).compactMap(\.double)
        try #require(bounds.count == 2)
        #expect(bounds[0] <= bounds[1])
      }
    }
  }

  @Test(arguments: [replay, warm])
  func resultFilesAreTheSameForAnyNumberOfThreads(_ experiment: String) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(experiment, to: "experiment.json")
    for threads in ["1", "2"] {
      let call = await Call.tool(
        "bench", "run", path, "--threads", threads, "--out", folder.file(threads))
      #expect(call.status == .fine)
    }
    for name in ["result.json", "result.csv"] {
      #expect(try folder.text(of: "1/\(name)") == folder.text(of: "2/\(name)"))
    }
    let isWarm = experiment == Self.warm
    let predictions = [1, 2].map { try? folder.text(of: "\($0)/predictions.csv") }
    #expect((predictions[0] != nil) == isWarm)
    #expect(predictions[0] == predictions[1])
    // Measured time is in a file of its own, so that the others can be compared.
    let timing = try JSONDocument(parsing: folder.text(of: "1/timing.json")).root
    #expect(timing["threads"] == 1)
    #expect(timing["seconds"]?.double != nil)
    let csv = try folder.text(of: "1/result.csv").split(whereSeparator: \.isNewline)
    #expect(csv.count == 1 + (isWarm ? 6 : 8))
    guard isWarm else { return }
    // One file an arm, in the shapes that other programs score.
    for arm in ["elo", "random"] {
      let decisions = try folder.text(of: "1/\(arm).decisions.csv").split(separator: "\r\n")
      #expect(decisions.first == "rater,target,p")
      #expect(decisions.count == 1 + 2 * 5 * 16)
      let pairs = try folder.text(of: "1/\(arm).pairs.csv").split(separator: "\r\n")
      #expect(pairs.first == "pair_id,p_match,p_f,p_m")
      #expect(pairs.count == 1 + 5 * 16)
    }
  }

  @Test func theTableIsForPeople() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.replay, to: "experiment.json")
    let call = await Call.tool("bench", "run", path)
    let lines = call.output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.first?.hasPrefix("arm     matches@0.25 ") == true)
    #expect(lines.last == "Figures with their 95 % intervals over evenings.")
  }

  @Test func aBrokenExperimentIsAFailureThatNamesEverything() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(
      Self.replay.replacing("\"random\" }", with: "\"randm\" }")
        .replacing("gini@0.5", with: "ginni@0.5"), to: "experiment.json")
    let call = await Call.tool("bench", "run", path)
    #expect(call.status == .failure)
    #expect(call.output == "")
    #expect(call.errors.contains("$.metrics[2]: unknown metric; found \"ginni@0.5\""))
    #expect(call.errors.contains("did you mean \"gini\"?"))
    #expect(call.errors.contains("$.arms[1].feed.ranking.use: unknown ranking \"randm\""))
    #expect(call.errors.hasSuffix("experiment.json: 2 problems; nothing was changed\n"))
  }

  @Test func recordedDecisionsNeedTheirFolder() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(
      Self.replay.replacing(
        #"{ "use": "generated-dating", "waves": 5, "peoplePerSide": 4 }"#,
        with: #"{ "use": "speed-dating" }"#), to: "experiment.json")
    let call = await Call.tool("bench", "run", path)
    #expect(call.status.rawValue == 64)
    #expect(
      call.errors.hasPrefix(
        "error: the experiment 'tiny' needs the speed-dating data set; --data DIR names the "
          + "folder with dating/decisions.csv; datasets/README.md says where it comes from\n"))
  }

  @Test func aTableOfAllFiguresIsWritten() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.replay, to: "experiment.json")
    let call = await Call.tool("bench", "results", path, "--out", folder.file("RESULTS.md"))
    #expect(call.status == .fine)
    let text = try folder.text(of: "RESULTS.md")
    #expect(text.contains("\n## tiny\n"))
    #expect(text.contains("\n| elo | "))
    #expect(text.contains("cardfeed bench run \(path)"))
  }

  #if DEBUG
    @Test func aDebugBuildRefusesToMeasure() async {
      let call = await Call.tool("bench", "perf")
      #expect(call.status == .failure)
      #expect(call.output == "")
      #expect(
        call.errors == "this is a debug build, which measures nothing; build with -c release\n")
    }
  #endif

  @Test(arguments: [
    ["bench"], ["bench", "run"], ["bench", "run", "x", "--threads", "0"], ["bench", "results"],
    ["bench", "perf", "--format", "xml"],
  ])
  func wrongUsage(_ arguments: [String]) async throws {
    let call = await Call.tool(arguments)
    #expect(call.status.rawValue == 64)
    #expect(call.output == "")
  }
}
