internal import CVectorScan

/// The best rows of a search so far.
struct BestRows {
  private var scores: [Float]
  private var rows: [UInt32]
  private var count: UInt32 = 0
  /// How many scores were computed in full.
  private(set) var evaluated = 0

  init(capacity: Int) {
    scores = Array(repeating: 0, count: capacity)
    rows = Array(repeating: 0, count: capacity)
  }

  mutating func withRows(_ body: (inout cardfeed_best_rows) -> Void) {
    scores.withUnsafeMutableBufferPointer { scores in
      rows.withUnsafeMutableBufferPointer { rows in
        var best = cardfeed_best_rows(
          scores: scores.baseAddress, rows: rows.baseAddress, count: count,
          capacity: UInt32(scores.count), evaluated: 0)
        body(&best)
        count = best.count
        evaluated += Int(best.evaluated)
      }
    }
  }

  /// The best first; of equal scores the lower row.
  mutating func sorted() -> [Neighbour] {
    withRows { cardfeed_best_rows_sort(&$0) }
    return (0..<Int(count)).map { Neighbour(row: Int(rows[$0]), score: scores[$0]) }
  }
}
