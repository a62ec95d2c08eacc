import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedSpacedRepetition
import CardFeedTesting
import Testing

@testable import CardFeedQuiz

/// Situations in which programs for learning and testing have gone wrong, on the whole deck.
///
/// Those that are about one formula stand with it: 2, 3, 5 and 10 with the schedule, 8 and 9 with the
/// memory models, 16 with abilities.
@Suite("Quiz scenarios")
struct QuizScenarioTests {
  private static let noon = Timestamp(milliseconds: 1_767_268_800_000)
  private static let schedule = MemorySchedule(
    study: StudySchedule(), days: StudyDays(zone: .utc, hour: 4), isFuzzed: true, leechAfter: 8,
    leechAction: .suspend)

  private func given(
    _ card: Int64, _ answer: QuizDeck.Answer, at time: Timestamp, _ event: Int64
  ) -> GivenAnswer {
    GivenAnswer(
      card: CardNumber(card), answer: answer.rawValue, meaning: QuizDeck().meaning(of: answer),
      time: time, event: LogPosition(event))
  }

  @Test("Scenario 1: a state of zeros gives numbers and an order")
  func zerosStaySortable() {
    func check<M: MemoryModel>(_ model: M, _ state: M.State) {
      let recall = model.retrievability(state, after: 1)
      #expect(recall > 0 && recall <= 1)
      let next = model.next(state, after: 1, .good)
      #expect(model.stability(next).isFinite && model.stability(next) > 0)
      let interval = model.interval(next, retention: 0.9)
      #expect(interval.isFinite && interval > 0)
    }
    check(FSRS6(), FSRS6.State(stability: 0, difficulty: 0))
    check(FSRS7(), FSRS7.State(stability: 0, fastStability: 0, difficulty: 0))
    check(FSRS7(), FSRS7.State(stability: .nan, fastStability: .nan, difficulty: .nan))
  }

  @Test("Scenario 4: hard is never later than good, nor anything than the maximum, spread or not")
  func spreadIntervalsKeepTheirOrder() throws {
    for seed in UInt64(0)..<200 {
      var random = SplitMix64(seed: seed)
      var spread = Self.schedule
      spread.study.maximumInterval = [5, 40, 36_500][Int(seed % 3)]
      let memory = Memory(model: FSRS6(), time: .wholeDays, schedule: spread)
      var card = CardMemory<FSRS6.State>(at: Self.noon)
      var day = spread.days.day(at: Self.noon)
      let loads = Dictionary(
        uniqueKeysWithValues: (0..<200).map { (day + $0, Int(random.unitInterval() * 20)) })
      func review(_ rating: Rating) -> CardMemory<FSRS6.State> {
        var copy = card
        memory.review(
          &copy, rating, at: spread.days.beginning(of: day), day: day, number: CardNumber(7),
          loads: loads)
        return copy
      }
      for _ in 0..<8 {
        let after = Rating.allCases.sorted().map(review)
        #expect(after.map(\.due) == after.map(\.due).sorted(), "seed \(seed)")
        for one in after {
          let waits = one.dueDay.map { $0 - day } ?? 0
          #expect(waits <= Int64(spread.study.maximumInterval))
        }
        card = after[random.index(below: after.count)]
        day = (card.dueDay ?? day) + Int64(random.index(below: 3))
      }
    }
  }

  @Test("Scenario 7: the time since the last answer is that of the log, whenever it arrived")
  func elapsedTimeIsComputed() async throws {
    let clock = ManualClock(now: Self.noon)
    let feed = try await quizFeed(questions(2), clock: clock)
    let times = [-30, -9, -2].map { Self.noon.advanced(byMilliseconds: $0 * day) }
    for (index, time) in times.enumerated() {
      try await feed.note("c0", .good, event: "in order \(index)", at: time)
    }
    for index in [2, 0, 1] {
      try await feed.note("c1", .good, event: "late \(index)", at: times[index])
    }
    let model = FSRS7()
    var state = model.initial(.good)
    state = model.next(state, after: 21, .good)
    state = model.next(state, after: 7, .good)
    let expected = model.retrievability(state, after: 2)
    for recall in try await feed.recall(["c0", "c1"]) {
      #expect(abs(try #require(recall) - expected) < 1e-12)
    }
  }

