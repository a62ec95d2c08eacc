import Dispatch
import Foundation
import Testing

@testable import CardFeedSQLite

@Suite(.timeLimit(.minutes(10))) struct ConnectionWriteQueueTests {
  let folder: ScratchFolder
  let queue: WriteQueue
  /// Looks at what is committed.
  let observer: Observer

  /// A second connection, used by one thread at a time.
  final class Observer: @unchecked Sendable {
    private let lock = NSLock()
    private let connection: Connection

    init(_ connection: sending Connection) { self.connection = connection }

    func integer(_ sql: String) throws -> Int64 {
      try lock.withLock { try connection.integer(sql) }
    }

    func ids() throws -> [Int64] {
      try lock.withLock {
        try connection.rows("SELECT id FROM numbers ORDER BY id") { try $0.integer(at: 0) }
      }
    }

    func perform(_ body: (Connection) throws -> Void) throws {
      try lock.withLock { try body(connection) }
    }
  }

  init() throws {
    folder = try ScratchFolder()
    let writer = try openNumbers(folder.file())
    try writer.execute(
      """
      CREATE TABLE child (
        parent INTEGER REFERENCES numbers (id) DEFERRABLE INITIALLY DEFERRED)
      """)
    queue = WriteQueue(writer)
    observer = Observer(try Connection(.file(folder.file()), options: .forTests))
  }

  private static func insert(_ id: Int) -> @Sendable (Connection) throws -> Int {
    { connection in
      try connection.run("INSERT INTO numbers (id) VALUES (?1)", .integer(Int64(id)))
      return id
    }
  }

  /// Holds the queue until `count` jobs wait, so that they make one batch in a known order.
  private func asOneBatch<R: Sendable>(
    _ count: Int, _ job: @escaping @Sendable (Int) async throws -> R
  ) async -> [Result<R, any Error>] {
    let gate = DispatchSemaphore(value: 0)
    let started = Event()
    let queue = queue
    return await withTaskGroup(of: (Int, Result<R, any Error>?).self) { group in
      group.addTask {
        try? await queue.outsideTransaction { _ in
          started.happen()
          gate.wait()
        }
        return (-1, nil)
      }
      await started.happened()
      for index in 0..<count {
        group.addTask {
          do { return (index, .success(try await job(index))) } catch {
            return (index, .failure(error))
          }
        }
        while queue.waitingCount <= index, !Task.isCancelled { await Task.yield() }
      }
      gate.signal()
      var results: [(Int, Result<R, any Error>)] = []
      for await (index, result) in group {
        if let result { results.append((index, result)) }
      }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  @Test func manyTasksLoseNothingAndKeepTheirOrder() async throws {
    let tasks = 64
    let writes = 50
    let queue = queue
    let ids = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for task in 0..<tasks {
        group.addTask {
          var own: [Int64] = []
          for _ in 0..<writes {
            own.append(
              try await queue.write { connection in
                try connection.run(
                  "INSERT INTO numbers (task) VALUES (?1)", .integer(Int64(task)))
                return connection.lastInsertRowid
              })
          }
          return own
        }
      }
      var all: [[Int64]] = []
      for try await own in group { all.append(own) }
      return all
    }
    #expect(ids.allSatisfy { $0 == $0.sorted() })
    #expect(ids.flatMap { $0 }.sorted() == Array(1...Int64(tasks * writes)))
    #expect(try observer.ids() == Array(1...Int64(tasks * writes)))
    let perTask = "SELECT count(*) FROM (SELECT 1 FROM numbers GROUP BY task HAVING count(*) = 50)"
    #expect(try observer.integer(perTask) == Int64(tasks))
  }

  @Test func waitingJobsShareOneTransaction() async throws {
    let observer = observer
    let results = await asOneBatch(64) { [queue] index in
      try await queue.write { connection in
        _ = try Self.insert(index)(connection)
        return [
          try count(connection), try observer.integer("SELECT count(*) FROM numbers"),
        ]
      }
    }
    let seen = try results.map { try $0.get() }
    #expect(seen == (1...64).map { [$0, 0] })
    #expect(try observer.ids() == Array(0..<64))
  }

  @Test func aBatchIsBounded() async throws {
    let observer = observer
    let results = await asOneBatch(600) { [queue] index in
      try await queue.write { connection in
        _ = try Self.insert(index)(connection)
        return try observer.integer("SELECT count(*) FROM numbers")
      }
    }
    let committedBefore = try results.map { try $0.get() }
    #expect(Set(committedBefore) == [0, 256, 512])
    #expect(try observer.ids() == Array(0..<600))
  }

  enum Failure: String, CaseIterable, Sendable {
    case thrown, constraint, automaticRollback, swallowedRollback, deferredConstraint, commit
    case unnestedBegin
  }

  @Test(arguments: Failure.allCases)
  func oneFailingJobAmong63GoodOnesFailsAlone(_ failure: Failure) async throws {
    _ = try await queue.write(Self.insert(1_000))
    let announced = Collected<Int>()
    let results = await asOneBatch(64) { [queue] index in
      try await queue.write(
        { connection in
          _ = try Self.insert(index)(connection)
          guard index == 40 else { return index }
          switch failure {
          case .thrown: throw LogicalError(number: 40)
          case .constraint: _ = try Self.insert(1_000)(connection)
          case .automaticRollback:
            try connection.execute("INSERT OR ROLLBACK INTO numbers (id) VALUES (1000)")
          case .swallowedRollback:
            try? connection.execute("INSERT OR ROLLBACK INTO numbers (id) VALUES (1000)")
          case .deferredConstraint: try connection.run("INSERT INTO child VALUES (77)")
          case .commit: try connection.commit()
          case .unnestedBegin: try connection.beginImmediate()
          }
          return index
        }, committed: { announced.append($0) })
    }
    let expected: SQLiteError.Code? =
      switch failure {
      case .thrown: nil
      case .constraint, .automaticRollback, .deferredConstraint: .constraint
      case .swallowedRollback, .commit, .unnestedBegin: .misuse
      }
    for (index, result) in results.enumerated() {
      switch result {
      case .success(let value):
        #expect(value == index)
        #expect(index != 40)
      case .failure(let error):
        #expect(index == 40)
        #expect((error as? SQLiteError)?.code == expected)
        if failure == .thrown { #expect(error as? LogicalError == LogicalError(number: 40)) }
      }
    }
    let good = (0..<64).filter { $0 != 40 }
    #expect(announced.all == good)
    #expect(try observer.ids() == good.map(Int64.init) + [1_000])
    #expect(try observer.integer("SELECT count(*) FROM child") == 0)
  }

  @Test func observersRunAfterTheCommitAndBeforeAnyCaller() async throws {
    enum Step: Equatable, Sendable {
      case committed(Int, visible: Int64)
      case resumed
    }
    let steps = Collected<Step>()
    let observer = observer
    _ = await asOneBatch(32) { [queue] index in
      _ = try await queue.write(
        Self.insert(index),
        committed: { value in
          let visible = try? observer.integer("SELECT count(*) FROM numbers")
          steps.append(.committed(value, visible: visible ?? -1))
        })
      steps.append(.resumed)
    }
    let committed = (0..<32).map { Step.committed($0, visible: 32) }
    #expect(steps.all == committed + Array(repeating: .resumed, count: 32))
  }

  @Test func aBusyDatabaseFailsEachCallerAndChangesNothing() async throws {
    try observer.perform { try $0.beginImmediate() }
    let results = await asOneBatch(20) { [queue] in try await queue.write(Self.insert($0)) }
    for result in results {
      let error = try sqliteError { _ = try result.get() }
      #expect(error.code == .busy)
    }
    let single = try await sqliteError { _ = try await queue.write(Self.insert(1)) }
    #expect(single.code == .busy)
    try observer.perform { try $0.rollback() }
    #expect(try observer.ids() == [])
    #expect(try await queue.write(Self.insert(7)) == 7)
    #expect(try observer.ids() == [7])
  }

  @Test func aFullDiskLosesNothingThatWasAcknowledged() async throws {
    try await queue.outsideTransaction { connection in
      let pages = try connection.integer("PRAGMA page_count")
      try connection.execute("PRAGMA max_page_count = \(pages + 40)")
    }
    let announced = Collected<Int>()
    let results = await asOneBatch(200) { [queue] index in
      try await queue.write(
        { connection in
          let payload = [UInt8](repeating: 1, count: index % 10 == 3 ? 90_000 : 900)
          try connection.run(
            "INSERT INTO numbers VALUES (?1, 0, ?2)", .integer(Int64(index)), .bytes(payload))
          return index
        }, committed: { announced.append($0) })
    }
    var acknowledged: [Int64] = []
    var refused = 0
    for result in results {
      switch result {
      case .success(let index): acknowledged.append(Int64(index))
      case .failure(let error):
        #expect((error as? SQLiteError)?.code == .diskFull)
        refused += 1
      }
    }
    #expect(acknowledged.count > 50)
    #expect(refused > 20)
    #expect(try observer.ids() == acknowledged)
    #expect(announced.all.map(Int64.init) == acknowledged)
    try await queue.outsideTransaction { connection in
      try connection.execute("PRAGMA max_page_count = 1000000")
      #expect(try connection.integrityCheck() == [])
    }
    #expect(try await queue.write(Self.insert(9_999)) == 9_999)
    #expect(try observer.ids() == acknowledged + [9_999])
  }

  @Test func aQueuedJobRunsThoughItsTaskIsCancelled() async throws {
    let queue = queue
    let task = Task { try await queue.write(Self.insert(5)) }
    task.cancel()
    #expect(try await task.value == 5)
    #expect(try observer.ids() == [5])
  }

  @Test func workOutsideTransactionsRunsBetweenBatches() async throws {
    let observer = observer
    let results = await asOneBatch(11) { [queue] index in
      if index == 5 {
        return try await queue.outsideTransaction { connection in
          #expect(!connection.isInTransaction)
          try connection.checkpoint(.truncate)
          return Int(try observer.integer("SELECT count(*) FROM numbers"))
        }
      }
      return try await queue.write(Self.insert(index))
    }
    #expect(try results.map { try $0.get() } == Array(0...10))
    let left = try await sqliteError {
      try await queue.outsideTransaction { connection in
        try connection.beginImmediate()
        _ = try Self.insert(99)(connection)
      }
    }
    #expect(left.code == .misuse)
    #expect(try await queue.write(Self.insert(11)) == 11)
    #expect(try observer.ids() == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11])
  }

  @Test func closingFinishesWhatIsQueued() async throws {
    let queue = queue
    let isRunning = Event()
    let mayGoOn = DispatchSemaphore(value: 0)
    // More than one batch, so that some jobs still wait when the queue is closed.
    let results = await asOneBatch(300) { index in
      async let value = queue.write { connection in
        if index == 0 {
          isRunning.happen()
          mayGoOn.wait()
        }
        return try Self.insert(index)(connection)
      }
      if index == 299 {
        await isRunning.happened()
        async let closed: Void = queue.close()
        mayGoOn.signal()
        try await closed
      }
      return try await value
    }
    #expect(try results.map { try $0.get() } == Array(0..<300))
    #expect(try observer.ids() == Array(0..<300))
    let error = try await sqliteError { _ = try await queue.write(Self.insert(500)) }
    #expect(error.code == .misuse)
    try await queue.close()
  }
}
