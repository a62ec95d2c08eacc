import Glibc

/// Somewhere bytes go: a stream of the process, or a buffer of a test.
public protocol OutputSink: Sendable {
  /// Writes all bytes, in order, or throws.
  ///
  /// - Parameter bytes: What to write. Calls at the same time are not mixed within a call, as far
  ///   as the system guarantees it.
  /// - Throws: `FileError` when the bytes could not be written.
  func write(_ bytes: [UInt8]) throws(FileError)
}

/// An open file descriptor, written to without a buffer.
public struct DescriptorSink: OutputSink {
  private let descriptor: Int32
  private let name: String

  /// The standard output of the process, for data.
  public static let standardOutput = DescriptorSink(STDOUT_FILENO, name: "standard output")

  /// The standard error of the process, for everything else.
  public static let standardError = DescriptorSink(STDERR_FILENO, name: "standard error")

  /// Makes a sink.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor, which has to stay open.
  ///   - name: What error texts call it.
  public init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Writes all bytes, however many calls of the system it takes.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let result = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if result >= 0 {
        written += result
      } else if errno != EINTR {
        throw FileError(.write, path: name, code: errno)
      }
    }
  }
}
