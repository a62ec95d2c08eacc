import CardFeed
import CardFeedCommandLine

/// Keeps what a command writes.
final class CapturedOutput: OutputSink {
  private let bytes = Lock<[UInt8]>([])

  func write(_ bytes: [UInt8]) {
    self.bytes.withLock { $0 += bytes }
  }

  /// Everything written so far.
  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

  /// Takes everything written so far, and starts again.
  func take() -> String {
    bytes.withLock { bytes in
      defer { bytes = [] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

/// A context whose output is kept.
struct CapturedContext {
  let output = CapturedOutput()
  let errors = CapturedOutput()
  let context: CommandContext

  init(isTerminal: Bool = false, width: Int = 80) {
    context = CommandContext(
      output: output, errors: errors,
      terminal: Terminal(isOutputTerminal: isTerminal, isErrorTerminal: isTerminal, width: width))
  }
}
