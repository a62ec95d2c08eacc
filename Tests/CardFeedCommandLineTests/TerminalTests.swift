import CardFeedCommandLine
import Testing

/// The width of the terminal, and progress on it.
struct TerminalTests {
  @Test(
    arguments: [
      (120, "60", 120), (nil, "60", 60), (0, "60", 60), (nil, nil, 80), (nil, "wide", 80),
      (nil, "0", 80), (0, "-5", 80),
    ] as [(Int?, String?, Int)])
  func widthComesFromWindowThenVariableThenConvention(
    _ window: Int?, _ variable: String?, _ width: Int
  ) {
    #expect(Terminal.width(windowColumns: window, columnsVariable: variable) == width)
  }

  @Test func theProcessHasAWidth() {
    #expect(Terminal.current().width > 0)
  }

  @Test(arguments: [
    (0, "0.0 s"), (3.24, "3.2 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"),
    (59.6, "1:00 min"), (65, "1:05 min"), (3599.4, "59:59 min"), (7209, "2:00:09 h"),
    (-1, "0.0 s"),
  ])
  func timesAreShort(_ seconds: Double, _ text: String) {
    #expect(ProgressReporter.describe(.seconds(seconds)) == text)
  }

  @Test func progressOverwritesItsLine() {
    let captured = CapturedContext(isTerminal: true)
    let clock = ManualStopwatch()
    let progress = ProgressReporter(
      "Replay", total: 200, context: captured.context, elapsed: clock.elapsed)
    #expect(captured.errors.take() == "\rReplay: 0/200  0 %  0.0 s elapsed")
    clock.set(.seconds(10))
    progress.advance(by: 50)
    #expect(
      captured.errors.take() == "\rReplay: 50/200  25 %  10 s elapsed, 30 s left")
    clock.set(.seconds(10.05))
    progress.advance()
    #expect(captured.errors.take() == "", "at most ten times a second")
    clock.set(.seconds(20))
    progress.update(done: 200)
    #expect(
      captured.errors.take() == "\rReplay: 200/200  100 %  20 s elapsed" + spaces(9))
    progress.finish()
    #expect(captured.errors.take() == "\rReplay: 200 done in 20 s" + spaces(12) + "\n")
    progress.finish()
    progress.advance()
    #expect(captured.errors.take() == "")
    #expect(captured.output.text == "")
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  @Test func progressNeverFillsTheLine() {
    let captured = CapturedContext(isTerminal: true, width: 12)
    let progress = ProgressReporter(
      "Replay", total: nil, context: captured.context, elapsed: { .zero })
    #expect(captured.errors.take() == "\rReplay: 0  ")
    progress.finish()
    #expect(captured.errors.take() == "\rReplay: 0 done in 0.0 s\n")
  }

  @Test func progressIsQuietInALog() {
    let captured = CapturedContext()
    let clock = ManualStopwatch()
    let progress = ProgressReporter(
      "Replay", total: 3, context: captured.context, elapsed: clock.elapsed)
    for second in 1...3 {
      clock.set(.seconds(second))
      progress.advance()
    }
    progress.finish()
    #expect(captured.errors.text == "Replay: 3 to do\nReplay: 3 done in 3.0 s\n")
  }

  @Test func anyThreadMayReport() async {
    let captured = CapturedContext(isTerminal: true)
    let progress = ProgressReporter("Count", total: 4000, context: captured.context)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<1000 { progress.advance() } }
      }
    }
    progress.finish()
    #expect(captured.errors.text.contains("\rCount: 4000 done in "))
  }
}
