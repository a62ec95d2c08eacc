/// Neighbours among cards: the cosine of the sets of viewers, shrunk towards 0 where they are small
/// (Sarwar, Karypis, Konstan, Riedl 2001; shrinkage as of Koren 2008).
///
/// w(i → j) = |i ∩ j| / (√|i| √|j| + shrinkage), and for each j the largest only.
public struct ItemNeighbours: Hashable, Sendable {
  /// How many neighbours each card keeps.
  public var neighbours: Int
  /// Added to the denominator, at least 0.
  public var shrinkage: Double
  /// How much a swipe of the history still counts.
  public var decay: HistoryDecay

  /// A way to find neighbours.
  public init(neighbours: Int = 200, shrinkage: Double = 0, decay: HistoryDecay = .none) {
    self.neighbours = neighbours
    self.shrinkage = shrinkage
    self.decay = decay
  }

  /// Finds the neighbours of each card.
  ///
  /// - Throws: ``RecommenderError`` where the weights do not fit.
  /// - Complexity: O(Σ over viewers (cards)²).
  public func fit(
    _ matrix: InteractionMatrix, threads: Int = 1
  ) throws(RecommenderError) -> ItemWeights {
    let roots = matrix.columnCounts().map { Double($0).squareRoot() }
    let shrinkage = shrinkage
    return try matrix.itemWeights(
      neighbours: neighbours, threads: threads, decay: decay, viewerWeight: { _ in 1 }
    ) { from, to, shared in
      shared / (roots[from] * roots[to] + shrinkage + 1e-9)
    }
  }
}

/// Random walks of three steps from card to viewer to card, with popular cards held back (RP3β:
/// Christoffel, Paudel, Newell, Bernstein 2015).
///
/// w(i → j) = Σ over shared viewers (|i| · |viewer|)^−α · |j|^−β.
public struct RandomWalk: Hashable, Sendable {
  /// The exponent of the transition probabilities.
  public var alpha: Double
  /// The exponent of popularity.
  public var beta: Double
  /// How many neighbours each card keeps.
  public var neighbours: Int
  /// How much a swipe of the history still counts.
  public var decay: HistoryDecay

  /// A walk.
  public init(
    alpha: Double = 0.8, beta: Double = 0.5, neighbours: Int = 200, decay: HistoryDecay = .none
  ) {
    self.alpha = alpha
    self.beta = beta
    self.neighbours = neighbours
    self.decay = decay
  }

  /// Adds up the walks.
  ///
  /// - Throws: ``RecommenderError`` where the weights do not fit.
  /// - Complexity: O(Σ over viewers (cards)²).
  public func fit(
    _ matrix: InteractionMatrix, threads: Int = 1
  ) throws(RecommenderError) -> ItemWeights {
    let counts = matrix.columnCounts().map { Double(Swift.max($0, 1)) }
    let (alpha, beta) = (alpha, beta)
    let from = counts.map { power($0, -alpha) }
    let to = counts.map { power($0, -beta) }
    return try matrix.itemWeights(
      neighbours: neighbours, threads: threads, decay: decay,
      viewerWeight: { power(Double(Swift.max(matrix.row($0).count, 1)), -alpha) }
    ) { card, target, sum in
      from[card] * sum * to[target]
    }
  }
}

extension InteractionMatrix {
  /// Entries of each column. O(entries).
  public func columnCounts() -> [Int] {
    var counts = [Int](repeating: 0, count: columnCount)
    for column in columns { counts[Int(column)] += 1 }
    return counts
  }
}
