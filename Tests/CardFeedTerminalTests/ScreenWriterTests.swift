import CardFeedLayout
import CardFeedTerminal
import TerminalEmulation
import Testing

/// The bytes of frames show the frames, and are few.
@Suite struct ScreenWriterTests {
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private func scene(_ random: inout Numbers) -> PileScene {
    let titles = ["ada", "日本語のカード", "👩‍👩‍👧‍👦 family", "Zoë", "", "a\u{1b}[2Jb", "❤️🇩🇪"]
    let layout = LayoutPreset.all.randomElement(using: &random) ?? .stackOfThree
    var scene = PileScene(
      layout: layout,
      characters: TerminalCharacters.allCases.randomElement(using: &random) ?? .unicode)
    scene.cards = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      PileCard(
        title: titles.randomElement(using: &random) ?? "", subtitle: "woman, verified",
        body: [String(repeating: "好きです ok ", count: Int.random(in: 0...20, using: &random))],
        tags: ["one", "two"], back: ["the back"])
    }
    scene.isTurned = Bool.random(using: &random)
    scene.header = "cardfeed 日"
    scene.status = "12 swiped"
    scene.displacement = Displacement(
      x: .random(in: -480...480, using: &random), y: .random(in: -100...100, using: &random),
      rotation: .random(in: -30...30, using: &random))
    if Bool.random(using: &random) {
      scene.stamp = PileScene.Stamp(text: "like", colour: .green, opacity: 0.7)
    }
    if UInt8.random(in: 0..<4, using: &random) == 0 {
      scene.panel = PileScene.Panel(title: "why", paragraphs: titles)
    }
    scene.empty = PileScene.Panel(title: "No more cards", paragraphs: ["exhausted"])
    scene.notice = titles.randomElement(using: &random) ?? ""
    scene.hints = [PileScene.Hint(key: "→", action: "like")]
    return scene
  }

  /// What a terminal would show, cell by cell.
  private func expectSame(_ screen: ScreenEmulator, _ canvas: Canvas) {
    var different: [String] = []
    for row in 0..<canvas.size.rows {
      for column in 0..<canvas.size.columns {
        let cell = canvas[row, column]
        let place = screen.rows[row][column]
        var codes: [String] = []
        if cell.style.isBold { codes.append("1") }
        if cell.style.isDim { codes.append("2") }
        if cell.style.isReversed { codes.append("7") }
        if let colour = cell.style.colour { codes.append("3\(colour.rawValue)") }
        let wanted = codes.isEmpty ? "" : "0;" + codes.joined(separator: ";")
        if place.text != cell.text || !cell.text.isEmpty && place.codes != wanted {
          different.append("\(row),\(column): '\(place.text)' is not '\(cell.text)'")
        }
      }
    }
    #expect(different == [])
    #expect(screen.unknown == [])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func aTerminalShowsEveryFrame(_ seed: UInt64) {
    var random = Numbers(state: seed)
    let size = TerminalSize(
      columns: .random(in: 10...100, using: &random), rows: .random(in: 5...30, using: &random))
    var screen = ScreenEmulator(columns: size.columns, rows: size.rows)
    var writer = ScreenWriter(hasColour: true)
    for frame in 0..<30 {
      let canvas = scene(&random).canvas(size: size)
      if frame == 17 { writer.forget() }
      screen.take(writer.bytes(for: canvas))
      expectSame(screen, canvas)
      #expect(writer.bytes(for: canvas) == [], "nothing has changed")
    }
  }

  @Test func oneFrameIsOnePieceAndLittle() {
    var scene = PileScene(layout: .stackOfThree, characters: .unicode)
    scene.cards = [PileCard(title: "ada"), PileCard(title: "bea")]
    let size = TerminalSize(columns: 80, rows: 24)
    var writer = ScreenWriter(hasColour: true)
    let first = writer.bytes(for: scene.canvas(size: size))
    scene.notice = "hi"
    let second = String(decoding: writer.bytes(for: scene.canvas(size: size)), as: UTF8.self)
    #expect(
      second == "\u{1b}[?2026h\u{1b}[24;40H\u{1b}[0;1;36mhi\u{1b}[0m\u{1b}[?2026l")
    #expect(first.count > 500)
    scene.notice = ""
    let third = String(decoding: writer.bytes(for: scene.canvas(size: size)), as: UTF8.self)
    #expect(third == "\u{1b}[?2026h\u{1b}[24;40H\u{1b}[K\u{1b}[?2026l")
  }

  @Test func withoutColourThereIsNone() {
    var scene = PileScene(layout: .stackOfThree, characters: .unicode)
    scene.cards = [PileCard(title: "ada", tags: ["chess"])]
    scene.notice = "no"
    scene.isFailure = true
    scene.stamp = PileScene.Stamp(text: "like", colour: .green, opacity: 1)
    let canvas = scene.canvas(size: TerminalSize(columns: 80, rows: 24))
    func codes(hasColour: Bool) -> Set<Substring> {
      var writer = ScreenWriter(hasColour: hasColour)
      let text = String(decoding: writer.bytes(for: canvas), as: UTF8.self)
      return Set(
        text.split(separator: "\u{1b}[").compactMap { part in
          part.firstIndex(of: "m").map { part[..<$0] }
        }.filter { $0.allSatisfy { $0.isNumber || $0 == ";" } })
    }
    #expect(codes(hasColour: false) == ["0", "0;1", "0;1;7", "0;7"])
    #expect(codes(hasColour: true) == ["0", "0;1", "0;1;7;32", "0;7", "0;36", "0;1;31"])
  }

  @Test func greetingAndFarewellCancelEachOther() {
    var screen = ScreenEmulator(columns: 10, rows: 5)
    screen.take(Array("\u{1b}[?25h\u{1b}[?7h".utf8))
    let before = screen.modes
    screen.take(ScreenWriter.greeting)
    #expect(screen.modes == ["1049", "2004"])
    screen.take(ScreenWriter.farewell)
    #expect(screen.modes == before)
    #expect(screen.unknown == [])
  }
}
