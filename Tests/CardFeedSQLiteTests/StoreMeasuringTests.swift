import CardFeed
import Testing

@testable import CardFeedSQLite

@Suite(.timeLimit(.minutes(10))) struct StoreMeasuringTests {
  @Test func aSlowerDiskIsSlowerForTheStoreAndForTheMeasureOfIt() async throws {
    let folder = try ScratchFolder()
    let speed = try await StoreSpeed.measure(
      in: folder.path, viewers: 4, swipes: 3, syncDelayMicroseconds: 2_000)
    #expect(speed.swipes == 12)
    #expect((1...12).contains(speed.groups))
    // Sleeping never ends early, and nothing is faster than its sync.
    #expect(speed.syncNanoseconds >= 2_000_000)
    #expect(speed.commitNanoseconds >= 2_000_000)
    #expect(speed.medianNanoseconds >= 2_000_000)
  }

  @Test func statementsAreCountedOnEveryConnection() async throws {
    let folder = try ScratchFolder()
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    let viewer = try await store.numbers(for: [CardID("v"), CardID("w")])[0]
    #expect(store.statementCount == 0)
    try await store.countStatements()

    func statements(_ body: () async throws -> Void) async throws -> Int {
      let before = store.statementCount
      try await body()
      return store.statementCount - before
    }
    // One statement is its own transaction.
    #expect(try await statements { _ = try await store.numbers(for: [CardID("v")]) } == 1)
    #expect(try await statements { _ = try await store.viewer(viewer, swipes: 5) } == 1)
    #expect(try await statements { _ = try await store.unsafe(for: viewer) } == 1)
    let both = [CardID("v"), CardID("w")]
    #expect(try await statements { _ = try await store.numbers(for: both) } == 4)
    #expect(try await statements { try await store.write { _ in } } == 2)
    try await store.close()
  }
}
