/// The probability of an outcome as a step by step growing function of a score: of all functions that
/// never fall, the one with the least squared error, and the greatest likelihood.
///
/// By pool-adjacent-violators: Barlow, Bartholomew, Bremner and Brunk, "Statistical Inference under
/// Order Restrictions", 1972; for calibration Zadrozny and Elkan, "Transforming Classifier Scores
/// into Accurate Multiclass Probability Estimates", KDD 2002. Means are compared as whole numbers, so
/// the blocks are exact.
///
/// When not to use it: with fewer than about a thousand rows it follows chance (Niculescu-Mizil and
/// Caruana 2005); then `PlattScaling` does better. Scores in one block get one probability, so an
/// order by it has ties.
public struct IsotonicRegression: Hashable, Sendable {
  /// Scores that get one probability.
  public struct Block: Hashable, Sendable {
    /// The least score.
    public let low: Double
    /// The greatest.
    public let high: Double
    /// How many outcomes were positive.
    public let positives: Int
    /// How many outcomes there were, above 0.
    public let count: Int

    /// Scores from `low` to `high` with their outcomes.
    public init(low: Double, high: Double, positives: Int, count: Int) {
      self.low = low
      self.high = high
      self.positives = positives
      self.count = count
    }

    /// The share of positive outcomes.
    public var value: Double { Double(positives) / Double(count) }

    /// How well the share is known: the standard deviation of Beta(positives + 1, negatives + 1).
    /// Above 0, also where all outcomes were the same.
    public var standardError: Double {
      let mean = Double(positives + 1) / Double(count + 2)
      return (mean * (1 - mean) / Double(count + 3)).squareRoot()
    }
  }

  /// Ascending in scores and, strictly, in values.
  public let blocks: [Block]

  /// Fits the function. Scores that are not finite are left out.
  ///
  /// - Parameters:
  ///   - scores: One score for each row.
  ///   - outcomes: What happened, for each row.
  /// - Complexity: O(n log n).
  public init(scores: [Double], outcomes: [Bool]) {
    precondition(scores.count == outcomes.count, "Each score has one outcome.")
    var blocks: [Block] = []
    let rows = zip(scores, outcomes).filter { $0.0.isFinite }.sorted { $0.0 < $1.0 }
    for (score, outcome) in rows {
      var block = Block(low: score, high: score, positives: outcome ? 1 : 0, count: 1)
      // Equal scores cannot be told apart, so they are one block before anything is compared.
      if let last = blocks.last, last.high == score {
        blocks.removeLast()
        block = Block(
          low: score, high: score, positives: last.positives + block.positives,
          count: last.count + 1)
      }
      blocks.append(block)
    }
    self.blocks = Self.pooled(blocks)
  }

  /// With the blocks of an earlier fit; nil if they are not ascending.
  public init?(blocks: [Block]) {
    for block in blocks {
      guard block.low.isFinite, block.high.isFinite, block.low <= block.high, block.count > 0,
        (0...block.count).contains(block.positives)
      else { return nil }
    }
    for (earlier, later) in zip(blocks, blocks.dropFirst()) {
      guard earlier.high < later.low, earlier.value < later.value else { return nil }
    }
    self.blocks = blocks
  }

  /// Joins neighbours until each mean is greater than the one before.
  private static func pooled(_ blocks: [Block]) -> [Block] {
    var pooled: [Block] = []
    for block in blocks {
      var block = block
      while let last = pooled.last,
        last.positives * block.count >= block.positives * last.count
      {
        pooled.removeLast()
        block = Block(
          low: last.low, high: block.high, positives: last.positives + block.positives,
          count: last.count + block.count)
      }
      pooled.append(block)
    }
    return pooled
  }

  /// The probability at a score: that of its block, between two blocks on the straight line from one to
  /// the other, beyond the ends that of the last one. Nil without blocks, or for NaN. O(log blocks).
  public func value(at score: Double) -> Double? {
    guard let first = blocks.first, let last = blocks.last, !score.isNaN else { return nil }
    if score <= first.high { return first.value }
    if score >= last.low { return last.value }
    let place = place(of: score)
    let block = blocks[place]
    guard score < block.low else { return block.value }
    let before = blocks[place - 1]
    let share = (score - before.high) / (block.low - before.high)
    return min(block.value, before.value + share * (block.value - before.value))
  }

  /// How well the probability at a score is known: the standard error of its block, between two blocks
  /// the greater of theirs. Where blocks end counts as known. Nil without blocks, or for NaN.
  /// O(log blocks).
  public func standardError(at score: Double) -> Double? {
    guard let first = blocks.first, let last = blocks.last, !score.isNaN else { return nil }
    if score <= first.high { return first.standardError }
    if score >= last.low { return last.standardError }
    let place = place(of: score)
    let block = blocks[place]
    guard score < block.low else { return block.standardError }
    return max(block.standardError, blocks[place - 1].standardError)
  }

  /// The first block that ends at a score or above; the score lies between the ends of the function.
  private func place(of score: Double) -> Int {
    var low = 0
    var high = blocks.count - 1
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].high < score { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
