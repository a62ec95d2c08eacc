import CardFeed
import CardFeedTesting
import Testing

@testable import CardFeedSQLite

@Suite struct StoreBehaviourTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func open(_ options: SQLiteStore.Options = .forTests) async throws -> SQLiteStore {
    try await SQLiteStore.open(path: folder.file(), options: options)
  }

  @Test func aNewFileGetsTheTablesAndAnOldOneNothing() async throws {
    let first = try await open()
    #expect(
      first.appliedMigrations == [
        "first tables", "erasure and age-out", "unmatch", "changes of cards",
        "durations of impressions", "ends of matches",
      ])
    try await first.close()
    let again = try await open()
    #expect(again.appliedMigrations == [])
    try await again.close()
    let connection = try Connection(.file(folder.file()), mode: .readOnly)
    #expect(try connection.integer("PRAGMA user_version") == 6)
    #expect(try connection.integer("PRAGMA application_id") == 0x4346_4544)
    let lax = "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    #expect(try connection.integer(lax) > 14)
    #expect(
      try connection.integer("\(lax) AND name NOT LIKE 'sqlite_%' AND NOT strict") == 0,
      "every table is STRICT")
  }

  @Test func aNewerFileIsRefused() async throws {
    try await open().close()
    let connection = try Connection(.file(folder.file()))
    try connection.execute("PRAGMA user_version = 7")
    try connection.close()
    let error = try await sqliteError { _ = try await open() }
    #expect(error.code == .newerSchema)
  }

  @Test func aReadAfterAnAwaitedWriteSeesIt() async throws {
    let store = try await open()
    let n = try await store.numbers(for: (0..<9).map { CardID("v\($0)") })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for viewer in n.dropFirst() {
        group.addTask {
          for round in 0..<40 {
            let event = try await store.applied(
              swipe(viewer, n[0], .negative, event: EventID("e\(round)"), at: Int64(round)))
            let seen = try await store.viewer(viewer, swipes: 0).seen[n[0]]
            #expect(seen?.answer?.event == event)
          }
        }
      }
      try await group.waitForAll()
    }
    try await store.close()
  }

  @Test func knownNumbersAreReadWhileTheWriterIsHeldUp() async throws {
    let store = try await open()
    let known = try await store.numbers(for: ["a", "b"])
    let other = try Connection(.file(folder.file()), options: .forTests)
    try other.beginImmediate()
    #expect(try await store.numbers(for: ["b", "a"]) == known.reversed())
    let error = try await sqliteError { _ = try await store.numbers(for: ["a", "new"]) }
    #expect(error.code == .busy)
    try other.rollback()
    #expect(try await store.numbers(for: ["a", "new"]) == [known[0], CardNumber(3)])
    try await store.close()
  }

  @Test(arguments: Place.allCases)
  func aFailedCommandChangesNothing(_ place: Place) async throws {
    let store = try await place.open(folder)
    let n = try await store.numbers(for: ["a", "b"])
    let error = try await sqliteError {
      _ = try await store.commit([
        swipe(n[0], n[1], event: "good"), swipe(n[0], CardNumber(99), event: "bad"),
      ])
    }
    #expect(error.code == .constraint)
    await #expect(throws: LogicalError(number: 7)) {
      try await store.write { transaction in
        _ = try transaction.apply(swipe(n[0], n[1], event: "good"))
        throw LogicalError(number: 7)
      }
    }
    #expect(try await store.lastPosition() == .start)
    #expect(try await store.viewer(n[0], swipes: 9).seen.isEmpty)
    #expect(try await store.applied(swipe(n[0], n[1], event: "good")) == LogPosition(1))
    try await store.close()
  }

  @Test func anErrorNeverShowsWhatWasBound() async throws {
    let store = try await open()
    let n = try await store.numbers(for: ["secret-viewer"])
    let error = try await sqliteError {
      _ = try await store.commit([swipe(n[0], CardNumber(424_242), event: "secret-event")])
    }
    for secret in ["secret", "424242", "positive"] {
      #expect(!error.description.contains(secret))
    }
    try await store.close()
  }

  @Test func aLimitBelowZeroIsNoneAtAll() async throws {
    let store = try await open()
    let n = try await store.numbers(for: ["a", "b"])
    _ = try await store.put([StoredCard(id: "a", payload: [])])
    try await store.applied(swipe(n[0], n[1], event: "1", deal: .start))
    #expect(try await store.cards(after: nil, limit: -1).isEmpty)
    #expect(try await store.events(after: .start, limit: -1).isEmpty)
    #expect(try await store.answersReceived(by: n[1], limit: -1).isEmpty)
    #expect(try await store.viewer(n[0], swipes: -1).recentSwipes.isEmpty)
    #expect(try await store.viewer(n[0], swipes: 1).recentSwipes.count == 1)
    try await store.close()
  }

  @Test func nobodyIsAPairWithThemselves() async throws {
    let store = try await open()
    let n = try await store.numbers(for: ["a"])
    let error = try await sqliteError {
      try await store.write { transaction in
        let event = try transaction.append(
          NewEvent(
            kind: .swipe, viewer: n[0], card: n[0], time: time(0), answer: "x",
            meaning: .positive))
        try transaction.insert(StoredMatch(event: event, between: n[0], and: n[0], time: time(0)))
      }
    }
    #expect(error.code == .constraint)
    try await store.close()
  }

  @Test(arguments: Place.allCases)
  func deltasSavedForARewoundSwipeAreTakenBackAtItsRewind(_ place: Place) async throws {
    let store = try await place.open(folder)
    let n = try await store.numbers(for: ["a", "b"])
    let like = try await store.applied(swipe(n[0], n[1], event: "1"))
    let back = try await store.commit(
      RewindCommand(
        viewer: n[0], event: "2", swipe: like, time: time(1),
        stack: StoredStack(generation: 0, top: 0, imageStart: 0, image: [])))
    guard case .applied(let rewind, _, _, _, _) = back else { throw LogicalError(number: 3) }
    let key = LearnedKey(owner: n[1], slot: 2)
    try await store.save(
      [(position: like, increments: [Increment(key, 5), Increment(key, .min)])], of: "late")
    let deltas = try await store.learnerDeltas(of: "late", after: .start, limit: 9)
    #expect(deltas.map(\.position) == [like, rewind])
    #expect(deltas.map { $0.increments.map(\.amount) } == [[5, .min], [-5, .min]])
    #expect(try await store.check() == [])
    try await store.close()
  }

  @Test(arguments: Place.allCases)
  func aBackupIsAWholeStore(_ place: Place) async throws {
    let store = try await place.open(folder)
    let n = try await store.numbers(for: ["a", "b"])
    try await store.applied(swipe(n[0], n[1], event: "1"))
    try await store.backup(to: folder.file("copy.db"))
    try await store.applied(swipe(n[1], n[0], event: "2"))
    let copy = try await SQLiteStore.open(path: folder.file("copy.db"), options: .forTests)
    #expect(try await copy.lastPosition() == LogPosition(1))
    #expect(try await copy.check() == [])
    let error = try await sqliteError { try await store.backup(to: folder.file("copy.db")) }
    #expect(error.code == .cannotOpen)
    try await copy.close()
    try await store.close()
  }

  @Test func aCheckpointEmptiesTheWriteAheadLog() async throws {
    let store = try await open()
    _ = try await store.numbers(for: ["a"])
    let log = folder.file("cards.db-wal")
    #expect(try fileSize(log) > 0)
    try await store.checkpoint()
    #expect(try fileSize(log) == 0)
    try await store.close()
  }

  @Test(arguments: Place.allCases)
  func closingFinishesWhatWasAskedForAndEndsTheRest(_ place: Place) async throws {
    let store = try await place.open(folder)
    let n = try await store.numbers(for: ["a", "b"])
    let started = Event()
    async let waiting = store.write { transaction in
      started.happen()
      return try transaction.apply(swipe(n[0], n[1], event: "1"))
    }
    await started.happened()
    try await store.close()
    guard case .applied = try await waiting else { throw LogicalError(number: 4) }
    try await store.close()
    for operation in [
      { _ = try await store.lastPosition() }, { _ = try await store.put([]) },
      { _ = try await store.check() }, { try await store.checkpoint() },
    ] as [@Sendable () async throws -> Void] {
      #expect(try await sqliteError { try await operation() }.code == .misuse)
    }
    if place == .disk {
      let again = try await open()
      #expect(try await again.lastPosition() == LogPosition(1))
      try await again.close()
    }
  }

  @Test func storesInMemoryShareNothing() async throws {
    let one = try await SQLiteStore.openInMemory()
    let other = try await SQLiteStore.openInMemory()
    _ = try await one.numbers(for: ["a", "b"])
    #expect(try await other.numbers(for: ["b"]) == [CardNumber(1)])
    try await one.close()
    try await other.close()
  }

  @Test func optionsReachTheConnection() async throws {
    #expect(SQLiteStore.Options().connection.synchronous == .full)
    var options = SQLiteStore.Options()
    options.synchronous = .normal
    options.busyTimeoutMilliseconds = -1
    #expect(options.connection.synchronous == .normal)
    #expect(options.connection.busyTimeoutMilliseconds == 0)
    options.readers = 0
    options.groupSize = 0
    let store = try await open(options)
    #expect(try await store.numbers(for: ["a"]) == [CardNumber(1)])
    let level = try await store.writer.outsideTransaction { try $0.integer("PRAGMA synchronous") }
    #expect(level == 1)
    try await store.close()
  }
}
