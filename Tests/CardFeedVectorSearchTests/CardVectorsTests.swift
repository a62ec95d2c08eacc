import CardFeed
import CardFeedTesting
import CardFeedVectorIndex
import CardFeedVectorSearch
import Testing

@Suite("An index that follows the cards")
struct CardVectorsTests {
  @Test("an index of the changes equals one of the whole table, through every kind of change")
  func followsChanges() async throws {
    let feed = try await thingFeed()
    let vectors = CardVectors<ThingDeck>()
    var generator = SplitMix64(seed: 3)
    try await feed.put(circle(300))
    func number() -> Int { generator.index(below: 300) }
    for step in 0..<120 {
      let id = CardID("\(number())")
      switch step % 6 {
      case 0: try await feed.put([Thing(id, angle(generator.unitInterval()))])
      case 1: try await feed.withdraw([id, CardID("\(number())")])
      case 2: try await feed.reinstate([id])
      case 3: try await feed.put([Thing(id, nil)])
      case 4: try await feed.put(circle(2).map { Thing(CardID("new\(step)\($0.id)"), $0.vector) })
      default: _ = try await feed.erase(id)
      }
      // Now and then several changes are met at once.
      if step % 4 == 0 { continue }
      let table = feed.cards
      let followed = try await vectors.index(of: table)
      let fresh = try await CardVectors<ThingDeck>().index(of: table)
      #expect(followed.count == table.count)
      #expect((0..<table.count).allSatisfy { followed.vector(at: $0) == fresh.vector(at: $0) })
    }
  }

  @Test("a deal that holds an earlier table keeps its index; far back it gets a later one")
  func earlierTables() async throws {
    let feed = try await thingFeed()
    let vectors = CardVectors<ThingDeck>()
    try await feed.put(circle(3))
    let first = feed.cards
    #expect(try await vectors.index(of: first).count == 3)
    for step in 0..<6 {
      try await feed.put([Thing(CardID("more\(step)"), [1, 1])])
      _ = try await vectors.index(of: feed.cards)
      if step < 3 { #expect(try await vectors.index(of: first).count == 3) }
    }
    #expect(try await vectors.index(of: first).count == 6)
    // A page of the earlier table has its rows and no others.
    let seen: [CardID: SeenEntry] = ["0": answered(.like, event: 1)]
    let old = slate(circle(3), seen: seen)
    let page = try await VectorNearestSource(vectors, to: likes).page(
      from: .start, limit: 10, table: first, context: old.context)
    #expect(Set(page.rows.map(\.index)).isSubset(of: [0, 1, 2]))
    #expect(page.rows.count == 3)
  }

  @Test("tables of two feeds are never taken for one another")
  func twoFeeds() async throws {
    let vectors = CardVectors<ThingDeck>()
    for count in [3, 5, 4] {
      let feed = try await thingFeed()
      try await feed.put(circle(count))
      #expect(try await vectors.index(of: feed.cards).vectorCount == count)
    }
  }

  @Test("deals beside changes see whole indexes")
  func concurrent() async throws {
    let feed = try await thingFeed()
    try await feed.put(circle(500))
    let vectors = CardVectors<ThingDeck>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for step in 0..<150 {
          try await feed.put([Thing(CardID("\(step % 500)"), angle(Double(step % 7)))])
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<100 {
            let similar = try await vectors.cards(like: "499", limit: 500, in: feed.cards)
            #expect(Set(similar.map(\.id)).count == 499)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("more like this: the nearest first, without itself and without withdrawn cards")
  func moreLikeThis() async throws {
    let feed = try await thingFeed()
    try await feed.put(circle(10, step: 0.1) + [Thing("none", nil)])
    try await feed.withdraw(["4"])
    let vectors = CardVectors<ThingDeck>()
    let similar = try await vectors.cards(like: "3", limit: 3, in: feed.cards)
    #expect(Set(similar.prefix(1).map(\.id)) == ["2"])
    #expect(Set(similar.map(\.id)) == ["2", "1", "5"])
    #expect(similar.map(\.score) == similar.map(\.score).sorted(by: >))
    #expect(try await vectors.cards(like: "4", limit: 1, in: feed.cards).count == 1)
    #expect(try await vectors.cards(like: "none", limit: 3, in: feed.cards).isEmpty)
    #expect(try await vectors.cards(like: "nobody", limit: 3, in: feed.cards).isEmpty)
  }
}
