/// Logistic regression with a normal prior on the weights, by steps of Newton's method (iteratively
/// reweighted least squares) that are halved until the objective falls.
struct LogisticFit {
  /// Row after row; zeros cost nothing.
  private(set) var features: [Float] = []
  private(set) var outcomes: [Bool] = []
  let width: Int

  init(width: Int) { self.width = width }

  mutating func reserve(_ rows: Int) {
    features.reserveCapacity(rows * width)
    outcomes.reserveCapacity(rows)
  }

  mutating func append(_ row: [Double], _ outcome: Bool) {
    for value in row { features.append(Float(value)) }
    outcomes.append(outcome)
  }

  /// The weights.
  ///
  /// - Parameters:
  ///   - precision: Of the prior, for each weight; 0 is no prior.
  ///   - center: Where the prior's mode is, and the fit begins.
  ///   - rounds: The most steps.
  ///   - checkpoint: Called after each step with their number; throws to stop.
  /// - Complexity: O(rounds · rows · width²).
  func weights(
    precision: [Double], center: [Double], rounds: Int = 15, checkpoint: (Int) throws -> Void
  ) rethrows -> [Double] {
    var weights = center
    var here = objective(weights, precision, center)
    for round in 0..<rounds {
      let step = newton(weights, precision, center)
      var factor = 1.0
      var next = weights
      var there = Double.infinity
      while factor > 1e-4 {
        for index in weights.indices { next[index] = weights[index] + factor * step[index] }
        there = objective(next, precision, center)
        if there <= here { break }
        factor /= 2
      }
      guard there <= here else { break }
      let gain = here - there
      (weights, here) = (next, there)
      try checkpoint(round + 1)
      if gain < 1e-9 * (1 + here.magnitude) { break }
    }
    return weights
  }

  private func objective(
    _ weights: [Double], _ precision: [Double], _ center: [Double]
  ) -> Double {
    var sum = 0.0
    for index in weights.indices {
      let away = weights[index] - center[index]
      sum += precision[index] * away * away / 2
    }
    features.withUnsafeBufferPointer { features in
      for row in outcomes.indices {
        let z = dot(features, row, weights)
        // −log P of what happened, without overflow.
        let against = outcomes[row] ? -z : z
        sum += max(0, against) + (1 + (-against.magnitude).exponential()).logarithm()
      }
    }
    return sum
  }

  @inline(__always)
  private func dot(
    _ features: UnsafeBufferPointer<Float>, _ row: Int, _ weights: [Double]
  ) -> Double {
    var sum = 0.0
    for index in 0..<width { sum += Double(features[row * width + index]) * weights[index] }
    return sum
  }

  private func newton(
    _ weights: [Double], _ precision: [Double], _ center: [Double]
  ) -> [Double] {
    var gradient = weights.indices.map { precision[$0] * (center[$0] - weights[$0]) }
    var matrix = Array(repeating: 0.0, count: width * width)
    var used = Array(repeating: 0, count: width)
    features.withUnsafeBufferPointer { features in
      matrix.withUnsafeMutableBufferPointer { matrix in
        for row in outcomes.indices {
          let right = logistic(dot(features, row, weights))
          let residual = (outcomes[row] ? 1 : 0) - right
          let spread = right * (1 - right)
          let start = row * width
          var count = 0
          for index in 0..<width where features[start + index] != 0 {
            used[count] = index
            count += 1
          }
          for i in 0..<count {
            let feature = Double(features[start + used[i]])
            gradient[used[i]] += residual * feature
            let lever = spread * feature
            let line = used[i] * width
            for j in 0...i { matrix[line + used[j]] += lever * Double(features[start + used[j]]) }
          }
        }
      }
    }
    for index in 0..<width { matrix[index * width + index] += precision[index] + 1e-9 }
    return solved(matrix, gradient)
  }
}

/// Solves a symmetric positive system that is given by its lower triangle (Cholesky).
func solved(_ matrix: [Double], _ right: [Double]) -> [Double] {
  let count = right.count
  var factor = matrix
  var result = right
  for i in 0..<count {
    for j in 0...i {
      var sum = factor[i * count + j]
      for k in 0..<j { sum -= factor[i * count + k] * factor[j * count + k] }
      if i == j {
        factor[i * count + i] = max(sum, 1e-12).squareRoot()
      } else {
        factor[i * count + j] = sum / factor[j * count + j]
      }
    }
  }
  for i in 0..<count {
    for k in 0..<i { result[i] -= factor[i * count + k] * result[k] }
    result[i] /= factor[i * count + i]
  }
  for i in stride(from: count - 1, through: 0, by: -1) {
    for k in (i + 1)..<max(count, i + 1) { result[i] -= factor[k * count + i] * result[k] }
    result[i] /= factor[i * count + i]
  }
  return result
}
