import CardFeedConfiguration
import CardFeedRecommenders
import Foundation
import Testing

@testable import CardFeedExperiments

@Suite struct RankingExperimentTests {
  private static let arms = """
    { "name": "popularity", "model": { "use": "popularity" } },
    { "name": "after", "model": { "use": "co-occurrence", "window": [1, 3], "decay": [0.5, 1] } },
    { "name": "walk", "model": { "use": "random-walk", "alpha": [0.5], "decay": [0.8] } },
    { "name": "rising", "model": { "use": "trend", "of": "after", "exponent": [0.1, 0.5] } },
    { "name": "both", "model": { "use": "blend", "parts": ["after", "walk"], "weights": [0, 1] } }
    """

  private func text(
    split: String = #"{ "use": "next-cards" }"#, metrics: String = #"["ndcg@10", "coverage@10"]"#,
    baseline: String = "popularity", arms: String = arms
  ) -> [UInt8] {
    Array(
      """
      { "version": 1, "name": "ranks", "data": { "use": "swipes", "set": "x" }, "split": \(split),
        "metrics": \(metrics), "seed": 3, "resamples": 100, "baseline": "\(baseline)",
        "arms": [\(arms)] }
      """.utf8)
  }

  /// Viewers go through cards in one direction, each from a place of their own.
  private static let folds: SwipeFolds = {
    var (train, validation, test) =
      ([SwipeFolds.Swipe](), [SwipeFolds.Swipe](), [SwipeFolds.Swipe]())
    for viewer in 0..<24 {
      for step in 0..<8 {
        let swipe = SwipeFolds.Swipe(
          viewer: Int32(viewer), card: Int32((viewer + step) % 12), time: Double(step))
        if step < 6 {
          train.append(swipe)
        } else if step == 6 {
          validation.append(swipe)
        } else {
          test.append(swipe)
        }
      }
    }
    return SwipeFolds(
      name: "x", viewerCount: 24, cardCount: 12, train: train, validation: validation, test: test)
  }()

  @Test func `an experiment on rankings is told by its split`() {
    #expect(RankingExperiment.isDescribed(by: text()))
    #expect(!RankingExperiment.isDescribed(by: Array(#"{ "split": { "use": "lists" } }"#.utf8)))
    #expect(!RankingExperiment.isDescribed(by: Array("{".utf8)))
  }

  private func problems(_ bytes: [UInt8]) -> String {
    do {
      _ = try RankingExperiment(parsing: bytes, file: "ranks.json")
      return ""
    } catch {
      return error.description
    }
  }

