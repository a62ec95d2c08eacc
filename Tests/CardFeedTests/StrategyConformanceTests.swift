import CardFeed
import CardFeedTesting
import Testing

@Suite("The conformance suite for strategies accepts good ones and finds bad ones")
struct StrategyConformanceTests {
  private let slate = StrategyConformance.slate(
    of: ToyCard.numbered(12) + [ToyCard("viewer", group: "x")], deck: ToyDeck(), viewer: "viewer",
    seen: [
      "2": SeenEntry(
        dealtAt: Timestamp(milliseconds: 1),
        answer: .init(
          answer: "pass", meaning: .negative, time: Timestamp(milliseconds: 2),
          event: LogPosition(1)))
    ],
    received: [("3", .positive, Timestamp(milliseconds: 5))])

  @Test("The slate for tests holds what it was made of")
  func slateContents() {
    #expect(slate.count == 13)
    #expect(slate.context.row == Row(12))
    #expect(slate.context.seen[CardNumber(2)]?.answer?.meaning == .negative)
    #expect(slate.context.answersReceived.map(\.from) == [CardNumber(3)])
    let things = StrategyConformance.slate(
      of: ToyCard.numbered(3), deck: ToyDeck(isMutual: false), viewer: "2", candidates: [2, 0])
    #expect(things.context.row == nil)
    #expect(things.context.number == CardNumber(4))
    #expect(things.rows == [Row(2), Row(0)])
  }

  @Test("The built-in filters conform")
  func builtIn() async {
    let unsafe = ClosureSafety { card, _ in
      switch card.rawValue % 3 {
      case 0: .blocked
      case 1: .clear
      default: .unknown
      }
    }
    #expect(await StrategyConformance.violations(of: SelfFilter(), on: slate).isEmpty)
    #expect(await StrategyConformance.violations(of: AvailabilityFilter(), on: slate).isEmpty)
    #expect(
      await StrategyConformance.violations(of: SafetyFilter(lookup: unsafe), on: slate).isEmpty)
  }

  @Test("The strategies of this test module conform")
  func own() async {
    #expect(await StrategyConformance.violations(of: AnsweredFilter(), on: slate).isEmpty)
    #expect(await StrategyConformance.violations(of: DealtFilter(), on: slate).isEmpty)
    #expect(await StrategyConformance.violations(of: GroupFilter(group: "x"), on: slate).isEmpty)
    let learner = RatingLearner(states: LearnerStates())
    #expect(
      await StrategyConformance.violations(of: RatingRanking(learner: learner), on: slate).isEmpty)
    #expect(
      await StrategyConformance.violations(of: ClosureRanking.weight, on: slate).isEmpty)
    #expect(
      await StrategyConformance.violations(
        of: FixedProbabilities<ToyDeck>(["1": 0.5]), on: slate
      ).isEmpty)
  }

  @Test("Answers by place, changing answers, wrong lengths and infinities are found")
  func bad() async {
    func checks(_ strategy: some RankingStrategy<ToyDeck>) async -> Set<String> {
      Set(await StrategyConformance.violations(of: strategy, on: slate).map(\.check))
    }
    let calls = Lock(0.0)
    #expect(
      await checks(
        ClosureRanking { slate, _ in SlateScores(values: slate.rows.indices.map(Double.init)) })
        == ["permuting a slate permutes its answers"])
    #expect(
      await checks(
        ClosureRanking { slate, _ in
          let call = calls.withLock {
            $0 += 1; return $0
          }
          return SlateScores(values: slate.rows.map { _ in call })
        }
      ).contains("asking twice gives the same answers"))
    #expect(
      await checks(ClosureRanking { _, _ in SlateScores(values: [1]) })
        .contains("there is one answer for each candidate"))
    #expect(
      await checks(
        ClosureRanking { slate, _ in SlateScores(values: slate.rows.map { _ in .infinity }) })
        == ["every score is finite or NaN"])
    #expect(
      await checks(
        ClosureRanking { slate, _ in
          SlateScores(values: slate.rows.map { _ in 0 }, terms: [.init(name: "t", values: [])])
        }) == ["every term has one value for each candidate"])
  }

  @Test("Filters that relax into strictness, give unlisted reasons or relax hard are found")
  func badFilters() async {
    func checks(_ filter: some FilterStrategy<ToyDeck>) async -> Set<String> {
      Set(await StrategyConformance.violations(of: filter, on: slate).map(\.check))
    }
    #expect(
      await checks(
        ClosureFilter(kind: .soft, relaxations: 1) { _, step, _ in step == 0 ? .keep : .remove() })
        == ["a higher relaxation never removes a card that a lower one kept"])
    #expect(
      await checks(ClosureFilter { _, _, _ in .remove(reason: 1) })
        == ["every removal has a reason that the filter lists"])
    #expect(
      await checks(ClosureFilter(relaxations: 1) { _, _, _ in .keep })
        == ["a hard filter is never relaxed"])
    #expect(
      await checks(ClosureFilter { _, _, _ in throw TestFailure("broken") })
        .contains("asking twice gives the same answers"))
  }

  @Test("The manual clock stands still, moves on demand, and by a step at every reading")
  func clock() {
    let clock = ManualClock(now: Timestamp(milliseconds: 500))
    #expect(clock.now == clock.now)
    clock.advance(byMilliseconds: 20)
    #expect(clock.now == Timestamp(milliseconds: 520))
    #expect(clock.uptimeNanoseconds == 20_000_000)
    clock.set(Timestamp(milliseconds: 3))
    #expect(clock.now == Timestamp(milliseconds: 3))
    #expect(clock.uptimeNanoseconds == 20_000_000)
    clock.stepNanoseconds = 1_000_000
    #expect(clock.now == Timestamp(milliseconds: 3))
    #expect(clock.now == Timestamp(milliseconds: 4))
    #expect(clock.uptimeNanoseconds == 22_000_000)
    #expect(clock.readings == 9)
  }

  @Test("The toy deck's cards come back from their bytes")
  func toyCards() throws {
    let deck = ToyDeck()
    for card in [
      ToyCard(CardID(bytes: [0, 255])), ToyCard("a", group: "é", weight: -0.1, tags: ["x", ""]),
    ] {
      #expect(try deck.decode(deck.encode(card)) == card)
      #expect(throws: (any Error).self) { try deck.decode(deck.encode(card).dropLast()) }
    }
  }
}
