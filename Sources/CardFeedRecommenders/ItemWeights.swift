/// Sparse weights from card to card: what a swipe of one card says for each other.
///
/// The score of a card is Σ decay · weight over the swipes of the history. Neighbours, random walks
/// and co-occurrence are all of this form and differ in where the weights come from.
public struct ItemWeights: ExplainableRecommender, SimilarCards {
  /// Cards are numbered 0 ..< `cardCount`.
  public let cardCount: Int
  /// How much a swipe of the history still counts.
  public var decay: HistoryDecay
  let offsets: Numbers<Int>
  let targets: Numbers<Int32>
  let weights: Numbers<Float>

  init(
    offsets: Numbers<Int>, targets: Numbers<Int32>, weights: Numbers<Float>, decay: HistoryDecay
  ) {
    cardCount = offsets.count - 1
    self.offsets = offsets
    self.targets = targets
    self.weights = weights
    self.decay = decay
  }

  /// Weights by rows of the card that was swiped, targets ascending.
  init(rows: [[(card: Int32, weight: Float)]], decay: HistoryDecay) throws(RecommenderError) {
    let offsets = try InteractionMatrix.offsets(of: rows.map(\.count))
    guard rows.allSatisfy({ $0.allSatisfy(\.weight.isFinite) }) else {
      throw RecommenderError(
        .diverged,
        "a weight between two cards is not finite; allowed: finite weights. Use smaller "
          + "exponents")
    }
    self.init(
      offsets: Numbers(offsets), targets: Numbers(rows.flatMap { $0.map(\.card) }),
      weights: Numbers(rows.flatMap { $0.map(\.weight) }), decay: decay)
  }

  /// Weights by columns of the card that is scored; turned into rows in the order of the columns.
  init(columns: [[(card: Int32, weight: Float)]], decay: HistoryDecay) throws(RecommenderError) {
    var rows: [[(card: Int32, weight: Float)]] = Array(repeating: [], count: columns.count)
    for (target, column) in columns.enumerated() {
      for entry in column { rows[Int(entry.card)].append((Int32(target), entry.weight)) }
    }
    try self.init(rows: rows, decay: decay)
  }

  /// How many pairs of cards have a weight.
  public var entryCount: Int { targets.count }

  /// Writes a score for each card; see ``Recommender``.
  public func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    scores.update(repeating: 0)
    let factors = decay.weights(of: history, now: now)
    for (card, factor) in zip(history.cards, factors) where 0..<cardCount ~= Int(card) {
      for place in offsets[Int(card)]..<offsets[Int(card) + 1] {
        scores[Int(targets[place])] += factor * weights[place]
      }
    }
  }

  /// The weight from one card to another; 0 where there is none. O(log entries of the row).
  public func weight(from card: Int, to target: Int) -> Float {
    guard 0..<cardCount ~= card else { return 0 }
    var (low, high) = (offsets[card], offsets[card + 1])
    while low < high {
      let middle = (low + high) / 2
      if Int(targets[middle]) < target { low = middle + 1 } else { high = middle }
    }
    return low < offsets[card + 1] && Int(targets[low]) == target ? weights[low] : 0
  }

  /// What each swipe adds to the score of a card; see ``ExplainableRecommender``.
  public func contributions(
    to card: Int, _ history: ViewerHistory, now: Double
  ) -> [Float] {
    let factors = decay.weights(of: history, now: now)
    return zip(history.cards, factors).map { $1 * weight(from: Int($0), to: card) }
  }

  /// The most similar cards, best first; see ``SimilarCards``.
  public func similar(to card: Int, count: Int) -> [ScoredCard] {
    guard 0..<cardCount ~= card else { return [] }
    let own = offsets[card]..<offsets[card + 1]
    return own.map { ScoredCard(card: Int(targets[$0]), score: weights[$0]) }
      .filter { $0.score > 0 && $0.card != card }
      .sorted { ($1.score, $0.card) < ($0.score, $1.card) }.prefix(count).map { $0 }
  }
}

/// The largest entries of a column that was added up in dense memory.
struct ColumnAccumulator {
  private var sums: [Double]
  private var touched: [Int32] = []

  init(cardCount: Int) { sums = Array(repeating: 0, count: cardCount) }

  @inline(__always)
  mutating func add(_ value: Double, to card: Int32) {
    if sums[Int(card)] == 0 { touched.append(card) }
    sums[Int(card)] += value
  }

  /// The entries that `weigh` makes of the sums: the `count` largest above 0, by card. Forgets all.
  mutating func takeLargest(
    _ count: Int, weigh: (Int32, Double) -> Double?
  ) -> [(card: Int32, weight: Float)] {
    var entries: [(card: Int32, weight: Float)] = []
    entries.reserveCapacity(touched.count)
    for card in touched {
      if let weight = weigh(card, sums[Int(card)]), weight != 0 {
        entries.append((card, Float(weight)))
      }
      sums[Int(card)] = 0
    }
    touched.removeAll(keepingCapacity: true)
    if entries.count > count {
      entries.sort { ($1.weight, $0.card) < ($0.weight, $1.card) }
      entries.removeSubrange(count...)
      entries.removeAll { $0.weight <= 0 }
    }
    entries.sort { $0.card < $1.card }
    return entries
  }
}

extension InteractionMatrix {
  /// Weights from sums over the viewers two cards share.
  ///
  /// - Parameters:
  ///   - viewerWeight: What a viewer of both cards adds.
  ///   - neighbours: Most entries of a column.
  ///   - weigh: Makes a weight of (from, to, sum).
  /// - Complexity: O(Σ over viewers (cards)²), divided among the threads.
  func itemWeights(
    neighbours: Int, threads: Int, decay: HistoryDecay, viewerWeight: @Sendable (Int) -> Double,
    weigh: @Sendable @escaping (Int, Int, Double) -> Double
  ) throws(RecommenderError) -> ItemWeights {
    let byCard = transposed()
    let shares = (0..<rowCount).map(viewerWeight)
    let results = RowResults<[(card: Int32, weight: Float)]>(count: columnCount, repeating: [])
    let matrix = self
    forEachBlock(columnCount, of: 16, threads: threads) { block in
      var accumulator = ColumnAccumulator(cardCount: matrix.columnCount)
      for target in block {
        for place in byCard.row(target) {
          let viewer = Int(byCard.columns[place])
          let share = shares[viewer]
          for other in matrix.row(viewer) {
            accumulator.add(share, to: matrix.columns[other])
          }
        }
        results[target] = accumulator.takeLargest(neighbours) { card, sum in
          Int(card) == target ? nil : weigh(Int(card), target, sum)
        }
      }
    }
    return try ItemWeights(columns: results.take(), decay: decay)
  }
}
