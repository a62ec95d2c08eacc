/// y += a · x over `count` numbers.
@inline(__always)
func addScaled(
  _ a: Float, _ x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, count: Int
) {
  for index in 0..<count { y[index] += a * x[index] }
}

/// Σ x · y over `count` numbers, always in the same order: sixteen sums side by side.
@inline(__always)
func dot(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, count: Int) -> Float {
  var sums = SIMD16<Float>(repeating: 0)
  let (a, b) = (UnsafeRawPointer(x), UnsafeRawPointer(y))
  let blocks = count / 16
  for block in 0..<blocks {
    sums +=
      a.loadUnaligned(fromByteOffset: block * 64, as: SIMD16<Float>.self)
      * b.loadUnaligned(fromByteOffset: block * 64, as: SIMD16<Float>.self)
  }
  var sum = sums.sum()
  for index in blocks * 16..<count { sum += x[index] * y[index] }
  return sum
}

/// Solves A x = b for a symmetric positive definite A by Cholesky's decomposition, in place.
///
/// - Parameters:
///   - matrix: `size` × `size`, row after row; its lower half is overwritten.
///   - right: b, overwritten by x.
/// - Returns: Whether A was positive definite.
/// - Complexity: O(size³).
func solvePositiveDefinite(
  _ matrix: UnsafeMutablePointer<Double>, _ right: UnsafeMutablePointer<Double>, size: Int
) -> Bool {
  for column in 0..<size {
    let own = matrix + column * size
    var diagonal = own[column]
    for index in 0..<column { diagonal -= own[index] * own[index] }
    guard diagonal > 0, diagonal.isFinite else { return false }
    let root = diagonal.squareRoot()
    own[column] = root
    for row in column + 1..<max(size, column + 1) {
      let other = matrix + row * size
      var sum = other[column]
      for index in 0..<column { sum -= other[index] * own[index] }
      other[column] = sum / root
    }
  }
  for row in 0..<size {
    var sum = right[row]
    for index in 0..<row { sum -= matrix[row * size + index] * right[index] }
    right[row] = sum / matrix[row * size + row]
  }
  for row in stride(from: size - 1, through: 0, by: -1) {
    var sum = right[row]
    for index in row + 1..<max(size, row + 1) { sum -= matrix[index * size + row] * right[index] }
    right[row] = sum / matrix[row * size + row]
  }
  return true
}
