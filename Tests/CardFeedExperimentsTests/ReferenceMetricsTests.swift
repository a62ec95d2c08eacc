import CardFeedExperiments
import Foundation
import Testing

/// The reference definitions in Python against the ones here, on the same predictions.
@Suite("Metrics against the Python reference")
struct ReferenceMetricsTests {
  private struct Reference: Decodable {
    let auc, wauc, logloss, brier, ece, eceq, base, meanp: Double
    let ndcg5, hit1, map, mrr: Double
    let users: Int
  }

  private static let script = """
    import sys, json
    sys.path.insert(0, sys.argv[1])
    from metrics import *
    R = [l.split(',') for l in open(sys.argv[2]).read().split()]
    w = np.array([int(r[0]) for r in R]); u = [int(r[1]) for r in R]; i = [int(r[2]) for r in R]
    y = np.array([float(r[3]) for r in R]); p = np.array([float(r[4]) for r in R])
    print(json.dumps({**basic(y, p, w), **ranking(u, i, y, p)}))
    """

  @Test(
    "all metrics agree to 1e-9", .enabled(if: SharedData.folder != nil, SharedData.skipped),
    arguments: [0.0, 20.0])
  func agree(steps: Double) throws {
    let shared = try #require(SharedData.folder)
    guard try output(of: ["python3", "-c", "import numpy, scipy"]) != nil else {
      return print("skipped: python3 with numpy and scipy is not installed")
    }
    var generator = TestSplitMix64(seed: 20)
    let data = try GeneratedDating(using: &generator).data
    var waves: [Int] = []
    var users: [Int] = []
    var items: [Int] = []
    var outcomes: [Bool] = []
    var probabilities: [Double] = []
    for pair in data.pairs {
      var probability = min(1, 0.6 * generator.unit() + (pair.match ? 0.4 * generator.unit() : 0))
      // Coarse steps make ties, so that the tie rules count.
      if steps > 0 { probability = (probability * steps).rounded() / steps }
      for (user, item) in [(pair.woman, pair.man), (pair.man, pair.woman)] {
        waves.append(pair.wave)
        users.append(user)
        items.append(item)
        outcomes.append(pair.match)
        probabilities.append(probability)
      }
    }
    let folder = try TemporaryFolder()
    let lines = waves.indices.map {
      "\(waves[$0]),\(users[$0]),\(items[$0]),\(outcomes[$0] ? 1 : 0),\(probabilities[$0])"
    }
    let table = try folder.write(lines.joined(separator: "\n"), to: "rows.csv")
    let json = try #require(
      try output(of: ["python3", "-c", Self.script, shared + "/reference/dating", table]))
    let reference = try JSONDecoder().decode(Reference.self, from: json)

    let forecasts = try ProbabilityForecasts(outcomes: outcomes, probabilities: probabilities)
    let ranking = RankingSummary(
      lists: try RankedList.perUser(
        users: users, items: items, scores: probabilities, relevant: outcomes))
    let compared: [(String, Double?, Double)] = [
      ("auc", forecasts.auc, reference.auc),
      ("wauc", try forecasts.scored.withinGroupAUC(groups: waves), reference.wauc),
      ("logloss", forecasts.logLoss(), reference.logloss),
      ("brier", forecasts.brierScore, reference.brier),
      ("ece", forecasts.expectedCalibrationError(), reference.ece),
      ("eceq", forecasts.equalCountCalibrationError(), reference.eceq),
      ("base", forecasts.baseRate, reference.base),
      ("meanp", forecasts.meanProbability, reference.meanp),
      ("ndcg5", ranking.ndcg, reference.ndcg5), ("hit1", ranking.hitRate, reference.hit1),
      ("map", ranking.meanAveragePrecision, reference.map),
      ("mrr", ranking.meanReciprocalRank, reference.mrr),
    ]
    for (name, own, expected) in compared {
      let value = try #require(own)
      #expect(abs(value - expected) <= 1e-9, "\(name): \(value) against \(expected)")
    }
    #expect(ranking.usersAveraged == reference.users)
  }
}
