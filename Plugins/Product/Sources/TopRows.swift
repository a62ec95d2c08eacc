internal import CardFeed

/// The rows with the greatest values; of equal ones those that came first.
struct TopRows {
  private let count: Int
  private var rows: [(value: Int64, row: Int)] = []
  private var bound = Int64.min

  /// Keeps `count` rows, 0 or more.
  init(count: Int) { self.count = count }

  /// The next row, in ascending order. Amortised O(log count), O(1) for a value that is too small.
  mutating func take(_ row: Int, _ value: Int64) {
    // Once there are enough, a later row at the bound comes after them.
    if rows.count >= count, value <= bound { return }
    rows.append((value, row))
    // Sorting only when twice as many wait costs O(log count) a row at most.
    if rows.count >= 2 * max(1, count) { shorten() }
  }

  /// The greatest first.
  mutating func descending() -> [Row] {
    shorten()
    return rows.map { Row($0.row) }
  }

  private mutating func shorten() {
    rows.sort { $0.value != $1.value ? $0.value > $1.value : $0.row < $1.row }
    guard rows.count >= count else { return }
    rows.removeSubrange(count...)
    bound = rows.last?.value ?? .max
  }
}

extension SourcePage {
  /// The page behind a cursor that counts rows, of a list that was made up to the page's end.
  init(_ rows: [Row], from cursor: SourceCursor, limit: Int) {
    let page = Array(rows.dropFirst(max(0, cursor.rawValue)).prefix(limit))
    self.init(
      rows: page,
      next: page.count == limit ? SourceCursor(max(0, cursor.rawValue) + limit) : nil)
  }
}
