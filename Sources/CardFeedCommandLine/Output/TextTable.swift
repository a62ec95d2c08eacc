/// A table that reads well on a terminal and, the same cells in full, as CSV or JSON.
///
/// Columns of numbers are aligned to the right. Widths count characters, each as one column of
/// the terminal; wide characters of East Asian scripts are not accounted for.
public struct TextTable: Sendable, Hashable {
  /// The titles of the columns, all different.
  public let titles: [String]

  /// The rows, each with a cell for every column.
  public private(set) var rows: [[TableCell]] = []

  /// Makes a table without rows.
  ///
  /// - Parameter titles: The titles of the columns, all different.
  public init(_ titles: [String]) {
    precondition(
      Set(titles).count == titles.count,
      "Two columns of a table have one title; every column needs its own.")
    self.titles = titles
  }

  /// Appends a row.
  ///
  /// - Parameter cells: A cell for every column.
  public mutating func append(_ cells: [TableCell]) {
    precondition(
      cells.count == titles.count,
      "A row has \(cells.count) cells for \(titles.count) columns; pass a cell for every column.")
    rows.append(cells)
  }

  /// Renders the table for people: titles, a rule, rows; columns two spaces apart.
  ///
  /// - Parameter width: The longest line in characters. When the table is wider, texts and titles
  ///   are cut, the widest column first; numbers never are, so that a table with many of them may
  ///   stay wider.
  /// - Returns: Lines, each with a line feed at its end.
  public func text(width: Int) -> String {
    let cells = rows.map { $0.map(\.displayText) }
    let heads = titles.map { TableCell.text($0).displayText }
    let isNumeric = titles.indices.map { column in
      !rows.isEmpty && rows.allSatisfy { $0[column].isNumeric }
    }
    let widths = fittedWidths(heads, cells, isNumeric, width: width)
    var lines = [heads, widths.map { String(repeating: "-", count: $0) }]
    lines += cells
    return lines.map { line in
      let fields = line.indices.map { column in
        let text = TextTable.cut(line[column], to: widths[column])
        let space = String(repeating: " ", count: widths[column] - text.count)
        return isNumeric[column] ? space + text : text + space
      }
      let joined = fields.joined(separator: "  ")
      return String(joined.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }

  private func fittedWidths(
    _ heads: [String], _ cells: [[String]], _ isNumeric: [Bool], width: Int
  ) -> [Int] {
    let contents = heads.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    var widths = heads.indices.map { max(heads[$0].count, contents[$0]) }
    let smallest = heads.indices.map { column in
      isNumeric[column] ? contents[column] : min(widths[column], 8)
    }
    func excess() -> Int { widths.reduce(2 * (widths.count - 1), +) - width }
    while excess() > 0 {
      let shrinkable = widths.indices.filter { widths[$0] > smallest[$0] }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return widths
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
  }
}
