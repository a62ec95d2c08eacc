/// Vectors by number, mapped from two files: `ids.npy`, ascending whole numbers, and `vec.npy`, a row of
/// floats for each of them.
///
/// Immutable; safe to use from many tasks at once.
public struct VectorTable: Sendable {
  private let ids: NumPyFile
  private let vectors: NumPyFile

  /// How many vectors there are.
  public let count: Int
  /// How many numbers each has.
  public let dimension: Int

  /// Maps the two files.
  ///
  /// - Parameters:
  ///   - ids: The path of the numbers.
  ///   - vectors: The path of the vectors.
  /// - Throws: ``VectorFileError``: a file cannot be mapped, or the two do not fit each other.
  /// - Complexity: O(1).
  public init(ids: String, vectors: String) throws(VectorFileError) {
    let (idFile, vectorFile) = (try NumPyFile(path: ids), try NumPyFile(path: vectors))
    guard idFile.element == .int64, idFile.shape.count == 1 else {
      throw VectorFileError(
        ids, "the file holds no numbers of cards",
        found: "\(idFile.element.rawValue) with "
          + "\(idFile.shape.count) axes", allowed: "'<i8' with one axis")
    }
    guard vectorFile.element == .float32, vectorFile.shape.count == 2,
      (1...65_536).contains(vectorFile.shape[1])
    else {
      throw VectorFileError(
        vectors, "the file holds no vectors",
        found: "\(vectorFile.element.rawValue) with "
          + "\(vectorFile.shape.count) axes", allowed: "'<f4' with two axes, 1 … 65536 columns")
    }
    guard idFile.shape[0] == vectorFile.shape[0] else {
      throw VectorFileError(
        vectors, "there is not one vector for each number",
        found: "\(vectorFile.shape[0]) vectors for \(idFile.shape[0]) numbers",
        allowed: "files of one training")
    }
    self.ids = idFile
    self.vectors = vectorFile
    count = idFile.shape[0]
    dimension = vectorFile.shape[1]
  }

  /// Looks at every number and every vector: what a model is asked before it serves.
  ///
  /// - Parameter name: What error texts call the table.
  /// - Throws: ``VectorFileError``: numbers do not ascend or are not positive, a vector is not finite.
  /// - Complexity: O(count · dimension).
  public func check(_ name: String) throws(VectorFileError) {
    let isAscending = ids.withInt64s { ids in
      var last: Int64 = 0
      for id in ids {
        guard id > last else { return false }
        last = id
      }
      return true
    }
    guard isAscending else {
      throw VectorFileError(
        name, "the numbers of cards are not in order",
        found: "one that is not above the one before",
        allowed: "ascending numbers from 1, each once")
    }
    guard vectors.withFloats({ $0.allSatisfy(\.isFinite) }) else {
      throw VectorFileError(
        name, "a vector is not finite", found: "an infinite number or none",
        allowed: "a training that did not diverge; the model in use goes on serving")
    }
  }

  /// The row of a number; nil if there is none. O(log count).
  public func row(of number: Int64) -> Int? {
    ids.withInt64s { ids in
      var (low, high) = (0, ids.count)
      while low < high {
        let middle = low + (high - low) / 2
        if ids[middle] < number { low = middle + 1 } else { high = middle }
      }
      return low < ids.count && ids[low] == number ? low : nil
    }
  }

  /// All numbers, ascending. O(count).
  public var numbers: [Int64] { ids.withInt64s { Array($0) } }

  /// The vector in a row, 0 ..< count. O(dimension).
  public func vector(at row: Int) -> [Float] {
    precondition((0..<count).contains(row), "There is no vector in row \(row).")
    return vectors.withFloats { Array($0[row * dimension..<(row + 1) * dimension]) }
  }

  /// The inner product of a vector with the one of each number; NaN where there is none. Summed in
  /// double precision, from the first axis to the last. O(numbers · (log count + dimension)).
  public func products(of vector: [Float], with numbers: [Int64]) -> [Double] {
    precondition(
      vector.count == dimension, "A vector of \(vector.count) was compared with \(dimension).")
    return numbers.map { number in
      guard let row = row(of: number) else { return .nan }
      return vectors.withFloats { floats in
        var sum = 0.0
        for axis in 0..<dimension {
          sum += Double(vector[axis]) * Double(floats[row * dimension + axis])
        }
        return sum
      }
    }
  }
}
