/// Which characters a terminal can show.
public enum TerminalCharacters: String, Hashable, Sendable, CaseIterable {
  /// All of Unicode, as UTF-8.
  case unicode
  /// ASCII only; a question mark stands for anything else.
  case ascii

  /// What a locale's encoding allows: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and
  /// not empty decides, as in the C library.
  ///
  /// - Parameter variable: The value of an environment variable, nil for none.
  public init(environment variable: (String) -> String?) {
    let locales = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { variable($0) }
    let name = (locales.first { !$0.isEmpty } ?? "").lowercased()
    self = name.contains("utf-8") || name.contains("utf8") ? .unicode : .ascii
  }
}

/// One sign on the screen: what is written for it, and how many columns it takes.
public struct Glyph: Hashable, Sendable {
  /// What is written. Never a control character.
  public let text: String
  /// Its columns, 1 or 2.
  public let width: Int
  /// Whether all terminals agree about its columns. After one that is not certain the cursor has to
  /// be set anew.
  public let isCertain: Bool

  static let space = Glyph(text: " ", width: 1, isCertain: true)

  /// A sign that all terminals have in one column.
  init(_ ascii: Character) {
    self.init(text: String(ascii), width: 1, isCertain: true)
  }

  init(text: String, width: Int, isCertain: Bool) {
    self.text = text
    self.width = width
    self.isCertain = isCertain
  }

  /// How many characters one sign may be made of. The longest emoji have ten; beyond that somebody
  /// piles up marks.
  private static let longest = 10

  /// A text as it is harmless on a screen: control characters become visible, line breaks and tabs
  /// become spaces, and what turns the direction of the line, or is not seen, is left out. O(text).
  public static func glyphs(of text: String, _ characters: TerminalCharacters) -> [Glyph] {
    var glyphs: [Glyph] = []
    for character in text {
      guard let first = character.unicodeScalars.first else { continue }
      if character.isASCII, let value = character.asciiValue, (0x20..<0x7f).contains(value) {
        glyphs.append(Glyph(character))
      } else if character.isWhitespace {
        glyphs.append(.space)
      } else if isUnknown(first) {
        glyphs.append(characters == .ascii ? .question : .replacement)
      } else if let glyph = Glyph(visible: character.unicodeScalars) {
        let isShown = characters == .unicode
        glyphs += isShown ? [glyph] : Array(repeating: .question, count: glyph.width)
      }
    }
    return glyphs
  }

  private static let question = Glyph("?")
  private static let replacement = Glyph(text: "\u{fffd}", width: 1, isCertain: true)

  /// Control characters always stand alone, so the first character of a sign tells.
  private static func isUnknown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .surrogate, .unassigned: true
    default: false
    }
  }

  /// Nil where nothing is seen.
  private init?(visible scalars: String.UnicodeScalarView) {
    let kept = scalars.lazy.filter {
      // Of what only formats, the joiner makes emoji; the rest turns or hides text.
      $0.properties.generalCategory != .format || $0.value == 0x200d
    }.prefix(Self.longest)
    let widths = kept.map { CellWidth.width(of: $0) }
    let isEmoji = kept.contains { $0.value == 0xfe0f }
    let isFlag = kept.count == 2 && kept.allSatisfy(CellWidth.isRegionalIndicator)
    guard let width = widths.max(), width > 0 else { return nil }
    text = String(String.UnicodeScalarView(kept))
    self.width = isEmoji || isFlag ? 2 : width
    isCertain =
      !isEmoji && widths.count { $0 > 0 } == 1
      && !kept.contains { $0.value == 0x200d || CellWidth.isDisputed($0) }
  }
}
