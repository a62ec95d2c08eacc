import Testing

@testable import CardFeedSpacedRepetition

/// Steps, whole days and the spread of intervals.
@Suite struct StudyScheduleTests {
  private typealias Draws = MemoryModelTests.Draws

  @Test("Scenario 2: every day of the spread is as likely as any other, and none is outside")
  func everyDayOfTheRangeIsAsLikely() {
    let range = IntervalFuzz.range(around: 10, maximum: 36_500)
    #expect(range == 8...12)
    var draws = Draws(1)
    var counts: [Int: Int] = [:]
    for _ in 0..<20_000 {
      counts[IntervalFuzz.day(in: range, loads: [], draw: draws.share()), default: 0] += 1
    }
    #expect(counts.keys.sorted() == Array(8...12))
    // Five standard deviations of a binomial count.
    #expect(counts.values.allSatisfy { abs($0 - 4_000) < 283 })
  }

  @Test("Scenario 3: a small maximum is spread below it, not constant and not above")
  func aMaximumHoldsBeforeTheSpread() {
    #expect(IntervalFuzz.range(around: 100, maximum: 30) == 27...30)
    #expect(IntervalFuzz.range(around: 100, maximum: 1) == 1...1)
    #expect(IntervalFuzz.range(around: 2.4, maximum: 100) == 2...2)
  }

  @Test func busyDaysAreAvoided() {
    var draws = Draws(2)
    var counts: [Int: Int] = [:]
    for _ in 0..<2_000 {
      counts[IntervalFuzz.day(in: 8...10, loads: [9, 0, 9], draw: draws.share()), default: 0] += 1
    }
    #expect(counts[9, default: 0] > 1_900)
    #expect(IntervalFuzz.day(in: 8...10, loads: [], draw: 0.999_999) == 10)
  }

  @Test("Scenario 10: without steps a forgotten new question comes back after 5.1 hours")
  func withoutStepsAForgottenNewQuestionMayComeBackInHours() {
    let model = FSRS6()
    let interval = model.interval(model.initial(.again), retention: 0.9)
    var schedule = StudySchedule(learningSteps: LearningSteps(seconds: []))
    #expect(schedule.next(nil, .again, interval: interval).wait == .days(1))
    schedule.allowsHours = true
    let wait = schedule.next(nil, .again, interval: interval).wait
    #expect(abs(wait.seconds / 3_600 - 5.088) < 0.001)
  }

  @Test("Scenario 5: a maximum caps the interval and not the stability")
  func onlyTheIntervalIsCapped() {
    let model = FSRS6()
    let state = FSRS6.State(stability: 9_000, difficulty: 2)
    let next = model.next(state, after: 365, .easy)
    #expect(next.stability > 9_000)
    let schedule = StudySchedule(desiredRetention: 0.95, maximumInterval: 365)
    let interval = model.interval(next, retention: 0.95)
    #expect(schedule.next(.review, .easy, interval: interval).wait == .days(365))
  }

  @Test func stepsThatHaveBecomeFewerLetGo() {
    let schedule = StudySchedule(learningSteps: LearningSteps(seconds: [60]))
    #expect(schedule.next(.learning(step: 4), .good, interval: 3).phase == .review)
    #expect(schedule.next(.learning(step: 4), .again, interval: 3).phase == .learning(step: 0))
  }
}
