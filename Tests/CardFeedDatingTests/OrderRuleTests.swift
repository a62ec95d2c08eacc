import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedDating

/// Rules about exposure and activity, over counts that are written directly.
@Suite struct OrderRuleTests {
  private let people = (0..<30).map { Person(id: "p\($0 + 10)", gender: "woman") }
  private let now = Timestamp(milliseconds: 1_000_000_000_000)

  private func slate(
    seed: UInt64 = 1, received: [(from: CardID, meaning: AnswerMeaning, time: Timestamp)] = []
  ) -> Slate<DatingDeck> {
    StrategyConformance.slate(
      of: people, deck: DatingDeck(), viewer: "viewer", now: now, seed: seed, received: received)
  }

  private func count(
    _ states: LearnerStates, _ person: Int, _ values: [UInt8: Int64]
  ) {
    ExposureNumbers(states: states).numbers.apply(
      values.map { Increment(LearnedKey(owner: CardNumber(Int64(person + 1)), slot: $0), $1) })
  }

  private func ranked(_ scores: [Double?], wanted: Int, seed: UInt64 = 1) -> RankedSlate<DatingDeck>
  {
    RankedSlate(slate: slate(seed: seed), scores: scores, wanted: wanted)
  }

  /// The order after a rule, as the pipeline makes it.
  private func order(_ scores: [Double?], _ adjustment: SlateAdjustment) -> [Int] {
    func value(_ place: Int) -> Double {
      let penalty = adjustment.penalties.isEmpty ? 0 : adjustment.penalties[place]
      return (scores[place] ?? -.infinity) - penalty
    }
    return scores.indices.filter { adjustment.withheld[$0] == nil }
      .sorted { (value($0), -$0) > (value($1), -$1) }
  }

