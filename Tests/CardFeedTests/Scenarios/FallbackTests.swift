import CardFeed
import CardFeedTesting
import Testing

@Suite("Scenario 6: fallbacks never leak answered cards, and leaving costs nothing")
struct FallbackTests {
  private static let minute: Int64 = 60_000
  private static let cooldown: Int64 = 24 * 3_600_000

  enum Fallback: String, CaseIterable, CustomTestStringConvertible {
    case relaxedFilter = "a soft filter that is relaxed"
    case secondSource = "a second source without the preference"

    var testDescription: String { rawValue }
  }

  private func bench(_ fallback: Fallback) async throws -> TestBench<InMemoryStore> {
    let inside = (1...5).map { ToyCard(CardID("in-\($0)"), group: "wanted") }
    let outside = (1...5).map { ToyCard(CardID("out-\($0)"), group: "other") }
    return try await TestBench(
      InMemoryStore(), cards: inside + outside,
      deck: ToyDeck(negativeReturnsAfter: Self.cooldown)
    ) {
      $0.hand = HandPolicy(size: 4, refillBelow: 2, ties: .id)
      switch fallback {
      case .relaxedFilter: $0.filter("preference", GroupFilter(group: "wanted"))
      case .secondSource:
        $0.source("preferred", ListSource(inside.map(\.id)))
        $0.source("everybody", ListSource())
      }
      $0.filter("already-swiped", AnsweredFilter())
    }
  }

  @Test(
    "Answered cards stay away until the cooldown, then only passed ones return",
    arguments: Fallback.allCases)
  func cooldown(fallback: Fallback) async throws {
    let bench = try await bench(fallback)
    var passed: [CardID] = []
    var answered: [CardID] = []
    while let top = try await bench.hand().first {
      let answer: ToyAnswer = answered.count % 2 == 0 ? .pass : .like
      #expect(try await bench.swipe(top, answer).isApplied)
      if answer == .pass { passed.append(top) }
      answered.append(top)
    }
    #expect(answered.count == 10)
    #expect(Set(answered).count == 10)
    let firstDue = try #require(
      try await bench.feed.hand(for: "viewer").shortfall?.exhaustion?.nextDue)
    #expect(firstDue == bench.clock.now.advanced(byMilliseconds: Self.cooldown))

    bench.clock.advance(byMilliseconds: Self.minute)
    let soon = try await bench.feed.hand(for: "viewer")
    #expect(soon.ids.isEmpty)
    #expect(soon.shortfall?.exhaustion?.removed.map(\.count).reduce(0, +) == 10)

    bench.clock.advance(byMilliseconds: Self.cooldown - Self.minute)
    let returned = try await bench.swipeAll(.pass)
    #expect(Set(returned) == Set(passed))
    #expect(returned.count == 5)
  }

  @Test("The fallback fills a hand only after the preferred cards")
  func preferredFirst() async throws {
    let bench = try await bench(.relaxedFilter)
    let dealt = try await bench.swipeAll(.pass)
    #expect(dealt.prefix(5).allSatisfy { $0.description.hasPrefix("in-") })
    #expect(dealt.count == 10)
  }

  @Test("A client that leaves and comes back finds the same hand")
  func sameHand() async throws {
    let bench = try await bench(.relaxedFilter)
    let first = try await bench.feed.hand(for: "viewer")
    bench.clock.advance(byMilliseconds: 5 * Self.cooldown)
    let second = try await bench.feed.hand(for: "viewer")
    #expect(first.contents == second.contents)
    #expect(first.generation == second.generation)
    #expect(try await bench.store.events(after: .start, limit: 10).count == 1)
  }
}
