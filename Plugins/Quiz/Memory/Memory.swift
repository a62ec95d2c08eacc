internal import CardFeed
internal import CardFeedSpacedRepetition

/// A memory model with the schedule that follows from it.
struct Memory<Model: MemoryModel>: Sendable {
  let model: Model
  let time: MemoryTime
  let schedule: MemorySchedule
  /// The learner's days at a moment, where they are others than those of the schedule.
  var ownDays: (@Sendable (Timestamp) -> StudyDays)?

  /// The learner's days at a moment.
  func days(at moment: Timestamp) -> StudyDays { ownDays?(moment) ?? schedule.days }

  /// Moves a card by an answer that says something of knowledge.
  ///
  /// - Parameters:
  ///   - card: What was known before.
  ///   - rating: The answer.
  ///   - moment: When it was given.
  ///   - day: The learner's day of that moment.
  ///   - number: The card; its intervals are spread by it, so that they are the same every time.
  ///   - loads: How many cards are due on each day.
  func review(
    _ card: inout CardMemory<Model.State>, _ rating: Rating, at moment: Timestamp, day: Int64,
    number: CardNumber, loads: [Int64: Int]
  ) {
    let state: Model.State
    let phase: LearningPhase?
    if let before = card.state {
      state = model.next(
        before, after: elapsed(since: card, at: moment, day: day), rating)
      phase = card.phase
    } else {
      state = model.initial(rating)
      phase = nil
    }
    let isLapse = card.state != nil && card.phase == .review && rating == .again
    let draw = schedule.isFuzzed ? draw(number, review: card.reviews) : nil
    let next = schedule.study.next(
      phase, rating,
      interval: model.interval(state, retention: schedule.study.desiredRetention),
      fuzz: draw.map { draw in
        { range in
          IntervalFuzz.day(
            in: range, loads: range.map { loads[day + Int64($0)] ?? 0 }, draw: draw)
        }
      })
    card.state = state
    card.phase = next.phase
    switch next.wait {
    case .seconds(let seconds):
      card.dueDay = nil
      let due = moment.advanced(byMilliseconds: Int64((seconds * 1000).rounded()))
      card.due =
        next.phase == .review ? due : dueInSteps(due, answeredOn: day, by: days(at: moment))
    case .days(let days):
      card.dueDay = day + Int64(days)
      card.due = self.days(at: moment).beginning(of: day + Int64(days))
    }
    if card.firstDay == nil { card.firstDay = day }
    card.last = moment
    card.lastReview = moment
    card.lastReviewDay = day
    card.reviews += 1
    card.buriedDay = nil
    if isLapse {
      card.lapses += 1
      if schedule.isLeech(afterLapses: card.lapses) {
        card.isLeech = true
        if schedule.leechAction == .suspend { card.isSuspended = true }
      }
    }
  }

  /// A step that ends after the learner's day ends when the next one begins: whoever studies an hour
  /// earlier than the day before must not miss it.
  private func dueInSteps(
    _ due: Timestamp, answeredOn day: Int64, by days: StudyDays
  ) -> Timestamp {
    let dueDay = days.day(at: due)
    return dueDay > day ? days.beginning(of: dueDay) : due
  }

  /// P(recall) of a card at a moment; nil until the first answer.
  ///
  /// - Parameter day: The learner's day of that moment.
  func recall(
    _ card: CardMemory<Model.State>, at moment: Timestamp, day: Int64
  ) -> Double? {
    card.state.map { state in
      model.retrievability(state, after: elapsed(since: card, at: moment, day: day))
    }
  }

  /// The days since the last review of a card, in the units of the model; none where the clock went
  /// back.
  func elapsed(since card: CardMemory<Model.State>, at moment: Timestamp, day: Int64) -> Double {
    switch time {
    case .fractions: MemoryTime.days(from: card.lastReview, to: moment)
    case .wholeDays: Double(max(0, day - card.lastReviewDay))
    }
  }

  private func draw(_ number: CardNumber, review: Int) -> Double {
    var hash = StableHash()
    hash.combine(UInt64(bitPattern: number.rawValue))
    hash.combine(UInt64(review))
    var generator = SplitMix64(seed: hash.value)
    return generator.unitInterval()
  }
}
