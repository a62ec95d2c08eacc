/// A symmetric matrix, its lower triangle row after row.
struct SymmetricMatrix: Sendable, Equatable {
  let size: Int
  private(set) var triangle: [Double]

  init(diagonal: [Double]) {
    size = diagonal.count
    triangle = Array(repeating: 0, count: size * (size + 1) / 2)
    for index in diagonal.indices { self[index, index] = diagonal[index] }
  }

  init(size: Int, triangle: [Double]) {
    precondition(
      triangle.count == size * (size + 1) / 2, "The triangle does not fit \(size) rows.")
    self.size = size
    self.triangle = triangle
  }

  /// In the lower triangle: column ≤ row.
  subscript(row: Int, column: Int) -> Double {
    get { triangle[row * (row + 1) / 2 + column] }
    set { triangle[row * (row + 1) / 2 + column] = newValue }
  }

  /// Adds scale · vector vectorᵀ. O(size²).
  mutating func add(_ vector: [Double], scaledBy scale: Double) {
    triangle.withUnsafeMutableBufferPointer { triangle in
      vector.withUnsafeBufferPointer { vector in
        var place = 0
        for row in 0..<vector.count {
          let factor = scale * vector[row]
          for column in 0...row {
            triangle[place] += factor * vector[column]
            place += 1
          }
        }
      }
    }
  }

  /// The lower factor of Cholesky; nil if the matrix is not positive definite. O(size³).
  func factor() -> SymmetricMatrix? {
    var lower = self
    for row in 0..<size {
      for column in 0...row {
        var sum = lower[row, column]
        for k in 0..<column { sum -= lower[row, k] * lower[column, k] }
        if row == column {
          guard sum > 0, sum.isFinite else { return nil }
          lower[row, row] = sum.squareRoot()
        } else {
          lower[row, column] = sum / lower[column, column]
        }
      }
    }
    return lower
  }

  /// The solution of a factor: L x = right. O(size²).
  func forward(_ right: [Double]) -> [Double] {
    var result = right
    for row in 0..<size {
      for k in 0..<row { result[row] -= self[row, k] * result[k] }
      result[row] /= self[row, row]
    }
    return result
  }

  /// The solution of a factor's transpose: Lᵀ x = right. O(size²).
  func backward(_ right: [Double]) -> [Double] {
    var result = right
    for row in stride(from: size - 1, through: 0, by: -1) {
      for k in (row + 1)..<max(size, row + 1) { result[row] -= self[k, row] * result[k] }
      result[row] /= self[row, row]
    }
    return result
  }

  /// The solution of a positive definite system; nil if it is not. O(size³).
  func solution(of right: [Double]) -> [Double]? {
    guard let lower = factor() else { return nil }
    return lower.backward(lower.forward(right))
  }
}
