#if XGBoost
  import Testing

  @testable import CardFeed
  @testable import CardFeedGradientBoosting

  /// Rows whose outcome is a question about two numbers that no sum of the two answers.
  private func exclusive(
    _ count: Int, seed: UInt64, missing: Double = 0
  ) -> (matrix: FeatureMatrix, outcomes: [Bool]) {
    var generator = SplitMix64(seed: seed)
    var matrix = FeatureMatrix(columns: 3, capacity: count)
    var outcomes: [Bool] = []
    for _ in 0..<count {
      let row = (0..<3).map { _ in
        generator.unitInterval() < missing ? Float.nan : Float(generator.unitInterval())
      }
      matrix.append(row)
      // A missing number counts as a great one.
      let isGreat = row.map { $0.isNaN || $0 > 0.5 }
      outcomes.append(generator.unitInterval() < (isGreat[0] != isGreat[1] ? 0.9 : 0.1))
    }
    return (matrix, outcomes)
  }

  private func grown(
    _ rounds: Int, _ matrix: FeatureMatrix, _ outcomes: [Bool],
    _ settings: BoostingSettings = BoostingSettings()
  ) throws -> BoostedTrees {
    let grower = try TreeGrower(settings, matrix, outcomes: outcomes)
    for _ in 0..<rounds { try grower.grow() }
    #expect(grower.rounds == rounds)
    return try grower.trees()
  }

  private func loss(_ probabilities: [Double], _ outcomes: [Bool]) -> Double {
    zip(probabilities, outcomes).map { -naturalLogarithm($1 ? $0 : 1 - $0) }.reduce(0, +)
      / Double(outcomes.count)
  }

  @Suite struct BoostedTreesTests {
    @Test(arguments: [0, 0.3])
    func findsWhatNoSumFinds(missing: Double) throws {
      let (matrix, outcomes) = exclusive(3000, seed: 1, missing: missing)
      let (other, happened) = exclusive(3000, seed: 2, missing: missing)
      var settings = BoostingSettings()
      settings.columnShare = 1
      let trees = try grown(150, matrix, outcomes, settings)
      let found = loss(try trees.probabilities(other), happened)
      // The best there is, −0.9 log 0.9 − 0.1 log 0.1, and a little more.
      #expect(found < 0.325 + 0.06)
    }

    @Test func equalFitsGiveEqualBytesAndAreReadBack() throws {
      let (matrix, outcomes) = exclusive(500, seed: 3)
      let trees = try grown(20, matrix, outcomes)
      #expect(try grown(20, matrix, outcomes).bytes == trees.bytes)
      var other = BoostingSettings()
      other.seed = 8
      #expect(try grown(20, matrix, outcomes, other).bytes != trees.bytes)
      let read = try BoostedTrees(bytes: trees.bytes, columns: 3)
      #expect(try read.probabilities(matrix) == trees.probabilities(matrix))
      #expect(try trees.probabilities(FeatureMatrix(columns: 3)) == [])
      // Each row for itself.
      var reversed = FeatureMatrix(columns: 3)
      for row in (0..<matrix.rows).reversed() {
        reversed.append(matrix.values[row * 3..<row * 3 + 3])
      }
      #expect(try trees.probabilities(reversed) == trees.probabilities(matrix).reversed())
    }

    @Test func whatIsHeldOutIsPredictedAsByTheTreesThemselves() throws {
      let (matrix, outcomes) = exclusive(500, seed: 4)
      let (held, _) = exclusive(200, seed: 5)
      let grower = try TreeGrower(
        BoostingSettings(), matrix, outcomes: outcomes, heldOut: held)
      for _ in 0..<15 {
        try grower.grow()
        let now = try grower.heldOutProbabilities()
        let later = try grower.trees().probabilities(held)
        #expect(zip(now, later).allSatisfy { abs($0 - $1) < 1e-6 })
      }
      let alone = try TreeGrower(BoostingSettings(), matrix, outcomes: outcomes)
      #expect(try alone.heldOutProbabilities() == [])
    }

    @Test func outcomesOfOneKindAreNoFault() throws {
      let (matrix, _) = exclusive(50, seed: 6)
      let trees = try grown(5, matrix, Array(repeating: true, count: 50))
      #expect(try trees.probabilities(matrix).allSatisfy { $0 > 0.99 && $0 < 1 })
    }

    @Test func failuresOfTheLibraryAreErrors() throws {
      let (matrix, outcomes) = exclusive(50, seed: 7)
      let trees = try grown(3, matrix, outcomes)
      let columns = #expect(throws: XGBoostError.self) {
        try trees.probabilities(FeatureMatrix(columns: 2, rows: [[1, 2]]))
      }
      #expect(
        columns?.description
          == "XGBoost failed (prediction): rows have 2 numbers, 3 are wanted")
      let width = #expect(throws: XGBoostError.self) {
        try BoostedTrees(bytes: trees.bytes, columns: 4)
      }
      #expect(width?.code == .model)
      let garbage = #expect(throws: XGBoostError.self) {
        try BoostedTrees(bytes: Array("no trees at all".utf8), columns: 3)
      }
      #expect(garbage?.code == .model && garbage?.message.isEmpty == false)
      let setting = #expect(throws: XGBoostError.self) {
        var settings = BoostingSettings()
        settings.learningRate = -.infinity
        settings.rowShare = 7
        return try grown(1, matrix, outcomes, settings)
      }
      #expect(setting?.code == .setting || setting?.code == .fit)
    }
  }

  @Suite struct BoostedTreesConcurrencyTests {
    @Test func manyTasksMayAskTheSameTrees() async throws {
      let (matrix, outcomes) = exclusive(400, seed: 8)
      let trees = try grown(40, matrix, outcomes)
      let expected = try trees.probabilities(matrix)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<32 {
          group.addTask {
            try (0..<20).allSatisfy { _ in try trees.probabilities(matrix) == expected }
          }
        }
        for try await isSame in group { #expect(isSame) }
      }
    }
  }

  extension FeatureMatrix {
    fileprivate init(columns: Int, rows: [[Float]]) {
      self.init(columns: columns)
      for row in rows { append(row) }
    }
  }
#endif