  @Test(
    "Scenario 12: one rewind restores the answer, the leech, the siblings, the counts, the order")
  func oneRewindRestoresEverything() async throws {
    let clock = ManualClock(now: Self.noon)
    let memory: JSONValue = ["use": "fsrs-7", "leechAfter": 1, "relearningSteps": []]
    var cards = questions(4)
    cards[0].note = "n"
    cards[1].note = "n"
    let feed = try await quizFeed(
      cards,
      [
        "sources": [["use": "due", "memory": memory], ["use": "new", "memory": memory]],
        "filters": [["use": "study-schedule", "memory": memory]],
        "slate": [["use": "study-limits", "memory": memory, "newPerDay": 2]],
        "matchProbability": memory, "hand": ["size": 2, "refillBelow": 2],
      ], clock: clock)
    try await feed.note("c0", .easy, event: "known", at: Self.noon)
    clock.advance(byMilliseconds: 400 * day)
    let before = try await feed.asked()
    #expect(before == ["c0", "c2"])
    let recall = try await feed.recall(["c0", "c1", "c2"])
    // The second lapse of one makes a leech, which is suspended; its sibling is buried for the day.
    try await feed.answer(.again, event: "lapse")
    #expect(try await feed.asked() == ["c2", "c3"])
    #expect(!(try await feed.explain("c0", for: "v").isHere))
    guard case .applied(let back, _) = try await feed.rewind(for: "v", event: "undo") else {
      Issue.record("the answer is not taken back")
      return
    }
    #expect(back?.id == "c0")
    #expect(try await feed.asked().prefix(2) == before.prefix(2))
    #expect(try await feed.recall(["c0", "c1", "c2"]) == recall)
    // The counts of the day: two new ones are still to be had, and no answer stands twice.
    try await feed.answer(.easy, event: "known after all")
    try await feed.answer(.easy, event: "new 1")
    try await feed.answer(.easy, event: "new 2")
    #expect(try await feed.asked().isEmpty)
    #expect(Set(try await feed.matches(of: "v")) == ["c0", "c2", "c3"])
  }

  @Test("Scenario 13: a suspended card is never asked, and its place is filled at once")
  func suspensionOutlivesBurying() async throws {
    let clock = ManualClock(now: Self.noon)
    let feed = try await quizFeed(
      questions(3), ["hand": ["size": 2, "refillBelow": 2]], clock: clock)
    #expect(try await feed.asked() == ["c0", "c1"])
    try await feed.answer(.suspend, event: "1")
    #expect(try await feed.asked() == ["c1", "c2"])
    try await feed.note("c0", .bury, event: "2", at: clock.now)
    for _ in 0..<5 {
      clock.advance(byMilliseconds: 40 * day)
      let asked = try await feed.redeal(for: "v").cards.map(\.id)
      #expect(!asked.contains("c0"))
    }
    // Other parameters make another schedule of the same answers; the suspension is one of them.
    var steps = Self.schedule
    steps.study.desiredRetention = 0.97
    var record = LearnerRecord<FSRS7>()
    let answers = [
      given(1, .good, at: Self.noon, 1), given(1, .suspend, at: Self.noon, 2),
      given(1, .bury, at: Self.noon.advanced(byMilliseconds: day), 3),
    ]
    for schedule in [Self.schedule, steps] {
      record = LearnerRecord()
      record.update(answers, by: Memory(model: FSRS7(), time: .fractions, schedule: schedule))
      #expect(record.cards[CardNumber(1)]?.isSuspended == true)
    }
  }

