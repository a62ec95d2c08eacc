import CardFeedConfiguration
import CardFeedDiversity
import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedReranking

@Suite struct RerankingTests {
  /// Cards whose only tag and group is a letter, best first.
  private func ranked(
    _ word: String, scores: [Double?]? = nil, wanted: Int? = nil, held: String = "",
    liked: String = "", seed: UInt64 = 1
  ) -> RankedSlate<ToyDeck> {
    let letters = Array(word) + Array(held) + Array(liked)
    let cards = letters.enumerated().map { index, letter in
      ToyCard(
        CardID("c\(index)"), group: letter == "-" ? nil : String(letter),
        tags: letter == "-" ? [] : [String(letter)])
    }
    let like = SeenEntry(
      answer: .init(
        answer: "like", meaning: .positive, time: Timestamp(milliseconds: 1),
        event: LogPosition(1)))
    let seen = (word.count + held.count..<letters.count).map { (CardID("c\($0)"), like) }
    let slate = StrategyConformance.slate(
      of: cards, deck: ToyDeck(isMutual: false), viewer: "v", seed: seed,
      candidates: Array(0..<word.count), seen: Dictionary(uniqueKeysWithValues: seen))
    return RankedSlate(
      slate: slate, scores: scores ?? (0..<word.count).map { -Double($0) - 3 },
      wanted: wanted ?? word.count,
      held: Set((word.count..<word.count + held.count).map { slate.table.number(at: Row($0)) }))
  }

  /// The order after the rule, as the pipeline makes it; scores below zero unless given.
  private func order(
    _ rule: some SlateRule<ToyDeck>, _ ranked: RankedSlate<ToyDeck>
  ) async throws -> String {
    let adjustment = try await rule.adjustment(for: ranked)
    let penalties =
      adjustment.penalties.isEmpty
      ? Array(repeating: 0, count: ranked.scores.count) : adjustment.penalties
    #expect(penalties.count == ranked.scores.count)
    #expect(penalties.allSatisfy { $0 >= 0 && $0.isFinite })
    let final = zip(ranked.scores, penalties).map { ($0 ?? -.infinity) - $1 }
    let places = ranked.scores.indices.filter { adjustment.withheld[$0] == nil }
      .sorted { final[$0] == final[$1] ? $0 < $1 : final[$0] > final[$1] }
    return places.map { place in
      let row = ranked.slate.rows[place]
      guard case .category(let codes, let names)? = ranked.slate.table.column("group"),
        codes[row.index] >= 0
      else { return "-" }
      return names.names[Int(codes[row.index])]
    }.joined()
  }

  private func mmr(_ lambda: Double, column: String = "tags") -> LikenessRule<ToyDeck> {
    LikenessRule(
      name: "mmr", column: column, method: .marginal(MarginalRelevance(lambda: lambda)), pool: 100)
  }

  @Test func unlikeCardsComeFirst() async throws {
    #expect(try await order(mmr(0.3), ranked("aaab")) == "abaa")
    #expect(try await order(mmr(1), ranked("aaab")) == "aaab")
    #expect(try await order(mmr(0.3, column: "group"), ranked("aaab")) == "abaa")
    // What lies in the hand counts.
    #expect(try await order(mmr(0.3), ranked("aabb", held: "a")).first == "b")
    // Unscored candidates stay where they are.
    #expect(try await order(mmr(0.3), ranked("aab", scores: [2, nil, nil])) == "aab")
    let dpp = LikenessRule<ToyDeck>(
      name: "dpp", column: "tags", method: .determinantal(DeterminantalProcess(theta: 1)), pool: 9)
    #expect(try await order(dpp, ranked("aaab")) == "abaa")
  }

