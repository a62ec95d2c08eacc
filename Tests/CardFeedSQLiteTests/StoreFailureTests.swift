import CardFeed
import Foundation
import Testing

@testable import CardFeedSQLite

/// What can be wrong with a file or a disk: each a typed error that says what to do, and nothing
/// that was acknowledged is missing afterwards.
@Suite struct StoreFailureTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func open(
    _ options: SQLiteStore.Options = .forTests, path: String? = nil
  ) async throws -> SQLiteStore {
    try await SQLiteStore.open(path: path ?? folder.file(), options: options)
  }

  /// Swipes until the store refuses, and returns the acknowledged events and the refusal.
  private func fill(
    _ store: SQLiteStore, limit: Int = 200_000
  ) async throws -> (acknowledged: Set<String>, refusal: SQLiteError?) {
    let n = try await store.numbers(for: ["viewer", "card"])
    var acknowledged: Set<String> = []
    for round in 0..<limit {
      // Long identities fill a disk sooner.
      let event = "event-\(round)-" + String(repeating: "x", count: 500)
      do {
        try await store.applied(swipe(n[0], n[1], event: EventID(event)))
        acknowledged.insert(event)
      } catch let error as SQLiteError {
        return (acknowledged, error)
      }
    }
    return (acknowledged, nil)
  }

  private func requireAll(
    _ acknowledged: Set<String>, in store: SQLiteStore
  ) async throws {
    #expect(try await store.check() == [])
    let swipes = try await store.events(after: .start, limit: 1_000_000).count {
      $0.kind == .swipe
    }
    #expect(swipes == acknowledged.count)
    for event in acknowledged {
      let decision = try await store.commit([
        swipe(CardNumber(1), CardNumber(2), event: EventID(event))
      ])
      guard case .repeated = try #require(decision.first) else {
        Issue.record("an acknowledged swipe is missing")
        return
      }
    }
  }

  @Test func aFullFileIsTypedAndTheStoreGoesOnWhenThereIsSpace() async throws {
    let store = try await open()
    try await store.writer.outsideTransaction { connection in
      let pages = try connection.integer("PRAGMA page_count")
      try connection.execute("PRAGMA max_page_count = \(pages + 40)")
    }
    let (acknowledged, refusal) = try await fill(store)
    let error = try #require(refusal)
    #expect(error.code == .diskFull)
    #expect(error.advice == "Nothing of the transaction was kept; free space and try again.")
    #expect(acknowledged.count > 10)
    let read = try await store.viewer(CardNumber(1), swipes: 0)
    #expect(read.seen.count == 1, "reading goes on")
    try await store.writer.outsideTransaction { connection in
      try connection.execute("PRAGMA max_page_count = 1000000")
    }
    try await requireAll(acknowledged, in: store)
    try await store.close()
  }

  @Test func aFullDiskIsTypedAndLosesNothing() async throws {
    guard let disk = SmallDisk(at: folder.file("disk")) else {
      // Mounting needs root; the test before this one fills the file instead.
      print("skipped: no small file system could be mounted")
      return
    }
    let path = disk.path + "/cards.db"
    for synchronous in [SQLiteStore.Synchronous.full, .normal] {
      var options = SQLiteStore.Options.forTests
      options.synchronous = synchronous
      let store = try await open(options, path: path)
      let before = try await store.events(after: .start, limit: 1_000_000).count
      let ballast = disk.path + "/ballast"
      let (acknowledged, refusal) = try await fill(store)
      #expect(try #require(refusal).code == .diskFull)
      #expect(acknowledged.count > 10 || before > 0)
      try? FileManager.default.removeItem(atPath: ballast)
      // The disk stays full: whoever opens the file again finds everything all the same.
      do { try await store.close() } catch let error as SQLiteError {
        #expect(error.code == .diskFull)
      }
      try disk.grow()
      let again = try await open(options, path: path)
      try await requireAll(acknowledged, in: again)
      try await again.close()
      try FileManager.default.removeItem(atPath: path)
      try disk.shrink()
    }
  }

  @Test func aBackupOntoAFullDiskLeavesNoHalfCopy() async throws {
    guard let disk = SmallDisk(at: folder.file("disk")) else {
      print("skipped: no small file system could be mounted")
      return
    }
    let store = try await open()
    let n = try await store.numbers(for: ["v", "c"])
    for round in 0..<20 {
      _ = try await store.commit(
        (0..<250).map { index in
          let event = "e\(round)-\(index)" + String(repeating: "y", count: 400)
          return swipe(n[0], n[1], event: EventID(event))
        })
    }
    let error = try await sqliteError { try await store.backup(to: disk.path + "/copy.db") }
    #expect(error.code == .diskFull)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
    #expect(try await store.check() == [])
    try await store.close()
  }

  @Test func aLockedDatabaseIsTypedAndTheStoreGoesOn() async throws {
    let store = try await open()
    let n = try await store.numbers(for: ["a", "b"])
    let other = try Connection(.file(folder.file()), options: .forTests)
    try other.beginImmediate()
    let error = try await sqliteError {
      try await store.applied(swipe(n[0], n[1], event: "1"))
    }
    #expect(error.code == .busy)
    #expect(error.advice.contains("try again"))
    #expect(try await store.viewer(n[0], swipes: 0).seen.isEmpty, "reading goes on")
    try other.rollback()
    try await store.applied(swipe(n[0], n[1], event: "1"))
    #expect(try await store.check() == [])
    try await store.close()
  }

  @Test func aCorruptedPageIsTypedForWhoReadsItAndForTheCheck() async throws {
    let store = try await open()
    let n = try await store.numbers(for: (0..<200).map { CardID("card-\($0)") })
    for card in n.dropFirst() {
      try await store.applied(swipe(n[0], card, event: EventID("e\(card.rawValue)")))
    }
    try await store.backup(to: folder.file("backup.db"))
    try await store.close()
    try overwriteRootPages(of: ["seen"], in: folder.file())
    let damaged = try await open()
    let reading = try await sqliteError { _ = try await damaged.viewer(n[0], swipes: 1) }
    #expect(reading.code == .corrupt)
    #expect(reading.advice == "Check it with an integrity check and restore the last backup.")
    let writing = try await sqliteError {
      try await damaged.applied(swipe(n[0], n[1], event: "late"))
    }
    #expect(writing.code == .corrupt)
    let (_, problems) = try await SQLiteStore.check(path: folder.file())
    #expect(problems.contains { $0.part == "file" })
    try? await damaged.close()
    let (last, found) = try await SQLiteStore.check(path: folder.file("backup.db"))
    #expect(found == [] && last == LogPosition(199))
  }

  @Test func aNewerAndAForeignFileAreLeftAlone() async throws {
    try await open().close()
    let newer = try Connection(.file(folder.file()), options: .forTests)
    try newer.execute("PRAGMA user_version = 99")
    try newer.close()
    try Data("SQLite format 3\0 no, it is a poem".utf8)
      .write(to: URL(fileURLWithPath: folder.file("poem.db")))
    for (name, code) in [("cards.db", SQLiteError.Code.newerSchema), ("poem.db", .notADatabase)] {
      let path = folder.file(name)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      for operation in [
        { _ = try await SQLiteStore.open(path: path) },
        { _ = try await SQLiteStore.check(path: path) },
        { _ = try await SQLiteStore.migrate(path: path) },
      ] as [@Sendable () async throws -> Void] {
        #expect(try await sqliteError { try await operation() }.code == code)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test func aFileAndAFolderThatCannotBeWrittenAreTyped() async throws {
    let store = try await open()
    let n = try await store.numbers(for: ["a", "b"])
    try await store.applied(swipe(n[0], n[1], event: "1"))
    try await store.close()
    // Root may write anything, so this is tried as somebody else, in a process of its own.
    chmod(folder.path, 0o555)
    chmod(folder.file(), 0o444)
    setenv("CARDFEED_READ_ONLY", folder.file(), 1)
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let path = ProcessInfo.processInfo.environment["CARDFEED_READ_ONLY"] ?? ""
      if getuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 { exit(3) }
      do {
        _ = try await SQLiteStore.open(path: path)
        exit(4)
      } catch let error as SQLiteError {
        let isSaid = error.advice.contains("permissions")
        guard error.code == .readOnly, isSaid else { exit(5) }
      }
      do {
        _ = try await SQLiteStore.open(path: path + ".new")
        exit(6)
      } catch let error as SQLiteError {
        guard error.code == .cannotOpen else { exit(7) }
      }
      // A check needs no permission to write.
      let (last, problems) = try await SQLiteStore.check(path: path)
      print("checked \(last.rawValue) \(problems.count)")
      exit(0)
    }
    unsetenv("CARDFEED_READ_ONLY")
    chmod(folder.path, 0o755)
    chmod(folder.file(), 0o644)
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains("checked 1 0"))
    #expect(try folder.names == ["cards.db"])
  }
}

/// A file system of two megabytes in memory, for as long as the object lives; nil where mounting is
/// not allowed.
final class SmallDisk: Sendable {
  let path: String

  init?(at path: String) {
    self.path = path
    guard mkdir(path, 0o755) == 0 else { return nil }
    guard mount("tmpfs", path, "tmpfs", 0, "size=2m") == 0 else { return nil }
  }

  private func resize(_ size: String) throws {
    guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(size)") == 0 else {
      throw LogicalError(number: Int(errno))
    }
  }

  func grow() throws { try resize("64m") }

  func shrink() throws { try resize("2m") }

  deinit { umount2(path, Int32(MNT_DETACH)) }
}
