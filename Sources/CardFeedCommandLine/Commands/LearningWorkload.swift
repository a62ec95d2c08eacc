internal import CardFeed
internal import CardFeedDiversity
internal import CardFeedOnlineLearning

/// What learns while it deals, and what looks at a hand as a whole: one decision or one update each.
struct LearningWorkload {
  /// The seconds since some moment, by the clock that is measured with.
  let clock: () -> Double

  func all() throws -> [WorkloadRow] {
    try bandits() + rerankings() + updates() + purchases()
  }

  /// - Parameter beside: What the same task is called where others are measured.
  private func measure(
    _ name: String, _ operations: Int, beside: String = "", _ body: () -> Double
  ) -> WorkloadRow {
    var best = Double.infinity
    // The best of five: others share the machine.
    for _ in 0..<5 {
      let start = clock()
      let check = body()
      best = min(best, (clock() - start) * 1e9 / Double(operations))
      precondition(check.isFinite && check != 0, "The workload '\(name)' computed nothing.")
    }
    return WorkloadRow(
      name: name, operations: operations, allocations: nil, nanoseconds: best, beside: beside)
  }

  private func bandits() -> [WorkloadRow] {
    var generator = SplitMix64(seed: 3)
    let contexts = (0..<1000).map { _ in (0..<8).map { _ in generator.unitInterval() * 4 - 2 } }
    func rounds(_ policy: BanditPolicy) -> Double {
      var bandit = LinearBandit(
        armCount: 20, contextCount: 8, policy: policy, settings: .init())
      var draws = SplitMix64(seed: 4)
      var propensities = 0.0
      for (round, context) in contexts.enumerated() {
        let hand = bandit.distribution(for: context).draw(1, using: &draws)
        propensities += hand.propensities[0]
        bandit.learn(
          arm: hand.arms[0], context: context, reward: (round &* 7) % 3 == 0 ? 1 : 0)
      }
      return propensities
    }
    return [
      measure(
        "LinUCB: choose 1 of 20 arms by 8 numbers, and learn", 1000, beside: "numpy_bandit_us"
      ) {
        rounds(.upperBound(width: 0.5))
      },
      measure(
        "linear Thompson: the same, with the propensity", 1000, beside: "numpy_thompson_us"
      ) {
        rounds(.thompson(width: 0.2))
      },
    ]
  }

  private func rerankings() -> [WorkloadRow] {
    var generator = SplitMix64(seed: 5)
    let lists = (0..<100).map { _ in
      (
        relevance: (0..<100).map { _ in generator.unitInterval() },
        similarity: TagSimilarity(
          tags: (0..<100).map { _ in (0..<19).filter { _ in generator.unitInterval() < 0.12 } })
      )
    }
    return [
      measure("MMR: 10 of 100 cards by their tags", lists.count, beside: "numpy_mmr_us") {
        lists.reduce(0) { sum, list in
          sum
            + Double(
              MarginalRelevance(lambda: 0.7).choose(
                10, relevance: list.relevance, similarity: list.similarity
              ).reduce(1, +))
        }
      },
      measure("DPP: 10 of 100 cards by their tags", lists.count, beside: "numpy_dpp_us") {
        lists.reduce(0) { sum, list in
          sum
            + Double(
              DeterminantalProcess(theta: 3).choose(
                10, relevance: list.relevance, similarity: list.similarity
              ).reduce(1, +))
        }
      },
    ]
  }

  private func updates() -> [WorkloadRow] {
    var generator = SplitMix64(seed: 6)
    let count = 20_000
    let features = (0..<count * 20).map { _ in
      // A table of 3,000 weights, as that of binned columns and their crosses.
      UInt32(generator.index(below: 3000))
    }
    let rows = FeatureRows(width: 20, features: features)
    let outcomes = (0..<count).map { _ in generator.unitInterval() < 0.1 }
    return [
      measure("FTRL: learn a row of 20 features", count, beside: "c_ftrl_us") {
        var model = FTRLProximal(bits: 12)
        model.learn(rows, outcomes: outcomes)
        return model.weight(of: features[0]) + 1
      },
      measure("the same with two arrays, as it is printed", count) {
        Self.printed(features, outcomes) + 1
      },
    ]
  }

  /// A week's rows of a shop are some hundred thousand: at 1,667 ns a row, 600,000 take a second.
  private func purchases() throws -> [WorkloadRow] {
    let workload = try PurchaseWorkload(rows: 60_000)
    return [
      measure("weekly purchases: make the features of a row, and learn it", workload.count) {
        workload.pass()
      }
    ]
  }

  /// Algorithm 1 of McMahan et al. 2013, line by line.
  private static func printed(_ features: [UInt32], _ outcomes: [Bool]) -> Double {
    let (alpha, beta, lambda1, lambda2) = (0.05, 1.0, 0.5, 1.0)
    var (z, n) = (Array(repeating: 0.0, count: 4096), Array(repeating: 0.0, count: 4096))
    var weights = Array(repeating: 0.0, count: 20)
    for row in outcomes.indices {
      var sum = 0.0
      for place in 0..<20 {
        let i = Int(features[row * 20 + place])
        weights[place] =
          z[i].magnitude <= lambda1
          ? 0
          : -(z[i] - (z[i] > 0 ? lambda1 : -lambda1))
            / ((beta + n[i].squareRoot()) / alpha + lambda2)
        sum += weights[place]
      }
      let gradient = 1 / (1 + exponential(-sum)) - (outcomes[row] ? 1 : 0)
      for place in 0..<20 {
        let i = Int(features[row * 20 + place])
        let step = ((n[i] + gradient * gradient).squareRoot() - n[i].squareRoot()) / alpha
        z[i] += gradient - step * weights[place]
        n[i] += gradient * gradient
      }
    }
    return weights[0]
  }
}