  @Test("Scenario 14: a deck that comes twice has no new cards, logs that overlap are united")
  func importingTwiceChangesNothing() async throws {
    let clock = ManualClock(now: Self.noon)
    let feed = try await quizFeed(questions(3), clock: clock)
    func answers(_ range: Range<Int>) -> [RecordedSwipe<QuizDeck.Answer>] {
      range.map { index in
        RecordedSwipe(
          Swipe(
            viewer: "v", card: CardID("c\(index % 3)"), answer: .good,
            event: EventID("event \(index)"),
            time: Self.noon.advanced(byMilliseconds: Int64(index - 20) * day)))
      }
    }
    _ = try await feed.record(answers(0..<8))
    let ids: [CardID] = ["c0", "c1", "c2"]
    let once = try await quizFeed(questions(3), clock: clock)
    _ = try await once.record(answers(0..<12))
    let expected = try await once.recall(ids)
    try await feed.put(questions(3))
    _ = try await feed.record(answers(4..<12))
    #expect(try await feed.recall(ids) == expected)
    #expect(try await feed.redeal(for: "v").cards.map(\.id).count <= 3)
    try await feed.put(questions(3))
    _ = try await feed.record(answers(0..<12))
    #expect(try await feed.recall(ids) == expected)
    #expect(try await feed.asked() == once.asked())
  }

  @Test(
    "Scenario 15: going back and forth never puts a card twice into the hand", arguments: 0..<12)
  func goingBackDoublesNothing(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let clock = ManualClock(now: Self.noon)
    let feed = try await quizFeed(
      questions(4), ["hand": ["size": 3, "refillBelow": 3, "rewind": 5]], clock: clock)
    for step in 0..<60 {
      if Int.random(in: 0..<3, using: &random) == 0 {
        _ = try await feed.rewind(for: "v", event: EventID("back \(step)"))
      } else {
        let answer = [QuizDeck.Answer.again, .good, .easy].randomElement(using: &random) ?? .good
        try await feed.answer(answer, event: "answer \(step)")
      }
      let asked = try await feed.asked()
      #expect(Set(asked).count == asked.count)
      clock.advance(byMilliseconds: [0, minute, 10 * minute].randomElement(using: &random) ?? 0)
    }
  }

  @Test("Scenario 17: a learner who says only again and good is fitted, and one who is new is not")
  func twoGradesAreEnough() async throws {
    func trained(_ count: Int) async throws -> (before: [Double?], after: [Double?]) {
      let clock = ManualClock(now: Self.noon)
      let feed = try await quizFeed(questions(60), clock: clock)
      var random = SplitMix64(seed: 5)
      let ids = (0..<60).map { CardID("c\($0)") }
      for index in 0..<count {
        let time = Self.noon.advanced(byMilliseconds: Int64(index - count) * 7 * hour)
        try await feed.note(
          ids[index % 60], random.unitInterval() < 0.4 ? .again : .good, event: "\(index)", at: time
        )
      }
      let before = try await feed.recall(ids)
      try await feed.train()
      return (before, try await feed.recall(ids))
    }
    let many = try await trained(640)
    #expect(many.before != many.after)
    for recall in many.after { #expect((recall ?? .nan) > 0 && (recall ?? .nan) <= 1) }
    let few = try await trained(30)
    #expect(few.before == few.after)
  }

  @Test(
    "Scenario 18: answers of one moment are folded in the order of the log, live as in a replay")
  func equalTimesKeepTheOrderOfTheLog() {
    let memory = Memory(model: FSRS7(), time: .fractions, schedule: Self.schedule)
    let answers = [
      given(1, .good, at: Self.noon, 1), given(1, .again, at: Self.noon, 2),
      given(1, .easy, at: Self.noon.advanced(byMilliseconds: -day), 3),
      given(1, .hard, at: Self.noon, 4),
    ]
    var live = LearnerRecord<FSRS7>()
    for count in 1...answers.count { live.update(Array(answers[..<count]), by: memory) }
    var replay = LearnerRecord<FSRS7>()
    replay.update(answers, by: memory)
    #expect(live.cards == replay.cards)
    let model = FSRS7()
    var state = model.initial(.easy)
    for (days, rating) in [(1.0, Rating.good), (0, .again), (0, .hard)] {
      state = model.next(state, after: days, rating)
    }
    #expect(live.cards[CardNumber(1)]?.state == state)
  }
}
