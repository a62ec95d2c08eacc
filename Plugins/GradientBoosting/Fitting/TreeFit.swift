#if XGBoost
  internal import CardFeed

  /// How many trees there are, and the trees: what fits of either kind of deck share.
  struct TreeFit {
    /// Rows and what happened.
    struct Rows {
      var matrix: FeatureMatrix
      var outcomes: [Bool]

      mutating func append(_ other: Rows) {
        matrix.append(other.matrix)
        outcomes += other.outcomes
      }
    }

    /// The most trees that held-out rows can choose, and how many may follow without any gain.
    private static var search: (most: Int, patience: Int) { (600, 30) }

    /// Why estimates have no standard error.
    static var uncertainty: MatchUncertainty {
      .unknown(
        reason:
          "trees have no posterior, and how far fits to parts of the log lie apart is not the "
          + "error of one fit to all of it")
    }

    let settings: BoostingSettings

    /// How many trees predict the held-out rows best. O(rows · features · depth) for each tree.
    func rounds(
      _ known: Rows, held: Rows, _ progress: TrainingProgress
    ) async throws -> Int {
      guard known.matrix.rows > 0, held.matrix.rows > 0 else { return 1 }
      let grower = try TreeGrower(
        settings, known.matrix, outcomes: known.outcomes, heldOut: held.matrix)
      var best = (rounds: 1, loss: Double.infinity)
      while grower.rounds < Self.search.most, grower.rounds - best.rounds < Self.search.patience {
        try grower.grow()
        let loss = Self.loss(try grower.heldOutProbabilities(), held.outcomes)
        if loss < best.loss { best = (grower.rounds, loss) }
        try await progress.step(grower.rounds, of: Self.search.most)
      }
      return best.rounds
    }

    /// Trees of all rows. O(rows · features · depth) for each.
    func trees(
      _ rows: Rows, rounds: Int, _ progress: TrainingProgress
    ) async throws -> BoostedTrees {
      let grower = try TreeGrower(settings, rows.matrix, outcomes: rows.outcomes)
      for round in 0..<rounds {
        try grower.grow()
        try await progress.step(round + 1, of: rounds)
      }
      return try grower.trees()
    }

    private static func loss(_ probabilities: [Double], _ outcomes: [Bool]) -> Double {
      zip(probabilities, outcomes).reduce(0) { sum, row in
        sum - naturalLogarithm(max(row.1 ? row.0 : 1 - row.0, 1e-12))
      }
    }
  }
#endif