  @Test func `what is wrong is said all at once`() {
    #expect(problems(text()) == "")
    let metrics = problems(text(metrics: #"["auc", "ndcg@30", "mrr", "mrr"]"#))
    #expect(metrics.contains("the metric does not belong to rankings of cards"))
    #expect(metrics.contains("lists are not that long"))
    #expect(metrics.contains("the metric stands twice"))
    #expect(problems(text(baseline: "nobody")).contains("no arm is called \"nobody\""))
    let blend = #"{ "name": "b", "model": { "use": "blend", "parts": ["late"] } }"#
    #expect(problems(text(arms: blend)).contains("\"late\" cannot be blended"))
    let none = #"{ "name": "popularity", "model": { "use": "blend", "parts": [] } }"#
    #expect(problems(text(arms: none)).contains("a blend has no parts"))
    #if !OpenBLAS
      let dense = #"{ "name": "popularity", "model": { "use": "linear-autoencoder" } }"#
      #expect(problems(text(arms: dense)).contains("a build with the trait OpenBLAS"))
    #endif
  }

  @Test func `who knows the order finds the next card, whatever the number of threads`()
    async throws
  {
    let experiment = try RankingExperiment(
      parsing: text(
        metrics: #"["ndcg@10", "hit@1", "recall@20", "mrr", "coverage@1", "novelty@10"]"#),
      file: "ranks.json")
    let result = try await RankingExperimentRunner(threads: 2).run(experiment, folds: Self.folds)
    let single = try await RankingExperimentRunner(threads: 1).run(experiment, folds: Self.folds)
    #expect(result == single)
    let after = try #require(result.arms.first { $0.name == "after" })
    for (metric, figure) in after.figures where metric.measure != .novelty {
      #expect(figure.value == 1, "\(metric)")
    }
    // Everybody has all cards but five, so that lists hold those.
    #expect(result.lists.allSatisfy { $0.cards.count == 5 })
    #expect(result.lists.count == 5 * 24)
    let chosen = try #require(result.choices.first { $0.arm == "after" })
    #expect(chosen.validation == 1 && chosen.parameters.hasPrefix("window 1"))
    #expect(result.choices.map(\.arm) == ["after", "rising", "both"])
    let gain = try #require(
      result.differences.first { $0.arm == "after" && $0.metric.measure == .ndcg })
    #expect(try #require(gain.figure.value) > 0.1)
    #expect(result.differences.count { $0.arm == "after" } == 5)
  }

  @Test func `a viewer who is asked for a known card is refused`() async throws {
    let folds = SwipeFolds(
      name: "x", viewerCount: 1, cardCount: 2,
      train: [.init(viewer: 0, card: 1, time: 0)], validation: [.init(viewer: 0, card: 0, time: 1)],
      test: [.init(viewer: 0, card: 1, time: 2)])
    let arms = #"{ "name": "popularity", "model": { "use": "popularity" } }"#
    let experiment = try RankingExperiment(parsing: text(arms: arms), file: "ranks.json")
    await #expect(throws: SplitLeak(kind: .answer, count: 1)) {
      try await RankingExperimentRunner(threads: 1).run(experiment, folds: folds)
    }
    let again = try RankingExperiment(
      parsing: text(split: #"{ "use": "next-cards", "repeats": true }"#, arms: arms),
      file: "ranks.json")
    let result = try await RankingExperimentRunner(threads: 1).run(again, folds: folds)
    #expect(result.lists.map(\.cards) == [[0, 1]])
  }

  @Test func `the first place counts ties by number`() {
    var scores: [Float] = [1, 3, 3, 2, 3]
    let viewer = scores.withUnsafeMutableBufferPointer {
      RankingFigures.viewer(0, scores: $0, hidden: [1], relevant: [4])
    }
    #expect(viewer.cards == [2, 4, 3, 0] && viewer.firstPlace == 2)
    var hidden: [Float] = [1, 2]
    let none = hidden.withUnsafeMutableBufferPointer {
      RankingFigures.viewer(0, scores: $0, hidden: [0, 1], relevant: [1])
    }
    #expect(none.cards.isEmpty && none.firstPlace == 0)
  }

  @Test func `a set is read from its files, and every fault is told`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "folds-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let set = folder.appending(path: "product/x")
    try FileManager.default.createDirectory(at: set, withIntermediateDirectories: true)
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: set.appending(path: name))
    }
    try write("meta.json", #"{ "n_users": 2, "n_items": 3 }"#)
    try write("train.csv", "user,item,rating,timestamp\n0,1,5,9\n1,2,1,7\n")
    // "user,item,rating,timestamp\n0,2,1,10\n" as gzip packs it.
    let packed = try #require(
      Data(
        base64Encoded: "H4sIAAAAAAAC/ystTi3SySxJzdUpSizJzEvXKcnMTS0uScwt4DLQMdIx1DE0"
          + "4AIAQdV/iyQAAAA="))
    try packed.write(to: set.appending(path: "valid.csv.gz"))
    try write("test.csv", "user,item,rating,timestamp\n1,0,2,11\n")
    let read = try SwipeFolds(directory: folder.path(), set: "x", known: nil)
    #expect(read.viewerCount == 2 && read.cardCount == 3)
    #expect(
      read.train == [
        .init(viewer: 0, card: 1, amount: 5, time: 9),
        .init(viewer: 1, card: 2, amount: 1, time: 7),
      ])
    #expect(read.validation == [.init(viewer: 0, card: 2, amount: 1, time: 10)])
    #expect(read.later == read.validation && read.checksum.count == 64)
    try write("test.csv", "user,item,rating,timestamp\n2,0,2,11\n0,3,0,11\n")
    let faults = try #require(throws: DataProblems.self) {
      _ = try SwipeFolds(directory: folder.path(), set: "x", known: nil)
    }
    #expect(faults.total == 3)
    try packed.dropLast(9).write(to: set.appending(path: "test.csv.gz"))
    #expect(throws: DataProblems.self) {
      _ = try SwipeFolds(directory: folder.path(), set: "x", known: nil)
    }
    try write("test.csv.gz", "no gzip")
    #expect(throws: DataProblems.self) {
      _ = try SwipeFolds(directory: folder.path(), set: "x", known: nil)
    }
    #expect(throws: DataProblems.self) {
      _ = try SwipeFolds(directory: folder.path(), set: "y", known: nil)
    }
  }
}
