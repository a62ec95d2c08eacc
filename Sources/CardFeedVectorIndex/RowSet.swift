/// A set of rows, as one bit each: what a search may answer with.
public struct RowSet: Hashable, Sendable {
  /// Bit `row % 64` of word `row / 64` stands for a row.
  var words: [UInt64] = []

  /// No row.
  public init() {}

  /// The rows of a sequence, none below 0. O(rows + greatest row / 64).
  public init(_ rows: some Sequence<Int>) {
    for row in rows { insert(row) }
  }

  /// Every row below `count` of which `isKept` is true. O(count).
  public init(below count: Int, where isKept: (Int) throws -> Bool) rethrows {
    words.reserveCapacity((count + 63) / 64)
    for start in stride(from: 0, to: count, by: 64) {
      var word: UInt64 = 0
      for row in start..<min(start + 64, count) where try isKept(row) {
        word |= 1 << UInt64(row - start)
      }
      words.append(word)
    }
  }

  /// Every row below `count`. O(count / 64).
  public static func all(below count: Int) -> RowSet {
    var rows = RowSet()
    rows.words = Array(repeating: .max, count: (count + 63) / 64)
    if count % 64 > 0 { rows.words[count / 64] = 1 << UInt64(count % 64) - 1 }
    return rows
  }

  /// Those of its rows that another set does not have. O(words).
  public func subtracting(_ other: RowSet) -> RowSet {
    var rows = self
    for place in 0..<min(words.count, other.words.count) {
      rows.words[place] &= ~other.words[place]
    }
    return rows
  }

  /// How many rows it has. O(words).
  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Whether it has a row. O(1).
  public func contains(_ row: Int) -> Bool {
    precondition(row >= 0, "Rows count from 0; there is no row \(row).")
    return row / 64 < words.count && words[row / 64] >> UInt64(row % 64) & 1 == 1
  }

  /// Adds a row. O(1), amortised.
  public mutating func insert(_ row: Int) {
    precondition(row >= 0, "Rows count from 0; there is no row \(row).")
    if row / 64 >= words.count {
      words.append(contentsOf: repeatElement(0, count: row / 64 + 1 - words.count))
    }
    words[row / 64] |= 1 << UInt64(row % 64)
  }

  /// Takes a row out. O(1).
  public mutating func remove(_ row: Int) {
    precondition(row >= 0, "Rows count from 0; there is no row \(row).")
    if row / 64 < words.count { words[row / 64] &= ~(1 << UInt64(row % 64)) }
  }
}
