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
  /// The card of each.
  private(set) var touched: [CardNumber] = []
  /// What is due, as it was last asked; new with every fold from the start.
  let queue = DueQueue<Model>()
  private var latest = Timestamp(milliseconds: .min)
  private var latestDay: (day: Int64, moments: Range<Timestamp>)?

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
    touched.append(answer.card)
    latest = max(latest, answer.time)
    guard let kind = QuizDeck.Answer(rawValue: answer.answer) else { return }
    let day = day(of: answer.time, by: memory)
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

  /// Answers mostly follow one another on one day, so its bounds are kept. A day never comes again
  /// because the learner flew west.
  private mutating func day(of moment: Timestamp, by memory: Memory<Model>) -> Int64 {
    if memory.ownDays == nil, let latestDay, latestDay.moments.contains(moment) {
      return latestDay.day
    }
    let days = memory.days(at: moment)
    let day = max(days.day(at: moment), latestDay?.day ?? .min)
    latestDay = (day, days.beginning(of: day)..<days.beginning(of: day + 1))
    return day
  }

  /// The learner's day at a moment: after an answer, not before that answer's.
  func day(at moment: Timestamp, by memory: Memory<Model>) -> Int64 {
    let day = memory.days(at: moment).day(at: moment)
    guard let latestDay, moment >= latest else { return day }
    return max(day, latestDay.day)
  }

  /// When the last answer was given; nil without one.
  var latestAnswer: Timestamp? { events.isEmpty ? nil : latest }

  private mutating func count(_ card: CardMemory<Model.State>, on day: Int64) {
    if card.state == nil {
      days[day, default: DayOfStudy()].introduced += 1
    } else if card.phase == .review {
      days[day, default: DayOfStudy()].reviewed += 1
    }
  }
}
