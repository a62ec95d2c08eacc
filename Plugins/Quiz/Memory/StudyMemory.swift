internal import CardFeed
internal import CardFeedSpacedRepetition

/// What sources, filters and orders ask of a memory model, whichever it is.
protocol StudyMemory: Sendable {
  /// How questions come back.
  var schedule: MemorySchedule { get }

  /// A learner at the moment of a deal.
  func moment(of context: DealContext<QuizDeck>) -> any StudyMoment
}

/// One learner at one moment.
protocol StudyMoment {
  /// The learner's days.
  var days: StudyDays { get }
  /// The learner's day.
  var today: Int64 { get }
  /// Cards answered for the first time today.
  var introduced: Int { get }
  /// Answers of today to cards that waited for whole days.
  var reviewed: Int { get }

  /// What is known of a card; nil for one without any answer. O(1).
  func standing(of card: CardNumber) -> CardStanding?

  /// P(recall) now; nil for a card without a state. O(1).
  func recall(of card: CardNumber) -> Double?

  /// The cards that wait for whole days and are due today, the most urgent first. One pass over
  /// numbers; the memory model is asked about few of them.
  func dueToday(by order: DueOrder, limit: Int) -> [CardNumber]

  /// The cards in short steps that are due until a moment, the first one first. One pass.
  func inSteps(until moment: Timestamp, limit: Int) -> [CardNumber]

  /// The card that waits for whole days and is due next, after today. One pass.
  func dueNext() -> CardNumber?

  /// P(recall) one span of days later: of a card left alone, and after the viewer was asked now.
  /// Nil for a card without a state.
  func prospects(of card: CardNumber, afterDays days: Double) -> StudyProspects?
}

/// In which order due cards come.
enum DueOrder: String, Hashable, Sendable, CaseIterable {
  /// The longest overdue first.
  case due
  /// The least likely to be known first.
  case leastKnown = "least-known"
  /// The likeliest to be known first: with more cards than time, what can still be saved.
  case bestKnown = "best-known"
}

/// One card of a learner at one moment.
struct CardStanding: Hashable, Sendable {
  var phase: LearningPhase
  var due: Timestamp
  var dueDay: Int64?
  var last: Timestamp
  var isNew: Bool
  var isSuspended: Bool
  var isLeech: Bool
  var isBuried: Bool
  var lapses: Int
  var reviews: Int
}

/// What asking a card would change.
struct StudyProspects: Hashable, Sendable {
  var now: Double
  var leftAlone: Double
  var asked: Double
}

/// A learner's record at a moment.
struct RecordMoment<Model: MemoryModel>: StudyMoment {
  let memory: Memory<Model>
  let record: LearnerRecord<Model>
  let now: Timestamp
  let today: Int64
  let days: StudyDays

  init(memory: Memory<Model>, record: LearnerRecord<Model>, now: Timestamp) {
    self.memory = memory
    self.record = record
    self.now = now
    today = record.day(at: now, by: memory)
    days = memory.days(at: now)
  }

  var introduced: Int { record.days[today]?.introduced ?? 0 }
  var reviewed: Int { record.days[today]?.reviewed ?? 0 }

  func standing(of number: CardNumber) -> CardStanding? {
    record.cards[number].map { card in
      CardStanding(
        phase: card.phase, due: card.dueDay.map(days.beginning) ?? card.due, dueDay: card.dueDay,
        last: card.last,
        isNew: card.state == nil, isSuspended: card.isSuspended, isLeech: card.isLeech,
        isBuried: card.buriedDay == today, lapses: card.lapses, reviews: card.reviews)
    }
  }

  func recall(of number: CardNumber) -> Double? {
    record.cards[number].flatMap { memory.recall($0, at: now, day: today) }
  }

  func isAsked(_ card: CardMemory<Model.State>) -> Bool {
    card.state != nil && !card.isSuspended && card.buriedDay != today
  }

  /// The smaller the more urgent; nil for a card that is not due today.
  func urgency(of number: CardNumber, by order: DueOrder) -> Double? {
    guard let card = record.cards[number], let due = card.dueDay, due <= today, isAsked(card)
    else { return nil }
    return switch order {
    case .due: Double(due)
    case .leastKnown: memory.recall(card, at: now, day: today)
    case .bestKnown: memory.recall(card, at: now, day: today).map { -$0 }
    }
  }

  func dueToday(by order: DueOrder, limit: Int) -> [CardNumber] {
    record.queue.first(limit, by: order, of: self)
  }

  func dueNext() -> CardNumber? {
    var best = SmallestValues(limit: 1)
    for (number, card) in record.cards {
      guard let due = card.dueDay, due > today, isAsked(card) else { continue }
      best.insert(number, Double(due))
    }
    return best.sorted.first
  }

  func inSteps(until moment: Timestamp, limit: Int) -> [CardNumber] {
    var best = SmallestValues(limit: limit)
    for (number, card) in record.cards
    where card.dueDay == nil && card.due <= moment && isAsked(card) {
      best.insert(number, Double(card.due.milliseconds))
    }
    return best.sorted
  }

  func prospects(of number: CardNumber, afterDays days: Double) -> StudyProspects? {
    guard let card = record.cards[number], let state = card.state,
      let recall = memory.recall(card, at: now, day: today)
    else { return nil }
    let since = memory.elapsed(since: card, at: now, day: today)
    func later(_ rating: Rating) -> Double {
      memory.model.retrievability(memory.model.next(state, after: since, rating), after: days)
    }
    return StudyProspects(
      now: recall, leftAlone: memory.model.retrievability(state, after: since + days),
      asked: recall * later(.good) + (1 - recall) * later(.again))
  }
}
