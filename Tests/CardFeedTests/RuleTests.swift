import CardFeed
import CardFeedTesting
import Testing

/// The rules that hold everywhere, by their numbers in the design. Rule 11 (strict configuration)
/// and rule 15 (durability) are proven where configuration and durable stores are.
@Suite("Rules that hold everywhere")
struct RuleTests {
  @Test("Rule 1: a hand holds no card twice, even if every source proposes every card repeatedly")
  func rule1NoDuplicates() async throws {
    let twice = ClosureSource<ToyDeck> { _, _, table, _ in
      let rows = (0..<table.count).map { Row($0) }
      return SourcePage(rows: rows + rows.reversed(), next: nil)
    }
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(6)) {
      $0.hand = HandPolicy(size: 6, refillBelow: 6)
      $0.source("one", twice)
      $0.source("other", twice)
    }
    let hand = try await bench.hand()
    #expect(hand.count == 6)
    #expect(Set(hand).count == 6)
    try await bench.swipe(hand[0], .skip)
    let refilled = try await bench.hand()
    #expect(Set(refilled).count == refilled.count)
  }

  @Test(
    "Rule 1: a hard-filtered card is in no hand, whatever source proposes it and after relaxing")
  func rule1HardFilters() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(10)) {
      $0.hand = HandPolicy(size: 10, refillBelow: 10)
      $0.source("some", ListSource(["1", "2", "3"]))
      $0.source("fallback", ListSource())
      $0.filter("taste", GroupFilter(group: "nobody's"))
      $0.filter(
        "even", ClosureFilter { card, _, _ in Int(card.weight ?? 0) % 2 == 0 ? .keep : .remove() })
    }
    #expect(Set(try await bench.hand("7")) == ["2", "4", "6", "8", "10"])
    #expect(Set(try await bench.hand("2")) == ["4", "6", "8", "10"], "not the viewer's own card")
  }

  @Test("Rule 2: a deal that falls short says why, and what would refill it and when")
  func rule2SaysWhy() async throws {
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(3),
      deck: ToyDeck(negativeReturnsAfter: 5000, neutralReturnsAfter: 2000)
    ) {
      $0.hand = HandPolicy(size: 2, refillBelow: 2, ties: .id)
      $0.filter("already-swiped", AnsweredFilter())
    }
    try await bench.swipeTop(.like)
    try await bench.swipeTop(.pass)
    try await bench.swipeTop(.skip)
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids.isEmpty)
    let exhaustion = try #require(hand.shortfall?.exhaustion)
    #expect(
      exhaustion.removed.map { "\($0.filter) \($0.reason) \($0.count)" }
        == ["already-swiped answered 3"])
    #expect(exhaustion.nextDue == bench.clock.now.advanced(byMilliseconds: 2000))
    bench.clock.advance(byMilliseconds: 1999)
    #expect(try await bench.hand().isEmpty)
    bench.clock.advance(byMilliseconds: 1)
    #expect(try await bench.hand() == ["3"])
  }

  @Test("Rule 3: every eligible card is dealt eventually, whatever the page size and batch limit")
  func rule3Reachability() async throws {
    for (limit, batches) in [(1, 1), (3, 2), (7, 1), (50, 32)] {
      let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(40)) {
        $0.hand = HandPolicy(size: 5, refillBelow: 2, batches: batches)
        $0.source("pages", limit: limit, ListSource())
        $0.filter("already-swiped", AnsweredFilter())
      }
      var dealt: [CardID] = []
      for _ in 0..<200 { if let card = try await bench.swipeTop() { dealt.append(card) } }
      #expect(dealt.count == 40, "pages of \(limit), \(batches) batches")
      #expect(Set(dealt).count == 40)
    }
  }

  @Test("Rule 4: nil is not zero, and what is not finite never counts as a number")
  func rule4Nil() async throws {
    let scores: [CardID: Double] = ["1": .nan, "2": -1, "3": 0, "4": .infinity]
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(5)) {
      $0.hand = HandPolicy(size: 5, refillBelow: 1, ties: .id)
      $0.ranking = FixedScores(scores)
      $0.matchProbability = FixedProbabilities(["1": 0, "2": .nan, "3": 1.5, "4": 1])
    }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids == ["3", "2", "1", "4", "5"])
    #expect(hand.cards.map(\.reason.score.value) == [0, -1, nil, nil, nil])
    #expect(hand.cards.map { $0.reason.estimate.match?.value } == [nil, nil, 0, 1, nil])
    let exposures = try await bench.store.exposures(of: hand.cards[0].deal)
    #expect(exposures.map(\.score) == [0, -1, nil, nil, nil])
    #expect(exposures.map(\.probability) == [nil, nil, 0, 1, nil])
  }

  @Test("Rule 5: one total order: score, then the viewer's own stable tie-break, then identifier")
  func rule5Order() async throws {
    func bench(
      _ ties: HandPolicy.TieBreak, _ order: [CardID], seed: UInt64 = 1
    ) async throws -> TestBench<InMemoryStore> {
      try await TestBench(
        InMemoryStore(), cards: ToyCard.numbered(9), options: FeedOptions(seed: seed)
      ) {
        $0.hand = HandPolicy(size: 9, refillBelow: 1, ties: ties)
        $0.source("list", ListSource(order))
        $0.ranking = FixedScores(
          Dictionary(uniqueKeysWithValues: order.map { ($0, $0 == "5" ? 1 : -0.5) }))
      }
    }
    let ids = ToyCard.numbered(9).map(\.id)
    let straight = try await bench(.seeded, ids).hand("ada")
    #expect(straight.first == "5")
    #expect(try await bench(.seeded, ids.reversed()).hand("ada") == straight)
    #expect(try await bench(.seeded, ids).hand("ben") != straight, "every viewer has an own order")
    #expect(try await bench(.seeded, ids, seed: 2).hand("ada") != straight)
    #expect(
      try await bench(.id, ids.reversed()).hand("ada")
        == ["5", "1", "2", "3", "4", "6", "7", "8", "9"])
  }

  @Test("Rule 5: a penalty never raises a card, negative scores included")
  func rule5Penalties() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(4)) {
      $0.hand = HandPolicy(size: 4, refillBelow: 1, ties: .id)
      $0.ranking = FixedScores(["1": -1, "2": -2, "3": -3, "4": .nan])
      $0.rule(
        "penalty",
        ClosureRule { ranked in
          let place = ranked.slate.rows.firstIndex(of: Row(0))
          return SlateAdjustment(
            penalties: ranked.scores.indices.map { $0 == place ? 1.5 : 0 })
        })
    }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids == ["2", "1", "3", "4"])
    #expect(hand.cards.map(\.reason.score.value) == [-2, -2.5, -3, nil])
    for bad in [-0.1, .nan, .infinity] {
      let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(2)) {
        $0.rule(
          "bonus",
          ClosureRule { SlateAdjustment(penalties: $0.scores.map { _ in bad }) })
      }
      let error = await #expect(throws: FeedError.self) { try await bench.hand() }
      #expect(error?.message.contains("'bonus'") == true)
    }
  }

  @Test("Rule 6: the same event counts once; another payload is a conflict; a late swipe is stale")
  func rule6Events() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(5)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
    }
    _ = try await bench.hand()
    let first = try await bench.swipe("1", .like, event: "e")
    guard case .applied(let receipt, let top) = first else { throw TestFailure("not applied") }
    #expect(receipt.card == "1")
    #expect(receipt.answer == "like")
    #expect(receipt.remaining == 2)
    #expect(top?.id == "2")
    for _ in 0..<3 {
      let again = try await bench.swipe("1", .like, event: "e")
      #expect(again.isRepeated)
      #expect(again.receipt == receipt)
    }
    for (card, answer) in [("1", ToyAnswer.pass), ("2", .like)] as [(CardID, ToyAnswer)] {
      let error = await #expect(throws: FeedError.self) {
        try await bench.swipe(card, answer, event: "e")
      }
      #expect(error?.code == .eventConflict)
    }
    for card in ["1", "3", "4"] as [CardID] {
      guard case .stale(let top) = try await bench.swipe(card, .like) else {
        throw TestFailure("a swipe for a card that is not on top was not stale")
      }
      #expect(top?.id == "2")
    }
    #expect(try await bench.hand() == ["2", "3"])
    let error = await #expect(throws: FeedError.self) { try await bench.swipe("nobody", .like) }
    #expect(error?.code == .unknownCard)
    #expect(error?.message.contains("nobody") == false, "identifiers stay out of error texts")
  }

  @Test("Rule 7: two likes make one match, seen by both; a pass or block before prevents it")
  func rule7Match() async throws {
    let bench = try await pairBench(3)
    for round in 0..<3 {
      _ = try await (bench.hand(CardID("a\(round)")), bench.hand(CardID("b\(round)")))
    }
    try await bench.swipe("b0", .like, by: "a0")
    try await bench.swipe("a0", .like, by: "b0")
    #expect(try await bench.feed.matches(of: "a0") == ["b0"])
    #expect(try await bench.feed.matches(of: "b0") == ["a0"])
    try await bench.swipe("b1", .pass, by: "a1")
    try await bench.swipe("a1", .like, by: "b1")
    #expect(try await bench.feed.matches(of: "b1").isEmpty)
    try await bench.swipe("b2", .like, by: "a2")
    try await bench.feed.block("b2", by: "a2", event: "block")
    #expect(try await bench.swipe("a2", .like, by: "b2").isStale)
    #expect(try await bench.feed.matches(of: "b2").isEmpty)
  }

  @Test("Rule 10: the propensity of every dealt card is stored when it is dealt")
  func rule10Propensity() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(8)) {
      $0.hand = HandPolicy(size: 4, refillBelow: 1, ties: .id)
      $0.ranking = ClosureRanking.weight
      $0.rule("explore", ClosureRule(.epsilon(0.4)))
    }
    for viewer in 0..<20 {
      let hand = try await bench.feed.hand(for: CardID("viewer-\(viewer)"))
      let exposures = try await bench.store.exposures(of: hand.cards[0].deal)
      let numbers = try await bench.store.numbers(for: hand.ids)
      #expect(exposures.map(\.card) == numbers)
      #expect(exposures.map(\.propensity) == hand.cards.map(\.reason.propensity))
      #expect(exposures.allSatisfy { $0.propensity > 0 && $0.propensity <= 1 })
      let again = try await bench.feed.hand(for: CardID("viewer-\(viewer)"))
      #expect(again.contents == hand.contents, "exploration is stable")
    }
  }

  @Test("Rule 14: identifiers are bytes: case, Unicode twins and zero bytes are different cards")
  func rule14Bytes() async throws {
    let ids = [
      CardID("A"), CardID("a"), CardID("\u{e9}"), CardID("e\u{301}"), CardID(bytes: [0]),
      CardID(bytes: [0, 0]), CardID(bytes: [0xff, 0xfe]),
    ]
    let bench = try await TestBench(InMemoryStore(), cards: ids.map { ToyCard($0) }) {
      $0.hand = HandPolicy(size: 9, refillBelow: 1, ties: .id)
    }
    #expect(Set(try await bench.hand()) == Set(ids))
    #expect(try await bench.hand() == ids.sorted())
    #expect(bench.feed.cards.count == ids.count)
    // A viewer's own card is that with the very same bytes.
    #expect(try await bench.hand(CardID("\u{e9}")).contains(CardID("e\u{301}")))
    #expect(!(try await bench.hand(CardID("\u{e9}")).contains(CardID("\u{e9}"))))
    let first = try #require(try await bench.hand().first)
    #expect(try await bench.swipe(first, event: "E").isApplied)
    let next = try #require(try await bench.hand().first)
    #expect(try await bench.swipe(next, event: "e").isApplied)
  }
}
