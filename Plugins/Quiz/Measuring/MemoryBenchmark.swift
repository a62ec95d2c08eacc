internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration
internal import CardFeedSpacedRepetition

/// Measures how fast memory models move, are fitted, and say what is due; on one thread.
struct MemoryBenchmark {
  let cards: Int
  let answersPerCard: Int
  let deals: Int
  let updates: Int
  let progress: Benchmark.Progress
  private let clock = SystemClock()

  static let description = Benchmark(
    name: "memory",
    summary: "Measures how fast memory models move, are fitted, and say what is due.",
    discussion: "On one thread, with generated answers of one learner. A fit reads as many answers "
      + "as a learner of about half a year has given. The due queue is the source 'due' with a "
      + "page of 50; the first page folds the whole log, the others what is new.",
    parameters: [
      ParameterDescription(
        "cards", .integer(1...10_000_000), unit: "cards", default: 100_000,
        help: "Cards of the due queue, all of them answered."),
      ParameterDescription(
        "answers", .integer(1...1000), unit: "answers", default: 4, help: "Answers to each card."),
      ParameterDescription(
        "deals", .integer(1...1_000_000), unit: "pages", default: 200,
        help: "Pages that are asked for."),
      ParameterDescription(
        "updates", .integer(1000...1_000_000_000), unit: "answers", default: 4_000_000,
        help: "Answers that move a state."),
    ]
  ) { parameters, progress in
    try await MemoryBenchmark(
      cards: parameters.integer("cards"), answersPerCard: parameters.integer("answers"),
      deals: parameters.integer("deals"), updates: parameters.integer("updates"),
      progress: progress
    ).report()
  }

  private init(
    cards: Int, answersPerCard: Int, deals: Int, updates: Int,
    progress: @escaping Benchmark.Progress
  ) {
    self.cards = cards
    self.answersPerCard = answersPerCard
    self.deals = deals
    self.updates = updates
    self.progress = progress
  }

  private func report() async throws -> Benchmark.Report {
    var report = Benchmark.Report()
    progress("updates", 0, 2)
    report.figures.append(update("FSRS-6 updates", FSRS6(), .wholeDays))
    progress("updates", 1, 2)
    report.figures.append(update("FSRS-7 updates", FSRS7(), .fractions))
    progress("updates", 2, 2)
    for (part, (name, fit)) in fits.enumerated() {
      progress("fits", part, fits.count)
      let start = clock.uptimeNanoseconds
      let answers = fit()
      let seconds = Double(clock.uptimeNanoseconds - start) / 1e9
      report.figures.append(
        Benchmark.Figure("\(name), \(answers) predicted answers", seconds, decimals: 3, unit: "s"))
    }
    progress("fits", fits.count, fits.count)
    report.figures += try await dueQueue()
    return report
  }

  private func update<M: MemoryModel>(
    _ name: String, _ model: M, _ time: MemoryTime
  ) -> Benchmark.Figure {
    var random = SplitMix64(seed: 1)
    let steps = (0..<4096).map { _ in
      let days = random.unitInterval() * 30
      return (
        days: time == .wholeDays ? days.rounded() : days,
        rating: Rating.allCases[random.index(below: Rating.allCases.count)]
      )
    }
    var states = (0..<1024).map { model.initial(steps[$0].rating) }
    let start = clock.uptimeNanoseconds
    for index in 0..<updates {
      let step = steps[index & 4095]
      states[index & 1023] = model.next(states[index & 1023], after: step.days, step.rating)
    }
    let seconds = Double(clock.uptimeNanoseconds - start) / 1e9
    // The states are looked at, so that nothing of the work can be left out.
    let isFinite = states.allSatisfy { model.stability($0).isFinite }
    return Benchmark.Figure(
      name, isFinite ? Double(updates) / seconds / 1e6 : nil, decimals: 2, unit: "M a second")
  }

  /// One learner's answers to 1,200 cards: mostly known, twice as far apart each time.
  private func log(_ time: MemoryTime) -> ReviewLog {
    var random = SplitMix64(seed: 2)
    var log = ReviewLog()
    for _ in 0..<1200 {
      var moment = random.unitInterval() * 60
      var reviews = [ReviewLog.Review(days: 0, rating: .good, time: moment)]
      var gap = 1.0
      for _ in 0..<5 {
        let days = gap * (0.6 + 0.8 * random.unitInterval())
        let rating: Rating = random.unitInterval() < 0.8 ? .good : .again
        moment += days
        reviews.append(
          ReviewLog.Review(
            days: time == .wholeDays ? max(1, days.rounded()) : days, rating: rating, time: moment))
        gap = rating.isRecall ? gap * 2 : 1
      }
      log.append(reviews)
    }
    return log
  }

