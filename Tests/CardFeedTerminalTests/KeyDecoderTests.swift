import CardFeedTerminal
import Testing

/// Bytes become keys, however they are cut.
@Suite struct KeyDecoderTests {
  private func keys(_ text: String, pieces: Int = .max) -> [Key] {
    var decoder = KeyDecoder()
    var keys: [Key] = []
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      keys += decoder.keys(bytes.prefix(pieces))
      bytes = bytes.dropFirst(pieces)
    }
    return keys + decoder.flush()
  }

  private static let cases: [(String, [Key])] = [
    ("a", [.character("a")]), ("Z?", [.character("Z"), .character("?")]),
    ("\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D", [.up, .down, .right, .left]),
    ("\u{1b}OA\u{1b}OB\u{1b}OC\u{1b}OD", [.up, .down, .right, .left]),
    ("\u{1b}[1;5C\u{1b}[1;2D", [.right, .left]),
    (
      "\u{1b}[5~\u{1b}[6~\u{1b}[1~\u{1b}[4~\u{1b}[H\u{1b}[F\u{1b}[7~\u{1b}[8~",
      [.pageUp, .pageDown, .home, .end, .home, .end, .home, .end]
    ),
    ("\u{3}\u{4}\u{1a}\u{c}", [.interrupt, .endOfInput, .suspend, .redraw]),
    ("\r\n\t\u{7f}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
    ("\u{1b}", [.escape]), ("\u{1b}\u{1b}[A", [.escape, .up]),
    ("\u{1b}x", [.other]), ("\u{1b}[15~\u{1b}[[Aq", [.other, .other, .character("q")]),
    ("äß€😀", [.character("ä"), .character("ß"), .character("€"), .character("😀")]),
    // Pasted text is nobody's decision, whatever is in it.
    ("\u{1b}[200~qzq\u{1b}[C\r\u{1b}\u{1b}[201~p", [.character("p")]),
    ("\u{1b}[201~a", [.character("a")]),
    // Answers of a terminal to questions: its kind, its colours, its version.
    ("\u{1b}[?62;4cq", [.other, .character("q")]),
    ("\u{1b}]11;rgb:00/00/00\u{7}q", [.character("q")]),
    ("\u{1b}P>|term 1\u{1b}\\q", [.character("q")]),
    // A sequence that another one cuts off.
    ("\u{1b}[1;\u{1b}[A", [.up]), ("\u{1b}[12\u{3}", [.interrupt]),
  ]

  @Test(arguments: Array(cases.indices), [1, 2, 3, Int.max])
  func sequencesAreKeysHoweverTheyAreCut(_ index: Int, _ pieces: Int) {
    let (text, expected) = Self.cases[index]
    #expect(keys(text, pieces: pieces) == expected)
  }

  @Test func whatWaitsIsKnown() {
    var decoder = KeyDecoder()
    #expect(decoder.isWaiting == false)
    #expect(decoder.keys([0x1b]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(decoder.isWaiting == false)
    #expect(decoder.flush() == [])
    #expect(decoder.keys([0x1b, 0x5b]) == [])
    #expect(decoder.flush() == [], "the beginning of a sequence is no Escape")
    #expect(decoder.keys([0x41]) == [.character("A")])
  }

  @Test func interruptLeavesEverything() {
    for prefix in [
      "\u{1b}[200~abc", "\u{1b}]0;title", "\u{1b}Pq", "\u{1b}[1;2", "\u{1b}[200~\u{1b}[2",
    ] {
      var decoder = KeyDecoder()
      _ = decoder.keys(prefix.utf8)
      #expect(decoder.keys([0x03]) == [.interrupt])
      #expect(decoder.keys([0x71]) == [.character("q")])
    }
  }

  @Test func brokenCharactersAreNone() {
    var decoder = KeyDecoder()
    // Overlong, a surrogate, beyond the last character, continuations without a beginning, cut off.
    let broken: [[UInt8]] = [
      [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80, 0xbf], [0xe2, 0x82],
      [0xff, 0xfe], [0xe0, 0x80, 0xaf],
    ]
    for bytes in broken {
      #expect(decoder.keys(bytes + [0x71]) == [.character("q")])
    }
  }

  @Test func longSequencesTakeNoMemory() {
    var decoder = KeyDecoder()
    #expect(decoder.keys([0x1b, 0x5b] + Array(repeating: 0x31, count: 100_000)) == [])
    #expect(decoder.keys([0x7e, 0x71]) == [.other, .character("q")])
  }

  /// A generator that gives the same bytes each time.
  private struct Bytes: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func anyBytesGiveTheSameKeysHoweverTheyAreCut(_ seed: UInt64) {
    var random = Bytes(state: seed)
    let common: [UInt8] = [0x1b, 0x5b, 0x4f, 0x41, 0x7e, 0x32, 0x30, 0x31, 0x03, 0xc3, 0xa4, 0x5d]
    let bytes = (0..<2000).map { _ in
      UInt8.random(in: 0..<3, using: &random) == 0
        ? UInt8.random(in: .min ... .max, using: &random)
        : common.randomElement(using: &random) ?? 0
    }
    var whole = KeyDecoder()
    let expected = whole.keys(bytes)
    var cut = KeyDecoder()
    var keys: [Key] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...7, using: &random)
      keys += cut.keys(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(keys == expected)
    #expect(expected.count > 50)
  }
}
