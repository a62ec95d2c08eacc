internal import CardFeed
internal import CardFeedTerminal
internal import Glibc

/// The loop between a terminal and a session: waits, draws, passes keys on.
///
/// It has a thread of its own, since it blocks; what the session asks for goes to a task that works on
/// it, and what comes of that is posted back. Holds no rule of the game.
final class PlayLoop: @unchecked Sendable {
  /// How a terminal is drawn on.
  struct Style: Sendable {
    /// Whether it can move its cursor.
    var canDraw: Bool
    var hasColour: Bool
  }

  /// Why the loop ended.
  enum Ending: Sendable {
    case quit
    case failed(TerminalError)
  }

  // Safe to share: what changes is behind the locks, and `session` is touched by the thread only, from
  // its start to its end, and read after it was joined.
  private var session: PlaySession
  private let style: Style
  private let waker: TerminalWaker
  private let inbox = Lock<[PlayReport]>([])
  private let ending = Lock<Ending>(.quit)
  private let effects: AsyncStream<PlayEffect>.Continuation
  private var thread = pthread_t()

  /// A frame every 25 ms: 12 of them in the longest flight.
  private static let frame = 0.025
  /// Nobody presses Escape and another key so quickly.
  private static let escapeTime = 0.1

  init(
    _ session: PlaySession, style: Style, effects: AsyncStream<PlayEffect>.Continuation
  ) throws(TerminalError) {
    self.session = session
    self.style = style
    self.effects = effects
    waker = try TerminalWaker()
  }

  /// Starts the thread.
  func start() throws {
    let box = Unmanaged.passRetained(self)
    let status = pthread_create(&thread, nil, runPlayLoop, box.toOpaque())
    guard status == 0 else {
      box.release()
      throw FeedError(
        .badInput, "no thread could be started: \(String(cString: strerror(status)))")
    }
  }

  /// Waits for its end, after the effects have ended, and says how it went.
  func join() -> Ending {
    pthread_join(thread, nil)
    return ending.withLock { $0 }
  }

  /// Tells the session what an effect came to.
  func post(_ report: PlayReport) {
    inbox.withLock { $0.append(report) }
    waker.wake()
  }

  fileprivate func run() {
    do throws(TerminalError) {
      let terminal = try TerminalDevice(input: STDIN_FILENO, output: STDOUT_FILENO)
      try terminal.enter(isDrawing: style.canDraw)
      defer { terminal.leave() }
      var player = Player(session, terminal, waker, style)
      player.isLineSlow = terminal.isSlowLine
      try player.play(
        inbox: {
          self.inbox.withLock { reports in
            defer { reports = [] }; return reports
          }
        },
        effects: { self.effects.yield($0) })
    } catch {
      ending.withLock { $0 = .failed(error) }
    }
    effects.finish()
  }

  /// The part of the loop that lives as long as the terminal is taken.
  private struct Player {
    var session: PlaySession
    let terminal: TerminalDevice
    let waker: TerminalWaker
    let style: Style
    var isLineSlow = false
    private var decoder = KeyDecoder()
    private var writer: ScreenWriter
    private var plain = PlainLines()
    private var isOver = false

    init(
      _ session: PlaySession, _ terminal: TerminalDevice, _ waker: TerminalWaker, _ style: Style
    ) {
      self.session = session
      self.terminal = terminal
      self.waker = waker
      self.style = style
      writer = ScreenWriter(hasColour: style.hasColour)
    }

    mutating func play(
      inbox: () -> [PlayReport], effects: (PlayEffect) -> Void
    ) throws(TerminalError) {
      session.size = terminal.size
      try perform(session.begin(), effects)
      while !isOver {
        for report in inbox() { try perform(session.take(report, at: now), effects) }
        try perform(session.advance(at: now), effects)
        draw()
        let pause: Double? =
          decoder.isWaiting
          ? PlayLoop.escapeTime : session.isMoving(at: now) ? PlayLoop.frame : nil
        let events = terminal.wait(seconds: pause, waker: waker)
        if events.isEmpty, decoder.isWaiting, pause == PlayLoop.escapeTime {
          try press(decoder.flush(), effects)
        }
        for event in events where !isOver { try take(event, effects) }
      }
    }

    private mutating func take(
      _ event: TerminalEvent, _ effects: (PlayEffect) -> Void
    ) throws(TerminalError) {
      switch event {
      case .input(let bytes): try press(decoder.keys(bytes), effects)
      case .resized: session.size = terminal.size
      case .suspend: try suspend()
      case .resumed:
        // Somebody else has stopped it, and the shell may have changed the modes meanwhile.
        terminal.leave()
        try terminal.enter(isDrawing: style.canDraw)
        forget()
      case .terminated, .hungUp: isOver = true
      }
    }

    private mutating func press(
      _ keys: [Key], _ effects: (PlayEffect) -> Void
    ) throws(TerminalError) {
      for key in keys where !isOver { try perform(session.press(key, at: now), effects) }
    }

    private mutating func perform(
      _ wanted: [PlayEffect], _ effects: (PlayEffect) -> Void
    ) throws(TerminalError) {
      for effect in wanted where !isOver {
        switch effect {
        case .quit: isOver = true
        case .suspend: try suspend()
        case .redraw: forget()
        default: effects(effect)
        }
      }
    }

    private mutating func suspend() throws(TerminalError) {
      try terminal.suspend()
      forget()
    }

    private mutating func forget() {
      session.size = terminal.size
      writer.forget()
      plain.forget()
    }

    private mutating func draw() {
      let start = now
      let scene = session.scene(at: start)
      let bytes: [UInt8]
      if style.canDraw {
        bytes = writer.bytes(for: scene.canvas(size: session.size))
      } else {
        guard !session.isBusy(at: start) else { return }
        bytes = plain.bytes(for: scene, columns: session.size.columns)
      }
      guard !bytes.isEmpty else { return }
      terminal.write(bytes)
      session.noteWrite(took: now - start, at: now)
    }

    private var now: Double { Double(SystemClock().uptimeNanoseconds) / 1e9 }
  }
}

/// The thread of a loop.
private func runPlayLoop(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let pointer else { return nil }
  Unmanaged<PlayLoop>.fromOpaque(pointer).takeRetainedValue().run()
  return nil
}
