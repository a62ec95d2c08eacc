import Glibc

/// What a command has to know about the terminal it may be talking to.
public struct Terminal: Sendable, Hashable {
  /// Whether standard output is a terminal.
  public let isOutputTerminal: Bool

  /// Whether standard error is a terminal.
  public let isErrorTerminal: Bool

  /// How many characters fit on a line.
  public let width: Int

  /// Describes a terminal.
  ///
  /// - Parameters:
  ///   - isOutputTerminal: Whether standard output is a terminal.
  ///   - isErrorTerminal: Whether standard error is a terminal.
  ///   - width: How many characters fit on a line.
  public init(isOutputTerminal: Bool, isErrorTerminal: Bool, width: Int) {
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.width = width
  }

  /// Asks the system about the terminal of the process.
  public static func current() -> Terminal {
    let columns = [STDOUT_FILENO, STDERR_FILENO].lazy.compactMap(windowColumns).first
    return Terminal(
      isOutputTerminal: isatty(STDOUT_FILENO) == 1, isErrorTerminal: isatty(STDERR_FILENO) == 1,
      width: width(
        windowColumns: columns, columnsVariable: getenv("COLUMNS").map { String(cString: $0) }))
  }

  /// The width of the window if it is known, else that of the variable `COLUMNS`, else 80.
  package static func width(windowColumns: Int?, columnsVariable: String?) -> Int {
    [windowColumns, columnsVariable.flatMap { Int($0) }].lazy
      .compactMap { $0 }.first { $0 > 0 } ?? 80
  }

  private static func windowColumns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return Int(size.ws_col)
  }
}
