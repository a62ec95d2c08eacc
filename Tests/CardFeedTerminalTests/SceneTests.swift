import CardFeedLayout
import CardFeedTerminal
import Foundation
import Testing

/// Frames, compared with `Tests/Golden/play-frames.txt`.
///
/// `CARDFEED_REGENERATE=1 swift test --filter SceneTests` writes the file anew; look at the pictures
/// before it is committed.
@Suite struct SceneTests {
  private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Golden/play-frames.txt")

  private func pile(_ characters: TerminalCharacters = .unicode) -> PileScene {
    var scene = PileScene(layout: .stackOfThree, characters: characters)
    scene.header = "cardfeed · dating · ada"
    scene.status = "3 swiped · 1 match"
    scene.cards = [
      PileCard(
        title: "Dan, 31", subtitle: "man, verified",
        body: ["Climbs what stands around, cooks what grows, and reads the small print."],
        tags: ["climbing", "cooking"]),
      PileCard(title: "Eli, 28", subtitle: "man", body: ["Looks for a second for chess."]),
      PileCard(title: "李明, 30", subtitle: "man", body: ["喜欢在山里走路 🏔"]),
    ]
    scene.hints = [
      ("←", "pass"), ("→", "like"), ("↑", "super-like"), ("z", "rewind"), ("?", "why"),
      ("m", "matches"), ("q", "quit"),
    ].map { PileScene.Hint(key: characters == .unicode ? $0.0 : "<", action: $0.1) }
    return scene
  }

  private func flown(_ share: Double, _ direction: SwipeDirection) -> PileScene {
    var scene = pile()
    var rule = scene.layout.drag
    rule.directions = Set(SwipeDirection.allCases)
    let size = scene.geometry(size: TerminalSize(columns: 80, rows: 24)).cardSize
    if let motion = CardMotion.flight(direction, rule, size: size, at: 0) {
      scene.displacement = motion.displacement(at: share * motion.duration)
    }
    scene.stamp = PileScene.Stamp(text: "like", colour: .green, opacity: 1)
    return scene
  }

  private var frames: [(String, PileScene, Int, Int)] {
    var quiz = pile()
    quiz.cards = [
      PileCard(title: "What is the capital of Austria?", back: ["Vienna", "since 1156"])
    ]
    var turned = quiz
    turned.isTurned = true
    var empty = pile()
    empty.cards = []
    empty.empty = PileScene.Panel(
      title: "No more cards",
      paragraphs: ["exhausted; removed 12 by already-swiped (swiped)", "Space looks again."])
    var match = pile()
    match.panel = PileScene.Panel(
      title: "It's a match!", paragraphs: ["Dan, 31"], isFestive: true)
    var long = pile()
    long.panel = PileScene.Panel(
      title: "Why", paragraphs: (1...30).map { "reason \($0)" }, scroll: 7)
    var failed = pile()
    failed.notice = "the store is busy"
    failed.isFailure = true
    var hostile = pile()
    hostile.cards[0] = PileCard(
      title: "\u{1b}[2J\u{1b}]0;x\u{7} Bobby\u{202e}", body: [String(repeating: "x", count: 90)])
    var layered = pile()
    layered.layout = .layered
    layered.cards += layered.cards
    return [
      ("pile", pile(), 80, 24), ("pile", pile(), 40, 12), ("pile", pile(), 24, 10),
      ("pile", pile(), 23, 10), ("pile", pile(), 120, 40), ("pile in ASCII", pile(.ascii), 80, 24),
      ("a third of the way to the right", flown(1.0 / 3, .right), 80, 24),
      ("two thirds of the way to the left", flown(2.0 / 3, .left), 80, 24),
      ("half of the way up", flown(0.5, .up), 80, 24),
      ("half of the way down", flown(0.5, .down), 80, 24),
      ("gone to the right", flown(1, .right), 80, 24), ("question", quiz, 60, 16),
      ("question, turned", turned, 60, 16),
      ("question", quiz, 24, 10), ("question, turned", turned, 24, 10), ("empty", empty, 80, 24),
      ("match", match, 80, 24),
      ("scrolled panel", long, 60, 16), ("failure", failed, 40, 12),
      ("hostile text", hostile, 50, 14), ("layered", layered, 80, 24),
    ]
  }

