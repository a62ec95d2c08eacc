internal import CTerminal

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Something that a terminal, or the system in its place, tells a program.
public enum TerminalEvent: Hashable, Sendable {
  /// Bytes were typed.
  case input([UInt8])
  /// The window may have another size.
  case resized
  /// Somebody asks the process to stop for a while.
  case suspend
  /// The process goes on after a stop that it was not asked for.
  case resumed
  /// Somebody asks the process to end.
  case terminated
  /// The terminal is gone.
  case hungUp
}

/// What went wrong with a terminal.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, and why it failed.
  public let description: String

  init(_ what: String, code: Int32) {
    description = "\(what): \(String(cString: strerror(code)))"
  }
}

/// A terminal that one program draws on: its modes, its signals, its size and its bytes.
///
/// Belongs to the thread that made it. Between ``enter(isDrawing:)`` and ``leave()`` keys come unread by
/// the line discipline, Ctrl-C included. Whatever ends the process meanwhile, a fault included, the
/// modes are given back first; only SIGKILL leaves them. There can be one at a time in a process.
public final class TerminalDevice {
  private let input: Int32
  private let output: Int32
  private let before: termios
  private let signals: Int32
  private var isEntered = false
  private var isGone = false

  /// Takes a terminal.
  ///
  /// - Parameters:
  ///   - input: Where keys come from.
  ///   - output: Where frames go.
  /// - Throws: `TerminalError` when the input is no terminal, or another one is taken already.
  public init(input: Int32, output: Int32) throws(TerminalError) {
    var modes = termios()
    guard tcgetattr(input, &modes) == 0 else {
      throw TerminalError("the modes of the terminal could not be read", code: errno)
    }
    var reading: Int32 = -1
    let farewell = ScreenWriter.farewell
    let status = cf_terminal_watch(input, &modes, farewell, farewell.count, &reading)
    guard status == 0 else {
      throw TerminalError("the signals of the terminal could not be watched", code: status)
    }
    self.input = input
    self.output = output
    before = modes
    signals = reading
  }

  deinit {
    leave()
    cf_terminal_unwatch()
  }

  /// Whether both descriptors are terminals.
  public static func isTerminal(input: Int32, output: Int32) -> Bool {
    isatty(input) == 1 && isatty(output) == 1
  }

  /// Whether the line is a slow one, by the speed that it says it has.
  public var isSlowLine: Bool {
    var modes = before
    let speed = cfgetospeed(&modes)
    // Speeds above this are other constants; 0 is a hang-up or unknown.
    let slow: [speed_t] = [
      B50, B75, B110, B134, B150, B200, B300, B600, B1200, B1800, B2400, B4800, B9600, B19200,
    ].map { speed_t($0) }
    return slow.contains(speed)
  }

  /// How large the window is now; 80 × 24 where the terminal does not know.
  public var size: TerminalSize {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return TerminalSize(columns: 80, rows: 24) }
    return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Makes keys come one by one.
  ///
  /// - Parameter isDrawing: Whether the other screen is shown; without, nothing is written.
  public func enter(isDrawing: Bool) throws(TerminalError) {
    var modes = before
    cfmakeraw(&modes)
    guard tcsetattr(input, TCSADRAIN, &modes) == 0 else {
      throw TerminalError("the modes of the terminal could not be set", code: errno)
    }
    isEntered = true
    drawsScreen = isDrawing
    if isDrawing { write(ScreenWriter.greeting) }
  }

  private var drawsScreen = false

  /// Gives everything back. Does nothing the second time.
  public func leave() {
    guard isEntered else { return }
    isEntered = false
    if drawsScreen { write(ScreenWriter.farewell) }
    var modes = before
    // Keys that were pressed too late are not for the shell.
    tcsetattr(input, isGone ? TCSANOW : TCSAFLUSH, &modes)
  }

  /// Leaves, stops the process as Ctrl-Z does, and enters again when it goes on.
  public func suspend() throws(TerminalError) {
    leave()
    cf_terminal_stop()
    try enter(isDrawing: drawsScreen)
  }

  /// Writes all bytes. A terminal that is gone takes them without a word; the next wait says so.
  public func write(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count, !isGone {
      let count = bytes[written...].withUnsafeBytes { DescriptorCalls.write(output, $0) }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        isGone = true
      }
    }
  }

  /// Waits for events, for a time at most. None come when the time is over or somebody has woken it.
  ///
  /// - Parameters:
  ///   - seconds: How long to wait; nil for as long as it takes.
  ///   - waker: Who else may end the wait.
  public func wait(seconds: Double?, waker: TerminalWaker) -> [TerminalEvent] {
    if isGone { return [.hungUp] }
    var waiting = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      pollfd(fd: waker.reading, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = seconds.map { Int32(max(0, min($0 * 1000, 60_000)).rounded(.up)) } ?? -1
    guard poll(&waiting, 3, milliseconds) > 0 else { return [] }
    if waiting[2].revents != 0 { _ = Self.read(waker.reading) }
    var events: [TerminalEvent] = []
    if waiting[1].revents != 0 {
      events += (Self.read(signals) ?? []).compactMap { Self.event(ofSignal: Int32($0)) }
    }
    if waiting[0].revents != 0 {
      if let bytes = Self.read(input) {
        if !bytes.isEmpty { events.append(.input(bytes)) }
      } else {
        isGone = true
        events.append(.hungUp)
      }
    }
    return events
  }

  private static func event(ofSignal number: Int32) -> TerminalEvent? {
    switch number {
    case SIGWINCH: .resized
    case SIGTSTP: .suspend
    case SIGCONT: .resumed
    case SIGHUP: .hungUp
    default: .terminated
    }
  }

  /// What there is to read; nil at the end.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { DescriptorCalls.read(descriptor, $0) }
    if count > 0 { return Array(buffer[..<count]) }
    return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
  }
}

/// Wakes a thread that waits for a terminal. Any thread may call it.
public final class TerminalWaker: Sendable {
  let reading: Int32
  private let writing: Int32

  /// A waker; throws `TerminalError` when the process has no descriptors left.
  public init() throws(TerminalError) {
    var ends: (Int32, Int32) = (-1, -1)
    let status = cf_terminal_pipe(&ends.0, &ends.1)
    guard status == 0 else { throw TerminalError("no pipe", code: status) }
    (reading, writing) = ends
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Ends the wait at hand, or the next one.
  public func wake() {
    // A full pipe wakes as well.
    _ = [1 as UInt8].withUnsafeBytes { DescriptorCalls.write(writing, $0) }
  }
}

/// The system's calls by names that no method here hides.
private enum DescriptorCalls {
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    #if canImport(Glibc)
      return Glibc.write(descriptor, base, bytes.count)
    #elseif canImport(Musl)
      return Musl.write(descriptor, base, bytes.count)
    #else
      return Darwin.write(descriptor, base, bytes.count)
    #endif
  }

  static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      return Glibc.read(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      return Musl.read(descriptor, bytes.baseAddress, bytes.count)
    #else
      return Darwin.read(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
