/// What a command runs in: where its output goes and what the terminal is like.
///
/// Data goes to the output, everything else (notes, progress, errors) to the error sink.
public struct CommandContext: Sendable {
  /// Where data goes.
  public let output: any OutputSink

  /// Where everything else goes.
  public let errors: any OutputSink

  /// What the terminal is like.
  public let terminal: Terminal

  /// Makes a context.
  ///
  /// - Parameters:
  ///   - output: Where data goes.
  ///   - errors: Where everything else goes.
  ///   - terminal: What the terminal is like.
  public init(output: any OutputSink, errors: any OutputSink, terminal: Terminal) {
    self.output = output
    self.errors = errors
    self.terminal = terminal
  }

  /// The context of the process itself.
  public static func process() -> CommandContext {
    CommandContext(
      output: DescriptorSink.standardOutput, errors: DescriptorSink.standardError,
      terminal: .current())
  }

  /// Writes a line of data.
  ///
  /// - Parameter line: The line, without a line feed.
  /// - Throws: `FileError` when it could not be written; a full disk must not go unnoticed.
  public func print(_ line: String) throws(FileError) {
    try output.write(Array((line + "\n").utf8))
  }

  /// Writes data as it is.
  ///
  /// - Parameter bytes: The data.
  /// - Throws: `FileError` when it could not be written.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    try output.write(bytes)
  }

  /// Writes a line for the person at the terminal.
  ///
  /// - Parameter line: The line, without a line feed.
  public func note(_ line: String) {
    // When standard error is gone there is nowhere left to say so.
    try? errors.write(Array((line + "\n").utf8))
  }
}
