internal import CVectorScan

/// Vectors of cards whose product with a viewer's vector is the score.
///
/// The viewer's vector is computed from the history of the request: viewers who were not there when
/// the model was fitted, and swipes of this minute, count like all others.
public struct FactorModel: SimilarCards {
  /// How a viewer's vector follows from a history.
  public enum FoldIn: Hashable, Sendable {
    /// The least squares of implicit factors: the weight of cards that were not swiped, the
    /// regularisation, and its exponent.
    case leastSquares(unobserved: Double, regularisation: Double, exponent: Double)
    /// The likelihood that swiped cards stand before the mean card, and the regularisation.
    case pairwise(regularisation: Double)
  }

  /// Cards are numbered 0 ..< `cardCount`.
  public let cardCount: Int
  /// Numbers in each vector.
  public let factorCount: Int
  /// How a viewer's vector follows from a history.
  public let foldIn: FoldIn
  /// How much a swipe of the history still counts.
  public var decay: HistoryDecay
  /// Card after card.
  let factors: Numbers<Float>
  /// Added to the scores; empty for none.
  let biases: Numbers<Float>
  /// Σ v vᵀ over all cards, or the mean card alone: what folding in needs.
  let summary: Numbers<Double>
  /// Which cards may score high at all.
  let lengthOrder: LengthOrder

  init(
    factors: Numbers<Float>, biases: Numbers<Float>, factorCount: Int, foldIn: FoldIn,
    decay: HistoryDecay
  ) {
    let cardCount = factors.count / max(1, factorCount)
    let summary: [Double]
    switch foldIn {
    case .leastSquares:
      var gram = [Double](repeating: 0, count: factorCount * factorCount)
      for card in 0..<cardCount {
        let vector = factors.pointer(at: card * factorCount)
        for row in 0..<factorCount {
          let value = Double(vector[row])
          for column in 0...row {
            gram[row * factorCount + column] += value * Double(vector[column])
          }
        }
      }
      summary = gram
    case .pairwise:
      var mean = [Double](repeating: 0, count: factorCount)
      for card in 0..<cardCount {
        for index in 0..<factorCount { mean[index] += Double(factors[card * factorCount + index]) }
      }
      summary = mean.map { $0 / Double(max(1, cardCount)) }
    }
    self.init(
      factors: factors, biases: biases, summary: Numbers(summary), factorCount: factorCount,
      foldIn: foldIn, decay: decay)
  }

  init(
    factors: Numbers<Float>, biases: Numbers<Float>, summary: Numbers<Double>, factorCount: Int,
    foldIn: FoldIn, decay: HistoryDecay
  ) {
    self.cardCount = factors.count / max(1, factorCount)
    self.factorCount = factorCount
    self.foldIn = foldIn
    self.decay = decay
    self.factors = factors
    self.biases = biases
    self.summary = summary
    lengthOrder = LengthOrder(factors: factors, biases: biases, factorCount: factorCount)
  }

  /// The vector of a viewer with a history; zeros without known cards.
  ///
  /// - Complexity: O(swipes · factors² + factors³).
  public func viewerVector(_ history: ViewerHistory, now: Double) -> [Float] {
    let weights = decay.weights(of: history, now: now)
    let known = zip(history.cards, weights).filter { 0..<cardCount ~= Int($0.0) }
      .map { (card: Int($0.0), weight: Double($0.1)) }
    guard !known.isEmpty else { return Array(repeating: 0, count: factorCount) }
    let solution: [Double]? =
      switch foldIn {
      case .leastSquares(let unobserved, let regularisation, let exponent):
        leastSquares(known, unobserved, regularisation, exponent)
      case .pairwise(let regularisation): pairwise(known, regularisation)
      }
    return (solution ?? Array(repeating: 0, count: factorCount)).map { Float($0) }
  }

  private func leastSquares(
    _ known: [(card: Int, weight: Double)], _ unobserved: Double, _ regularisation: Double,
    _ exponent: Double
  ) -> [Double]? {
    var matrix = summary.map { $0 * unobserved }
    var right = [Double](repeating: 0, count: factorCount)
    var total = 0.0
    for (card, weight) in known {
      let vector = factors.pointer(at: card * factorCount)
      total += weight
      for row in 0..<factorCount {
        let value = weight * Double(vector[row])
        right[row] += value
        for column in 0...row {
          matrix[row * factorCount + column] += value * Double(vector[column])
        }
      }
    }
    let shrink = regularisation * power(total + unobserved * Double(cardCount), exponent)
    for index in 0..<factorCount { matrix[index * factorCount + index] += shrink }
    return solve(&matrix, &right) ? right : nil
  }

