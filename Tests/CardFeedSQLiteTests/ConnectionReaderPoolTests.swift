import Dispatch
import Foundation
import Testing

@testable import CardFeedSQLite

@Suite(.timeLimit(.minutes(10))) struct ConnectionReaderPoolTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func open(_ location: Connection.Location, count: Int = 2) throws -> (
    WriteQueue, ReaderPool
  ) {
    let connection = try Connection(location, options: .forTests)
    try connection.execute("CREATE TABLE numbers (id INTEGER PRIMARY KEY)")
    let queue = WriteQueue(connection)
    return (queue, try ReaderPool(location, options: .forTests, count: count, writer: queue))
  }

  enum Place: CaseIterable, Sendable {
    case file, memory
  }

  private func location(_ place: Place) -> Connection.Location {
    switch place {
    case .file: .file(folder.file())
    case .memory: .memory(folder.path)
    }
  }

  @Test(arguments: Place.allCases)
  func aReadSeesEveryWriteThatWasAwaited(_ place: Place) async throws {
    let (queue, pool) = try open(location(place))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<32 as Range<Int64> {
        group.addTask {
          for write in 0..<10 as Range<Int64> {
            let id = task * 10 + write
            try await queue.write {
              _ = try $0.run("INSERT INTO numbers VALUES (?1)", .integer(id))
            }
            let found = try await pool.read {
              try $0.integer("SELECT count(*) FROM numbers WHERE id = ?1", .integer(id))
            }
            #expect(found == 1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await pool.read { try count($0) } == 320)
    try await pool.close()
    try await queue.close()
  }

  @Test(arguments: Place.allCases)
  func aReadCannotWrite(_ place: Place) async throws {
    let (queue, pool) = try open(location(place))
    let error = try await sqliteError {
      try await pool.read { _ = try $0.run("INSERT INTO numbers VALUES (1)") }
    }
    #expect(error.code == .readOnly)
    await #expect(throws: LogicalError(number: 1)) {
      try await pool.read { _ in throw LogicalError(number: 1) }
    }
    try await queue.write { _ = try $0.run("INSERT INTO numbers VALUES (2)") }
    #expect(try await pool.read { try count($0) } == 1)
  }

  @Test func readsRunAtTheSameTimeAndTheRestWaits() async throws {
    let (_, pool) = try open(.file(folder.file()), count: 2)
    let meeting = DispatchSemaphore(value: 0)
    let partner = DispatchSemaphore(value: 0)
    // Each waits for the other, which ends only if both run at once.
    async let first: Void = pool.read { _ in
      meeting.signal()
      partner.wait()
    }
    async let second: Void = pool.read { _ in
      partner.signal()
      meeting.wait()
    }
    _ = try await (first, second)
    let sum = try await withThrowingTaskGroup(of: Int64.self) { group in
      for number in 0..<200 as Range<Int64> {
        group.addTask { try await pool.read { try $0.integer("SELECT ?1", .integer(number)) } }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 199 * 200 / 2)
  }

  @Test func aWriterDoesNotWaitForAReaderNorChangeWhatItSees() async throws {
    let (queue, pool) = try open(.file(folder.file()))
    let written = DispatchSemaphore(value: 0)
    let reading = Event()
    async let seen = pool.read { connection in
      let before = try count(connection)
      reading.happen()
      written.wait()
      return [before, try count(connection)]
    }
    await reading.happened()
    try await queue.write { _ = try $0.run("INSERT INTO numbers VALUES (1)") }
    written.signal()
    #expect(try await seen == [0, 0])
    #expect(try await pool.read { try count($0) } == 1)
  }

  @Test func blockedReadsAndWritesLeaveTheCooperativePoolFree() async throws {
    let (queue, pool) = try open(.file(folder.file()), count: 12)
    let started = (0...12).map { _ in Event() }
    let gate = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<12 {
        group.addTask {
          try await pool.read { _ in
            started[reader].happen()
            gate.wait()
          }
        }
      }
      group.addTask {
        try await queue.write { _ in
          started[12].happen()
          gate.wait()
        }
      }
      // Thirteen threads wait now; this task can go on only because none of them is the pool's.
      for event in started { await event.happened() }
      for _ in started { gate.signal() }
      try await group.waitForAll()
    }
    #expect(try await pool.read { try count($0) } == 0)
  }

  @Test(arguments: Place.allCases)
  func aClosedPoolSaysSo(_ place: Place) async throws {
    let (queue, pool) = try open(location(place))
    try await pool.close()
    try await pool.close()
    let error = try await sqliteError { _ = try await pool.read { try count($0) } }
    #expect(error.code == .misuse)
    try await queue.close()
    if place == .file { #expect(try folder.names == ["cards.db"]) }
  }

  @Test func aBackupThroughTheReadersWhileWritesGoOn() async throws {
    let (queue, pool) = try open(.file(folder.file()))
    for id in 0..<50 as Range<Int64> {
      try await queue.write { _ = try $0.run("INSERT INTO numbers VALUES (?1)", .integer(id)) }
    }
    let target = folder.file("copy.db")
    try await pool.read { try $0.backup(to: target) }
    let copy = try Connection(.file(target), mode: .readOnly, options: .forTests)
    #expect(try count(copy) == 50)
  }
}
