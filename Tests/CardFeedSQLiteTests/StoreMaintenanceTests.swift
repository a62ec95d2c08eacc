import CardFeed
import CardFeedTesting
import Foundation
import Testing

@testable import CardFeedSQLite

/// What maintenance leaves in the file, beyond what every store promises.
@Suite struct StoreMaintenanceTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func nothingOfAnErasedPersonIsLeftInTheBytesOfTheFile() async throws {
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    let n = try await store.numbers(for: ["secret-identity", "other"])
    let payload = Array("secret-payload".utf8)
    _ = try await store.put([StoredCard(id: "secret-identity", payload: payload)])
    try await store.applied(swipe(n[0], n[1], event: "secret-event"))
    try await store.applied(swipe(n[1], n[0], event: "kept-event"))
    try await store.checkpoint()
    func holds(_ text: String) throws -> Bool {
      try folder.names.contains { name in
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        return bytes.range(of: Data(text.utf8)) != nil
      }
    }
    for text in ["secret-identity", "secret-payload", "secret-event"] {
      #expect(try holds(text), "\(text) is nowhere before")
    }
    _ = try await store.erase(person: n[0])
    for text in ["secret-identity", "secret-payload", "secret-event"] {
      #expect(try !holds(text), "\(text) is left")
    }
    #expect(try holds("other"))
    try await store.close()
  }

  @Test func aFoldTakesFewBytesForACard() async throws {
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    let n = try await store.numbers(for: (0..<20_000).map { CardID("card-\($0)") })
    let seen = stride(from: 1, to: 20_000, by: 10).map { n[$0] }
    let commands = seen.enumerated().map { index, card in
      swipe(n[0], card, .negative, event: EventID("e\(index)"), at: Int64(index))
    }
    _ = try await store.commit(commands)
    let before = try await store.writer.outsideTransaction { connection in
      try connection.integer("SELECT count(*) FROM events")
        + connection.integer("SELECT count(*) FROM seen")
    }
    #expect(before == 4_000)
    let report = try await store.ageOut(negativesBefore: time(2_001), unansweredLikesBefore: nil)
    #expect(report.negatives == 2_000)
    #expect(report.bytes < 2_000 * 2, "\(report.bytes) bytes for 2,000 cards")
    let after = try await store.writer.outsideTransaction { connection in
      try connection.integer("SELECT count(*) FROM events")
        + connection.integer("SELECT count(*) FROM seen")
    }
    #expect(after == 1)
    #expect(try await store.viewer(n[0], swipes: 9).seen.count == 2_000)
    #expect(try await store.check() == [])
    try await store.close()
  }

  @Test func afterMaintenanceForeignKeysAreWatchedAgain() async throws {
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    let n = try await store.numbers(for: ["a", "b"])
    try await store.applied(swipe(n[0], n[1], .negative, event: "1"))
    _ = try await store.ageOut(negativesBefore: time(9), unansweredLikesBefore: nil)
    _ = try await store.erase(person: n[0])
    let error = try await sqliteError {
      _ = try await store.commit([swipe(n[1], CardNumber(99), event: "2")])
    }
    #expect(error.code == .constraint)
    try await store.close()
  }

  @Test(arguments: [
    "UPDATE log_state SET removed = 7", "UPDATE folds SET cards = x'09'",
    "UPDATE folds SET event = 1", "UPDATE entities SET id = NULL WHERE number = 2",
    "UPDATE entities SET id = x'01' WHERE number = 4",
    "DELETE FROM standings WHERE one = 4", "DELETE FROM events WHERE kind = 8",
    "UPDATE log_state SET exposures_before = NULL",
  ])
  func aPlantedFaultIsFound(_ sql: String) async throws {
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    let n = try await store.numbers(for: ["a", "b", "c", "d"])
    try await store.dealt(deal([n[2]], to: n[0]))
    try await store.applied(swipe(n[0], n[1], .negative, event: "1"))
    try await store.applied(swipe(n[3], n[1], event: "2"))
    _ = try await store.ageOut(negativesBefore: time(9), unansweredLikesBefore: nil)
    _ = try await store.prune(exposuresBefore: time(9))
    _ = try await store.erase(person: n[3])
    #expect(try await store.check() == [])
    try await store.close()
    let vandal = try Connection(.file(folder.file()), options: .forTests)
    try vandal.execute("PRAGMA foreign_keys = OFF; \(sql)")
    try vandal.close()
    let again = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    #expect(try await !again.check().isEmpty)
    try await again.close()
  }

  @Test func aColdViewerIsReadWithThreeStatements() async throws {
    // The number, what is known, who must not be met: one each, whatever was folded.
    let all = [StoreStatements.number, StoreStatements.viewer, StoreStatements.standings]
    let connection = try Connection(.memory("cold-\(UUID().uuidString)"))
    try StoreSchema.migrations.apply(to: connection)
    try connection.run(StoreStatements.insertEntity, .bytes([1]))
    let kept = connection.cachedStatementCount
    _ = try connection.number(of: CardID(bytes: [1]))
    _ = try connection.viewerRecord(CardNumber(1), swipes: 20)
    _ = try connection.rows(StoreStatements.standings, .integer(1)) { try $0.integer(at: 0) }
    #expect(connection.cachedStatementCount - kept == all.count)
  }
}
