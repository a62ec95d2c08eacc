internal import CardFeed

/// The Cholesky factor of a symmetric positive definite matrix, row after row.
struct CholeskyFactor: Sendable, Hashable {
  /// Rows of the matrix.
  let size: Int
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
    for row in 0..<size {
      for column in row + 1..<max(row + 1, size) { lower[row * size + column] = 0 }
    }
    self.size = size
    self.lower = lower
  }

  /// With the lower triangle of an earlier factor, row after row; nil if it is none.
  init?(triangle: [Double], size: Int) {
    guard triangle.count == size * (size + 1) / 2 else { return nil }
    var lower = Array(repeating: 0.0, count: size * size)
    var place = 0
    for row in 0..<size {
      for column in 0...row {
        lower[row * size + column] = triangle[place]
        place += 1
      }
      guard lower[row * size + row] > 0 else { return nil }
    }
    self.size = size
    self.lower = lower
  }

  /// The lower triangle, row after row.
  var triangle: [Double] {
    (0..<size).flatMap { row in (0...row).map { lower[row * size + $0] } }
  }

  /// L⁻¹ v. The product of two such vectors is that of v and w under the inverse of the matrix.
  /// O(size²).
  func whitened(_ v: [Double]) -> [Double] {
    precondition(v.count == size, "A vector has one number for each row of the matrix.")
    var x = v
    lower.withUnsafeBufferPointer { lower in
      x.withUnsafeMutableBufferPointer { x in
        for row in 0..<size {
          var sum = x[row]
          for k in 0..<row { sum -= lower[row * size + k] * x[k] }
          x[row] = sum / lower[row * size + row]
        }
      }
    }
    return x
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
