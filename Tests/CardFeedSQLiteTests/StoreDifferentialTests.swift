import CardFeed
import CardFeedSQLite
import Testing

/// The store against `InMemoryStore`, which holds the same rows in plain dictionaries.
@Suite struct StoreDifferentialTests {
  @Test func inMemoryUntilEveryKindOfDecisionOccurred() async throws {
    var occurred: Set<String> = []
    for seed in 0..<24 {
      let store = try await SQLiteStore.openInMemory(options: .forTests)
      var duel = StoreDuel(seed: UInt64(seed), store: store)
      try await duel.start()
      for _ in 0..<150 { try await duel.step() }
      try await duel.read()
      #expect(try await store.check() == [])
      try await store.close()
      occurred.formUnion(duel.decisions.keys)
    }
    let all: Set = [
      "dealt", "deal blocked", "deal stale", "save true", "save false",
      "swipe applied", "swipe repeated", "swipe conflict", "swipe stale",
      "over quota", "no match", "unmatch false",
      "match made", "match ended", "rewind", "rewind of learning", "rewind repeated",
      "rewind conflict", "rewind stale",
    ]
    let maintenance: Set = [
      "erased", "pruned", "pass folded", "like expired",
    ]
    #expect(occurred.subtracting(["erased nothing", "pruned nothing"]) == all.union(maintenance))
  }

  @Test(arguments: 100..<116)
  func onDiskOpenedAnewInTheMiddle(_ seed: Int) async throws {
    let folder = try ScratchFolder()
    var duel = StoreDuel(
      seed: UInt64(seed),
      store: try await SQLiteStore.open(path: folder.file(), options: .forTests))
    try await duel.start()
    for round in 0..<4 {
      for _ in 0..<50 { try await duel.step() }
      try await duel.read()
      #expect(try await duel.store.check() == [])
      // Every other time nobody closes it: the next opening finds a write-ahead log.
      if round % 2 == 0 { try await duel.store.close() }
      duel.store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
      try await duel.read()
    }
    try await duel.store.close()
  }
}
