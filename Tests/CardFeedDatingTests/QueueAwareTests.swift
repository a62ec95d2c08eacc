import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedDating

/// The order by what a card can still bring today.
@Suite struct QueueAwareTests {
  private let now = Timestamp(milliseconds: 1_000_000_000_000)
  /// p0 … p7; those of even number have four cards a day.
  private let people = (0..<8).map { index in
    Person(id: "p\(index)", gender: "woman", dailyCards: index % 2 == 0 ? 4 : nil)
  }

  private func slate(
    received: [(from: CardID, meaning: AnswerMeaning, time: Timestamp)] = [],
    waiting: [CardID: Int] = [:]
  ) -> Slate<DatingDeck> {
    StrategyConformance.slate(
      of: people, deck: DatingDeck(), viewer: "viewer", now: now, received: received,
      waiting: waiting)
  }

  private func estimates(
    match: Double? = 0.12, forward: Double? = 0.4, error: Double? = nil
  ) -> MatchEstimates {
    var estimates = MatchEstimates(count: people.count)
    for index in people.indices {
      estimates[index] = MatchEstimate(
        match: match.flatMap { Probability($0) }, forward: forward.flatMap { Probability($0) },
        backward: Probability(0.3), standardError: error)
    }
    return estimates
  }

  private func answer(_ states: LearnerStates, _ person: Int, at times: [Timestamp]) {
    let answers = DailyAnswers(states: states)
    for time in times {
      answers.numbers.apply(answers.increments(for: event(person, at: time)))
    }
  }

  private func event(_ person: Int, at time: Timestamp) -> LearningEvent<DatingDeck> {
    LearningEvent(
      viewer: CardNumber(Int64(person + 1)), card: CardNumber(99), viewerRow: nil, cardRow: nil,
      table: slate().table, meaning: .positive, time: time)
  }

  @Test func aRewindGivesTheAnswerOfADayBack() {
    let answers = DailyAnswers(states: LearnerStates())
    let yesterday = now.advanced(byMilliseconds: -Timestamp.day)
    var taught: [[Increment]] = []
    for time in [yesterday, yesterday, now, now] {
      taught.append(answers.increments(for: event(3, at: time)))
      answers.numbers.apply(taught[taught.count - 1])
    }
    func today(_ time: Timestamp) -> Int {
      answers.answersToday(of: [CardNumber(4)], now: time)[0]
    }
    #expect(today(now) == 2)
    // The first answer of a day takes with it what it reset.
    for left in [1, 0] {
      answers.numbers.apply(taught.removeLast(), sign: -1)
      #expect(today(now) == left)
    }
    #expect(today(yesterday) == 2)
    for left in [1, 0] {
      answers.numbers.apply(taught.removeLast(), sign: -1)
      #expect(today(yesterday) == left)
    }
    #expect(answers.numbers.nonzero() == [])
  }

