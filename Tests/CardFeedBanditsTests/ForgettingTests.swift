import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedBandits

/// Rates that move: an order that forgets follows them, and a rewind restores all of it to the bit.
@Suite struct ForgettingTests {
  private let deck = ToyDeck(isMutual: false)
  private let cards = (0..<4).map { ToyCard(CardID("c\($0)"), weight: Double($0)) }

  private func slate(day: Double) -> Slate<ToyDeck> {
    StrategyConformance.slate(of: cards, deck: deck, viewer: "v", now: time(day))
  }

  private func time(_ day: Double) -> Timestamp {
    Timestamp(milliseconds: 1_700_000_000_000 + Int64(day * Double(Timestamp.day)))
  }

  private func event(_ card: Int, _ meaning: AnswerMeaning, day: Double) -> LearningEvent<ToyDeck> {
    let slate = slate(day: day)
    return LearningEvent(
      viewer: slate.context.number, card: slate.numbers[card], viewerRow: nil,
      cardRow: slate.rows[card], table: slate.table, meaning: meaning, time: time(day))
  }

  /// What an answer added, by learner.
  @discardableResult
  private func learn(
    _ ranking: any RankingStrategy<ToyDeck>, _ card: Int, _ meaning: AnswerMeaning, day: Double
  ) -> [[Increment]] {
    ranking.learners.map { learner in
      let added = learner.increments(for: event(card, meaning, day: day))
      learner.numbers.apply(added)
      return added
    }
  }

  private func takeBack(_ added: [[Increment]], _ ranking: any RankingStrategy<ToyDeck>) {
    for (learner, added) in zip(ranking.learners, added) {
      learner.numbers.apply(added, sign: -1)
    }
  }

  private func state(_ ranking: any RankingStrategy<ToyDeck>) -> [[Increment]] {
    ranking.learners.map { $0.numbers.nonzero() }
  }

  private func scores(
    _ ranking: any RankingStrategy<ToyDeck>, day: Double
  ) async throws -> [Double] {
    let slate = slate(day: day)
    return try await ranking.scores(for: slate, estimates: MatchEstimates(count: cards.count))
      .values
  }

  static let spans: [Forgetting?] = [nil, .halfLife(days: 4), .window(days: 10)]

  /// For 60 days card 0 is liked and card 1 is not; then it is the other way round for a few days.
  private func drift(_ ranking: any RankingStrategy<ToyDeck>) {
    for day in 0..<66 {
      for hour in 0..<4 {
        let time = Double(day) + Double(hour) / 24
        learn(ranking, 0, day < 60 ? .positive : .negative, day: time)
        learn(ranking, 1, day < 60 ? .negative : .positive, day: time)
      }
    }
  }

