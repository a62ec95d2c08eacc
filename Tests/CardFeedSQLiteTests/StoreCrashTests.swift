import CardFeed
import Foundation
import Testing

@testable import CardFeedSQLite

/// A process that swipes, deals, migrates, copies or folds is killed at a random moment, again and
/// again on the same files. What it was told is done must be there, once.
///
/// `CARDFEED_CRASH_ROUNDS` says how many kills there are, 20 without it.
@Suite struct StoreCrashTests {
  private static var rounds: Int {
    ProcessInfo.processInfo.environment["CARDFEED_CRASH_ROUNDS"].flatMap(Int.init) ?? 20
  }

  @Test func nothingAcknowledgedIsLostByKills() async throws {
    var random = SplitMix64(seed: 2_026)
    var acknowledged = 0
    var (backups, migrated, unmigrated) = (0, 0, 0)
    var folder = try ScratchFolder()
    for round in 0..<Self.rounds {
      // So that checking what has piled up does not take longer than the kills.
      if round % 40 == 39 { folder = try ScratchFolder() }
      let work = CrashWork.allCases[round % CrashWork.allCases.count]
      if work == .migration { try await prepareMigration(folder) }
      let order = CrashOrder(
        work: work, round: round,
        // A migration is over sooner than the others, which never end.
        microseconds: UInt32(500 + random.next() % (work == .migration ? 20_000 : 40_000)),
        folder: folder.path)
      setenv(CrashOrder.variable, order.text, 1)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let text = ProcessInfo.processInfo.environment["CARDFEED_CRASH_ROUND"] ?? ""
        try await CrashOrder(text: text).workUntilKilled()
      }
      if work == .migration {
        let isDone = try await verifyMigration(folder)
        if isDone { migrated += 1 } else { unmigrated += 1 }
      } else {
        acknowledged += try await verifyStore(folder, round: round)
        backups += try await verifyBackups(folder)
      }
    }
    unsetenv(CrashOrder.variable)
    print(
      "\(Self.rounds) kills: \(acknowledged) commands acknowledged, \(backups) whole backups, "
        + "\(migrated) migrations done and \(unmigrated) not; nothing missing")
    // A test in which every kill came before the first swipe would prove nothing.
    #expect(acknowledged > Self.rounds * 2)
    #expect(Self.rounds < 100 || (migrated > 0 && unmigrated > 0 && backups > 0))
  }

  /// The number of commands acknowledged in this round.
  private func verifyStore(_ folder: ScratchFolder, round: Int) async throws -> Int {
    let all = try Acknowledgement.all(in: folder.file("acknowledged"))
    #expect(
      Set(all.filter { !$0.isDeal }.map { [$0.viewer.rawValue.description, $0.event] }).count
        == all.count { !$0.isDeal })
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    #expect(try await store.check() == [], "round \(round)")
    let events = try await store.events(after: .start, limit: 10_000_000)
    let kinds = Dictionary(uniqueKeysWithValues: events.map { ($0.position, $0.kind) })
    var seen: [CardNumber: [CardNumber: SeenEntry]] = [:]
    for line in all {
      if kinds[line.place] == (line.isDeal ? .deal : .swipe) { continue }
      // Its event is gone: then it was a pass, or the like before one, and was folded.
      if seen[line.viewer] == nil {
        seen[line.viewer] = try await store.viewer(line.viewer, swipes: 0).seen
      }
      let isFolded = seen[line.viewer]?[line.card]?.answer != nil
      #expect(!line.isDeal && isFolded, "lost after round \(round)")
    }
    // Whoever was erased stays erased.
    let erased = try text(of: folder.file("erased")).split(separator: "\n").compactMap {
      Int64($0)
    }
    for number in erased.map({ CardNumber($0) }) {
      #expect(try await store.ids(for: [number]) == [nil])
      #expect(!events.contains { $0.viewer == number && $0.kind == .swipe })
    }
    // Whoever repeats what was acknowledged gets the same receipt.
    for line in all.suffix(40) where !line.isDeal && kinds[line.place] != nil {
      let decisions = try await store.commit([
        CrashOrder.swipe(line.viewer, line.card, event: line.event, isLike: line.isLike)
      ])
      guard case .repeated(let receipt) = try #require(decisions.first) else {
        Issue.record("an acknowledged swipe was answered with \(decisions)")
        continue
      }
      #expect(receipt.event == line.place)
    }
    try await store.close()
    return all.count { $0.event.hasPrefix("round-\(round)-") }
  }

  private func text(of path: String) throws -> String {
    FileManager.default.fileExists(atPath: path)
      ? try String(contentsOfFile: path, encoding: .utf8) : ""
  }

  private func verifyBackups(_ folder: ScratchFolder) async throws -> Int {
    let names = try folder.names.filter { $0.hasPrefix("backup-") }
    for name in names where !name.contains(".partial") && !name.hasSuffix("-journal") {
      let (_, problems) = try await SQLiteStore.check(path: folder.file(name))
      #expect(problems == [], "\(name)")
    }
    for name in names { try FileManager.default.removeItem(atPath: folder.file(name)) }
    return names.count { !$0.contains(".partial") }
  }

  private func prepareMigration(_ folder: ScratchFolder) async throws {
    for name in try folder.names where name.hasPrefix("old.db") {
      try FileManager.default.removeItem(atPath: folder.file(name))
    }
    let template = folder.file("template.db")
    if !FileManager.default.fileExists(atPath: template) {
      try await makeVersion1(template, people: 150)
    }
    try FileManager.default.copyItem(atPath: template, toPath: folder.file("old.db"))
  }

  /// Whether the killed process had migrated.
  private func verifyMigration(_ folder: ScratchFolder) async throws -> Bool {
    let expected = try rowsOfVersion1(folder.file("template.db"))
    #expect(try rowsOfVersion1(folder.file("old.db")) == expected)
    let before = try Connection.inspecting(folder.file("old.db"), options: .forTests)
    let version = try Migrations.version(of: before)
    try before.close()
    let latest = StoreSchema.migrations.latestVersion
    let copies = try folder.names.filter { name in
      name.hasPrefix("old.db.before-v\(latest)") && !name.contains(".partial")
        && !name.hasSuffix("-wal") && !name.hasSuffix("-shm")
    }
    #expect(version == 1 || !copies.isEmpty, "migrated without a copy")
    for name in copies { #expect(try rowsOfVersion1(folder.file(name)) == expected) }
    _ = try await SQLiteStore.migrate(path: folder.file("old.db"), options: .forTests)
    let (_, problems) = try await SQLiteStore.check(path: folder.file("old.db"))
    #expect(problems == [])
    #expect(try rowsOfVersion1(folder.file("old.db")) == expected)
    return version == latest
  }
}
