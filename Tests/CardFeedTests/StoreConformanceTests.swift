import CardFeed
import CardFeedTesting
import Testing

@Suite("The store in memory keeps every promise of a store")
struct StoreConformanceTests {
  @Test(
    "Conformance", arguments: FeedStoreConformance.localChecks)
  func inMemory(check: FeedStoreConformance.Check) async throws {
    try await check.run(makeStore: { InMemoryStore() })
  }

  @Test("The checks have different names, and there are enough of them")
  func names() {
    let names = FeedStoreConformance.localChecks.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.count >= 45)
  }

  @Test("A store that forgets events is found out")
  func findsFaults() async {
    let violations = await FeedStoreConformance.violations(makeStore: {
      InterceptedStore(InMemoryStore()) { call in
        if call == .block { throw TestFailure("blocks are broken") }
      }
    })
    let names = violations.map(\.check)
    #expect(names.contains("a block holds in both directions, and for that pair only"))
    #expect(!names.contains("two likes make one match, whichever comes first"))
  }

  @Test("The check of transactions finds a store without a way back")
  func transactions() async throws {
    // The store in memory has none on purpose: its rules check before they write.
    for check in FeedStoreConformance.transactionChecks(for: InMemoryStore.self) {
      let error = await #expect(throws: ConformanceFailure.self) {
        try await check.run(makeStore: { InMemoryStore() })
      }
      #expect(error?.description.contains("the end of the log") == true)
    }
  }

  @Test("What a store's own check finds afterwards fails the check that caused it")
  func ownCheck() async throws {
    let check = try #require(FeedStoreConformance.all.first)
    let error = await #expect(throws: ConformanceFailure.self) {
      try await check.run(makeStore: {
        let store = InMemoryStore()
        let answer = SeenEntry.Answered(
          answer: "like", meaning: .positive, time: Timestamp(milliseconds: 0),
          event: LogPosition(99))
        try await store.write { transaction in
          transaction.setSeen(CardNumber(50), CardNumber(51), SeenEntry(answer: answer))
        }
        return store
      })
    }
    #expect(error?.description.contains("an answer has no standing swipe") == true)
  }
}