  @Test(arguments: [UInt64](1...50))
  func newcomersHaveTheirPlaces(seed: UInt64) async throws {
    var generator = SplitMix64(seed: seed)
    let states = LearnerStates()
    let isNewcomer = people.indices.map { _ in generator.unitInterval() < 0.3 }
    for index in people.indices where !isNewcomer[index] {
      count(states, index, [ExposureNumbers.Slot.answersReceived: 20])
    }
    // Descending, with ties, negative ones and unscored ones at the end.
    var scores: [Double?] = people.indices.map { _ in
      (generator.unitInterval() * 20).rounded() / 10 - 1
    }.sorted(by: >)
    for place in 27..<30 { scores[place] = nil }
    let share = 0.4
    let rule = NewcomerFloorRule(
      answers: 20, share: try #require(Probability(share)), states: states)
    for wanted in [1, 5, 8] {
      let slate = ranked(scores, wanted: wanted, seed: seed)
      let adjustment = try await rule.adjustment(for: slate)
      #expect(adjustment.penalties.allSatisfy { $0 >= 0 && $0.isFinite })
      #expect(adjustment.withheld.isEmpty)
      let again = try await rule.adjustment(for: slate)
      #expect(again.penalties == adjustment.penalties)
      let hand = order(scores, adjustment).prefix(wanted)
      let available = scores.indices.count { isNewcomer[$0] && scores[$0] != nil }
      let kept = Int((share * Double(wanted)).rounded(.down))
      #expect(hand.count { isNewcomer[$0] } >= min(kept, available))
      // Among those who are no newcomers, and among newcomers, the order stays.
      for group in [true, false] {
        let before = scores.indices.filter { isNewcomer[$0] == group && scores[$0] != nil }
        let after = order(scores, adjustment)
          .filter { isNewcomer[$0] == group && scores[$0] != nil }
        #expect(after.prefix(4) == before.prefix(4))
      }
    }
  }

  @Test func theFractionOfAPlaceIsDrawnFromTheDeal() async throws {
    let states = LearnerStates()
    for index in 0..<29 { count(states, index, [ExposureNumbers.Slot.answersReceived: 20]) }
    let scores: [Double?] = people.indices.map { 1 - Double($0) / 100 }
    let rule = NewcomerFloorRule(
      answers: 20, share: try #require(Probability(0.05)), states: states)
    var hands = 0
    for seed in UInt64(0)..<2000 {
      let adjustment = try await rule.adjustment(for: ranked(scores, wanted: 5, seed: seed))
      if order(scores, adjustment).prefix(5).contains(29) { hands += 1 }
    }
    // A quarter of 2,000, within four standard deviations of 19.4.
    #expect(abs(hands - 500) < 78)
  }

  @Test func whoWasShownEnoughTodayWaitsForTomorrow() async throws {
    let states = LearnerStates()
    let day = DayCounts.day(of: now)
    typealias Slot = ExposureNumbers.Slot
    let ofDay = ExposureNumbers.received
    count(states, 0, ofDay.image(3, on: day))
    count(states, 1, ofDay.image(2, on: day))
    count(states, 2, ofDay.image(9, on: day - 1))
    // (90 + 4) / (90 + 10) likes an answer: 2 · 0.94 are expected.
    count(states, 3, ofDay.image(2, on: day))
    count(states, 3, [Slot.answersReceived: 90, Slot.likesReceived: 90])
    let scores: [Double?] = people.indices.map { -Double($0) }
    let prior = try #require(Probability(0.4))
    let byAnswers = ExposureCapRule(.init(answers: 3), prior: prior, states: states)
    let withheld = try await byAnswers.adjustment(for: ranked(scores, wanted: 5)).withheld
    #expect(withheld == [0: "answered about often enough today"])
    let byLikes = ExposureCapRule(.init(likes: 1.5), prior: prior, states: states)
    let liked = try await byLikes.adjustment(for: ranked(scores, wanted: 5)).withheld
    #expect(liked == [3: "enough likes expected today"])
  }

  @Test func countsAreSumsThatAreTakenBackExactly() {
    let model = ExposureNumbers(states: LearnerStates())
    let slate = slate()
    var generator = SplitMix64(seed: 4)
    var undo: [[Increment]] = []
    var time = now.milliseconds
    for _ in 0..<500 {
      time += Int64(generator.index(below: 20_000_000))
      let increments = model.increments(
        for: LearningEvent(
          viewer: slate.table.number(at: Row(generator.index(below: 5))),
          card: slate.table.number(at: Row(5 + generator.index(below: 5))), viewerRow: nil,
          cardRow: nil, table: slate.table,
          meaning: generator.index(below: 2) == 0 ? .positive : .negative,
          time: Timestamp(milliseconds: time)))
      model.numbers.apply(increments)
      undo.append(increments)
    }
    let read = {
      model.numbers.read { numbers in
        ExposureNumbers.Person(
          numbers, slate.table.number(at: Row(0)), now: Timestamp(milliseconds: time))
      }
    }
    #expect(read().answersGiven > 50)
    #expect(read().latestActivity != nil)
    for increments in undo.reversed() { model.numbers.apply(increments, sign: -1) }
    #expect(model.numbers.nonzero().isEmpty)
    #expect(read().latestActivity == nil)
  }

  @Test func aNewDayBeginsAtNone() {
    let model = ExposureNumbers(states: LearnerStates())
    let slate = slate()
    func person(_ day: Int64) -> ExposureNumbers.Person {
      model.numbers.read {
        .init($0, slate.table.number(at: Row(1)), now: Timestamp(milliseconds: day * Timestamp.day))
      }
    }
    for day: Int64 in [100, 100, 100, 101, 100, 101] {
      model.numbers.apply(
        model.increments(
          for: LearningEvent(
            viewer: slate.table.number(at: Row(0)), card: slate.table.number(at: Row(1)),
            viewerRow: nil, cardRow: nil, table: slate.table, meaning: .positive,
            time: Timestamp(milliseconds: day * Timestamp.day + 5))))
    }
    #expect(person(101).answersToday == 2)
    // The late answer belongs to its own day.
    #expect(person(100).answersToday == 4)
    #expect(person(102).answersToday == 0)
    #expect(person(102).answersReceived == 6)
    #expect(DayCounts.day(of: Timestamp(milliseconds: -1)) == -1)
  }

  @Test(arguments: [2, 3, 4, 40])
  func manyFirstAnswersAtOnceAreAllCounted(_ many: Int) {
    let model = ExposureNumbers(states: LearnerStates())
    let slate = slate()
    func event(_ day: Int64) -> LearningEvent<DatingDeck> {
      LearningEvent(
        viewer: slate.table.number(at: Row(0)), card: slate.table.number(at: Row(1)),
        viewerRow: nil, cardRow: nil, table: slate.table, meaning: .negative,
        time: Timestamp(milliseconds: day * Timestamp.day))
    }
    model.numbers.apply(model.increments(for: event(100)))
    // Each is worked out before any of them counts.
    let atOnce = (0..<many).map { _ in model.increments(for: event(101)) }
    for increments in atOnce { model.numbers.apply(increments) }
    func today(_ day: Int64) -> Int64 {
      for _ in 0..<3 { model.numbers.apply(model.increments(for: event(day))) }
      return model.numbers.read { numbers in
        ExposureNumbers.Person(
          numbers, slate.table.number(at: Row(1)),
          now: Timestamp(milliseconds: day * Timestamp.day)
        ).answersToday
      }
    }
    #expect(today(101) == Int64(many) + 3)
    #expect(today(102) == 3)
    #expect(today(103) == 3)
  }

  @Test func aFirstAnswerThatIsTakenBackIsNotOf1970() {
    let model = ExposureNumbers(states: LearnerStates())
    let slate = slate()
    func event(_ viewer: Int, _ minute: Int64) -> [Increment] {
      model.increments(
        for: LearningEvent(
          viewer: slate.table.number(at: Row(viewer)), card: slate.table.number(at: Row(1)),
          viewerRow: nil, cardRow: nil, table: slate.table, meaning: .positive,
          time: Timestamp(milliseconds: now.milliseconds + minute * 60_000)))
    }
    func firstShown() -> Int64? {
      model.numbers.read { numbers in
        ExposureNumbers.Person(numbers, slate.table.number(at: Row(1)), now: now).firstShown
          .map { $0.milliseconds / 60_000 - now.milliseconds / 60_000 }
      }
    }
    let atOnce = [event(0, 0), event(2, 0)]
    for one in atOnce { model.numbers.apply(one) }
    model.numbers.apply(event(3, 9))
    #expect(firstShown() == 0)
    model.numbers.apply(atOnce[0], sign: -1)
    #expect(firstShown() == 0)
    model.numbers.apply(atOnce[1], sign: -1)
    #expect(firstShown() == nil)
    model.numbers.apply(event(4, 20))
    #expect(firstShown() == 20)
  }

  @Test func whoIsAwayIsLowered() async throws {
    let states = LearnerStates()
    typealias Slot = ExposureNumbers.Slot
    let minute = now.milliseconds / 60_000
    // Active now, a half-life ago, an eternity ago, in the future of a wrong clock, and never.
    for (index, ago) in [Int64(0), 7, 7000, -3].enumerated() {
      count(
        states, index, [Slot.answersGiven: 1, Slot.latestMinute: minute - ago * 1440])
    }
    // Never active, and answered about a half-life ago for the first time.
    count(states, 5, [Slot.firstAnswers: 2, Slot.firstMinutes: 2 * (minute - 7 * 1440)])
    for sign in [1.0, -1] {
      let inner = ClosureRanking<DatingDeck> { slate, _ in
        SlateScores(values: slate.rows.map { $0.index == 6 ? .nan : sign * 0.8 })
      }
      let ranking = ActivityRanking(
        inner, halfLife: 7, floor: try #require(Probability(0.1)), states: states)
      let found = await StrategyConformance.violations(of: ranking, on: slate())
      #expect(found.isEmpty)
      let scores = try await ranking.scores(
        for: slate(), estimates: MatchEstimates(count: people.count)
      ).values
      let expected =
        sign > 0 ? [0.8, 0.44, 0.08, 0.8, 0.8, 0.44] : [-0.8, -1.16, -1.52, -0.8, -0.8, -1.16]
      for (score, value) in zip(scores, expected) { #expect(abs(score - value) < 1e-4) }
      #expect(scores[6].isNaN)
      #expect(scores.allSatisfy { $0.isNaN || $0 <= sign * 0.8 })
    }
  }

  @Test func likesThatSayNothing() {
    let test = IndiscriminateLikes()
    // 0.9⁴³ = 0.0108 and 0.9⁴⁴ = 0.0097.
    #expect(!test.isIndiscriminate(likes: 43, answers: 43))
    #expect(test.isIndiscriminate(likes: 44, answers: 44))
    // P(X ≥ 96) = 0.0237 and P(X ≥ 97) = 0.0078 of a hundred.
    #expect(!test.isIndiscriminate(likes: 96, answers: 100))
    #expect(test.isIndiscriminate(likes: 97, answers: 100))
    #expect(abs(test.tail(likes: 97, answers: 100) - 0.00783648) < 1e-7)
    // One in ten passed, however many there are.
    #expect(!test.isIndiscriminate(likes: 90_000, answers: 100_000))
    #expect(test.isIndiscriminate(likes: 91_000, answers: 100_000))
    #expect(!test.isIndiscriminate(likes: 0, answers: 0))
    #expect(abs(test.tail(likes: 0, answers: 12) - 1) < 1e-12)
  }

  @Test func theLikeOfWhoLikesEverybodyDoesNotCount() async throws {
    let states = LearnerStates()
    typealias Slot = ExposureNumbers.Slot
    count(states, 4, [Slot.answersGiven: 60, Slot.likesGiven: 60])
    count(states, 5, [Slot.answersGiven: 60, Slot.likesGiven: 30])
    count(states, 7, [Slot.answersGiven: 60, Slot.likesGiven: 60])
    let inner = ClosureRanking<DatingDeck> { slate, _ in
      SlateScores(values: slate.rows.map { 1 - Double($0.index) / 100 })
    }
    let ranking = SelectiveLikersFirstRanking(then: inner, states: states)
    let asked = slate(received: [
      (people[4].id, .positive, now), (people[5].id, .positive, now),
      (people[6].id, .negative, now), (people[7].id, .negative, now),
    ])
    let found = await StrategyConformance.violations(of: ranking, on: asked)
    #expect(found.isEmpty)
    let scores = try await ranking.scores(
      for: asked, estimates: MatchEstimates(count: people.count)
    ).values
    let order = scores.indices.sorted { scores[$0] > scores[$1] }
    #expect(order.first == 5)
    #expect(order.suffix(2) == [6, 7])
    #expect(scores[4] == 0.96)
  }

  /// Elo by itself: a like of somebody who likes everybody moves nobody.
  @Test func eloLearnsLittleFromWhoLikesEverybody() {
    let model = EloTwoScale(states: LearnerStates())
    let slate = slate()
    func swipe(_ viewer: Int, _ card: Int) -> Int64 {
      let increments = model.increments(
        for: LearningEvent(
          viewer: slate.table.number(at: Row(viewer)), card: slate.table.number(at: Row(card)),
          viewerRow: Row(viewer), cardRow: Row(card), table: slate.table, meaning: .positive,
          time: now))
      model.numbers.apply(increments)
      return increments.first {
        $0.key == LearnedKey(owner: slate.table.number(at: Row(card)), slot: EloSlot.wanted)
      }?.amount ?? 0
    }
    let first = swipe(0, 29)
    for round in 0..<200 { _ = swipe(0, 1 + round % 20) }
    #expect(Double(swipe(0, 28)) < 0.2 * Double(first))
  }

  /// The rules by their names, in a feed: no blocked person comes back through any of them.
  @Test(arguments: [
    #"{"ranking": {"use": "activity", "of": {"use": "random"}}}"#,
    #"{"ranking": {"use": "selective-likers-first"}}"#,
    #"{"ranking": {"use": "queue-aware", "cardsPerDay": 3}}"#,
    #"{"slate": [{"use": "newcomer-floor", "share": 0.5}, {"use": "epsilon", "epsilon": 0.3}]}"#,
    #"{"slate": [{"use": "exposure-cap", "answersPerDay": 2}]}"#,
  ])
  func neverDealsABlockedPerson(members: String) async throws {
    let object = try #require(JSONDocument(parsing: Array(members.utf8)).root.object)
    let everybody = (0..<12).map { index in
      let isWoman = index % 2 == 0
      return Person(
        id: "p\(index)", age: 30, gender: isWoman ? "woman" : "man",
        seeks: [isWoman ? "man" : "woman"])
    }
    let feed = try await datingFeed(everybody, object)
    try await feed.block("p3", by: "p0", event: "block")
    for index in [5, 7] { try await feed.answer(ViewerID("p\(index)"), .like, "p0") }
    for index in [2, 4, 6] { try await feed.answer(ViewerID("p\(index)"), .like, "p1") }
    let hand = try await feed.people(for: "p0")
    // Six men, one blocked; with a cap of two answers a day, p1 waits for tomorrow.
    let isCapped = members.contains("exposure-cap")
    #expect(
      hand.sorted { "\($0)" < "\($1)" } == (isCapped ? [] : ["p1"]) + ["p11", "p5", "p7", "p9"])
  }
}
