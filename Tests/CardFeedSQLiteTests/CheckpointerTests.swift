import Foundation
import Testing

@testable import CardFeedSQLite

@Suite(.timeLimit(.minutes(10))) struct CheckpointerTests {
  private let folder: ScratchFolder
  private let queue: WriteQueue
  private let checkpointer: Checkpointer

  init() throws {
    folder = try ScratchFolder()
    let writer = try openNumbers(folder.file())
    try writer.takeOverCheckpoints()
    checkpointer = Checkpointer(
      try Connection(.file(folder.file()), options: .forTests),
      limits: Checkpointer.Limits(start: 20, rest: 5, most: 200))
    queue = WriteQueue(writer, batchLimit: 8, checkpointer: checkpointer)
  }

  /// Writes a row as large as a page, and returns the pages of the log before that.
  private static func insert(_ id: Int, _ queue: WriteQueue) async throws -> Int {
    try await queue.write { connection in
      let pages = connection.logPages
      try connection.run(
        "INSERT INTO numbers (id, payload) VALUES (?1, ?2)", .integer(Int64(id)),
        .bytes(Array(repeating: 7, count: 4_000)))
      return pages
    }
  }

  private func close() async throws {
    try await checkpointer.close()
    try await queue.close()
  }

  @Test func theLogBeginsAnewWhileWritersGoOn() async throws {
    let queue = queue
    var last = 0
    var written = 0
    var restarts = 0
    while restarts < 3 {
      let first = written
      let pages = try await withThrowingTaskGroup(of: Int.self) { group in
        for id in first..<first + 4 { group.addTask { try await Self.insert(id, queue) } }
        return try await group.reduce(0, max)
      }
      written += 4
      if pages < last { restarts += 1 }
      last = pages
    }
    try await close()
    let connection = try Connection(.file(folder.file()), options: .forTests)
    #expect(try count(connection) == Int64(written))
    #expect(try connection.integrityCheck() == [])
  }

  @Test func anotherCheckpointWaitsForTheRound() async throws {
    let (queue, checkpointer) = (queue, checkpointer)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for id in 0..<600 { _ = try await Self.insert(id, queue) }
      }
      group.addTask {
        for _ in 0..<40 {
          let done = try await checkpointer.holding {
            try await queue.outsideTransaction { try $0.checkpoint(.truncate) }
          }
          #expect(done.logged == done.moved)
        }
      }
      try await group.waitForAll()
    }
    try await close()
    let connection = try Connection(.file(folder.file()), options: .forTests)
    #expect(try count(connection) == 600)
  }

  @Test func aLogThatAReaderNeedsIsKept() async throws {
    _ = try await Self.insert(0, queue)
    let reader = try Connection(.file(folder.file()), mode: .readOnly, options: .forTests)
    try reader.begin(.beginDeferred)
    #expect(try count(reader) == 1)
    for id in 1..<100 { _ = try await Self.insert(id, queue) }
    #expect(try count(reader) == 1)
    try reader.rollbackTransaction()
    #expect(try count(reader) == 100)
    try reader.close()
    try await close()
  }

  @Test func roundsEndWithClosing() async throws {
    for id in 0..<40 { _ = try await Self.insert(id, queue) }
    try await checkpointer.close()
    for id in 40..<120 { _ = try await Self.insert(id, queue) }
    #expect(try await Self.insert(120, queue) > 80)
    try await queue.close()
  }
}
