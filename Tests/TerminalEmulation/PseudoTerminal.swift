internal import ChildProcesses
internal import Glibc

/// A terminal whose person is a test: the program has one end, the test the other.
package final class PseudoTerminal {
  private let person: Int32
  /// The program's end, which the test keeps open: so it can look at the modes.
  package let program: Int32
  /// Everything that the program has written.
  package private(set) var output: [UInt8] = []

  package init(columns: UInt16, rows: UInt16) throws {
    (person, program) = try ChildProcess.terminal()
    resize(columns: columns, rows: rows)
  }

  deinit {
    close(person)
    close(program)
  }

  /// Makes the window another size. Who should notice is told by a signal of the test.
  package func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(person, UInt(TIOCSWINSZ), &size)
  }

  /// What of the modes a program that draws has to give back, as numbers that can be compared.
  package var modes: [UInt32] {
    var modes = termios()
    guard tcgetattr(program, &modes) == 0 else { return [] }
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }

  /// Presses keys.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(person, bytes, bytes.count)
  }

  /// Reads what the program writes until it fulfils a condition, or has written nothing for a while.
  /// Returns whether it did.
  package func read(seconds: Int32 = 60, until isFulfilled: ([UInt8]) -> Bool) -> Bool {
    while !isFulfilled(output) {
      var waiting = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, seconds * 1000) > 0 else { return false }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(person, &buffer, buffer.count)
      guard count > 0 else { return isFulfilled(output) }
      output += buffer[..<count]
    }
    return true
  }
}
