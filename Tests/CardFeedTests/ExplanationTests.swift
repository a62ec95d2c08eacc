import CardFeed
import CardFeedTesting
import Testing

@Suite("Every card has an explanation")
struct ExplanationTests {
  private func bench() async throws -> TestBench<InMemoryStore> {
    var people = ToyCard.numbered(9)
    people.append(ToyCard("viewer", weight: 100))
    return try await TestBench(InMemoryStore(), cards: people) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, unscored: .exclude)
      $0.source("list", ListSource(["viewer", "1", "2", "3", "4", "5", "6", "7", "8"]))
      $0.matchProbability = FixedProbabilities(["6": 0.6, "7": 0.7, "8": 0.8])
      $0.ranking = ClosureRanking { slate, estimates in
        let weights = slate.rows.map { row in
          slate.table.id(at: row) == "2" ? .nan : slate.table.card(at: row).weight ?? .nan
        }
        let secret = (0..<slate.count).map { estimates[$0].match?.value ?? .nan }
        return SlateScores(
          values: weights,
          terms: [
            .init(name: "weight", values: weights),
            .init(name: "wants-you", values: secret, isPrivate: true),
          ])
      }
      $0.filter(
        "tomorrow",
        ClosureFilter(reasons: ["not yet"]) { card, _, context in
          card.id == "4"
            ? .remove(due: context.now.advanced(byMilliseconds: Timestamp.day)) : .keep
        })
      $0.rule(
        "cap",
        ClosureRule { ranked in
          let place = ranked.slate.rows.firstIndex { ranked.slate.table.id(at: $0) == "5" }
          return SlateAdjustment(withheld: place.map { [$0: "often enough"] } ?? [:])
        })
    }
  }

  @Test("In the hand: its place and why it came")
  func inHand() async throws {
    let bench = try await bench()
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids == ["8", "7", "6"])
    guard case .inHand(let place, let reason) = try await bench.feed.explain("7", for: "viewer")
    else { throw TestFailure("not in the hand") }
    #expect(place == 1)
    #expect(reason == hand.cards[1].reason)
    #expect(reason.source == "list")
    #expect(reason.fingerprint == "test")
    #expect(reason.score == Score(7))
    #expect(reason.estimate.match == Probability(0.7))
    #expect(
      reason.terms == [
        ScoreTerm(name: "weight", value: 7),
        ScoreTerm(name: "wants-you", value: 0.7, isPrivate: true),
      ])
  }

  @Test("Would be dealt: its place in the next deal and its numbers, and asking deals nothing")
  func wouldBeDealt() async throws {
    let bench = try await bench()
    guard
      case .wouldBeDealt(let place, let numbers) = try await bench.feed.explain(
        "6", for: "viewer")
    else { throw TestFailure("it would not be dealt") }
    #expect(place == 2)
    #expect(numbers?.score == Score(6))
    #expect(numbers?.estimate.match == Probability(0.6))
    #expect(try await bench.store.lastPosition() == .start)
    #expect(try await bench.hand() == ["8", "7", "6"])
  }

  @Test("Outranked, filtered, withheld, unscored, oneself, not proposed, unknown")
  func otherFates() async throws {
    let bench = try await bench()
    func fate(_ card: CardID) async throws -> CandidateFate? {
      guard case .notDealt(let fate, _) = try await bench.feed.explain(card, for: "viewer") else {
        return nil
      }
      return fate
    }
    #expect(try await fate("3") == .outranked(rank: 3))
    #expect(try await fate("1") == .outranked(rank: 4))
    #expect(
      try await fate("4")
        == .removed(
          filter: "tomorrow", reason: "not yet",
          due: bench.clock.now.advanced(byMilliseconds: Timestamp.day)))
    #expect(try await fate("5") == .withheld(rule: "cap", reason: "often enough"))
    #expect(try await fate("2") == .unscored)
    #expect(
      try await fate("viewer")
        == .removed(filter: "self", reason: "the viewer's own card", due: nil))
    try await bench.feed.withdraw(["1"])
    #expect(
      try await fate("1")
        == .removed(filter: "unavailable", reason: "taken out of the deck", due: nil))
    guard case .notProposed = try await bench.feed.explain("9", for: "viewer") else {
      throw TestFailure("no source proposes it")
    }
    guard case .unknown = try await bench.feed.explain("nobody", for: "viewer") else {
      throw TestFailure("the deck has no such card")
    }
  }

  @Test("What a viewer may see of a reason tells nothing of the other side")
  func forViewer() async throws {
    let bench = try await bench()
    let reason = try #require(try await bench.feed.hand(for: "viewer").cards.first).reason
    let shown = reason.forViewer
    #expect(shown.terms == [ScoreTerm(name: "weight", value: 8)])
    #expect(shown.score == .unscored)
    #expect(reason.estimate.match == Probability(0.8))
    #expect(shown.estimate == MatchEstimate(match: nil))
    #expect(reason.source == "list")
    #expect(shown.source == "")
    #expect(shown.propensity == 1)
  }

  @Test("Estimates come in the order of the question, repeated ones too, and deal nothing")
  func estimates() async throws {
    let bench = try await bench()
    let found = try await bench.feed.estimates(for: "viewer", cards: ["8", "1", "6", "8"])
    #expect(found.map { $0.match?.value } == [0.8, nil, 0.6, 0.8])
    #expect(try await bench.feed.estimates(for: "viewer", cards: []).isEmpty)
    let error = await #expect(throws: FeedError.self) {
      try await bench.feed.estimates(for: "viewer", cards: ["8", "nobody"])
    }
    #expect(error?.code == .unknownCard)
    #expect(try await bench.store.lastPosition() == .start)
  }
}
