/// The ids of a model's cards, by row, byte for byte: in memory of their own, or where they lie in a
/// mapped file.
///
/// The empty id is an id like others. A card that was erased has none, and its row stays.
public struct CardNames: RandomAccessCollection, Sendable {
  let offsets: Numbers<Int>
  let bytes: Numbers<UInt8>
  private(set) var erased: Set<Int32>

  /// Ids of rows 0, 1, 2 ….
  ///
  /// - Throws: ``RecommenderError`` `tooLarge` for more bytes than an `InteractionMatrix` may have
  ///   entries.
  /// - Complexity: O(bytes).
  public init(_ ids: [[UInt8]] = []) throws(RecommenderError) {
    self.init(
      offsets: Numbers(try InteractionMatrix.offsets(of: ids.map(\.count))),
      bytes: Numbers(ids.flatMap { $0 }), erased: [])
  }

  init(offsets: Numbers<Int>, bytes: Numbers<UInt8>, erased: Set<Int32>) {
    self.offsets = offsets
    self.bytes = bytes
    self.erased = erased
  }

  /// The first row.
  public var startIndex: Int { 0 }

  /// How many rows there are.
  public var endIndex: Int { offsets.count - 1 }

  /// The id of a row; empty where it was erased.
  public subscript(row: Int) -> [UInt8] {
    isErased(row) ? [] : Array(bytes[offsets[row]..<offsets[row + 1]])
  }

  /// Whether the id of a row was erased.
  public func isErased(_ row: Int) -> Bool {
    !erased.isEmpty && erased.contains(Int32(row))
  }

  /// Takes the id of a row out: it is written to no file any more, and nobody finds the row.
  public mutating func erase(_ row: Int) { erased.insert(Int32(row)) }

  /// Whether each id comes after the one before it, by its bytes, so that ``row(of:)`` finds all.
  ///
  /// - Complexity: O(bytes).
  public var isAscending: Bool {
    var last: Int?
    for row in indices where !isErased(row) {
      if let last, !precedes(last, self[row]) { return false }
      last = row
    }
    return true
  }

  /// The row of an id among ascending ones; nil where there is none, or it was erased.
  ///
  /// - Complexity: O(log rows · length), and O(erased) more.
  public func row(of id: [UInt8]) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      var probe = middle
      while probe < high, isErased(probe) { probe += 1 }
      if probe == high {
        high = middle
      } else if precedes(probe, id) {
        low = probe + 1
      } else if id.elementsEqual(bytes[offsets[probe]..<offsets[probe + 1]]) {
        return probe
      } else {
        high = middle
      }
    }
    return nil
  }

  private func precedes(_ row: Int, _ id: [UInt8]) -> Bool {
    bytes[offsets[row]..<offsets[row + 1]].lexicographicallyPrecedes(id)
  }
}
