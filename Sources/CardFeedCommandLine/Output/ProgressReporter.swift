import CardFeed

/// Tells the person at the terminal how far long work has come.
///
/// On a terminal one line overwrites itself at most ten times a second: label, done and total,
/// share, time elapsed and estimated to be left. Elsewhere, as in a log, there is a line at the
/// start and one at the end. Any thread may report.
public final class ProgressReporter: Sendable {
  private struct State {
    var done = 0
    var total: Int?
    var lastDrawn: Duration?
    var drawnCharacters = 0
    var isFinished = false
  }

  private static let pause = Duration.milliseconds(100)

  private let label: String
  private let errors: any OutputSink
  private let terminal: Terminal
  private let elapsed: @Sendable () -> Duration
  // The lock is held while writing, so that lines come in the order of their numbers.
  private let state: Lock<State>

  /// Starts reporting.
  ///
  /// - Parameters:
  ///   - label: What is being done.
  ///   - total: How many steps there are, or `nil` when that is not known.
  ///   - context: Where to report.
  ///   - elapsed: The time since the start; a test passes its own.
  public init(
    _ label: String, total: Int?, context: CommandContext,
    elapsed: @escaping @Sendable () -> Duration = ProgressReporter.stopwatch()
  ) {
    self.label = label
    self.errors = context.errors
    self.terminal = context.terminal
    self.elapsed = elapsed
    state = Lock(State(total: total))
    if terminal.isErrorTerminal {
      state.withLock { draw(&$0, at: elapsed()) }
    } else {
      write("\(label): \(total.map { "\($0) to do" } ?? "started")\n")
    }
  }

  /// Measures the time from now on by the monotonic clock.
  public static func stopwatch() -> @Sendable () -> Duration {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }

  /// Counts more steps as done.
  ///
  /// - Parameter steps: How many.
  public func advance(by steps: Int = 1) {
    change { $0.done += steps }
  }

  /// Sets how many steps are done.
  ///
  /// - Parameters:
  ///   - done: The steps done so far.
  ///   - total: How many steps there are; `nil` leaves the number as it is.
  public func update(done: Int, total: Int? = nil) {
    change { state in
      state.done = done
      state.total = total ?? state.total
    }
  }

  /// Writes the last line. Later calls do nothing.
  public func finish() {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      let text = "\(label): \(state.done) done in \(Self.describe(elapsed()))"
      let start = terminal.isErrorTerminal ? "\r" : ""
      write(start + TextWrapping.pad(text, to: state.drawnCharacters) + "\n")
    }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      guard !state.isFinished else { return }
      body(&state)
      guard terminal.isErrorTerminal else { return }
      let now = elapsed()
      if let last = state.lastDrawn, now - last < Self.pause { return }
      draw(&state, at: now)
    }
  }

  private func draw(_ state: inout State, at time: Duration) {
    var text = "\(label): \(state.done)"
    if let total = state.total, total > 0 {
      let share = Double(state.done) / Double(total)
      text += "/\(total)  \(Int(share * 100)) %"
      text += "  \(Self.describe(time)) elapsed"
      if state.done > 0, state.done < total {
        text += ", \(Self.describe(time * ((1 - share) / share))) left"
      }
    } else {
      text += "  \(Self.describe(time)) elapsed"
    }
    // A line that fills the width would wrap, and could not be overwritten.
    text = String(text.prefix(max(1, terminal.width - 1)))
    write("\r" + TextWrapping.pad(text, to: state.drawnCharacters))
    state.drawnCharacters = text.count
    state.lastDrawn = time
  }

  private func write(_ text: String) {
    // Work goes on when standard error is gone.
    try? errors.write(Array(text.utf8))
  }

  /// A time for people: `3.2 s`, `42 s`, `1:05 min`, `2:00:09 h`.
  package static func describe(_ duration: Duration) -> String {
    let seconds = max(0, duration / .seconds(1))
    if seconds < 9.95 { return "\(Int(seconds * 10 + 0.5) / 10).\(Int(seconds * 10 + 0.5) % 10) s" }
    let whole = Int(min(seconds + 0.5, 3_600_000_000))
    let minutes = whole / 60
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if whole < 60 { return "\(whole) s" }
    if minutes < 60 { return "\(minutes):\(twoDigits(whole % 60)) min" }
    return "\(minutes / 60):\(twoDigits(minutes % 60)):\(twoDigits(whole % 60)) h"
  }
}
