/// Text broken into lines, for help and notes.
enum TextWrapping {
  /// Breaks a text at spaces so that no line is longer than the width, single long words aside.
  ///
  /// - Parameters:
  ///   - text: Words separated by spaces or line breaks.
  ///   - width: The longest line, in characters.
  /// - Returns: The lines, at least one.
  static func lines(of text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }

  /// Breaks paragraphs that are separated by empty lines; lines that begin with a space stay.
  static func paragraphs(of text: String, width: Int) -> [String] {
    var lines: [String] = []
    var paragraph = ""
    func flush() {
      if !paragraph.isEmpty { lines += Self.lines(of: paragraph, width: width) }
      paragraph = ""
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix(" ") {
        flush()
        lines.append(String(line))
      } else {
        paragraph += line + " "
      }
    }
    flush()
    return lines
  }

  /// Fills a text with spaces at its end.
  static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
