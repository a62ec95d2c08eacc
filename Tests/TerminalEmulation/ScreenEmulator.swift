internal import CardFeedTerminal

/// What a terminal does with the bytes that are written to it: the sequences that `ScreenWriter` uses,
/// and no other. A test's own view of the standard, so that it can find the writer's mistakes.
package struct ScreenEmulator: Sendable {
  /// One place of the screen.
  package struct Place: Equatable, Sendable {
    package var text = " "
    package var codes = ""
  }

  /// What is shown; an empty text is the right half of a wide sign.
  package private(set) var rows: [[Place]]
  /// Sequences that no writer of ours should send.
  package private(set) var unknown: [String] = []
  /// The private modes that are on.
  package private(set) var modes: Set<String> = []
  private var row = 0
  private var column = 0
  private var codes = ""

  package init(columns: Int, rows: Int) {
    self.rows = Array(repeating: Array(repeating: Place(), count: columns), count: rows)
  }

  /// One row without the spaces at its end.
  package func text(row: Int) -> String {
    let text = rows[row].map(\.text).joined()
    return String(text.reversed().drop { $0 == " " }.reversed())
  }

  /// Whether a text stands in some row.
  package func shows(_ text: String) -> Bool {
    rows.indices.contains { self.text(row: $0).contains(text) }
  }

  /// Does what bytes say.
  package mutating func take(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    var rest = text[...]
    while let first = rest.first {
      if first == "\u{1b}" {
        let end = rest.dropFirst(2).firstIndex { $0.isLetter } ?? rest.index(before: rest.endIndex)
        apply(String(rest[rest.startIndex...end]))
        rest = rest[rest.index(after: end)...]
      } else {
        let glyphs = Glyph.glyphs(of: String(first), .unicode)
        for glyph in glyphs { put(glyph) }
        rest.removeFirst()
      }
    }
  }

  private mutating func put(_ glyph: Glyph) {
    guard column + glyph.width <= rows[row].count else {
      unknown.append("beyond the edge: \(glyph.text)")
      return
    }
    for at in column..<column + glyph.width {
      // The other half of a wide sign goes with the one that is written over.
      if rows[row][at].text.isEmpty, at > 0 { rows[row][at - 1].text = " " }
      if at + 1 < rows[row].count, rows[row][at + 1].text.isEmpty { rows[row][at + 1].text = " " }
      rows[row][at] = Place(text: at == column ? glyph.text : "", codes: codes)
    }
    column += glyph.width
  }

  private mutating func apply(_ sequence: String) {
    let body = sequence.dropFirst(2).dropLast()
    switch sequence.last {
    case "H":
      let numbers = body.split(separator: ";").compactMap { Int($0) }
      (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case "m": codes = body == "0" ? "" : String(body)
    case "K":
      for at in column..<rows[row].count { rows[row][at] = Place() }
      if column > 0, column < rows[row].count, rows[row][column].text.isEmpty {
        rows[row][column - 1].text = " "
      }
    case "J": for at in rows.indices { rows[at] = rows[at].map { _ in Place() } }
    case "h" where body.hasPrefix("?"): modes.insert(String(body.dropFirst()))
    case "l" where body.hasPrefix("?"): modes.remove(String(body.dropFirst()))
    default: unknown.append(sequence)
    }
  }
}
