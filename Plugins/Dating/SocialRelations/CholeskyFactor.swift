internal import CardFeed

/// The Cholesky factor of a symmetric positive definite matrix, row after row.
struct CholeskyFactor: Sendable {
  private let size: Int
  private let lower: [Double]

  /// - Throws: `FeedError.Code.training` if the matrix is not positive definite.
  /// - Complexity: O(size³).
  init(_ matrix: [Double], size: Int) throws {
    var lower = matrix
    for column in 0..<size {
      for row in column..<size {
        var sum = lower[row * size + column]
        for k in 0..<column { sum -= lower[row * size + k] * lower[column * size + k] }
        if row == column {
          guard sum > 0 else {
            throw FeedError(
              .training, "the features of a model do not have a positive definite matrix",
              hint: "leave out traits with enormous numbers")
          }
          lower[row * size + row] = sum.squareRoot()
        } else {
          lower[row * size + column] = sum / lower[column * size + column]
        }
      }
    }
    self.size = size
    self.lower = lower
  }

  /// The solution for one right side, in vectors of four. O(size²).
  func solve(_ side: [SIMD4<Double>]) -> [SIMD4<Double>] {
    var x = (0..<size).map { side[$0 / 4][$0 % 4] }
    for row in 0..<size {
      var sum = x[row]
      for k in 0..<row { sum -= lower[row * size + k] * x[k] }
      x[row] = sum / lower[row * size + row]
    }
    for row in (0..<size).reversed() {
      var sum = x[row]
      for k in row + 1..<size { sum -= lower[k * size + row] * x[k] }
      x[row] = sum / lower[row * size + row]
    }
    return (0..<size / 4).map { SIMD4(x[4 * $0], x[4 * $0 + 1], x[4 * $0 + 2], x[4 * $0 + 3]) }
  }
}
