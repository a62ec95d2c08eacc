import CardFeed
import CardFeedSQLite
import CardFeedTesting
import Testing

/// What every store promises, kept in memory and on disk, closed and opened anew in the middle.
@Suite struct StoreConformanceTests {
  @Test(arguments: FeedStoreConformance.localChecks)
  func inMemory(_ check: FeedStoreConformance.Check) async throws {
    try await check.run(makeStore: { try await SQLiteStore.openInMemory(options: .forTests) })
  }

  @Test(arguments: FeedStoreConformance.localChecks)
  func onDisk(_ check: FeedStoreConformance.Check) async throws {
    let folder = try ScratchFolder()
    let path = folder.file()
    try await check.run(
      makeStore: { try await SQLiteStore.open(path: path, options: .forTests) },
      reopen: { _ in try await SQLiteStore.open(path: path, options: .forTests) })
    #expect(try folder.names == ["cards.db"], "a closed store is one file")
  }

  @Test func onDiskWithEveryCommitSynchronised() async throws {
    let folder = try ScratchFolder()
    let path = folder.file()
    for check in FeedStoreConformance.all where check.name.hasPrefix("writers side by side") {
      try await check.run(
        makeStore: { try await SQLiteStore.open(path: path) },
        reopen: { _ in try await SQLiteStore.open(path: path) })
    }
  }
}