  /// Newton's method on Σ w log σ(u · (v − mean) + b − mean b) − ½ λ |u|²: concave, so that a few
  /// steps from 0 end at its only maximum.
  private func pairwise(
    _ known: [(card: Int, weight: Double)], _ regularisation: Double
  ) -> [Double]? {
    let meanBias =
      biases.isEmpty ? 0 : biases.reduce(0) { $0 + Double($1) } / Double(biases.count)
    var vector = [Double](repeating: 0, count: factorCount)
    for _ in 0..<8 {
      var matrix = [Double](repeating: 0, count: factorCount * factorCount)
      var step = vector.map { -regularisation * $0 }
      for index in 0..<factorCount { matrix[index * factorCount + index] = regularisation }
      for (card, weight) in known {
        let apart = (0..<factorCount).map {
          Double(factors[card * factorCount + $0]) - summary[$0]
        }
        var margin = biases.isEmpty ? 0 : Double(biases[card]) - meanBias
        for index in 0..<factorCount { margin += vector[index] * apart[index] }
        let miss = 1 / (1 + exponential(margin))
        let curvature = weight * miss * (1 - miss)
        for row in 0..<factorCount {
          step[row] += weight * miss * apart[row]
          let value = curvature * apart[row]
          for column in 0...row { matrix[row * factorCount + column] += value * apart[column] }
        }
      }
      guard solve(&matrix, &step) else { return nil }
      for index in 0..<factorCount { vector[index] += step[index] }
    }
    return vector
  }

  private func solve(_ matrix: inout [Double], _ right: inout [Double]) -> Bool {
    let size = factorCount
    return matrix.withUnsafeMutableBufferPointer { matrix in
      right.withUnsafeMutableBufferPointer { right in
        guard let matrix = matrix.baseAddress, let right = right.baseAddress else { return false }
        return solvePositiveDefinite(matrix, right, size: size)
      }
    }
  }

  /// Writes a score for each card; see ``Recommender``.
  public func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    score(into: scores, viewer: viewerVector(history, now: now))
  }

  /// Writes the scores of all cards for a viewer's vector of ``factorCount`` numbers.
  ///
  /// - Complexity: O(cards · factors).
  public func score(into scores: UnsafeMutableBufferPointer<Float>, viewer: [Float]) {
    precondition(
      viewer.count == factorCount && scores.count == cardCount,
      "A viewer's vector has \(factorCount) numbers, and there is one score for each card.")
    guard cardCount > 0, factorCount > 0, let target = scores.baseAddress else { return }
    viewer.withUnsafeBufferPointer { viewer in
      guard let viewer = viewer.baseAddress else { return }
      products(of: nil, count: cardCount, with: viewer, into: target)
    }
    for index in biases.indices { scores[index] += biases[index] }
  }

  /// The products of the vectors of some cards, or of the first `count`, with a viewer's vector. That
  /// of one card is the same to the bit, however it is asked for.
  func products(
    of cards: UnsafePointer<UInt32>?, count: Int, with viewer: UnsafePointer<Float>,
    into target: UnsafeMutablePointer<Float>
  ) {
    cardfeed_vector_products(
      cardfeed_best_kernel(), factors.pointer(at: 0), UInt32(factorCount), cards, UInt32(count),
      viewer, target)
  }

  /// The most similar cards, best first; see ``SimilarCards``.
  public func similar(to card: Int, count: Int) -> [ScoredCard] {
    guard 0..<cardCount ~= card else { return [] }
    let lengths = (0..<cardCount).map { other in
      let vector = factors.pointer(at: other * factorCount)
      return dot(vector, vector, count: factorCount).squareRoot()
    }
    let own = factors.pointer(at: card * factorCount)
    let scores = (0..<cardCount).map { other -> Float in
      guard other != card, lengths[other] > 0, lengths[card] > 0 else { return -.infinity }
      return dot(own, factors.pointer(at: other * factorCount), count: factorCount)
        / (lengths[card] * lengths[other])
    }
    return scores.withUnsafeBufferPointer { TopCards.select(count, of: $0) }
  }
}
