import CardFeed
import CardFeedCalendar
import CardFeedSpacedRepetition
import Testing

@testable import CardFeedQuiz

@Suite("The queue of what is due")
struct DueQueueTests {
  private static let start: Int64 = 1_767_268_800_000

  /// The due cards by asking the model about every one.
  private func sorted<M: MemoryModel>(
    _ moment: RecordMoment<M>, _ order: DueOrder
  ) -> [CardNumber] {
    moment.record.cards.keys.compactMap { number in
      moment.urgency(of: number, by: order).map { (urgency: $0, number: number) }
    }.sorted { ($0.urgency, $0.number) < ($1.urgency, $1.number) }.map(\.number)
  }

  /// Answers come, time passes by seconds, hours and days, and the clock goes back: the queue has what
  /// a sort has.
  private func check<M: MemoryModel>(_ model: M, _ time: MemoryTime, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let memory = Memory(model: model, time: time, schedule: LearnerRecordTests.schedule)
    var record = LearnerRecord<M>()
    var answers: [GivenAnswer] = []
    var now = Self.start
    for step in 0..<60 {
      for _ in 0..<(step == 0 ? 300 : Int.random(in: 0..<4, using: &random)) {
        now += Int64.random(in: 0..<2000, using: &random)
        let answer =
          [QuizDeck.Answer.again, .hard, .good, .easy, .easy, .suspend, .resume, .bury]
          .randomElement(using: &random) ?? .good
        answers.append(
          GivenAnswer(
            card: CardNumber(.random(in: 0..<90, using: &random)), answer: answer.rawValue,
            meaning: QuizDeck().meaning(of: answer), time: Timestamp(milliseconds: now),
            event: LogPosition(Int64(answers.count + 1))))
      }
      if step % 13 == 5 { answers.removeLast() }
      record.update(answers, by: memory)
      for back in [0, 5 * minute, -minute] {
        let moment = Timestamp(milliseconds: now + back)
        let one = RecordMoment(memory: memory, record: record, now: moment)
        for order in DueOrder.allCases {
          let expected = sorted(one, order)
          for limit in [0, 1, 7, 200] {
            #expect(one.dueToday(by: order, limit: limit) == Array(expected.prefix(limit)))
          }
        }
      }
      now += [1000, minute, hour, 7 * hour, day, 9 * day].randomElement(using: &random) ?? 0
    }
  }

  @Test(arguments: 0..<4) func isThatOfASort(seed: UInt64) throws {
    check(FSRS7(), .fractions, seed: seed)
    check(FSRS6(), .wholeDays, seed: seed + 10)
    check(try HalfLifeRegression(), .fractions, seed: seed + 20)
    check(SM2(), .wholeDays, seed: seed + 30)
  }

  /// An older record asks the queue of a newer one.
  @Test func whatWasKnownBeforeStays() {
    let memory = Memory(model: FSRS7(), time: .fractions, schedule: LearnerRecordTests.schedule)
    func answers(_ count: Int64) -> [GivenAnswer] {
      (0..<count).map { index in
        GivenAnswer(
          card: CardNumber(index % 5), answer: "easy", meaning: .positive,
          time: Timestamp(milliseconds: Self.start + index * day), event: LogPosition(index + 1))
      }
    }
    var record = LearnerRecord<FSRS7>()
    record.update(answers(10), by: memory)
    let old = record
    record.update(answers(12), by: memory)
    let moment = Timestamp(milliseconds: Self.start + 4000 * day)
    for record in [record, old, record, old] {
      let one = RecordMoment(memory: memory, record: record, now: moment)
      #expect(one.dueToday(by: .leastKnown, limit: 9) == sorted(one, .leastKnown))
    }
  }
}
