import Testing

@testable import CardFeedSQLite

@Suite(.timeLimit(.minutes(2))) struct StoreMeasuringTests {
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
}
