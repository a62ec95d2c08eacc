/// Glyphs broken into lines of columns.
enum TextLines {
  /// Breaks a text at spaces so that no line is wider than the width; longer words are cut.
  ///
  /// - Parameters:
  ///   - glyphs: The text.
  ///   - width: Columns of a line, 2 or more, or a wide sign would fit nowhere.
  /// - Returns: The lines, none for a text without a word. O(glyphs).
  static func wrapped(_ glyphs: [Glyph], width: Int) -> [[Glyph]] {
    var lines: [[Glyph]] = []
    var line: [Glyph] = []
    var columns = 0
    func end() {
      if !line.isEmpty { lines.append(line) }
      line = []
      columns = 0
    }
    for word in glyphs.split(separator: .space) {
      let needed = Self.width(of: word)
      if columns > 0 {
        if columns + 1 + needed <= width {
          line.append(.space)
          columns += 1
        } else {
          end()
        }
      }
      for glyph in word {
        if columns + glyph.width > width { end() }
        line.append(glyph)
        columns += glyph.width
      }
    }
    end()
    return lines
  }

  /// A text in one line, with an ellipsis where it is cut.
  static func cut(
    _ glyphs: [Glyph], width: Int, _ characters: TerminalCharacters
  ) -> [Glyph] {
    guard self.width(of: glyphs) > width else { return glyphs }
    let ellipsis = Glyph.glyphs(of: characters == .unicode ? "…" : "...", characters)
    let room = width - self.width(of: ellipsis)
    guard room > 0 else { return prefix(glyphs, width: width) }
    return prefix(glyphs, width: room) + ellipsis
  }

  /// The columns of glyphs.
  static func width(of glyphs: some Sequence<Glyph>) -> Int {
    glyphs.reduce(0) { $0 + $1.width }
  }

  private static func prefix(_ glyphs: [Glyph], width: Int) -> [Glyph] {
    var columns = 0
    return Array(
      glyphs.prefix { glyph in
        columns += glyph.width
        return columns <= width
      })
  }
}
