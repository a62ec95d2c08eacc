import CardFeed
import CardFeedTesting
import Foundation
import Testing

@testable import CardFeedSQLite

/// Makes a file of schema version 1 with people who liked, matched, passed and rewound.
func makeVersion1(_ path: String, people count: Int = 12, seed: UInt64 = 1) async throws {
  let newer = path + ".newer"
  let store = try await SQLiteStore.open(path: newer, options: .forTests)
  let people = try await store.numbers(for: (0..<count).map { CardID("person-\($0)") })
  _ = try await store.put([StoredCard(id: "person-0", payload: [1, 2, 3])])
  var random = SplitMix64(seed: seed)
  for round in 0..<count * 6 {
    let viewer = people[Int(random.next() % UInt64(count))]
    let card = people[Int(random.next() % UInt64(count))]
    if viewer == card { continue }
    if round % 5 == 0 { try await store.dealt(deal([card], to: viewer, at: Int64(round))) }
    let key = LearnedKey(owner: card, slot: 0)
    let place = try await store.applied(
      swipe(
        viewer, card, random.next() % 3 == 0 ? .negative : .positive, event: EventID("e\(round)"),
        at: Int64(round), learned: [LearnerDelta(learner: "elo", increments: [.init(key, 1)])]))
    if round % 7 == 0 {
      _ = try await store.commit(
        RewindCommand(
          viewer: viewer, event: EventID("r\(round)"), swipe: place, time: time(Int64(round)),
          stack: StoredStack(generation: 0, top: 0, imageStart: 0, image: [])))
    }
  }
  try await store.close()

  let older = try Connection(.file(path), options: .forTests)
  try Migrations([
    CardFeedSQLite.Migration(version: 1, name: "first tables", script: StoreSchema.version1)
  ]).apply(to: older)
  try older.execute("PRAGMA foreign_keys = OFF; ATTACH '\(newer)' AS newer")
  let tables = try older.rows("SELECT name FROM main.sqlite_schema WHERE type = 'table'") {
    try $0.text(at: 0)
  }
  for table in tables {
    let columns = try older.rows(
      "SELECT group_concat(name) FROM pragma_table_info(?1, 'main')", .text(table)
    ) { try $0.text(at: 0) }[0]
    try older.execute(
      "INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM newer.\(table)")
  }
  try older.execute("DETACH newer")
  try older.close()
  try FileManager.default.removeItem(atPath: newer)
}

/// The rows of every table that version 1 has, as text.
func rowsOfVersion1(_ path: String) throws -> [String] {
  let connection = try Connection.inspecting(path, options: .forTests)
  defer { try? connection.close() }
  var result: [String] = []
  for table in [
    "entities", "cards", "events", "seen", "standings", "matches", "stacks", "deal_counts",
    "exposures", "learners", "learner_blobs", "learner_deltas",
  ] {
    let columns = try connection.rows(
      """
      SELECT name FROM pragma_table_info(?1)
      WHERE name NOT IN ('changed_at', 'dwell', 'ended_match')
      """, .text(table)
    ) { try $0.text(at: 0) }
    let text = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
    result += try connection.rows("SELECT \(text) FROM \(table) ORDER BY 1") { row in
      "\(table): \(try row.text(at: 0))"
    }
  }
  return result
}

