internal import CardFeed
internal import CardFeedRecommenders

/// What is known, and who is asked what: the validation part or the test part of an experiment.
struct RankingPart: Sendable {
  let histories: ViewerHistories
  let matrix: InteractionMatrix
  /// Viewers with something to find, ascending, and what that is.
  let asked: [(viewer: Int, relevant: Set<Int32>)]
  /// The present: the latest of all known swipes.
  let now: Double
  let repeats: Bool
  private let novelty: [Double]

  /// - Parameter viewers: At most so many are asked, drawn by `seed`; all without.
  /// - Throws: A ``SplitLeak`` when a viewer is asked for a card that may not come, or nobody is.
  init(
    _ folds: SwipeFolds, known: [SwipeFolds.Swipe],
    asked swipes: [SwipeFolds.Swipe], repeats: Bool, viewers: Int? = nil, seed: UInt64 = 0
  ) throws {
    histories = try folds.histories(known)
    matrix = InteractionMatrix(histories)
    now = histories.times.max() ?? 0
    self.repeats = repeats
    var relevant: [Int: Set<Int32>] = [:]
    var leaks = 0
    for swipe in swipes {
      if !repeats, matrix.has(Int(swipe.viewer), swipe.card) { leaks += 1 }
      relevant[Int(swipe.viewer), default: []].insert(swipe.card)
    }
    guard leaks == 0 else { throw SplitLeak(kind: .answer, count: leaks) }
    var all = relevant.keys.sorted()
    if let viewers, all.count > viewers {
      var generator = SplitMix64(seed: seed)
      generator.shuffle(&all)
      all = all.prefix(viewers).sorted()
    }
    asked = all.map { ($0, relevant[$0] ?? []) }
    guard !asked.isEmpty else { throw SplitLeak(kind: .coverage, count: 0) }
    let counts = histories.popularity()
    novelty = counts.map {
      -PortableMath.log(Double($0 + 1) / Double(folds.viewerCount + 1)) / PortableMath.log(2)
    }
  }

  private func hidden(_ viewer: Int) -> ArraySlice<Int32> {
    repeats ? [] : matrix.columns[matrix.row(viewer)]
  }

  /// The lists of a recommender.
  func figures(_ model: any Recommender, threads: Int) async throws -> RankingFigures {
    try await figures(threads: threads) { index, scores in
      let viewer = asked[index].viewer
      model.score(into: scores, histories[viewer], now: now)
    }
  }

  /// The lists of scores that `write` makes for each viewer who is asked.
  func figures(
    threads: Int, write: @escaping @Sendable (Int, UnsafeMutableBufferPointer<Float>) -> Void
  ) async throws -> RankingFigures {
    let size = 64
    let blocks = try await parallelMap(
      (asked.count + size - 1) / size, threads: threads, finished: {}
    ) { block in
      try Task.checkCancellation()
      var scores = [Float](repeating: 0, count: histories.cardCount)
      return scores.withUnsafeMutableBufferPointer { scores in
        (block * size..<min(asked.count, (block + 1) * size)).map { index in
          write(index, scores)
          return RankingFigures.viewer(
            asked[index].viewer, scores: scores, hidden: hidden(asked[index].viewer),
            relevant: asked[index].relevant)
        }
      }
    }
    return RankingFigures(viewers: Array(blocks.joined()), novelty: novelty)
  }
}
