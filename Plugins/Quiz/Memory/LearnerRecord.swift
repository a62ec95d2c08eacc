internal import CardFeed
internal import CardFeedSpacedRepetition

/// Everything that follows from one learner's answers: a fold over them in the order of time.
///
/// The answers are the truth and this is a cache of them. Answers that came with an earlier time
/// than one before are folded where they belong, so that it makes no difference in what order they
/// reached the log; of equal times the log's order counts.
struct LearnerRecord<Model: MemoryModel>: Sendable {
  private(set) var cards: [CardNumber: CardMemory<Model.State>] = [:]
  /// How many cards are due on each day, of those that wait for whole days.
  private(set) var loads: [Int64: Int] = [:]
  /// New cards and reviews of each day.
  private(set) var days: [Int64: DayOfStudy] = [:]
  /// The answers that were folded, in the order of the log.
  private var events: [LogPosition] = []
  private var latest = Timestamp(milliseconds: .min)

  struct DayOfStudy: Hashable, Sendable {
    /// Cards answered for the first time.
    var introduced = 0
    /// Answers to cards that waited for whole days.
    var reviewed = 0
  }

  init() {}

  /// Takes in the answers that are new since the last time; all of them again where some were taken
  /// back or came late. O(new answers), O(all answers · log) at worst.
  mutating func update(_ answers: [GivenAnswer], by memory: Memory<Model>) {
    let known = events.count
    let isExtended =
      answers.count >= known && (known == 0 || answers[known - 1].event == events[known - 1])
      && answers[known...].allSatisfy { $0.time >= latest }
      && zip(answers[known...], answers[known...].dropFirst()).allSatisfy { $0.time <= $1.time }
    if isExtended {
      for answer in answers[known...] { fold(answer, by: memory) }
      return
    }
    self = LearnerRecord()
    // Sorting is stable by the place in the log.
    for answer in answers.sorted(by: { ($0.time, $0.event) < ($1.time, $1.event) }) {
      fold(answer, by: memory)
    }
    events = answers.map(\.event)
  }

  private mutating func fold(_ answer: GivenAnswer, by memory: Memory<Model>) {
    events.append(answer.event)
    latest = max(latest, answer.time)
    guard let kind = QuizDeck.Answer(rawValue: answer.answer) else { return }
    let day = memory.schedule.days.day(at: answer.time)
    var card = cards[answer.card] ?? CardMemory(at: answer.time)
    let dueBefore = card.dueDay
    if let rating = kind.rating {
      count(card, on: day)
      memory.review(&card, rating, at: answer.time, day: day, number: answer.card, loads: loads)
    } else {
      switch kind {
      case .suspend: card.isSuspended = true
      case .resume:
        card.isSuspended = false
        card.buriedDay = nil
      default: card.buriedDay = day
      }
      card.last = answer.time
    }
    cards[answer.card] = card
    if dueBefore != card.dueDay {
      if let dueBefore {
        loads[dueBefore, default: 1] -= 1
        if loads[dueBefore] == 0 { loads[dueBefore] = nil }
      }
      if let due = card.dueDay { loads[due, default: 0] += 1 }
    }
  }

  private mutating func count(_ card: CardMemory<Model.State>, on day: Int64) {
    if card.state == nil {
      days[day, default: DayOfStudy()].introduced += 1
    } else if card.phase == .review {
      days[day, default: DayOfStudy()].reviewed += 1
    }
  }
}
