import CardFeedConfiguration
import CardFeedExperiments
import Foundation
import Testing

/// Lists of recommenders, scored by a program that others wrote. Scripts/compare-lists.py does the same
/// for every ranking.
struct ListScoreTests {
  private static let experiment = """
    { "version": 1, "name": "lists", "summary": "Two lists.",
      "data": { "use": "swipes", "set": "ml100k_loo" }, "split": { "use": "next-cards" },
      "metrics": ["ndcg@10", "hit@10", "recall@20", "mrr", "coverage@10", "novelty@10"],
      "seed": 1, "resamples": 100, "baseline": "popularity",
      "arms": [
        { "name": "popularity", "model": { "use": "popularity" } },
        { "name": "walk", "model": { "use": "random-walk", "alpha": [0.8], "decay": [0.8] } }
      ] }
    """

  @Test(.enabled(if: SharedData.folder != nil, SharedData.skipped))
  func anotherProgramSaysTheSameOfTheLists() async throws {
    let shared = try #require(SharedData.folder)
    let scorer = shared + "/reference/product"
    guard FileManager.default.fileExists(atPath: scorer + "/score_lists.py"),
      FileManager.default.fileExists(atPath: shared + "/data/product/ml100k_loo/test.csv")
    else { return print("skipped: no ../shared/reference/product") }
    guard try output(of: ["python3", "-c", "import numpy, pandas, scipy"]) != nil else {
      return print("skipped: python3 with numpy, pandas and scipy is not installed")
    }
    let folds = try SwipeFolds(directory: shared + "/data", set: "ml100k_loo", known: nil)
    let experiment = try RankingExperiment(
      parsing: Array(Self.experiment.utf8), file: "lists.json")
    let result = try await RankingExperimentRunner(threads: 1).run(experiment, folds: folds)
    let folder = try TemporaryFolder()
    for arm in result.arms {
      let file = try folder.write(
        String(decoding: result.listLines(of: arm.name), as: UTF8.self), to: "\(arm.name).tsv")
      // It finds its data from its own folder.
      let scored = try #require(
        try output(of: [
          "sh", "-c", "cd \"$0\" && exec python3 score_lists.py ml100k_loo \"$1\"", scorer, file,
        ]))
      let theirs = try JSONDocument(parsing: Array(scored)).root
      for (metric, figure) in arm.figures {
        guard let key = Self.keys["\(metric)"] else { continue }
        let value = try #require(figure.value)
        let other = try #require(theirs[key]?.double)
        // Rounded to five digits there.
        #expect(abs(value - other) < 0.500001e-5, "\(arm.name), \(metric)")
      }
      // Ours is over the whole ranking, theirs ends after twenty cards.
      let mrr = try #require(arm.figures.first { "\($0.metric)" == "mrr" }?.figure.value)
      let cut = try #require(theirs["MRR20"]?.double)
      #expect(mrr > cut && mrr < cut + 1.0 / 21)
    }
  }

  private static let keys = [
    "ndcg@10": "N10", "hit@10": "H10", "recall@20": "R20", "coverage@10": "cov10",
    "novelty@10": "nov10",
  ]
}
