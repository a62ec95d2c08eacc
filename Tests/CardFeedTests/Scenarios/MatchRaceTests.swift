import CardFeed
import CardFeedTesting
import Testing

@Suite("Scenario 7: two likes at the same moment")
struct MatchRaceTests {
  private static let rounds = 1000

  @Test("1,000 rounds of two likes at once: one match each, one id, seen by both")
  func exactlyOne() async throws {
    let bench = try await pairBench(Self.rounds)
    for round in 0..<Self.rounds {
      let (a, b) = (CardID("a\(round)"), CardID("b\(round)"))
      #expect(try await bench.hand(a) == [b])
      #expect(try await bench.hand(b) == [a])
      async let one = bench.swipe(b, .like, by: a)
      async let other = bench.swipe(a, .like, by: b)
      let receipts = try await [one, other].compactMap(\.receipt)
      #expect(receipts.count == 2)
      let made = receipts.compactMap(\.match)
      #expect(made.count == 1, "one of the two likes makes the match")
      #expect(try await bench.feed.matches(of: a) == [b])
      #expect(try await bench.feed.matches(of: b) == [a])
      let numbers = try await bench.store.numbers(for: [a, b])
      let stored = try await bench.store.matches(of: numbers[0])
      #expect(stored.map(\.event) == made)
      #expect(try await bench.store.matches(of: numbers[1]) == stored)
    }
    #expect(try await bench.store.check().isEmpty)
  }

  @Test("1,000 rounds of a like and a block at once: no match between blocked people")
  func blockRaces() async throws {
    let bench = try await pairBench(Self.rounds)
    for round in 0..<Self.rounds {
      let (a, b) = (CardID("a\(round)"), CardID("b\(round)"))
      _ = try await (bench.hand(a), bench.hand(b))
      try await bench.swipe(b, .like, by: a)
      async let like = bench.swipe(a, .like, by: b)
      async let block: Void = bench.feed.block(b, by: a, event: "block")
      _ = try await (like, block)
      #expect(try await bench.feed.matches(of: a).isEmpty)
      #expect(try await bench.feed.matches(of: b).isEmpty)
      #expect(try await bench.hand(a).isEmpty)
      #expect(try await bench.hand(b).isEmpty)
    }
    #expect(try await bench.store.check().isEmpty)
  }

  @Test("1,000 rounds of a like and the rewind of the other like at once: both sides agree")
  func rewindRaces() async throws {
    let bench = try await pairBench(Self.rounds)
    for round in 0..<Self.rounds {
      let (a, b) = (CardID("a\(round)"), CardID("b\(round)"))
      _ = try await (bench.hand(a), bench.hand(b))
      try await bench.swipe(b, .like, by: a)
      async let like = bench.swipe(a, .like, by: b)
      async let rewind = bench.rewind(a)
      let (_, back) = try await (like, rewind)
      #expect(back.card == b)
      #expect(try await bench.feed.matches(of: a).isEmpty)
      #expect(try await bench.feed.matches(of: b).isEmpty)
      // The other like still stands, so a new like completes the pair.
      let again = try await bench.swipe(b, .like, by: a)
      #expect(again.receipt?.match == again.receipt?.event)
      #expect(try await bench.feed.matches(of: b) == [a])
    }
    #expect(try await bench.store.check().isEmpty)
  }

  @Test("A pass committed first prevents the match; taken back, it prevents nothing")
  func passFirst() async throws {
    let bench = try await pairBench(1)
    _ = try await (bench.hand("a0"), bench.hand("b0"))
    try await bench.swipe("b0", .pass, by: "a0")
    #expect(try await bench.swipe("a0", .like, by: "b0").receipt?.match == nil)
    #expect(try await bench.feed.matches(of: "a0").isEmpty)
    #expect(try await bench.rewind("a0").card == "b0")
    let like = try await bench.swipe("b0", .like, by: "a0")
    #expect(like.receipt?.match == like.receipt?.event)
  }
}