@Suite struct StoreMigrationTests {
  private static let steps = [
    "erasure and age-out", "unmatch", "changes of cards", "durations of impressions",
    "ends of matches",
  ]

  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func anOlderFileIsRefusedAndLeftAsItIs() async throws {
    try await makeVersion1(folder.file())
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
    let error = try await sqliteError {
      _ = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    }
    #expect(error.code == .olderSchema)
    #expect(
      error.description == """
        database is older than this program: version 1, this program needs 6, in \
        \(folder.file()), while doing: check the schema version. \
        Nothing was changed; run 'cardfeed store migrate', which keeps a copy, or migrate the file.
        """)
    let checked = try await sqliteError { _ = try await SQLiteStore.check(path: folder.file()) }
    #expect(checked.code == .olderSchema)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
  }

  @Test func aMigrationKeepsEveryRowAndACopy() async throws {
    try await makeVersion1(folder.file())
    let before = try rowsOfVersion1(folder.file())
    #expect(before.count > 100)
    let done = try await SQLiteStore.migrate(path: folder.file(), options: .forTests)
    #expect(done.from == 1 && done.to == 6 && done.applied == Self.steps)
    #expect(done.copy == folder.file("cards.db.before-v6"))
    #expect(try rowsOfVersion1(folder.file()) == before)
    #expect(try rowsOfVersion1(folder.file("cards.db.before-v6")) == before)
    let copied = try Connection.inspecting(folder.file("cards.db.before-v6"), options: .forTests)
    #expect(try Migrations.version(of: copied) == 1)
    try copied.close()
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    #expect(try await store.check() == [])
    let old = try #require(try await store.cards(after: nil, limit: 1).first)
    #expect(old.id == "person-0" && old.changedAt == nil)
    let changed = try await store.put([StoredCard(id: old.id, payload: [9])], at: time(5))
    #expect(changed.map(\.changedAt) == [time(5)])
    let n = try await store.numbers(for: ["person-0", "somebody new"])
    try await store.applied(swipe(n[1], n[0], event: "after"))
    let dwell = try Dwell(milliseconds: 1500)
    _ = try await store.recordImpression(
      viewer: n[1], card: n[0], event: "shown", time: time(6), dwell: dwell)
    #expect(try await store.impressions(of: n[1]).map(\.dwell) == [dwell])
    _ = try await store.erase(person: n[0])
    #expect(try await store.check() == [])
    try await store.close()
    let again = try await SQLiteStore.migrate(path: folder.file(), options: .forTests)
    #expect(again == SQLiteStore.Migration(from: 6, to: 6, applied: [], copy: nil))
    #expect(try folder.names == ["cards.db", "cards.db.before-v6"])
  }

  @Test func aMigratedFileHasTheSchemaOfANewOne() async throws {
    func schema(_ path: String) throws -> [String] {
      let connection = try Connection(.file(path), mode: .readOnly)
      defer { try? connection.close() }
      return try connection.rows(
        "SELECT name || ': ' || ifnull(sql, '') FROM sqlite_schema ORDER BY name"
      ) { try $0.text(at: 0) }
    }
    try await makeVersion1(folder.file("old.db"))
    _ = try await SQLiteStore.migrate(path: folder.file("old.db"), options: .forTests)
    try await SQLiteStore.open(path: folder.file("new.db"), options: .forTests).close()
    #expect(try schema(folder.file("old.db")) == schema(folder.file("new.db")))
  }

  /// As version 4 wrote them: impressions without durations.
  @Test func impressionsOfBeforeHaveNoDuration() async throws {
    let older = try Connection(.file(folder.file()), options: .forTests)
    try Migrations([
      CardFeedSQLite.Migration(version: 1, name: "first tables", script: StoreSchema.version1),
      CardFeedSQLite.Migration(version: 2, name: "2", script: StoreSchema.version2),
      CardFeedSQLite.Migration(version: 3, name: "3", script: StoreSchema.version3),
      CardFeedSQLite.Migration(version: 4, name: "4", script: StoreSchema.version4),
    ]).apply(to: older)
    try older.execute(
      """
      INSERT INTO entities (id) VALUES (x'76'), (x'61');
      INSERT INTO events (kind, viewer, card, client_id, time, remaining)
      VALUES (2, 1, 2, x'01', 3, 0);
      """)
    try older.close()
    let done = try await SQLiteStore.migrate(path: folder.file(), options: .forTests)
    #expect(done.from == 4 && done.applied == Self.steps.suffix(2))
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    let moment = Timestamp(milliseconds: 3)
    let impression = Impression(card: CardNumber(2), time: moment, event: LogPosition(1))
    #expect(try await store.impressions(of: CardNumber(1)) == [impression])
    #expect(try await store.check() == [])
    try await store.close()
    // The tables refuse what is no duration, and a duration of anything else.
    let connection = try Connection(.file(folder.file()), options: .forTests)
    for change in ["dwell = -1", "dwell = 86400001", "dwell = 5, kind = 5"] {
      #expect(throws: SQLiteError.self) { try connection.execute("UPDATE events SET \(change)") }
    }
    try connection.execute("UPDATE events SET dwell = 86400000")
    // And the end of a match by what ends none.
    #expect(throws: SQLiteError.self) {
      try connection.execute("UPDATE events SET ended_match = 0")
    }
    try connection.close()
  }

  /// As version 5 wrote them: of a block it is not known whether it ended a match.
  @Test func endsOfMatchesOfBeforeAreNotKnown() async throws {
    let older = try Connection(.file(folder.file()), options: .forTests)
    try Migrations([
      CardFeedSQLite.Migration(version: 1, name: "first tables", script: StoreSchema.version1),
      CardFeedSQLite.Migration(version: 2, name: "2", script: StoreSchema.version2),
      CardFeedSQLite.Migration(version: 3, name: "3", script: StoreSchema.version3),
      CardFeedSQLite.Migration(version: 4, name: "4", script: StoreSchema.version4),
      CardFeedSQLite.Migration(version: 5, name: "5", script: StoreSchema.version5),
    ]).apply(to: older)
    try older.execute(
      """
      INSERT INTO entities (id) VALUES (x'76'), (x'61');
      INSERT INTO events (kind, viewer, card, client_id, time, remaining)
      VALUES (5, 1, 2, x'01', 3, 0);
      INSERT INTO standings (one, other, standing) VALUES (1, 2, 1), (2, 1, 1);
      """)
    try older.close()
    _ = try await SQLiteStore.migrate(path: folder.file(), options: .forTests)
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    #expect(try await store.matchChanges(after: .start, limit: 9).changes == [])
    #expect(try await store.matchChanges(after: .start, limit: 9).end == LogPosition(1))
    #expect(try await store.check() == [])
    try await store.close()
  }

  @Test func openingMigratesWhenItIsAskedTo() async throws {
    try await makeVersion1(folder.file())
    var options = SQLiteStore.Options.forTests
    options.migrates = true
    let store = try await SQLiteStore.open(path: folder.file(), options: options)
    #expect(store.appliedMigrations == Self.steps)
    #expect(try await store.check() == [])
    try await store.close()
  }

  @Test func aCopyIsNeverReplacedAndAMissingFileNeverMade() async throws {
    try await makeVersion1(folder.file())
    try Data([1]).write(to: URL(fileURLWithPath: folder.file("cards.db.before-v6")))
    let done = try await SQLiteStore.migrate(path: folder.file(), options: .forTests)
    #expect(done.copy == folder.file("cards.db.before-v6-2"))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: folder.file("cards.db.before-v6"))) == Data([1]))
    for operation in [
      { _ = try await SQLiteStore.migrate(path: $0) },
      { _ = try await SQLiteStore.check(path: $0) },
      { try await SQLiteStore.backup(of: $0, to: $0 + ".copy") },
    ] as [@Sendable (String) async throws -> Void] {
      let error = try await sqliteError { try await operation(folder.file("none.db")) }
      #expect(error.code == .cannotOpen)
    }
    #expect(try !folder.names.contains { $0.hasPrefix("none") })
  }

  @Test func aClosedStoreOfAnyVersionIsBackedUp() async throws {
    try await makeVersion1(folder.file())
    try await SQLiteStore.backup(of: folder.file(), to: folder.file("copy.db"))
    #expect(try rowsOfVersion1(folder.file("copy.db")) == rowsOfVersion1(folder.file()))
  }

  @Test func aFileKilledBetweenItsFirstTwoStepsIsStillNew() async throws {
    let connection = try Connection(.file(folder.file()))
    try Migrations([
      CardFeedSQLite.Migration(version: 1, name: "first", script: StoreSchema.version1)
    ]).apply(to: connection)
    try connection.close()
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    #expect(try await store.check() == [])
    try await store.close()
  }
}