  @Test func framesAreTheGoldenOnes() throws {
    var text = ""
    for (name, scene, columns, rows) in frames {
      let canvas = scene.canvas(size: TerminalSize(columns: columns, rows: rows))
      text += "== \(name), \(columns)x\(rows)\n"
      for row in 0..<rows { text += "|" + canvas.text(row: row) + "\n" }
    }
    if ProcessInfo.processInfo.environment["CARDFEED_REGENERATE"] != nil {
      try Data(text.utf8).write(to: Self.golden)
    }
    let golden = String(decoding: try Data(contentsOf: Self.golden), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = golden.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, pair) in zip(lines, expected).enumerated() where pair.0 != pair.1 {
      Issue.record("line \(line + 1) is '\(pair.0)', the golden one is '\(pair.1)'")
    }
    #expect(lines.count == expected.count)
  }

  @Test func anySizeCanBeDrawn() {
    for columns in 1...60 {
      for rows in 1...20 {
        let size = TerminalSize(columns: columns, rows: rows)
        let canvas = pile().canvas(size: size)
        #expect(canvas.size == size)
        #expect(canvas.text(row: 0).isEmpty == false)
      }
    }
    #expect(TerminalSize(columns: 0, rows: 100_000) == TerminalSize(columns: 1, rows: 1000))
  }

  @Test func aFlightTakesTheLayoutsTime() throws {
    let rule = LayoutPreset.stackOfThree.drag
    let size = CardSize(width: 320, height: 128)
    let flight = try #require(CardMotion.flight(.right, rule, size: size, at: 10))
    // 1.5 widths less the threshold, at 1,200 points a second.
    #expect(abs(flight.duration - 0.3) < 1e-12)
    #expect(flight.displacement(at: 10) == .none)
    #expect(abs(flight.displacement(at: 10.15).x - 240) < 1e-9)
    #expect(abs(flight.displacement(at: 11).x - 480) < 1e-9)
    #expect(flight.isOver(at: 10.2) == false && flight.isOver(at: 10.3))
    let arrival = try #require(CardMotion.arrival(.right, rule, size: size, at: 0))
    #expect(arrival.displacement(at: 0) == flight.displacement(at: 11))
    #expect(arrival.displacement(at: 1) == .none)
    let spring = CardMotion.spring(from: flight.displacement(at: 10.15), rule, at: 0)
    #expect(spring.displacement(at: 0).x == flight.displacement(at: 10.15).x)
    #expect(spring.displacement(at: 0.35) == .none)
    #expect(spring.displacement(at: 0.1).x < 240)
    #expect(
      CardMotion.flight(.down, rule, size: size, at: 0) == nil, "not a direction of this rule")
  }

  @Test func linesForATerminalThatCannotMoveItsCursor() {
    var scene = pile(.ascii)
    var plain = PlainLines()
    let bytes = plain.bytes(for: scene, columns: 40)
    #expect(
      String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n") == """

        [ cardfeed ? dating ? ada | 3 swiped ?
        1 match ]
        Dan, 31
        man, verified
        Climbs what stands around, cooks what
        grows, and reads the small print.
        climbing, cooking
        < pass, < like, < super-like, < rewind,
        < why, < matches, < quit

        """)
    #expect(plain.bytes(for: scene, columns: 40) == [])
    scene.notice = "taken back \u{1b}[2J"
    let more = plain.bytes(for: scene, columns: 40)
    #expect(!more.contains(0x1b))
    #expect(String(decoding: more, as: UTF8.self).contains("taken back ?[2J"))
  }
}
