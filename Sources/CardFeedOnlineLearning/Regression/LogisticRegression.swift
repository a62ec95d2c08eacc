/// Logistic regression on a few dense numbers, fitted to all rows at once.
///
/// The numbers are standardised, and the weights have a normal prior around zero (ridge); the
/// constant has none. The fit goes by steps of Newton's method, halved until the objective falls
/// (iteratively reweighted least squares; McCullagh and Nelder 1989, section 2.5). Not for
/// thousands of columns: each step takes the square of their number for each row.
public struct LogisticRegression: Sendable, Equatable {
  /// The constant, then one weight for each column as it is, not standardised.
  public let weights: [Double]

  /// The weights of a model that was fitted before; the constant first.
  public init(weights: [Double]) {
    precondition(!weights.isEmpty, "A model has a constant at least.")
    self.weights = weights
  }

  /// Fits a model.
  ///
  /// - Parameters:
  ///   - rows: The columns of each row, finite.
  ///   - outcomes: One for each row.
  ///   - ridge: The precision of the prior on each standardised weight, above 0.
  ///   - rounds: The most steps.
  /// - Complexity: O(rounds · rows · columns²).
  public init(rows: [[Double]], outcomes: [Bool], ridge: Double = 1, rounds: Int = 25) {
    precondition(
      rows.count == outcomes.count && !rows.isEmpty && ridge > 0,
      "A fit needs rows, an outcome for each, and a ridge above 0.")
    let scale = Standardisation(rows)
    let width = scale.means.count + 1
    var weights = Array(repeating: 0.0, count: width)
    let share = Double(outcomes.count { $0 }) + 0.5
    weights[0] = (share / (Double(rows.count) + 1 - share)).logarithm()
    var here = Self.objective(weights, rows, outcomes, scale, ridge)
    for _ in 0..<rounds {
      guard let step = Self.step(weights, rows, outcomes, scale, ridge) else { break }
      var factor = 1.0
      var next = weights
      var there = Double.infinity
      while factor > 1e-4 {
        for index in weights.indices { next[index] = weights[index] + factor * step[index] }
        there = Self.objective(next, rows, outcomes, scale, ridge)
        if there <= here { break }
        factor /= 2
      }
      guard there <= here else { break }
      let gain = here - there
      (weights, here) = (next, there)
      if gain < 1e-10 * (1 + here) { break }
    }
    for index in 1..<max(width, 1) {
      weights[index] /= scale.deviations[index - 1]
      weights[0] -= weights[index] * scale.means[index - 1]
    }
    self.weights = weights
  }

  /// P(yes) of a row. O(columns).
  public func probability(of row: [Double]) -> Double {
    precondition(
      row.count == weights.count - 1,
      "The model has \(weights.count - 1) columns; the row has \(row.count).")
    var sum = weights[0]
    for index in row.indices { sum += weights[index + 1] * row[index] }
    return logistic(sum)
  }

  /// What makes every column have mean 0 and deviation 1; a constant column stays near 0.
  private struct Standardisation {
    var means: [Double]
    var deviations: [Double]

    init(_ rows: [[Double]]) {
      let count = Double(rows.count)
      means = Array(repeating: 0, count: rows[0].count)
      deviations = means
      for row in rows {
        for index in row.indices { means[index] += row[index] / count }
      }
      for row in rows {
        for index in row.indices {
          let away = row[index] - means[index]
          deviations[index] += away * away / count
        }
      }
      for index in deviations.indices {
        deviations[index] = max(deviations[index].squareRoot(), 1e-9)
      }
    }

    func fill(_ row: [Double], _ result: inout [Double]) {
      result[0] = 1
      for index in row.indices {
        result[index + 1] = (row[index] - means[index]) / deviations[index]
      }
    }
  }

  private static func objective(
    _ weights: [Double], _ rows: [[Double]], _ outcomes: [Bool], _ scale: Standardisation,
    _ ridge: Double
  ) -> Double {
    var sum = weights.dropFirst().reduce(0) { $0 + ridge * $1 * $1 / 2 }
    var row = weights
    for (numbers, outcome) in zip(rows, outcomes) {
      scale.fill(numbers, &row)
      var z = 0.0
      for index in row.indices { z += row[index] * weights[index] }
      let against = outcome ? -z : z
      sum += max(0, against) + (1 + (-against.magnitude).exponential()).logarithm()
    }
    return sum
  }

  private static func step(
    _ weights: [Double], _ rows: [[Double]], _ outcomes: [Bool], _ scale: Standardisation,
    _ ridge: Double
  ) -> [Double]? {
    let width = weights.count
    var gradient = weights.map { -ridge * $0 }
    gradient[0] = 0
    var matrix = SymmetricMatrix(diagonal: Array(repeating: ridge, count: width))
    matrix[0, 0] = 1e-9
    var row = weights
    for (numbers, outcome) in zip(rows, outcomes) {
      scale.fill(numbers, &row)
      var z = 0.0
      for index in 0..<width { z += row[index] * weights[index] }
      let probability = logistic(z)
      let residual = (outcome ? 1 : 0) - probability
      for index in 0..<width { gradient[index] += residual * row[index] }
      matrix.add(row, scaledBy: probability * (1 - probability))
    }
    return matrix.solution(of: gradient)
  }
}
