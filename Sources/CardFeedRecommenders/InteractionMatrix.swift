/// Who has which card: a sparse matrix in compressed rows with 64-bit offsets.
///
/// Column numbers within a row rise, and none stands twice. The transposed matrix has the rows of the
/// cards (compressed columns of this one).
public struct InteractionMatrix: Sendable, Equatable {
  /// Most entries of a matrix: 2³⁴, beyond which its numbers alone take 128 GiB.
  public static let entryLimit = 1 << 34

  /// Rows, usually viewers.
  public let rowCount: Int
  /// Columns, usually cards.
  public let columnCount: Int
  /// Where each row begins; one more than there are rows.
  public let offsets: [Int]
  /// The columns of all rows.
  public let columns: [Int32]
  /// The values of all rows.
  public let values: [Float]

  /// Refuses what a matrix cannot hold.
  ///
  /// - Throws: ``RecommenderError`` `tooLarge` past 2³¹ − 1 rows or columns or ``entryLimit`` entries.
  public static func check(rows: Int, columns: Int, entries: Int) throws(RecommenderError) {
    guard rows >= 0, columns >= 0, rows <= Int(Int32.max), columns <= Int(Int32.max),
      entries <= entryLimit
    else {
      throw RecommenderError(
        .tooLarge,
        "a matrix of \(rows) × \(columns) with \(entries) entries is too large; allowed: "
          + "\(Int32.max) rows and columns and \(entryLimit) entries. Fit on fewer swipes, for "
          + "example on the latest")
    }
  }

  /// Where rows of given lengths begin, in 64 bits.
  ///
  /// - Throws: ``RecommenderError`` `tooLarge` past ``entryLimit``.
  /// - Complexity: O(rows).
  public static func offsets(
    of counts: some Collection<Int>
  ) throws(RecommenderError) -> [Int] {
    var offsets = [0]
    offsets.reserveCapacity(counts.count + 1)
    var sum = 0
    for count in counts {
      let (next, overflows) = sum.addingReportingOverflow(count)
      guard !overflows, next <= entryLimit else {
        try check(rows: counts.count, columns: 0, entries: overflows ? .max : next)
        break
      }
      sum = next
      offsets.append(sum)
    }
    return offsets
  }

  init(
    rowCount: Int, columnCount: Int, offsets: [Int], columns: [Int32], values: [Float]
  ) {
    self.rowCount = rowCount
    self.columnCount = columnCount
    self.offsets = offsets
    self.columns = columns
    self.values = values
  }

  /// The cards of each viewer, each once, with the value 1.
  ///
  /// - Complexity: O(n log n).
  public init(_ histories: ViewerHistories) {
    var offsets = [0]
    var columns: [Int32] = []
    columns.reserveCapacity(histories.cards.count)
    for viewer in 0..<histories.viewerCount {
      let range = histories.offsets[viewer]..<histories.offsets[viewer + 1]
      var last: Int32 = -1
      for card in histories.cards[range].sorted() where card != last {
        columns.append(card)
        last = card
      }
      offsets.append(columns.count)
    }
    self.init(
      rowCount: histories.viewerCount, columnCount: histories.cardCount, offsets: offsets,
      columns: columns, values: Array(repeating: 1, count: columns.count))
  }

  /// The first rows of a matrix.
  ///
  /// - Parameters:
  ///   - rows: How many, at most as many as the matrix has.
  ///   - matrix: The matrix.
  public init(first rows: Int, of matrix: InteractionMatrix) {
    precondition(0...matrix.rowCount ~= rows, "There are \(matrix.rowCount) rows.")
    let end = matrix.offsets[rows]
    self.init(
      rowCount: rows, columnCount: matrix.columnCount, offsets: Array(matrix.offsets[...rows]),
      columns: Array(matrix.columns[..<end]), values: Array(matrix.values[..<end]))
  }

  /// How many entries.
  public var entryCount: Int { columns.count }

  /// The places of a row in ``columns`` and ``values``.
  @inline(__always)
  public func row(_ index: Int) -> Range<Int> { offsets[index]..<offsets[index + 1] }

  /// Rows and columns exchanged. O(entries + rows + columns).
  public func transposed() -> InteractionMatrix {
    var counts = [Int](repeating: 0, count: columnCount + 1)
    for column in columns { counts[Int(column) + 1] += 1 }
    for column in 0..<columnCount { counts[column + 1] += counts[column] }
    var next = counts
    var rows = [Int32](repeating: 0, count: columns.count)
    var moved = [Float](repeating: 0, count: columns.count)
    for row in 0..<rowCount {
      for place in self.row(row) {
        let column = Int(columns[place])
        rows[next[column]] = Int32(row)
        moved[next[column]] = values[place]
        next[column] += 1
      }
    }
    return InteractionMatrix(
      rowCount: columnCount, columnCount: rowCount, offsets: counts, columns: rows, values: moved)
  }
}
