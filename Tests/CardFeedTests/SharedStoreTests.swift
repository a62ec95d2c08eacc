import CardFeedTesting
import Testing

@testable import CardFeed

/// Two feeds over one store, as two processes have them: each with its own table and sessions, and
/// neither told of what the other does.
@Suite("Two processes share a store")
struct SharedStoreTests {
  private let store = InMemoryStore()

  private func open(cards: Int = 0) async throws -> TestBench<InMemoryStore> {
    try await .ofPeople(store, cards: cards)
  }

  private func stored(_ id: CardID) async throws -> ToyCard? {
    try await store.cards(after: nil, limit: 100).first { $0.id == id }
      .map { try ToyDeck().decode($0.payload) }
  }

  private func isWithdrawn(_ id: CardID) async throws -> Bool? {
    try await store.cards(after: nil, limit: 100).first { $0.id == id }?.isWithdrawn
  }

  @Test("A pause outlives a revision by a process that does not know of it")
  func pause() async throws {
    let one = try await open(cards: 3)
    let other = try await open()
    try await one.feed.withdraw(["2"])
    try await other.feed.revise([ToyCard("2", group: "new")])
    #expect(try await isWithdrawn("2") == true)
    #expect(try await stored("2")?.group == "new")
    #expect(try await other.hand("1") == ["3"], "the other one has been told")
    // And the end of a pause of which it does not know.
    try await other.feed.put([ToyCard("2", group: "back")])
    try await one.feed.revise([ToyCard("2", group: "newer")])
    #expect(try await isWithdrawn("2") == false)
    #expect(try await one.hand("1") == ["3", "2"], "behind what the other one has dealt")
  }

  @Test("Who comes back has the card that the store has, also where nobody knew of the pause")
  func comingBack() async throws {
    let one = try await open(cards: 3)
    let other = try await open()
    try await other.feed.withdraw(["2"])
    try await one.feed.revise([ToyCard("2", group: "new")])
    try await other.feed.reinstate(["2"])
    #expect(try await stored("2")?.group == "new")
    #expect(try await isWithdrawn("2") == false)

    // And is shown as the store has it, before anything is followed.
    try await one.feed.withdraw(["1"])
    try await other.feed.revise([ToyCard("1", group: "newer")])
    try await one.feed.reinstate(["1"])
    let row = try #require(one.feed.cards.row(of: "1"))
    #expect(one.feed.cards.isAvailable(row) && one.feed.cards.card(at: row).group == "newer")

    try await one.feed.withdraw(["3"])
    try await other.feed.reinstate(["3"])
    #expect(try await isWithdrawn("3") == false)
  }

  @Test(
    "Who was erased stays erased: no payload, no place, no new number", arguments: [true, false])
  func erased(revises: Bool) async throws {
    let one = try await open(cards: 3)
    let other = try await open()
    #expect(try await other.hand("1") == ["2", "3"])
    try await other.feed.withdraw(["2"])
    try await one.feed.erase("2")
    if revises {
      try await other.feed.revise([ToyCard("2", group: "late"), ToyCard("3", group: "new")])
      #expect(try await stored("3")?.group == "new")
    } else {
      try await other.feed.reinstate(["2", "3"])
    }
    #expect(try await stored("2") == nil)
    #expect(other.feed.cards.row(of: "2") == nil)
    #expect(try await other.hand("1") == ["3"])
    #expect(try await store.numbers(for: ["somebody new"]) == [CardNumber(4)])
    #expect(try await store.check() == [])
  }

  @Test(
    "Who is kept apart by another process leaves the hand and the past",
    arguments: [EventKind.block, .report, .unmatch], [true, false])
  func keptApart(kind: EventKind, isPast: Bool) async throws {
    let one = try await open(cards: 4)
    let other = try await open()
    let first = try await other.feed.takePartings(after: nil)
    #expect(try await other.hand("2") == ["1", "3", "4"])
    #expect(try await other.hand("3") == ["1", "2", "4"])
    if isPast || kind == .unmatch {
      try await other.swipe("1", .like, by: "2")
      try await other.swipe("1", .like, by: "3")
    }
    if kind == .unmatch { try await one.like("1", "2") }
    switch kind {
    case .report: try await one.feed.report("2", by: "1", event: "apart")
    case .unmatch: _ = try await one.feed.unmatch("2", by: "1", event: "apart")
    default: try await one.feed.block("2", by: "1", event: "apart")
    }
    let second = try await other.feed.takePartings(after: first)
    #expect(second > first)
    #expect(try await other.hand("2").contains("1") == false)
    #expect(try await other.rewind("2").card != "1")
    #expect(try await other.hand("3").contains("2"), "nobody else's hand loses a card")
    let third = try await other.feed.takePartings(after: second)
    #expect(try await other.feed.takePartings(after: third) == third)
    #expect(try await store.check() == [])
  }

  @Test("A hand that was read before anybody followed is read anew")
  func firstParting() async throws {
    let one = try await open(cards: 3)
    let other = try await open()
    #expect(try await other.hand("2") == ["1", "3"])
    try await one.feed.block("2", by: "1", event: "apart")
    #expect(try await other.hand("2") == ["1", "3"])
    _ = try await other.feed.takePartings(after: nil)
    #expect(try await other.hand("2") == ["3"])
  }
}