  @Test func `a chosen hand can come with the highest score first`() async throws {
    func chosen(_ order: ChosenOrder) -> LikenessRule<ToyDeck> {
      LikenessRule(
        name: "mmr", column: "tags", method: .marginal(MarginalRelevance(lambda: 0.3)), pool: 100,
        order: order)
    }
    // Three of five are chosen: an "a", the "b", and another "a", which stands before the "b".
    #expect(try await order(chosen(.choice), ranked("aaaba", wanted: 3)) == "abaaa")
    #expect(try await order(chosen(.score), ranked("aaaba", wanted: 3)) == "aabaa")
    let calibrated = CalibratedCategoriesRule<ToyDeck>(
      column: "tags", rule: CalibratedCategories(lambda: 0.9), pool: 9, least: 1, order: .score)
    #expect(
      try await order(calibrated, ranked("aaaabb", wanted: 3, liked: "bbbbb")).prefix(3) == "abb")
  }

  @Test func aCapSpansHands() async throws {
    let cap = WindowCapRule<ToyDeck>(column: "group", window: 3, most: 1, penalty: nil)
    #expect(try await order(cap, ranked("aabbcc")) == "abcabc")
    // Each card of the hand may be the last before the next two places.
    #expect(try await order(cap, ranked("abc", held: "ab")) == "c")
    // Where nothing else is left the rest waits.
    #expect(try await order(cap, ranked("aaab")) == "ab")
    #expect(try await order(cap, ranked("aa", held: "a")) == "")
    let price = WindowCapRule<ToyDeck>(column: "tags", window: 2, most: 1, penalty: 0.5)
    #expect(try await order(price, ranked("aab", scores: [1, 0.95, 0.4])) == "aab")
    #expect(try await order(price, ranked("aab", scores: [1, 0.95, 0.5])) == "aba")
  }

  @Test func kindsTakeTurns() async throws {
    let turns = CategoryTurnsRule<ToyDeck>(column: "group")
    #expect(try await order(turns, ranked("aaabb-")) == "ab-aba")
    #expect(try await order(turns, ranked("aab", scores: [nil, nil, nil])) == "aab")
  }

  @Test func kindsComeAsTheyAreLiked() async throws {
    let rule = CalibratedCategoriesRule<ToyDeck>(
      column: "tags", rule: CalibratedCategories(lambda: 0.9), pool: 100, least: 4)
    let proportional = try await order(rule, ranked("aaaaabbb", wanted: 4, liked: "aabb"))
    #expect(proportional.prefix(4).count { $0 == "b" } == 2)
    // Too little is known of the viewer.
    #expect(try await order(rule, ranked("aaab", liked: "bbb")) == "aaab")
  }

  @Test func newCardsGetPlaces() async throws {
    let states = LearnerStates()
    let slate = ranked("aaab", wanted: 2)
    let floor = NewCardFloorRule<ToyDeck>(
      answers: 1, share: try #require(Probability(0.5)), states: states)
    #expect(try await order(floor, slate) == "aaab")
    let numbers = AnswersReceived<ToyDeck>(states: states)
    for place in 0..<3 {
      let row = slate.slate.rows[place]
      let event = LearningEvent<ToyDeck>(
        viewer: CardNumber(99), card: slate.slate.table.number(at: row), viewerRow: nil,
        cardRow: row,
        table: slate.slate.table, meaning: place == 2 ? .negative : .positive,
        time: Timestamp(milliseconds: 5))
      let added = numbers.increments(for: event)
      numbers.numbers.apply(added)
      if place == 0 {
        numbers.numbers.apply(added, sign: -1)
        #expect(numbers.counts(of: [event.card]) == [0])
        numbers.numbers.apply(added)
      }
    }
    #expect(floor.learners.count == 1)
    #expect(try await order(floor, slate) == "abaa")
  }

  @Test(arguments: ["mmr", "dpp", "window-cap", "interleave-categories", "calibrated-categories"])
  func aColumnOfAnotherKindIsRefused(name: String) throws {
    var registry = StrategyRegistry<ToyDeck>()
    RerankingPlugin().register(in: &registry)
    #expect(registry.descriptions.contains { $0.use == name && $0.kind == .slateRule })
    for column in ["weight", "grup"] {
      let error = #expect(throws: FeedError.self) {
        try ToyDeck().check(column, isOneOf: [.tags, .category], askedBy: name)
      }
      let text = "\(try #require(error))"
      #expect(text.contains("'\(name)'") && text.contains("allowed: \"group\", \"tags\""))
    }
    #expect(throws: Never.self) {
      try ToyDeck().check("tags", isOneOf: [.tags], askedBy: name)
    }
  }
}
