/// Factors that put swiped cards before others, by stochastic gradients over drawn pairs (BPR: Rendle,
/// Freudenthaler, Gantner, Schmidt-Thieme 2009).
///
/// One thread, since a drawn pair builds on the one before: the same seed gives the same factors
/// everywhere, which unordered updates by many threads do not.
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
  /// - Throws: ``RecommenderError`` `badInput` for settings that make no model, `diverged` where a
  ///   vector is not finite.
  /// - Complexity: O(iterations · swipes · (factors + log of a viewer's cards)).
  public func fit(_ matrix: InteractionMatrix) throws(RecommenderError) -> FactorModel {
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
    var owners = [Int32](repeating: 0, count: matrix.entryCount)
    for row in 0..<matrix.rowCount {
      for place in matrix.row(row) { owners[place] = Int32(row) }
    }
    let (rate, shrink) = (Float(learningRate), Float(regularisation))
    viewers.withUnsafeMutableBufferPointer { viewers in
      cards.withUnsafeMutableBufferPointer { cards in
        guard let viewers = viewers.baseAddress, let cards = cards.baseAddress else { return }
        for _ in 0..<iterations * matrix.entryCount {
          let place = generator.index(below: matrix.entryCount)
          let viewer = Int(owners[place])
          let liked = Int(matrix.columns[place])
          let other = generator.index(below: matrix.columnCount)
          if matrix.has(viewer, Int32(other)) { continue }
          let (u, v) = (viewers + viewer * factors, cards + liked * factors)
          let w = cards + other * factors
          let margin =
            biases[liked] - biases[other] + dot(u, v, count: factors) - dot(u, w, count: factors)
          let miss = Float(1 / (1 + exponential(Double(margin))))
          for index in 0..<factors {
            let (a, b, c) = (u[index], v[index], w[index])
            u[index] += rate * (miss * (b - c) - shrink * a)
            v[index] += rate * (miss * a - shrink * b)
            w[index] += rate * (-miss * a - shrink * c)
          }
          biases[liked] += rate * (miss - shrink * biases[liked])
          biases[other] += rate * (-miss - shrink * biases[other])
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
