import CardFeed
import CardFeedConfiguration
import Foundation
import Testing

@testable import CardFeedExperiments

/// Experiments on what learns while it is asked: what their files may say, and what small data come
/// to.
@Suite struct OnlineExperimentTests {
  private func text(
    _ data: String, _ split: String, _ metrics: String, _ models: [String], baseline: String = "a0"
  ) -> String {
    let arms = models.enumerated().map { #"{"name": "a\#($0)", "model": \#($1)}"# }
    return """
      {"version": 1, "name": "small", "data": \(data), "split": {"use": "\(split)"},
       "metrics": \(metrics), "resamples": 100, "baseline": "\(baseline)",
       "arms": [\(arms.joined(separator: ", "))]}
      """
  }

  private func parse(_ text: String) throws -> OnlineExperiment {
    try OnlineExperiment(parsing: Array(text.utf8), file: "small.json")
  }

  private func problems(_ text: String) -> String {
    do {
      _ = try parse(text)
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test func whatDoesNotBelongIsReportedAtOnce() {
    let all = problems(
      text(
        #"{"use": "bandit-worlds"}"#, "one-pass", #"["auc", "regret"]"#,
        [#"{"use": "ftrl", "columns": ["n: 2 1"], "features": ["n"]}"#], baseline: "b"))
    #expect(all.contains("the data do not belong to the split \"one-pass\""))
    #expect(all.contains("the metric does not belong to the split"))
    #expect(all.contains("the column \"n: 2 1\" has no ascending numbers"))
    let alone = problems(
      text(
        #"{"use": "purchase-rows", "set": "s"}"#, "one-pass", #"["log-loss"]"#,
        [#"{"use": "mean"}"#]))
    #expect(alone.contains("figures stand without ece-mass"))
    let both = problems(
      text(
        #"{"use": "purchase-rows", "set": "s"}"#, "one-pass", #"["log-loss", "ece-mass"]"#,
        [#"{"use": "frequency", "events": "n"}"#]))
    #expect(both.contains("either \"chances\" or \"of\" says how often it could happen"))
    #expect(
      problems(
        text(
          #"{"use": "bandit-worlds"}"#, "rounds", #"["regret"]"#, [#"{"use": "random"}"#],
          baseline: "other")
      ).contains("no arm is called \"other\""))
    #expect(!OnlineExperiment.isDescribed(by: Array(#"{"split": {"use": "lists"}}"#.utf8)))
  }

  /// Rows whose outcome depends on a category and on how often.
  private func part(_ count: Int, seed: UInt64) -> PurchaseRows.Part {
    var draws = TestSplitMix64(seed: seed)
    var columns: [String: [Double]] = ["n": [], "kind": []]
    var outcomes: [Bool] = []
    for _ in 0..<count {
      let (n, kind) = (Double(draws.next() % 9), Double(draws.next() % 3))
      columns["n"]?.append(n)
      columns["kind"]?.append(kind)
      outcomes.append(draws.unit() < 1 / (1 + exp(-(n / 2 - 3 + (kind == 1 ? 2 : 0)))))
    }
    return PurchaseRows.Part(
      columns: columns, outcomes: outcomes, households: (0..<count).map { $0 / 10 })
  }

  @Test func forecastsOfPurchases() async throws {
    let experiment = try parse(
      text(
        #"{"use": "purchase-rows", "set": "s"}"#, "one-pass",
        #"["log-loss", "ece-mass", "auc"]"#,
        [
          #"{"use": "mean"}"#, #"{"use": "frequency", "events": "n", "of": 9, "strength": 1}"#,
          #"{"use": "logistic", "plain": ["n"], "logarithms": ["kind"]}"#,
          #"{"use": "ftrl", "columns": ["n: 0 2 4 6", "kind"], "alpha": 0.3, "lambda1": 0, "#
            + #""features": ["n", "kind", "n * kind"]}"#,
        ]))
    let rows = PurchaseRows(training: part(4000, seed: 1), test: part(2000, seed: 2))
    let runner = OnlineExperimentRunner(threads: 2)
    let result = try await runner.run(experiment, purchases: rows)
    let losses = result.arms.map { $0.figures[0].figure.value ?? 9 }
    let share = Double(rows.test.outcomes.count { $0 }) / 2000
    let learned = Double(rows.training.outcomes.count { $0 }) / 4000
    let known = -(share * log(learned) + (1 - share) * log(1 - learned))
    #expect(abs(losses[0] - known) < 1e-9)
    #expect(abs((result.arms[0].figures[1].figure.value ?? 9) - abs(share - learned)) < 0.03)
    #expect(losses[3] < losses[2] && losses[2] < losses[0])
    #expect(losses[1] < losses[0])
    #expect(result.arms[3].figures[1].figure.value ?? 9 < 0.05)
    #expect(result.differences.count == 9)
    let again = try await OnlineExperimentRunner(threads: 1).run(experiment, purchases: rows)
    #expect(result == again)
  }

  @Test func rowsOfAFile() throws {
    let folder = try TemporaryFolder()
    let text = "n,h,y\n1.5,7,1\n2,8,0\n"
    _ = try folder.write(text, to: "train.csv")
    _ = try folder.write(text, to: "test.csv")
    let rows = try PurchaseRows(folder: folder.path + "/")
    #expect(rows.training.columns["n"] == [1.5, 2])
    #expect(rows.training.outcomes == [true, false])
    #expect(rows.test.households == [7, 8])
    _ = try folder.write("n,h,y\n1.5,7,2\nnan,8,0\n", to: "test.csv")
    let error = #expect(throws: DataProblems.self) { try PurchaseRows(folder: folder.path + "/") }
    #expect("\(try #require(error))".contains("0 or 1"))
    _ = try folder.write("m,h,y\n1,1,1\n", to: "test.csv")
    #expect(throws: DataProblems.self) { try PurchaseRows(folder: folder.path + "/") }
  }

  @Test func banditsOnMadeWorlds() async throws {
    let experiment = try parse(
      text(
        #"{"use": "bandit-worlds", "worlds": 2, "rounds": 2500, "arms": 6, "numbers": 3}"#,
        "rounds",
        #"["regret"]"#,
        [
          #"{"use": "random"}"#, #"{"use": "counts", "policy": "upper-bound", "width": 0.3}"#,
          #"{"use": "linear", "policy": "upper-bound", "width": 0.5}"#,
          #"{"use": "linear", "policy": "thompson", "width": 0.5, "link": "logistic", "#
            + #""interceptMean": -2}"#,
        ]))
    let result = try await OnlineExperimentRunner(threads: 2).run(experiment, directory: nil)
    #expect(result.arms.map(\.name).prefix(2) == ["stationary a0", "stationary a1"])
    let regret = result.arms.map { $0.figures[0].figure.value ?? 0 }
    #expect(regret[1] < regret[0])
    #expect(regret[2] < regret[1] && regret[3] < regret[1])
    #expect(regret[6] < regret[5])
    #expect(
      result == (try await OnlineExperimentRunner(threads: 1).run(experiment, directory: nil)))
  }

  @Test func everyBanditPlaysTheSameRounds() {
    let world = BanditWorld.made(seed: 3, rounds: 40, arms: 3, numbers: 2, drifts: true)
    #expect(world == BanditWorld.made(seed: 3, rounds: 40, arms: 3, numbers: 2, drifts: true))
    let still = BanditWorld.made(seed: 3, rounds: 40, arms: 3, numbers: 2, drifts: false)
    #expect(world.contexts == still.contexts && world.draws == still.draws)
    #expect(world.probabilities[..<60] == still.probabilities[..<60])
    #expect(world.probabilities[60...] != still.probabilities[60...])
    // The middle arm keeps its base rate.
    #expect(world.probabilities[61] == still.probabilities[61])
  }

  @Test func arraysOfNumPy() throws {
    func file(_ header: String, _ body: [UInt8]) -> [UInt8] {
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8) + body
    }
    let body = [Float(1.5), -2].flatMap {
      withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init)
    }
    let array = try NumberArray(
      bytes: file("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }", body), file: "a")
    #expect(array.shape == [1, 2] && array.values == [1.5, -2])
    for (header, bytes) in [
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", body),
      ("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", body),
      ("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", body),
    ] {
      #expect(throws: DataProblem.self) {
        try NumberArray(bytes: file(header, bytes), file: "a")
      }
    }
    #expect(throws: DataProblem.self) { try NumberArray(bytes: [1, 2], file: "a") }
  }

  private let lists = RatedLists(
    viewers: [
      .init(
        cards: [1, 2, 3, 4], scores: [4, 3, 2, 1], relevant: [1, 4], known: [9, 8]),
      .init(cards: [3, 4, 1], scores: [-1, -2, -3], relevant: [3], known: [8]),
    ], categories: [1: [0], 2: [0], 3: [1], 4: [1, 2], 8: [1], 9: [0]])

  @Test func listsInAnotherOrder() async throws {
    let experiment = try parse(
      text(
        #"{"use": "rated-lists", "set": "s", "categories": "c.csv"}"#, "reranked",
        #"["ndcg@2", "diversity@2"]"#,
        [
          #"{"use": "unchanged"}"#, #"{"use": "mmr", "lambda": 0.1}"#,
          #"{"use": "dpp", "theta": 0}"#,
          #"{"use": "calibrated-categories", "lambda": 0.9}"#, #"{"use": "interleave-categories"}"#,
        ]))
    let result = try await OnlineExperimentRunner(threads: 2).run(experiment, lists: lists)
    let figures = result.arms.map { $0.figures.map { $0.figure.value ?? -1 } }
    // Cards 1 and 2 are alike, 3 and 4 share one of two categories.
    #expect(abs(figures[0][1] - (0 + 0.5) / 2) < 1e-12)
    #expect(abs(figures[0][0] - (1 / (1 + 1 / log2(3.0)) + 1) / 2) < 1e-12)
    #expect(figures[1][1] == 1)
    #expect(figures[4][1] == 1)
    #expect(figures[2][1] >= figures[0][1] && figures[3][1] >= figures[0][1])
    let leaking = RatedLists(
      viewers: [.init(cards: [1], scores: [1], relevant: [1], known: [1])], categories: [:])
    await #expect(throws: SplitLeak.self) {
      try await OnlineExperimentRunner(threads: 1).run(experiment, lists: leaking)
    }
  }

  @Test func listsOfFiles() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("user,item\n0,4\n2,1\n", to: "test.csv")
    _ = try folder.write("user,item\n0,5\n1,3\n", to: "train.csv")
    _ = try folder.write("user,item\n2,6\n", to: "valid.csv")
    _ = try folder.write(
      "viewer,card,score\n0,4,0.5\n0,7,-0.25\n1,4,1\n2,7,1\n", to: "candidates.csv")
    let kinds = try folder.write("card,categories\n4,Drama;War\n7,War\n8,\n", to: "kinds.csv")
    let lists = try RatedLists(folder: folder.path + "/", categories: kinds)
    #expect(
      lists.viewers == [
        .init(cards: [4, 7], scores: [0.5, -0.25], relevant: [4], known: [5]),
        .init(cards: [7], scores: [1], relevant: [1], known: [6]),
      ])
    #expect(lists.categories == [4: [0, 1], 7: [1], 8: []])
    _ = try folder.write("viewer,card,score\n0,4,0.5\n0,7,0.75\n", to: "candidates.csv")
    #expect(throws: DataProblems.self) {
      try RatedLists(folder: folder.path + "/", categories: kinds)
    }
  }

  @Test(arguments: [
    "product-purchases", "product-bandits", "generated-bandits", "product-diversity",
  ])
  func theFilesOfThePackageCanBeRead(name: String) throws {
    let path = URL(filePath: #filePath).appending(
      path: "../../../datasets/experiments/\(name).json"
    )
    .standardized
    let bytes = [UInt8](try Data(contentsOf: path))
    #expect(OnlineExperiment.isDescribed(by: bytes))
    let experiment = try OnlineExperiment(parsing: bytes, file: path.path)
    #expect(experiment.name == name)
    #expect(experiment.data.isRecorded == name.hasPrefix("product"))
  }
}