  @Test(arguments: spans)
  func countsFollowRatesThatMove(forgetting: Forgetting?) async throws {
    for method: CountRanking<ToyDeck>.Method in [
      .upperBound(width: 0), .upperBound(width: 0.1), .thompson(pool: 10),
    ] {
      let ranking = CountRanking<ToyDeck>(
        method: method, a: 1, b: 1, forgetting: forgetting, states: LearnerStates())
      drift(ranking)
      let found = try await scores(ranking, day: 66)
      #expect((found[1] > found[0]) == (forgetting != nil), "\(method)")
      #expect(
        await StrategyConformance.violations(of: ranking, on: slate(day: 66)).isEmpty)
    }
  }

  @Test(arguments: spans, [true, false])
  func linearModelsFollowRatesThatMove(forgetting: Forgetting?, isOfViewer: Bool) async throws {
    let ranking = LinearBanditRanking<ToyDeck>(
      columns: [(name: "weight", scale: 1)], isOfViewer: isOfViewer,
      method: .upperBound(width: 0), ridge: 1, forgetting: forgetting, states: LearnerStates())
    drift(ranking)
    let found = try await scores(ranking, day: 66)
    #expect((found[1] > found[0]) == (forgetting != nil))
    #expect((found[3] > found[2]) == (forgetting != nil), "what is learned holds for all cards")
  }

  @Test func weightsAreThoseOfTheSpan() async throws {
    let half = CountRanking<ToyDeck>(
      method: .upperBound(width: 0), a: 1, b: 1, forgetting: .halfLife(days: 4),
      states: LearnerStates())
    let window = CountRanking<ToyDeck>(
      method: .upperBound(width: 0), a: 1, b: 1, forgetting: .window(days: 12),
      states: LearnerStates())
    // Periods of two days, and of one, that begin with the epoch.
    let start = 2 - 1_700_000_000_000.0.truncatingRemainder(dividingBy: 172_800_000) / 86_400_000
    for ranking in [half, window] { for _ in 0..<8 { learn(ranking, 0, .positive, day: start) } }
    for (age, left) in [(0.0, 8.0), (1.9, 8), (4, 4), (8, 2), (23.9, 8 * 0.5.squareRoot() / 32)] {
      let rate = try await scores(half, day: start + age)[0]
      #expect(abs(rate - (left + 1) / (left + 2)) < 1e-12, "after \(age) days")
    }
    #expect(try await scores(half, day: start + 24.1)[0] == 0.5)
    #expect(try await scores(window, day: start + 11.9)[0] == 0.9)
    #expect(try await scores(window, day: start + 12.1)[0] == 0.5)
  }

  /// Also where the answer was the first of a period, and took the period of a cycle before out.
  @Test(arguments: [Forgetting.halfLife(days: 4), .window(days: 12)])
  func aRewindRestoresEverythingToTheBit(forgetting: Forgetting) async throws {
    let rankings: [any RankingStrategy<ToyDeck>] = [
      CountRanking<ToyDeck>(
        method: .thompson(pool: 5), a: 1, b: 1, forgetting: forgetting, states: LearnerStates()),
      LinearBanditRanking<ToyDeck>(
        columns: [(name: "weight", scale: 2)], isOfViewer: false, method: .upperBound(width: 1),
        ridge: 1, forgetting: forgetting, states: LearnerStates()),
    ]
    for ranking in rankings {
      var random = SplitMix64(seed: 4)
      var day = 0.0
      for _ in 0..<300 {
        day += Double(random.next() % 100) / 100
        let card = Int(random.next() % 4)
        let meaning: AnswerMeaning = random.next() % 2 == 0 ? .positive : .negative
        let before = state(ranking)
        let added = learn(ranking, card, meaning, day: day)
        let after = state(ranking)
        #expect(after != before)
        takeBack(added, ranking)
        #expect(state(ranking) == before)
        learn(ranking, card, meaning, day: day)
        #expect(state(ranking) == after)
      }
      // A log that is read anew ends in the same numbers, and old ones are taken out.
      #expect(state(ranking).joined().count < 4 * 12 * 10)
    }
  }

  /// The first answer of a period goes after others came: what is left is of two periods.
  @Test func whatIsMixedCountsAsNothingUntilTheNextAnswer() async throws {
    let ranking = CountRanking<ToyDeck>(
      method: .upperBound(width: 0), a: 1, b: 1, forgetting: .window(days: 12),
      states: LearnerStates())
    for _ in 0..<5 { learn(ranking, 0, .negative, day: 0.5) }
    let first = learn(ranking, 0, .positive, day: 12.5)
    learn(ranking, 0, .positive, day: 12.5)
    #expect(try await scores(ranking, day: 12.5)[0] == 0.75)
    takeBack(first, ranking)
    #expect(try await scores(ranking, day: 12.5)[0] == 0.5)
    learn(ranking, 0, .positive, day: 12.6)
    #expect(try await scores(ranking, day: 12.6)[0] == 2.0 / 3)
    // An answer of long ago that comes late weighs nothing, and takes nothing out.
    learn(ranking, 0, .negative, day: 0.5)
    #expect(try await scores(ranking, day: 12.6)[0] == 2.0 / 3)
  }

  @Test(arguments: ["thompson", "upper-bound", "linear-bandit"])
  func spansAreReadFromAConfiguration(use: String) throws {
    var registry = StrategyRegistry<ToyDeck>()
    BanditsPlugin().register(in: &registry)
    let described = registry.descriptions.first { $0.use == use }?.parameters.map(\.name)
    #expect(described?.contains("halfLifeDays") == true)
    #expect(described?.contains("windowDays") == true)
    func learners(_ halfLife: ParameterValue, _ window: ParameterValue) throws -> Int {
      let parameters = Parameters([
        "likes": .number(1), "passes": .number(1), "pool": .integer(9), "width": .number(1),
        "columns": .weights([(name: "weight", weight: 1)]), "of": .text("viewer"),
        "policy": .text("thompson"), "ridge": .number(1), "halfLifeDays": halfLife,
        "windowDays": window,
      ])
      let context = BuildContext(
        deck: deck, states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
        registry: registry)
      return try registry.ranking(
        StrategySpecification(
          use: use, path: JSONPath([]), parameters: parameters, effective: .null), context
      ).learners.count
    }
    #expect(try learners(.null, .null) == 1)
    #expect(try learners(.number(3), .null) == 12)
    #expect(try learners(.null, .number(3)) == 12)
    let error = #expect(throws: FeedError.self) { try learners(.number(3), .number(3)) }
    #expect(error?.code == .badInput)
    #expect(error?.description.contains("leave one of them out") == true)
  }
}
