import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("Cards that are withdrawn and come back")
struct PresenceTests {
  private let store = InMemoryStore()

  private func open(cards: Int = 4) async throws -> TestBench<InMemoryStore> {
    try await .ofPeople(store, cards: cards)
  }

  @Test("A swipe of a card that was withdrawn is stale, without asking for the hand first")
  func atOnce() async throws {
    let bench = try await open()
    #expect(try await bench.hand() == ["1", "2", "3"])
    try await bench.feed.withdraw(["1"])
    guard case .stale(let top) = try await bench.swipe("1", .like, event: "late") else {
      throw TestFailure("the swipe counted")
    }
    #expect(top?.id == "2")
    #expect(try await bench.swipe("2", .like).isApplied)
    // What counted before keeps its receipt.
    let receipt = try await bench.swipe("3", .like, event: "three").receipt
    try await bench.feed.withdraw(["3"])
    let again = try await bench.swipe("3", .like, event: "three")
    #expect(again.isRepeated && again.receipt == receipt)
  }

  @Test("Who comes back is dealt again, and likes and matches are as they were")
  func comingBack() async throws {
    let bench = try await open()
    try await bench.like("1", "2")
    try await bench.like("2", "1")
    try await bench.like("2", "3")
    let card = try #require(bench.feed.cards.row(of: "2").map { bench.feed.cards.card(at: $0) })
    let whole = try await bench.feed.matchedCards(of: "1")
    #expect(whole.map(\.card) == [card])
    try await bench.feed.withdraw(["2"])
    #expect(try await bench.hand("4") == ["1", "3"])
    #expect(try await bench.hand("3") == ["1", "4"])
    let tombstone = try await bench.feed.matchedCards(of: "1")
    #expect(tombstone.map(\.card) == [nil])
    #expect(tombstone.map(\.id) == ["2"] && tombstone.map(\.match) == whole.map(\.match))
    #expect(try await bench.feed.likesReceived(for: "3").count == 0)
    // Their own side goes on.
    #expect(try await bench.feed.matchedCards(of: "2").map { $0.card?.id } == ["1"])
    #expect(try await bench.hand("2") == ["4"])

    let anew = try await open(cards: 0)
    #expect(try await anew.feed.matchedCards(of: "1").map(\.card) == [nil])
    try await anew.feed.reinstate(["2", "2", "1", "nobody"])
    #expect(try await anew.feed.matchedCards(of: "1") == whole)
    #expect(try await anew.feed.likesReceived(for: "3").count == 1)
    #expect(try await anew.swipeAll(by: "4") == ["1", "3", "2"])
    #expect(try await store.check() == [])
    let last = try await open(cards: 0)
    #expect(try await last.feed.matchedCards(of: "1") == whole, "the store knows it, too")
  }

  @Test(
    "Who left and came back has left the hands that were not in memory, and is dealt anew",
    arguments: [true, false])
  func coldHands(puts: Bool) async throws {
    let bench = try await open()
    #expect(try await bench.hand() == ["1", "2", "3"])
    // Its sessions have never been asked for a hand.
    let anew = try await open(cards: 0)
    let card = try #require(anew.feed.cards.row(of: "1").map { anew.feed.cards.card(at: $0) })
    try await anew.feed.withdraw(["1"])
    if puts { try await anew.feed.put([card]) } else { try await anew.feed.reinstate(["1"]) }
    #expect(try await anew.swipe("1", .like).isStale, "it lies where it lay")
    #expect(try await anew.hand() == ["2", "3"])
    #expect(try await anew.swipeAll() == ["2", "3", "1", "4"])
    // A card that was dealt after its return stays.
    #expect(try await anew.hand("2") == ["1", "3", "4"])
    _ = try await anew.rewind()
    #expect(try await anew.rewind().card == "1")
    #expect(try await anew.hand().first == "1")
    #expect(try await store.check() == [])
  }

  @Test("Somebody who is withdrawn can change their card and stays withdrawn")
  func revising() async throws {
    let bench = try await open()
    try await bench.feed.withdraw(["2"])
    try await bench.feed.revise([
      ToyCard("2", group: "new"), ToyCard("3", group: "new"), ToyCard("5", group: "new"),
    ])
    for bench in [bench, try await open(cards: 0)] {
      let table = bench.feed.cards
      for id in ["2", "3", "5"] as [CardID] {
        let row = try #require(table.row(of: id))
        #expect(table.card(at: row).group == "new")
        #expect(table.isAvailable(row) == (id != "2"))
      }
      #expect(try await bench.feed.redeal(for: "viewer").ids == ["1", "3", "4"])
    }
    try await bench.feed.put([ToyCard("2")])
    #expect(try await bench.feed.redeal(for: "viewer").ids == ["1", "2", "3"])
  }

  @Test("Of who was erased no match is left, and an erased card does not come back")
  func erased() async throws {
    let bench = try await open()
    try await bench.like("1", "2")
    try await bench.like("2", "1")
    try await bench.feed.erase("2")
    #expect(try await bench.feed.matchedCards(of: "1").isEmpty)
    try await bench.feed.reinstate(["2"])
    #expect(bench.feed.cards.row(of: "2") == nil)
  }

  @Test("Why a hand is short tells a viewer when, and not which filter took how many")
  func shortfallForViewer() {
    let due = Timestamp(milliseconds: 5)
    let exhausted = Shortfall.exhausted(
      Exhaustion(removed: [.init(filter: "blocked", reason: "r", count: 1)], nextDue: due))
    #expect(exhausted.forViewer == .exhausted(Exhaustion(removed: [], nextDue: due)))
    #expect(Shortfall.starved.forViewer == .starved)
    #expect(Shortfall.degraded.forViewer == .degraded)
  }
}
