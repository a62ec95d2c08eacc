import CardFeed
import CardFeedCalendar
import CardFeedSpacedRepetition
import CardFeedTesting
import Testing

@testable import CardFeedQuiz

@Suite("What follows from a learner's answers")
struct LearnerRecordTests {
  static let schedule = MemorySchedule(
    study: StudySchedule(), days: StudyDays(zone: .utc, hour: 4), isFuzzed: true, leechAfter: 3,
    leechAction: .suspend)
  private let memory = Memory(model: FSRS7(), time: .fractions, schedule: schedule)

  private func answers(_ count: Int, seed: UInt64) -> [GivenAnswer] {
    var random = SplitMix64(seed: seed)
    var time: Int64 = 1_767_268_800_000
    return (0..<count).map { index in
      time += [0, 30_000, hour, day, 9 * day].randomElement(using: &random) ?? 0
      let answer = QuizDeck.Answer.allCases.randomElement(using: &random) ?? .good
      return GivenAnswer(
        card: CardNumber(.random(in: 0..<6, using: &random)), answer: answer.rawValue,
        meaning: QuizDeck().meaning(of: answer), time: Timestamp(milliseconds: time),
        event: LogPosition(Int64(index + 1)))
    }
  }

  private func folded(_ answers: [GivenAnswer]) -> LearnerRecord<FSRS7> {
    var record = LearnerRecord<FSRS7>()
    record.update(answers, by: memory)
    return record
  }

  private func expectSame(
    _ one: LearnerRecord<FSRS7>, _ other: LearnerRecord<FSRS7>,
    location: SourceLocation = #_sourceLocation
  ) {
    #expect(one.cards == other.cards, sourceLocation: location)
    #expect(one.loads == other.loads, sourceLocation: location)
    #expect(one.days == other.days, sourceLocation: location)
  }

  /// Answers come one at a time, are taken back and come again: it is always what a fold from the
  /// start would give.
  @Test(arguments: 0..<8) func liveIsReplay(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let all = answers(200, seed: seed)
    var live = LearnerRecord<FSRS7>()
    var standing: [GivenAnswer] = []
    for answer in all {
      standing.append(answer)
      if Int.random(in: 0..<4, using: &random) == 0 {
        let index =
          Int.random(in: 0..<3, using: &random) == 0
          ? Int.random(in: 0..<standing.count, using: &random) : standing.count - 1
        live.update(standing, by: memory)
        standing.remove(at: index)
      }
      if Bool.random(using: &random) { live.update(standing, by: memory) }
    }
    live.update(standing, by: memory)
    expectSame(live, folded(standing))
    #expect(live.loads.values.reduce(0, +) == live.cards.values.count { $0.dueDay != nil })
  }

  /// It makes no difference in what order answers reach the log; of equal times the log decides.
  @Test(arguments: 0..<8) func theOrderOfArrivalDoesNotCount(seed: UInt64) {
    var random = SplitMix64(seed: seed + 100)
    var all = answers(120, seed: seed)
    // Different times, so that the order of the log says nothing.
    all = all.enumerated().map { index, answer in
      GivenAnswer(
        card: answer.card, answer: answer.answer, meaning: answer.meaning,
        time: answer.time.advanced(byMilliseconds: Int64(index)), event: answer.event)
    }
    let shuffled = all.shuffled(using: &random).enumerated().map { index, answer in
      GivenAnswer(
        card: answer.card, answer: answer.answer, meaning: answer.meaning, time: answer.time,
        event: LogPosition(Int64(index + 1)))
    }
    var live = LearnerRecord<FSRS7>()
    for count in 1...shuffled.count { live.update(Array(shuffled[..<count]), by: memory) }
    expectSame(live, folded(all))
  }

  /// Again is never later than hard, hard never later than good, good never later than easy.
  @Test(arguments: 0..<20) func aBetterAnswerNeverComesBackEarlier(seed: UInt64) throws {
    var unfuzzed = Self.schedule
    unfuzzed.isFuzzed = false
    let memory = Memory(model: FSRS7(), time: .fractions, schedule: unfuzzed)
    let history = answers(60, seed: seed)
    let last = try #require(history.last)
    var record = LearnerRecord<FSRS7>()
    record.update(history, by: memory)
    let moment = last.time.advanced(byMilliseconds: 5 * day)
    for (number, card) in record.cards {
      let dues = Rating.allCases.sorted().map { rating in
        var card = card
        memory.review(
          &card, rating, at: moment, day: unfuzzed.days.day(at: moment), number: number, loads: [:])
        return card.due
      }
      #expect(dues == dues.sorted())
    }
  }

  @Test(arguments: [0, 1, 7, 50]) func theSmallestAreThoseOfASort(limit: Int) {
    var random = SplitMix64(seed: UInt64(limit))
    let values = (0..<300).map { (CardNumber($0), Double(Int.random(in: 0..<40, using: &random))) }
    var smallest = SmallestValues(limit: limit)
    for (number, value) in values.shuffled(using: &random) { smallest.insert(number, value) }
    let sorted = values.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(limit).map(\.0)
    #expect(smallest.sorted == sorted)
  }
}
