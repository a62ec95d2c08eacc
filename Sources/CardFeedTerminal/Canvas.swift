/// A colour out of those that every colour terminal has. Which shade it is, its user says.
public enum TerminalColour: UInt8, Hashable, Sendable, CaseIterable {
  /// The terminal's own shades.
  case red = 1, green, yellow, blue, magenta, cyan
}

/// How a cell is drawn.
public struct CellStyle: Hashable, Sendable {
  /// The colour of its sign; nil for the terminal's own.
  public var colour: TerminalColour?
  /// Heavier.
  public var isBold = false
  /// Paler.
  public var isDim = false
  /// Foreground and background exchanged.
  public var isReversed = false

  /// As the terminal writes by itself.
  public static let plain = CellStyle()
}

/// One place on the screen.
public struct Cell: Hashable, Sendable {
  /// What is written there; empty for the right half of a wide sign.
  public var text: String
  /// Whether all terminals agree about its columns.
  public var isCertain: Bool
  /// How it is drawn.
  public var style: CellStyle

  static let blank = Cell(text: " ", isCertain: true, style: .plain)

  /// The right half of a wide sign.
  var isContinuation: Bool { text.isEmpty }
}

/// How many columns and rows there are.
public struct TerminalSize: Hashable, Sendable {
  /// How many signs fit on a line, 1 or more.
  public var columns: Int
  /// How many lines there are, 1 or more.
  public var rows: Int

  /// A size; each number is within 1…1,000, so that a terminal that tells nonsense costs little.
  public init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
  }
}

/// A screen in memory.
///
/// A wide sign always has both of its cells: whoever writes over one half makes the other a space, as
/// terminals do. What lies outside is cut off.
public struct Canvas: Hashable, Sendable {
  /// How large it is.
  public let size: TerminalSize
  private var cells: [Cell]

  /// An empty screen.
  public init(_ size: TerminalSize) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// The cell at a place inside of the screen.
  public subscript(row: Int, column: Int) -> Cell {
    cells[row * size.columns + column]
  }

  /// One row as text, without the spaces at its end.
  public func text(row: Int) -> String {
    let text = (0..<size.columns).map { self[row, $0].text }.joined()
    return String(text.reversed().drop { $0 == " " }.reversed())
  }

  /// Writes signs from a place to the right. Returns the column after them.
  @discardableResult
  mutating func write(
    _ glyphs: some Sequence<Glyph>, row: Int, column: Int, _ style: CellStyle = .plain
  ) -> Int {
    var column = column
    for glyph in glyphs {
      put(glyph, row: row, column: column, style)
      column += glyph.width
    }
    return column
  }

  /// Writes one sign. Of one that is cut by an edge only spaces are seen.
  mutating func put(_ glyph: Glyph, row: Int, column: Int, _ style: CellStyle) {
    guard (0..<size.rows).contains(row) else { return }
    let columns = column..<column + glyph.width
    let isWhole = columns.lowerBound >= 0 && columns.upperBound <= size.columns
    for (place, at) in columns.enumerated() where (0..<size.columns).contains(at) {
      clear(row: row, column: at)
      let text = isWhole ? (place == 0 ? glyph.text : "") : " "
      cells[row * size.columns + at] = Cell(
        text: text, isCertain: !isWhole || glyph.isCertain, style: style)
    }
  }

  /// Makes a space of the other half of a wide sign at a place.
  private mutating func clear(row: Int, column: Int) {
    let index = row * size.columns + column
    if cells[index].isContinuation, column > 0 {
      cells[index - 1].text = " "
      cells[index - 1].isCertain = true
    }
    if column + 1 < size.columns, cells[index + 1].isContinuation {
      cells[index + 1].text = " "
      cells[index + 1].isCertain = true
    }
  }

  /// Draws another screen over this one.
  ///
  /// - Parameters:
  ///   - other: What is drawn.
  ///   - row: Where its first row comes.
  ///   - column: Where the first column of each of its rows comes.
  mutating func draw(_ other: Canvas, row: Int, column: (Int) -> Int) {
    for line in 0..<other.size.rows {
      let start = column(line)
      for place in 0..<other.size.columns {
        let cell = other[line, place]
        guard !cell.isContinuation else { continue }
        let isWide = place + 1 < other.size.columns && other[line, place + 1].isContinuation
        put(
          Glyph(cell, width: isWide ? 2 : 1), row: row + line, column: start + place, cell.style)
      }
    }
  }
}

extension Glyph {
  fileprivate init(_ cell: Cell, width: Int) {
    self.init(text: cell.text, width: width, isCertain: cell.isCertain)
  }
}