  @Test func theScoreIsTheMatchTimesTheRootOfWhatIsFree() async throws {
    let states = LearnerStates()
    // p2 has answered one of four today, p4 all of them, p6 four yesterday, p1 nine of ten.
    answer(states, 2, at: [now])
    answer(states, 4, at: Array(repeating: now, count: 4))
    answer(
      states, 6, at: Array(repeating: now.advanced(byMilliseconds: -Timestamp.day), count: 4))
    answer(states, 1, at: Array(repeating: now, count: 9))
    let ranking = QueueAwareRanking(cardsPerDay: 10, states: states)
    let asked = slate(waiting: ["p0": 1, "p2": 1, "p5": 9, "p6": 3, "p7": 10])
    let scores = try await ranking.scores(for: asked, estimates: estimates())
    let shares = [
      (3.0 / 4).squareRoot(), 1, (2.0 / 3).squareRoot(), 1, 0, (1.0 / 10).squareRoot(),
      (1.0 / 4).squareRoot(), 0,
    ]
    for (score, share) in zip(scores.values, shares) { #expect(abs(score - 0.12 * share) < 1e-12) }
    let sums = people.indices.map { index in
      scores.terms.reduce(0) { $0 + $1.values[index] }
    }
    for (sum, score) in zip(sums, scores.values) { #expect(abs(sum - score) < 1e-12) }
    #expect(!scores.terms.contains { !$0.isPrivate })
    let found = await StrategyConformance.violations(
      of: ranking, on: asked, estimates: estimates())
    #expect(found.isEmpty)
  }

  @Test func aFullQueueScoresNothing() {
    #expect(QueueAwareRanking.share(left: 0, queue: 0) == 0)
    #expect(QueueAwareRanking.share(left: 3, queue: 3) == 0)
    #expect(QueueAwareRanking.share(left: 3, queue: 7) == 0)
    #expect(QueueAwareRanking.share(left: 3, queue: 0) == 1)
    #expect(QueueAwareRanking.share(left: 4, queue: 3) == 0.5)
  }

  @Test func whoLikesTheViewerWaitsForNobodyAndWhoPassedComesLast() async throws {
    let states = LearnerStates()
    answer(states, 0, at: Array(repeating: now, count: 4))
    let ranking = QueueAwareRanking(cardsPerDay: 10, states: states)
    let asked = slate(
      received: [
        ("p0", .positive, now), ("p1", .negative, now), ("p2", .negative, now),
        // Only the latest answer of a person counts, and it comes first.
        ("p2", .positive, now.advanced(byMilliseconds: -5)),
      ], waiting: ["p0": 50])
    let scores = try await ranking.scores(for: asked, estimates: estimates()).values
    #expect(scores == [0.4, 0, 0, 0.12, 0.12, 0.12, 0.12, 0.12])
    // Without sides P(match) stands for both; without an estimate only the pass is known.
    let onlyMatch = try await ranking.scores(for: asked, estimates: estimates(forward: nil))
    #expect(onlyMatch.values.prefix(2) == [0.12, 0])
    let none = try await ranking.scores(
      for: asked, estimates: MatchEstimates(count: people.count)
    ).values
    #expect(none.map(\.isNaN) == [true, false, false, true, true, true, true, true])
  }

  @Test func optimismAddsStandardErrors() async throws {
    let ranking = QueueAwareRanking(cardsPerDay: 10, optimism: 0.5, states: LearnerStates())
    let scores = try await ranking.scores(for: slate(), estimates: estimates(error: 0.2)).values
    for score in scores { #expect(abs(score - 0.22) < 1e-12) }
    let bounded = try await ranking.scores(
      for: slate(), estimates: estimates(match: 0.95, error: 0.2)
    ).values
    #expect(bounded.allSatisfy { $0 == 1 })
  }

  @Test func theAnswersOfADayAreSumsThatAreTakenBackExactly() {
    let answers = DailyAnswers(states: LearnerStates())
    var generator = SplitMix64(seed: 11)
    var undo: [[Increment]] = []
    var time = now
    for _ in 0..<400 {
      // Some arrive late, from the day before.
      let delay = generator.index(below: 10) == 0 ? -Timestamp.day : 0
      time = time.advanced(byMilliseconds: Int64(generator.index(below: 20_000_000)))
      let event = event(generator.index(below: 4), at: time.advanced(byMilliseconds: delay))
      let increments = answers.increments(for: event)
      answers.numbers.apply(increments)
      undo.append(increments)
    }
    #expect(undo.contains { $0.isEmpty })
    for increments in undo.reversed() { answers.numbers.apply(increments, sign: -1) }
    #expect(answers.numbers.nonzero().isEmpty)
  }

  /// In a feed: queues come from the store, what is left from the learner, and nothing of it is told.
  @Test func aFeedSparesWhoIsWaitedFor() async throws {
    let everybody =
      (0..<4).map { Person(id: "w\($0)", age: 30, gender: "woman", seeks: ["man"], dailyCards: 2) }
      + (0..<4).map { Person(id: "m\($0)", age: 30, gender: "man", seeks: ["woman"]) }
    let feed = try await datingFeed(
      everybody,
      [
        "ranking": ["use": "queue-aware", "cardsPerDay": 3],
        "matchProbability": ["use": "constant", "value": 0.25],
        "hand": ["size": 4, "refillBelow": 4],
      ])
    try await feed.answer("m1", .like, "w0")
    try await feed.answer("m2", .like, "w0")
    try await feed.answer("m1", .like, "w1")
    try await feed.answer("w3", .like, "m0")
    let hand = try await feed.hand(for: "m0").cards
    let scores = Dictionary(
      uniqueKeysWithValues: hand.map { ($0.id, $0.reason.score.value ?? .nan) })
    #expect(scores["w0"] == 0)
    #expect(scores["w1"] == 0.25 * 0.5.squareRoot())
    #expect(scores["w2"] == 0.25)
    // w3 likes m0; her queue does not matter.
    #expect(scores["w3"] == 0.25)
    for card in hand {
      let told = card.reason.forViewer
      #expect(told.terms.isEmpty)
      #expect(told.score == .unscored)
    }
    // Her answer empties the queue of w1 and takes one of her two cards, the next one the other.
    try await feed.answer("w1", .pass, "m1")
    let again = try await feed.redeal(for: "m0").cards.first { $0.id == "w1" }
    #expect(again?.reason.score.value == 0.25)
    try await feed.answer("w1", .pass, "m2")
    let spent = try await feed.redeal(for: "m0").cards.first { $0.id == "w1" }
    #expect(spent?.reason.score.value == 0)
  }
}
