public import CardFeed
internal import CardFeedConfiguration
internal import Glibc

/// A sink that appends one JSON object a line to a file, and returns when they are on the disk.
/// The objects are those of ``ServerSentEventSink/allEvents(after:)``. Numbers are those of the store; nothing else of the two people is written.
public struct FileSink: EventSink {
  private let descriptor: FileDescriptor

  /// Opens the file, or makes it.
  ///
  /// - Parameter path: The file. Its folder must exist.
  /// - Throws: ``FileSinkError``.
  public init(path: String) throws {
    descriptor = try FileDescriptor(path: path)
  }

  /// Appends the events, in order.
  ///
  /// - Throws: ``FileSinkError``; then some of the lines may be there, and come again.
  public func deliver(_ events: [OutboxEvent]) async throws {
    var writer = JSONWriter()
    for event in events {
      event.write(to: &writer)
      writer.endLine()
    }
    try descriptor.append(writer.bytes)
  }
}

/// Why a file sink could not write.
public struct FileSinkError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// What was being done.
  public let operation: String
  /// The system's error number.
  public let number: Int32

  /// Everything in one line.
  public var description: String {
    "cannot \(operation) \(path): \(String(cString: strerror(number))). "
      + "Check the folder, its permissions and the free space; the events come again."
  }
}

private final class FileDescriptor: Sendable {
  private let path: String
  private let number: Int32
  private let lock = Lock(())

  init(path: String) throws {
    self.path = path
    number = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    if number < 0 { throw FileSinkError(path: path, operation: "open", number: errno) }
  }

  deinit { _ = Glibc.close(number) }

  func append(_ bytes: [UInt8]) throws {
    try lock.withLock { _ in
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes { buffer in
          write(number, buffer.baseAddress?.advanced(by: written), bytes.count - written)
        }
        if count < 0, errno == EINTR { continue }
        if count < 0 {
          throw FileSinkError(path: path, operation: "append to", number: errno)
        }
        written += count
      }
      if fsync(number) != 0 {
        throw FileSinkError(path: path, operation: "synchronise", number: errno)
      }
    }
  }
}
