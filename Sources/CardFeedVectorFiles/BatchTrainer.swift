internal import Glibc

/// Trains a model of vectors on exported answers, outside of the process that serves.
///
/// The seam between this package and an engine for large data: what goes in is a folder with
/// `interactions.csv` (or `.parquet`) and `export.json`, what comes out is a folder as ``VectorModel``
/// maps it. Whatever can read the one and write the other trains models for a feed.
public protocol BatchTrainer: Sendable {
  /// Trains.
  ///
  /// - Parameters:
  ///   - export: The folder of the export.
  ///   - folder: Where the model goes; it does not exist yet.
  /// - Throws: Whatever went wrong; nothing that was left behind is used.
  func train(on export: String, into folder: String) async throws
}

/// A program that is given the two folders as its last arguments, such as
/// `python3 Scripts/train-als.py`.
public struct ProgramTrainer: BatchTrainer {
  private let command: String
  private let report: @Sendable (String) -> Void

  /// A program.
  ///
  /// - Parameters:
  ///   - command: The program with its own arguments, as a shell reads them. It comes from whoever runs
  ///     the command, never from a file of cards or answers.
  ///   - report: Told each line that the program writes to its standard output.
  public init(command: String, report: @escaping @Sendable (String) -> Void = { _ in }) {
    self.command = command
    self.report = report
  }

  /// Runs the program to its end. Blocks the thread.
  ///
  /// - Throws: ``VectorFileError`` if it cannot be started or does not end with status 0.
  public func train(on export: String, into folder: String) async throws {
    try run(arguments: [export, folder])
  }

  /// Runs the program with these further arguments. Blocks the thread.
  ///
  /// - Throws: ``VectorFileError`` if it cannot be started or does not end with status 0.
  public func run(arguments: [String]) throws(VectorFileError) {
    let line = ([command] + arguments.map(Self.quoted)).joined(separator: " ")
    guard let stream = popen(line, "r") else {
      throw VectorFileError(
        command, "the program cannot be started", found: String(cString: strerror(errno)),
        allowed: "a program that a shell finds")
    }
    var buffer = [CChar](repeating: 0, count: 4096)
    while fgets(&buffer, Int32(buffer.count), stream) != nil {
      let text = String(
        decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      report(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    let status = pclose(stream)
    guard status == 0 else {
      let signal = status & 0x7f
      throw VectorFileError(
        command, "the program did not finish",
        found: signal == 0 ? "status \((status >> 8) & 0xff)" : "signal \(signal)",
        allowed: "status 0; what it wrote says why")
    }
  }

  /// One word to a shell, whatever is in it.
  public static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
