import CardFeedStack
import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("Scenarios 4 and 5: no card comes back, every card comes")
struct ReachabilityTests {
  @Test("Three deals without a swipe hold 30 different cards when dealt cards are not dealt again")
  func servedPolicy() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(30)) {
      $0.hand = HandPolicy(size: 10, refillBelow: 1)
      $0.filter("already-dealt", DealtFilter())
    }
    var dealt = try await bench.hand()
    dealt += try await bench.feed.redeal(for: "viewer").ids
    dealt += try await bench.feed.redeal(for: "viewer").ids
    #expect(dealt.count == 30)
    #expect(Set(dealt).count == 30)
    let last = try await bench.feed.redeal(for: "viewer")
    #expect(last.ids.isEmpty)
    #expect(last.shortfall?.exhaustion?.removed.map(\.count) == [30])
  }

  @Test(
    "Three hands with swipes between them hold 30 different cards", arguments: ToyAnswer.allCases)
  func swiped(answer: ToyAnswer) async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(30)) {
      $0.hand = HandPolicy(size: 10, refillBelow: 1)
      $0.filter("already-swiped", AnsweredFilter())
    }
    var dealt: [CardID] = []
    for _ in 0..<3 {
      let hand = try await bench.hand()
      #expect(hand.count == 10)
      dealt += hand
      for card in hand { #expect(try await bench.swipe(card, answer).isApplied) }
    }
    #expect(Set(dealt).count == 30)
    #expect(try await bench.hand().isEmpty)
  }

  @Test("A hand of skipped cards moves no offset: the cards behind it all come, page by page")
  func skippingLosesNothing() async throws {
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(30),
      deck: ToyDeck(neutralReturnsAfter: 1000)
    ) {
      $0.hand = HandPolicy(size: 10, refillBelow: 1, ties: .id)
      $0.source("pages", limit: 10, ListSource())
      $0.filter("already-swiped", AnsweredFilter())
    }
    let first = try await bench.hand()
    for card in first { try await bench.swipe(card, .skip) }
    let rest = try await bench.swipeAll(.pass)
    #expect(Set(first).isDisjoint(with: rest))
    #expect(Set(first).union(rest).count == 30)
    bench.clock.advance(byMilliseconds: 1000)
    #expect(Set(try await bench.swipeAll(.pass)) == Set(first))
  }

  @Test("919 cards through a ring of 100: all dealt, none twice, then exhausted; memory bounded")
  func everyCardIsReached() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(919)) {
      $0.hand = HandPolicy(size: 10, refillBelow: 3, rewind: 90)
      $0.source("pages", limit: 100, ListSource())
      $0.filter("already-swiped", AnsweredFilter())
    }
    var dealt: [CardID] = []
    while let card = try await bench.swipeTop(.pass) {
      dealt.append(card)
      let ring = try await bench.feed.withSession("viewer") { session in
        (
          capacity: session.stack.ringCapacity,
          held: session.stack.upcomingCount
            + session.stack.historyCount
        )
      }
      #expect(ring.capacity == 100)
      #expect(ring.held <= 100)
    }
    #expect(dealt.count == 919)
    #expect(Set(dealt).count == 919)
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(
      hand.shortfall?.exhaustion?.removed.map { "\($0.filter) \($0.count)" }
        == ["already-swiped 919"])
  }
}
