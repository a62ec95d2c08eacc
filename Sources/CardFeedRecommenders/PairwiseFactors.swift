/// Factors that put swiped cards before others, by stochastic gradients over drawn pairs (BPR: Rendle,
/// Freudenthaler, Gantner, Schmidt-Thieme 2009).
///
/// A drawn pair builds on the ones before, and unordered updates by many threads would make other
/// factors each time. So in each round viewers and cards fall at random into blocks (Gemulla, Nijkamp,
/// Haas, Sismanis 2011, "Large-scale matrix factorization with distributed stochastic gradient
/// descent"): blocks of viewers, each with a block of cards that no other has at that moment, are
/// fitted side by side, and every pair of blocks has its turn. What is drawn in a block depends on the
/// seed and on nothing else: the same seed gives the same factors with any number of threads.
public struct PairwiseFactors: Hashable, Sendable {
  /// Numbers in each vector.
  public var factors: Int
  /// Rounds; in each as many pairs are drawn as there are swipes.
  public var iterations: Int
  /// The length of a step.
  public var learningRate: Double
  /// How strongly vectors are held back.
  public var regularisation: Double
  /// Of first vectors and drawn pairs.
  public var seed: UInt64
  /// How much a swipe of the history still counts.
  public var decay: HistoryDecay

  /// A model to be fitted.
  public init(
    factors: Int = 64, iterations: Int = 100, learningRate: Double = 0.05,
    regularisation: Double = 0.01, seed: UInt64 = 1, decay: HistoryDecay = .none
  ) {
    self.factors = factors
    self.iterations = iterations
    self.learningRate = learningRate
    self.regularisation = regularisation
    self.seed = seed
    self.decay = decay
  }

  /// Fits the vectors.
  ///
  /// - Parameters:
  ///   - matrix: Which viewer has which cards.
  ///   - threads: How many threads fit; the factors do not depend on it. No more than eight are of use.
  /// - Throws: ``RecommenderError`` `badInput` for settings that make no model, `diverged` where a
  ///   vector is not finite.
  /// - Complexity: O(iterations · swipes · (factors + log of a viewer's cards)), divided among the
  ///   threads.
  public func fit(
    _ matrix: InteractionMatrix, threads: Int = 1
  ) throws(RecommenderError) -> FactorModel {
    guard factors > 0, factors <= 4096, iterations > 0, learningRate > 0, learningRate.isFinite,
      regularisation >= 0, regularisation.isFinite
    else {
      throw RecommenderError(
        .badInput,
        "pairwise factors need 1…4096 factors, iterations and a learning rate above 0, and a "
          + "regularisation that is not negative")
    }
    var generator = SeededGenerator(seed: seed)
    func start(_ count: Int) -> [Float] {
      (0..<count * factors).map { _ in Float((generator.unit() - 0.5) / Double(factors)) }
    }
    var viewers = start(matrix.rowCount)
    var cards = start(matrix.columnCount)
    var biases = [Float](repeating: 0, count: matrix.columnCount)
    if matrix.entryCount > 0 {
      viewers.withUnsafeMutableBufferPointer { viewers in
        cards.withUnsafeMutableBufferPointer { cards in
          biases.withUnsafeMutableBufferPointer { biases in
            let steps = PairwiseSteps(
              matrix: matrix, viewers: SharedMemory(viewers), cards: SharedMemory(cards),
              biases: SharedMemory(biases), factors: factors, rate: Float(learningRate),
              shrink: Float(regularisation))
            for _ in 0..<iterations { steps.round(&generator, threads: threads) }
          }
        }
      }
    }
    guard cards.allSatisfy(\.isFinite), viewers.allSatisfy(\.isFinite),
      biases.allSatisfy(\.isFinite)
    else {
      throw RecommenderError(
        .diverged,
        "pairwise factors are not finite at the learning rate \(learningRate); allowed: finite "
          + "factors. Use a smaller rate or a greater regularisation")
    }
    return FactorModel(
      factors: Numbers(cards), biases: Numbers(biases), factorCount: factors,
      foldIn: .pairwise(regularisation: max(1e-6, regularisation)), decay: decay)
  }
}

extension InteractionMatrix {
  /// Whether a row has a column. O(log entries of the row).
  public func has(_ row: Int, _ column: Int32) -> Bool {
    var (low, high) = (offsets[row], offsets[row + 1])
    while low < high {
      let middle = (low + high) / 2
      if columns[middle] < column { low = middle + 1 } else { high = middle }
    }
    return low < offsets[row + 1] && columns[low] == column
  }
}
