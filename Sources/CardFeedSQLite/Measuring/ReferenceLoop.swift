import CSQLite
import CardFeed

/// The least that storing swipes can cost: prepared statements over the C interface, the rows known
/// beforehand, nothing asked and nothing checked but result codes. No foreign keys, no savepoints,
/// no threads, no tasks.
///
/// Unchecked: it is used by one thread after the other.
final class ReferenceLoop: @unchecked Sendable {
  private let work: SwipeWork
  private var database: OpaquePointer?
  private var statements: [OpaquePointer?] = []
  private var position: Int64

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(path: String, fileSystem: String?, work: SwipeWork) throws {
    self.work = work
    position = Int64(work.viewers.count) + 1
    try Self.prepareFile(path, work)
    try check(
      sqlite3_open_v2(
        path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, fileSystem))
    for setting in [
      "PRAGMA synchronous = FULL", "PRAGMA cache_size = -16384",
      "PRAGMA wal_autocheckpoint = \(SQLiteStore.pagesBetweenCheckpoints)",
    ] { try check(sqlite3_exec(database, setting, nil, nil, nil)) }
    for sql in [
      "BEGIN IMMEDIATE", "COMMIT", StoreStatements.insertEvent, StoreStatements.setSeen,
      StoreStatements.advanceStack, StoreStatements.insertDelta,
    ] {
      var statement: OpaquePointer?
      try check(
        sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
      statements.append(statement)
    }
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close_v2(database)
  }

  /// Writes the rows of some swipes in groups of these sizes; returns the nanoseconds it took.
  func run(_ part: Range<Int>, groups: [Int]) throws -> UInt64 {
    let rows = work.rows(part, firstPosition: position)
    position += Int64(rows.count)
    precondition(groups.reduce(0, +) == rows.count, "The groups are not those of the work.")
    let clock = SystemClock()
    let start = clock.uptimeNanoseconds
    var next = 0
    for size in groups {
      try step(statements[0])
      for row in rows[next..<next + size] { try insert(row) }
      try step(statements[1])
      next += size
    }
    return clock.uptimeNanoseconds - start
  }

  private static func prepareFile(_ path: String, _ work: SwipeWork) throws {
    let connection = try Connection(.file(path))
    try StoreSchema.migrations.apply(to: connection)
    var transaction = SQLiteTransaction(connection: connection)
    try connection.transaction { connection in
      for number in 1...Int64(work.viewers.count + work.cards.count) {
        try connection.run(StoreStatements.insertEntity, .bytes(Array("\(number)".utf8)))
      }
      _ = try transaction.learner("reference/1")
      for viewer in work.viewers { _ = try transaction.apply(work.deal(to: viewer)) }
    }
    try connection.close()
  }

  private func insert(_ row: SwipeWork.Row) throws {
    let event = statements[2]
    sqlite3_bind_int64(event, 1, 3)
    sqlite3_bind_int64(event, 2, row.viewer)
    sqlite3_bind_int64(event, 3, row.card)
    bindBlob(event, 4, row.clientID)
    sqlite3_bind_int64(event, 5, row.time)
    bindText(event, 6, row.answer)
    sqlite3_bind_int64(event, 7, row.meaning)
    sqlite3_bind_int64(event, 8, row.deal)
    sqlite3_bind_null(event, 9)
    sqlite3_bind_int64(event, 10, 3)
    if let before = row.before { bindBlob(event, 11, before) } else { sqlite3_bind_null(event, 11) }
    sqlite3_bind_null(event, 12)
    try step(event)
    let seen = statements[3]
    sqlite3_bind_int64(seen, 1, row.viewer)
    sqlite3_bind_int64(seen, 2, row.card)
    sqlite3_bind_null(seen, 3)
    bindText(seen, 4, row.answer)
    sqlite3_bind_int64(seen, 5, row.meaning)
    sqlite3_bind_int64(seen, 6, row.time)
    sqlite3_bind_int64(seen, 7, row.position)
    try step(seen)
    sqlite3_bind_int64(statements[4], 1, row.viewer)
    try step(statements[4])
    let delta = statements[5]
    sqlite3_bind_int64(delta, 1, 1)
    sqlite3_bind_int64(delta, 2, row.position)
    sqlite3_bind_int64(delta, 3, 0)
    bindBlob(delta, 4, row.increments)
    try step(delta)
  }

  private func bindBlob(_ statement: OpaquePointer?, _ position: Int32, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      _ = sqlite3_bind_blob(
        statement, position, raw.baseAddress, Int32(raw.count), ReferenceLoop.copied)
    }
  }

  private func bindText(_ statement: OpaquePointer?, _ position: Int32, _ text: StaticString) {
    text.utf8Start.withMemoryRebound(to: CChar.self, capacity: text.utf8CodeUnitCount) { start in
      _ = sqlite3_bind_text(statement, position, start, Int32(text.utf8CodeUnitCount), nil)
    }
  }

  private static var copied: sqlite3_destructor_type? {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  private func step(_ statement: OpaquePointer?) throws {
    let result = sqlite3_step(statement)
    guard result == SQLITE_DONE else {
      throw Failure(description: "the reference loop got result \(result)")
    }
    sqlite3_reset(statement)
  }

  private func check(_ result: Int32) throws {
    if result != SQLITE_OK {
      throw Failure(description: "the reference loop got result \(result)")
    }
  }
}

extension SwipeWork {
  /// A swipe as its rows hold it.
  struct Row: Sendable {
    let position: Int64
    let viewer: Int64
    let card: Int64
    let clientID: [UInt8]
    let time: Int64
    let answer: StaticString
    let meaning: Int64
    let deal: Int64
    let before: [UInt8]?
    let increments: [UInt8]
  }

  /// The rows of some swipes, in rounds: one of each viewer after the other, as they come about.
  func rows(_ part: Range<Int>, firstPosition: Int64) -> [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(viewers.count * part.count)
    for swipe in part {
      for index in viewers.indices {
        let command = command(viewer: index, swipe: swipe)
        rows.append(
          Row(
            position: firstPosition + Int64(rows.count), viewer: command.viewer.rawValue,
            card: command.card.rawValue, clientID: command.event.bytes,
            time: command.time.milliseconds,
            answer: command.meaning == .positive ? "like" : "pass",
            meaning: Int64(command.meaning.rawValue), deal: command.deal?.rawValue ?? 0,
            before: nil, increments: IncrementsImage.encode(command.learned[0].increments)))
      }
    }
    return rows
  }
}
