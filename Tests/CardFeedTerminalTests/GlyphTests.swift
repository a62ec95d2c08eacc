import CChildProcess
import CardFeedTerminal
import Testing

/// Texts as they are harmless on a screen, and how many columns they take.
@Suite struct GlyphTests {
  private func shown(_ text: String, _ characters: TerminalCharacters = .unicode) -> String {
    Glyph.glyphs(of: text, characters).map(\.text).joined()
  }

  private func widths(_ text: String) -> [Int] {
    Glyph.glyphs(of: text, .unicode).map(\.width)
  }

  @Test func controlCharactersDoNothing() {
    #expect(shown("a\u{1b}[2Jb") == "a\u{fffd}[2Jb")
    #expect(shown("\u{9b}2J\u{7f}\u{7}\u{0}") == "\u{fffd}2J\u{fffd}\u{fffd}\u{fffd}")
    #expect(shown("a\tb\r\nc\nd\u{2028}e\u{85}f\u{a0}g") == "a b c d e f g")
    #expect(shown("\u{1b}[31m", .ascii) == "?[31m")
  }

  @Test func nothingTurnsOrHides() {
    #expect(shown("a\u{202e}b\u{2066}c\u{200f}d\u{200b}e\u{feff}f\u{ad}g") == "abcdefg")
    #expect(shown("\u{301}a") == "a", "a mark without a character")
    #expect(widths("e\u{301}") == [1])
  }

  @Test func marksDoNotPileUp() {
    let glyphs = Glyph.glyphs(of: "a" + String(repeating: "\u{301}", count: 10_000), .unicode)
    #expect(glyphs.count == 1)
    #expect(glyphs[0].text.unicodeScalars.count == 10)
  }

  @Test(arguments: [
    ("a", [1]), ("ä", [1]), ("日本", [2, 2]), ("한글", [2, 2]), ("한", [2]),
    ("😀", [2]), ("❤️", [2]), ("❤", [1]), ("🇩🇪", [2]), ("👩‍👩‍👧‍👦", [2]), ("👍🏽", [2]), ("ｱ", [1]), ("Ａ", [2]),
    ("…", [1]), ("─", [1]), ("⌚", [2]), ("ไทย", [1, 1, 1]), ("\u{1f1e9}", [1]),
  ])
  func widthIsThatOfTerminals(_ text: String, _ expected: [Int]) {
    #expect(widths(text) == expected)
  }

  @Test func whatTerminalsDisagreeAboutIsUncertain() {
    func isCertain(_ text: String) -> [Bool] {
      Glyph.glyphs(of: text, .unicode).map(\.isCertain)
    }
    #expect(isCertain("aä日😀e\u{301}") == [true, true, true, true, true])
    #expect(isCertain("👩‍👧❤️🇩🇪👍🏽") == [false, false, false, false])
  }

  @Test func asciiHasAQuestionMarkForEachColumn() {
    #expect(shown("Zoë 日 😀 ok", .ascii) == "Zo? ?? ?? ok")
  }

  @Test func theLocaleSaysWhatCanBeShown() {
    func characters(_ variables: [String: String]) -> TerminalCharacters {
      TerminalCharacters { variables[$0] }
    }
    #expect(characters(["LANG": "de_DE.UTF-8"]) == .unicode)
    #expect(characters(["LANG": "C.utf8"]) == .unicode)
    #expect(characters(["LC_ALL": "C", "LANG": "de_DE.UTF-8"]) == .ascii)
    #expect(characters(["LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"]) == .unicode)
    #expect(characters(["LANG": "de_DE.ISO-8859-1"]) == .ascii)
    #expect(characters([:]) == .ascii)
  }

  /// The C library's table is another edition of the same standard. Where both know a character, and
  /// it is not known to be disputed, they agree.
  @Test func widthsAreThoseOfTheCLibrary() {
    var columns = [Int8](repeating: 0, count: 0x40000)
    #expect(cf_character_columns(&columns, Int32(columns.count)) == 0)
    var compared = 0
    var different: [String] = []
    for value in UInt32(0x20)..<0x40000 where columns[Int(value)] > 0 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      switch scalar.properties.generalCategory {
      // Not known here, left out, or made an ordinary space.
      case .unassigned, .privateUse, .format, .spaceSeparator: continue
      default: break
      }
      let glyphs = Glyph.glyphs(of: String(Character(scalar)), .unicode)
      compared += 1
      let isDisputed = glyphs.contains { !$0.isCertain }
      if !isDisputed, glyphs.reduce(0, { $0 + $1.width }) != columns[Int(value)] {
        different.append(String(value, radix: 16))
      }
    }
    #expect(compared > 100_000)
    #expect(different == [])
  }
}
