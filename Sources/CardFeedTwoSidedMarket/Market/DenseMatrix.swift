/// A matrix of numbers, row by row in one flat array.
public struct DenseMatrix: Equatable, Sendable {
  /// How many rows there are.
  public let rows: Int
  /// How many columns there are.
  public let columns: Int
  /// The numbers: row 0 from left to right, then row 1, …; `rows` × `columns` of them.
  public internal(set) var values: [Double]

  /// A matrix over given numbers.
  ///
  /// - Parameters:
  ///   - rows: 0 or more.
  ///   - columns: 0 or more.
  ///   - values: `rows` × `columns` numbers, row by row.
  public init(rows: Int, columns: Int, values: [Double]) {
    self.rows = rows
    self.columns = columns
    self.values = values
    precondition(
      rows >= 0 && columns >= 0 && values.count == rows * columns,
      "A matrix of \(rows) × \(columns) was given \(values.count) numbers.")
  }

  /// A matrix with the same number everywhere.
  public init(rows: Int, columns: Int, repeating value: Double = 0) {
    self.init(
      rows: rows, columns: columns, values: Array(repeating: value, count: rows * columns))
  }

  /// The number in a row and a column. O(1).
  public subscript(row: Int, column: Int) -> Double {
    get { values[row * columns + column] }
    set { values[row * columns + column] = newValue }
  }

  /// Rows and columns exchanged. O(rows · columns).
  public func transposed() -> DenseMatrix {
    var result = DenseMatrix(rows: columns, columns: rows)
    transpose(into: &result)
    return result
  }

  /// Writes the transposed matrix over `result`, which has the fitting shape.
  func transpose(into result: inout DenseMatrix) {
    precondition(
      result.rows == columns && result.columns == rows,
      "A transposed matrix has as many rows as the matrix has columns.")
    // Square blocks, because a whole column of a large matrix does not stay in the cache.
    let edge = 32
    let (rows, columns) = (rows, columns)
    values.withUnsafeBufferPointer { source in
      result.values.withUnsafeMutableBufferPointer { target in
        for top in stride(from: 0, to: rows, by: edge) {
          for left in stride(from: 0, to: columns, by: edge) {
            for row in top..<min(rows, top + edge) {
              for column in left..<min(columns, left + edge) {
                target[column * rows + row] = source[row * columns + column]
              }
            }
          }
        }
      }
    }
  }

  /// Numbers of both matrices multiplied place by place, which have the same shape.
  func multipliedByPlace(_ other: DenseMatrix) -> DenseMatrix {
    precondition(
      rows == other.rows && columns == other.columns,
      "Matrices that are multiplied place by place have the same shape.")
    var result = self
    result.values.withUnsafeMutableBufferPointer { result in
      other.values.withUnsafeBufferPointer { other in
        for index in result.indices { result[index] *= other[index] }
      }
    }
    return result
  }
}
