/// Turns screens into the bytes that a terminal needs to show them.
///
/// Only what changed since the last screen is written, in one piece for each frame, so that nothing
/// flickers and a slow line has little to carry. The sequences are those of ECMA-48 that every
/// terminal since the VT100 knows, and private modes that those who do not know them ignore.
public struct ScreenWriter: Sendable {
  /// Whether colours may be used. Bold, dim and reversed are no colours.
  public let hasColour: Bool
  private var shown: Canvas?

  /// A writer for a terminal that shows nothing of ours yet.
  public init(hasColour: Bool) { self.hasColour = hasColour }

  /// Goes to the other screen, hides the cursor, stops lines from wrapping, and asks for pasted text
  /// to be bracketed.
  public static let greeting = Array("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h".utf8)

  /// Takes all of the greeting back.
  public static let farewell = Array(
    "\u{1b}[?2026l\u{1b}[0m\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l".utf8)

  /// Forgets what is shown, so that the next frame draws everything: after a change of the size, or
  /// when somebody else may have written.
  public mutating func forget() { shown = nil }

  /// The bytes that turn what is shown into a screen; none if it is the same. O(cells).
  public mutating func bytes(for canvas: Canvas) -> [UInt8] {
    var run = Run(hasColour: hasColour)
    let before: Canvas
    if let shown, shown.size == canvas.size {
      before = shown
    } else {
      before = Canvas(canvas.size)
      run.append("\u{1b}[0m\u{1b}[2J")
    }
    for row in 0..<canvas.size.rows { Self.write(row, of: canvas, over: before, &run) }
    shown = canvas
    guard !run.bytes.isEmpty else { return [] }
    run.style(.plain)
    // Terminals that can show all of a frame at once.
    return Array("\u{1b}[?2026h".utf8) + run.bytes + Array("\u{1b}[?2026l".utf8)
  }

  private static func write(
    _ row: Int, of canvas: Canvas, over before: Canvas, _ run: inout Run
  ) {
    let columns = canvas.size.columns
    // Blank to the right edge from here on.
    var end = columns
    while end > 0, canvas[row, end - 1] == .blank { end -= 1 }
    // Where terminals disagree about a sign, they disagree about what it leaves of those behind it.
    var isRestUnsure = false
    var column = 0
    while column < columns {
      guard isRestUnsure || canvas[row, column] != before[row, column] else {
        column += 1
        continue
      }
      let isCertain = canvas[row, column].isCertain && before[row, column].isCertain
      isRestUnsure = isRestUnsure || !isCertain
      if column >= end, columns - column > 4 {
        run.move(row, column)
        run.style(.plain)
        run.append("\u{1b}[K")
        return
      }
      // The two halves of a wide sign are written together.
      if canvas[row, column].isContinuation { column -= 1 }
      run.move(row, column)
      let cell = canvas[row, column]
      let isWide = column + 1 < columns && canvas[row, column + 1].isContinuation
      run.write(cell, width: isWide ? 2 : 1)
      column += isWide ? 2 : 1
    }
  }

  /// The bytes of a frame as they grow.
  private struct Run {
    let hasColour: Bool
    var bytes: [UInt8] = []
    /// Where the cursor is; nil where nobody can be sure.
    var place: (row: Int, column: Int)?
    var current = CellStyle.plain

    init(hasColour: Bool) { self.hasColour = hasColour }

    mutating func append(_ text: String) { bytes += text.utf8 }

    mutating func move(_ row: Int, _ column: Int) {
      if let place, place == (row, column) { return }
      append("\u{1b}[\(row + 1);\(column + 1)H")
      place = (row, column)
    }

    mutating func write(_ cell: Cell, width: Int) {
      style(cell.style)
      append(cell.text)
      guard let place, cell.isCertain else {
        self.place = nil
        return
      }
      self.place = (place.row, place.column + width)
    }

    mutating func style(_ wanted: CellStyle) {
      var style = wanted
      if !hasColour { style.colour = nil }
      guard style != current else { return }
      var codes = "0"
      if style.isBold { codes += ";1" }
      if style.isDim { codes += ";2" }
      if style.isReversed { codes += ";7" }
      if let colour = style.colour { codes += ";3\(colour.rawValue)" }
      append("\u{1b}[\(codes)m")
      current = style
    }
  }
}
