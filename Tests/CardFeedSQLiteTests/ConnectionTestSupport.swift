import Foundation
import Testing

@testable import CardFeedSQLite

/// A folder that is removed when the test lets go of it.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfeed-connection-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String = "cards.db") -> String { "\(path)/\(name)" }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

extension Connection.Options {
  /// Without the wait for the disk and with a short wait for locks.
  static var forTests: Connection.Options {
    var options = Connection.Options()
    options.synchronous = .normal
    options.busyTimeoutMilliseconds = 30
    return options
  }
}

/// A connection to a file with one table of numbered rows.
func openNumbers(_ path: String) throws -> Connection {
  let connection = try Connection(.file(path), options: .forTests)
  try connection.execute(
    "CREATE TABLE IF NOT EXISTS numbers (id INTEGER PRIMARY KEY, task INTEGER, payload BLOB)")
  return connection
}

func count(_ connection: Connection, _ table: String = "numbers") throws -> Int64 {
  try connection.integer("SELECT count(*) FROM \(table)")
}

/// The error `body` throws, or a failed expectation.
func sqliteError(
  _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> SQLiteError {
  try #require(throws: SQLiteError.self, sourceLocation: location) { try body() }
}

func sqliteError(
  _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async throws -> SQLiteError {
  try await #require(throws: SQLiteError.self, sourceLocation: location) { try await body() }
}

struct LogicalError: Error, Equatable {
  let number: Int
}

/// A list that several threads append to.
final class Collected<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var elements: [Element] = []

  func append(_ element: Element) { lock.withLock { elements.append(element) } }

  var all: [Element] { lock.withLock { elements } }
}

/// Something that happens once, told by any thread and awaited by a task without blocking one.
final class Event: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  }

  func happen() { continuation.finish() }

  func happened() async {
    for await _ in stream {}
  }
}