  private var fits: [(name: String, fit: () -> Int)] {
    let (days, fractions) = (log(.wholeDays), log(.fractions))
    return [
      ("FSRS-6 fit", { FSRS6.fit(days).answers }), ("FSRS-7 fit", { FSRS7.fit(fractions).answers }),
      ("FSRS-6 fit with its choice", { FSRS6.fitHeldOut(days) { _ in }.answers }),
      ("FSRS-7 fit with its choice", { FSRS7.fitHeldOut(fractions) { _ in }.answers }),
    ]
  }

  private func dueQueue() async throws -> [Benchmark.Figure] {
    let deck = QuizDeck()
    let table = CardTable<QuizDeck>.make(
      (0..<cards).map { index in
        (
          card: QuizCard(id: CardID("card-\(index)"), prompt: "?", answer: "!"),
          number: CardNumber(Int64(index + 1))
        )
      }, deck: deck)
    let (answers, now) = answers()
    let memory = MemoryProbability(
      time: .fractions,
      schedule: MemorySchedule(
        study: StudySchedule(), days: StudyDays(zone: .utc, hour: 4), isFuzzed: true,
        leechAfter: 8, leechAction: .mark)
    ) { _ in (FSRS7(), []) }
    let source = DueSource(memory: memory, order: .leastKnown)
    var times: [UInt64] = []
    for deal in 0...deals {
      progress("pages", deal, deals)
      let context = DealContext<QuizDeck>(
        viewer: "learner", number: CardNumber(Int64(cards + 1)), row: nil, deck: deck,
        now: now.advanced(byMilliseconds: Int64(deal) * 1000), seed: 1, seen: [:],
        answersReceived: [], answersGiven: answers,
        unansweredLikes: { cards, _ in cards.map { _ in 0 } })
      let start = clock.uptimeNanoseconds
      let page = try await source.page(from: .start, limit: 50, table: table, context: context)
      times.append(clock.uptimeNanoseconds - start)
      precondition(page.rows.count == min(50, cards), "A page of due cards was not full.")
    }
    let warm = times.dropFirst().sorted()
    func milliseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e6 }
    return [
      Benchmark.Figure("cards of the due queue", Double(cards)),
      Benchmark.Figure(
        "top 50 of the due queue, first page", milliseconds(times[0]), decimals: 1, unit: "ms"),
      Benchmark.Figure(
        "top 50 of the due queue, median", milliseconds(warm[warm.count / 2]), decimals: 2,
        unit: "ms"),
      Benchmark.Figure(
        "top 50 of the due queue, p95", milliseconds(warm[warm.count * 95 / 100]), decimals: 2,
        unit: "ms"),
    ]
  }

  /// Answers of years, the last of them long enough ago that every card is due.
  private func answers() -> (answers: [GivenAnswer], now: Timestamp) {
    var random = SplitMix64(seed: 3)
    var answers: [GivenAnswer] = []
    answers.reserveCapacity(cards * answersPerCard)
    var time: Int64 = 1_600_000_000_000
    for round in 0..<answersPerCard {
      for card in 1...cards {
        time += 1000
        let isKnown = round == 0 || random.unitInterval() < 0.85
        answers.append(
          GivenAnswer(
            card: CardNumber(Int64(card)), answer: isKnown ? "easy" : "again",
            meaning: isKnown ? .positive : .negative, time: Timestamp(milliseconds: time),
            event: LogPosition(Int64(answers.count + 1))))
      }
      time += 86_400_000
    }
    // In steps after a lapse are those of the last round; a second answer graduates them.
    for card in 1...cards {
      time += 1000
      answers.append(
        GivenAnswer(
          card: CardNumber(Int64(card)), answer: "easy", meaning: .positive,
          time: Timestamp(milliseconds: time), event: LogPosition(Int64(answers.count + 1))))
    }
    return (answers, Timestamp(milliseconds: time).advanced(byMilliseconds: 36_500 * 86_400_000))
  }
}
