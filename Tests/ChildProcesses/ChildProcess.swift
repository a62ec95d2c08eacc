internal import CChildProcess
internal import CardFeed
internal import Glibc

/// A program that a test starts and waits for.
///
/// The child gets three standard streams and no other open file. Where tests run side by side that
/// is more than tidiness: whatever tells the end of one child stays open when it slips into another
/// that lives longer, and who waits for the first then waits for both, for ever if the second is a
/// server that all tests share.
package final class ChildProcess: Sendable {
  /// Where a standard stream of the child leads.
  package enum Stream {
    case nothing
    /// To an open file, which stays the caller's to close.
    case descriptor(Int32)

    fileprivate var descriptor: Int32 {
      switch self {
      case .nothing: -1
      case .descriptor(let file): file
      }
    }
  }

  /// How a child ended.
  package enum Ending: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  /// A program that could not be started, or did not end with status 0.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package let processIdentifier: Int32
  private let ending = Lock<Ending?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: The program, looked for on the path, and its arguments.
  ///   - folder: Where it runs; nil for this process's folder.
  ///   - input: Its standard input.
  ///   - output: Its standard output. Standard error is thrown away.
  /// - Throws: `Failure` when the system starts no process.
  package init(
    _ words: [String], in folder: String? = nil, input: Stream = .nothing,
    output: Stream = .nothing
  ) throws(Failure) {
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var identifier: pid_t = 0
    let status = cf_child_start(
      arguments, folder, input.descriptor, output.descriptor, &identifier)
    guard status == 0 else {
      throw Failure(
        description: "\(words[0]) could not be started: \(String(cString: strerror(status)))")
    }
    processIdentifier = identifier
  }

  /// Whether it has not ended yet.
  package var isRunning: Bool { ending.withLock { reaped(&$0, options: WNOHANG) } == nil }

  /// Waits for its end. Blocks the thread.
  @discardableResult
  package func wait() -> Ending {
    // Nobody is reaped here, so that the lock is not held while waiting.
    var information = siginfo_t()
    while ending.withLock({ $0 }) == nil,
      waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR
    {}
    return ending.withLock { reaped(&$0, options: 0) } ?? .exit(-1)
  }

  private func reaped(_ ending: inout Ending?, options: Int32) -> Ending? {
    if ending != nil { return ending }
    var status: Int32 = 0
    guard waitpid(processIdentifier, &status, options) == processIdentifier else { return nil }
    let signal = status & 0x7f
    ending = signal == 0 ? .exit((status >> 8) & 0xff) : .signal(signal)
    return ending
  }

  /// Runs a program to its end.
  ///
  /// - Throws: `Failure` when it could not be started or ended otherwise than with status 0.
  package static func run(
    _ words: [String], in folder: String? = nil, input: Stream = .nothing,
    output: Stream = .nothing
  ) throws(Failure) {
    let ending = try ChildProcess(words, in: folder, input: input, output: output).wait()
    guard ending == .exit(0) else {
      throw Failure(description: "\(words.joined(separator: " ")) ended with \(ending)")
    }
  }

  /// Runs a program to its end and returns what it wrote to its standard output.
  ///
  /// - Throws: `Failure` as `run`, and when no pipe could be made.
  package static func output(
    of words: [String], in folder: String? = nil, input: Stream = .nothing
  ) throws(Failure) -> [UInt8] {
    let (reading, writing) = try pipe()
    defer { close(reading) }
    let child: ChildProcess
    do {
      defer { close(writing) }
      child = try ChildProcess(words, in: folder, input: input, output: .descriptor(writing))
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(reading, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    let ending = child.wait()
    guard ending == .exit(0) else {
      throw Failure(description: "\(words.joined(separator: " ")) ended with \(ending)")
    }
    return bytes
  }

  /// A pseudo-terminal that no child inherits, except as a stream it is given: the end of the person
  /// and the end of the program.
  package static func terminal() throws(Failure) -> (person: Int32, program: Int32) {
    var (person, program): (Int32, Int32) = (-1, -1)
    let status = cf_child_terminal(&person, &program)
    guard status == 0 else {
      throw Failure(description: "no pseudo-terminal: \(String(cString: strerror(status)))")
    }
    return (person, program)
  }

  /// A pipe that no child inherits, except as a stream it is given: its reading and writing end.
  package static func pipe() throws(Failure) -> (reading: Int32, writing: Int32) {
    var (reading, writing): (Int32, Int32) = (-1, -1)
    let status = cf_child_pipe(&reading, &writing)
    guard status == 0 else {
      throw Failure(description: "no pipe: \(String(cString: strerror(status)))")
    }
    return (reading, writing)
  }
}
