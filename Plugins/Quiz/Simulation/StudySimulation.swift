internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration
internal import CardFeedSpacedRepetition

/// Simulated learners who study some minutes a day, under one order of questions after another.
///
/// A learner's memory follows FSRS-7 with parameters of their own: the defaults, each times a factor
/// that is drawn for the learner. What orders questions is the plugin's own sources and rankings,
/// over what the log says and with the default parameters, which do not know the learner. Whether an
/// answer is right is drawn from the seed, the learner, the card and the number of its answers: the
/// same in every order.
///
/// It is a simulation: it says how orders compare if people forget as the model says.
struct StudySimulation: Sendable {
  var learners = 10
  var cards = 400
  var minutesADay = 10
  var days = 60
  var newPerDay = 15
  /// The standard deviation of the logarithms of the factors.
  var spread = 0.3
  var seed: UInt64 = 1

  static let secondsWhenRight = 8.0
  static let secondsWhenWrong = 15.0
  /// How many questions are ordered at once.
  private static let hand = 5
  private static let noon = Timestamp(milliseconds: 1_767_268_800_000)
  private static let ahead: Int64 = 20 * 60_000

  /// How questions are ordered.
  enum Order: String, CaseIterable, Sendable {
    case due, leastKnown = "least-known", bestKnown = "best-known", retrievability
    case studyGain = "study-gain", targetDifficulty = "target-difficulty", random
  }

  /// What came of it, over all learners.
  struct Outcome: Hashable, Sendable {
    /// What each learner has of it: cards recalled, and minutes.
    var learners: [Learner] = []
    /// The expected number of cards that are known at the end.
    var recalled = 0.0
    /// The cards that were asked at all.
    var begun = 0
    var minutes = 0.0
    var answers = 0

    /// One learner.
    struct Learner: Hashable, Sendable {
      var recalled: Double
      var minutes: Double
    }

    /// Cards recalled at the end per minute, of learners that were drawn; nil without a minute.
    func perMinute(_ drawn: some Sequence<Int>) -> Double? {
      var (recalled, minutes) = (0.0, 0.0)
      for index in drawn {
        recalled += learners[index].recalled
        minutes += learners[index].minutes
      }
      return minutes > 0 ? recalled / minutes : nil
    }
  }

  /// The middle 95 % of a statistic over learners who are drawn again and again (Efron 1979): the same
  /// draws for every statistic of as many learners. Nil where it is not defined.
  static func interval(
    learners: Int, resamples: Int = 1000, _ statistic: ([Int]) -> Double?
  ) -> ClosedRange<Double>? {
    guard learners > 1 else { return nil }
    var random = SplitMix64(seed: 1)
    var values: [Double] = []
    for _ in 0..<resamples {
      let drawn = (0..<learners).map { _ in random.index(below: learners) }
      if let value = statistic(drawn) { values.append(value) }
    }
    guard !values.isEmpty else { return nil }
    values.sort()
    func quantile(_ share: Double) -> Double {
      values[Int((share * Double(values.count - 1)).rounded())]
    }
    return quantile(0.025)...quantile(0.975)
  }

  /// Studies with one order. O(learners · answers · cards / 5).
  func run(_ order: Order, progress: (Int) -> Void = { _ in }) async throws -> Outcome {
    let numbered = (0..<cards).map { index in
      (
        card: QuizCard(id: CardID("c\(index)"), prompt: "p", answer: "a"),
        number: CardNumber(Int64(index + 1))
      )
    }
    let table = CardTable<QuizDeck>.make(numbered, deck: QuizDeck())
    var total = Outcome()
    for learner in 0..<learners {
      let one = try await study(learner, order, table)
      total.recalled += one.recalled
      total.begun += one.begun
      total.minutes += one.minutes
      total.answers += one.answers
      total.learners.append(Outcome.Learner(recalled: one.recalled, minutes: one.minutes))
      progress(learner + 1)
    }
    return total
  }

  private func study(
    _ learner: Int, _ order: Order, _ table: CardTable<QuizDeck>
  ) async throws -> Outcome {
    let schedule = MemorySchedule(
      study: StudySchedule(), days: StudyDays(zone: .utc, hour: 4), isFuzzed: true, leechAfter: 0,
      leechAction: .mark)
    let memory = MemoryProbability<FSRS7>(time: .fractions, schedule: schedule) { _ in
      (FSRS7(), [])
    }
    let desk = StudyDesk(memory: memory, order: order, table: table)
    let truth = try memoryModel(of: learner)
    var known: [CardNumber: (state: FSRS7.State, last: Timestamp, answers: Int)] = [:]
    var log: [GivenAnswer] = []
    var outcome = Outcome()
    for day in 0..<days {
      var now = Self.noon.advanced(byMilliseconds: Int64(day) * 86_400_000)
      let end = now.advanced(byMilliseconds: Int64(minutesADay) * 60_000)
      while now < end {
        try Task.checkCancellation()
        let context = DealContext<QuizDeck>(
          viewer: "v", number: CardNumber(Int64(cards + 1)), row: nil, deck: QuizDeck(), now: now,
          seed: draw([UInt64(learner), UInt64(log.count)]), seen: [:], answersReceived: [],
          answersGiven: log, unansweredLikes: { cards, _ in cards.map { _ in 0 } })
        let hand = try await desk.hand(
          Self.hand, context, ahead: Self.ahead, newPerDay: newPerDay)
        if hand.isEmpty { break }
        for number in hand where now < end {
          var card = known[number]
          let since = card.map { Double(now.milliseconds - $0.last.milliseconds) / 86_400_000 }
          // Half of the new cards are known already.
          let recall =
            card.flatMap { card in since.map { truth.retrievability(card.state, after: $0) } }
            ?? 0.5
          let index = card?.answers ?? 0
          let chance =
            Double(draw([UInt64(learner), UInt64(number.rawValue), UInt64(index), 7]) >> 11)
            * 0x1p-53
          let rating: Rating = chance < recall ? .good : .again
          now = now.advanced(
            byMilliseconds: Int64(
              (rating == .again ? Self.secondsWhenWrong : Self.secondsWhenRight) * 1000))
          let state =
            card.map { truth.next($0.state, after: since ?? 0, rating) } ?? truth.initial(rating)
          card = (state, now, index + 1)
          known[number] = card
          let answer: QuizDeck.Answer = rating == .again ? .again : .good
          log.append(
            GivenAnswer(
              card: number, answer: answer.rawValue, meaning: QuizDeck().meaning(of: answer),
              time: now, event: LogPosition(Int64(log.count + 1))))
          outcome.answers += 1
          outcome.minutes +=
            (rating == .again ? Self.secondsWhenWrong : Self.secondsWhenRight) / 60
        }
      }
    }
    let last = Self.noon.advanced(byMilliseconds: Int64(days) * 86_400_000)
    outcome.begun = known.count
    for number in known.keys.sorted() {
      guard let card = known[number] else { continue }
      outcome.recalled += truth.retrievability(
        card.state, after: Double(last.milliseconds - card.last.milliseconds) / 86_400_000)
    }
    return outcome
  }

  /// The true memory of a learner.
  private func memoryModel(of learner: Int) throws -> FSRS7 {
    var random = SplitMix64(seed: draw([UInt64(learner), 11]))
    let parameters = zip(FSRS7.defaults, FSRS7.bounds).map { value, bounds in
      let normal = (0..<12).reduce(-6.0) { sum, _ in sum + random.unitInterval() }
      let own = value * exponential(spread * normal)
      return min(max(own, bounds.lowerBound), bounds.upperBound)
    }
    return try FSRS7(parameters: parameters)
  }

  private func draw(_ parts: [UInt64]) -> UInt64 {
    var hash = StableHash()
    hash.combine(seed)
    for part in parts { hash.combine(part) }
    return hash.value
  }
}

/// Puts hands together: the new cards of the day, then what is in short steps, then what is due, in
/// one of the orders. So all orders begin the same cards, and differ in what they do with the time
/// that is left.
private struct StudyDesk {
  let memory: MemoryProbability<FSRS7>
  let order: StudySimulation.Order
  let table: CardTable<QuizDeck>

  func hand(
    _ count: Int, _ context: DealContext<QuizDeck>, ahead: Int64, newPerDay: Int
  ) async throws -> [CardNumber] {
    let moment = memory.moment(of: context)
    let all = table.count
    let due = moment.dueToday(by: DueOrder(rawValue: order.rawValue) ?? .due, limit: all)
    let new = try await NewSource(memory: memory).page(
      from: .start, limit: max(0, newPerDay - moment.introduced), table: table, context: context
    ).rows.map { table.number(at: $0) }
    let steps = moment.inSteps(until: context.now, limit: all)
    let early = moment.inSteps(until: context.now.advanced(byMilliseconds: ahead), limit: all)
      .filter { !steps.contains($0) }
    let begun = new + steps
    if !begun.isEmpty { return Array(begun.prefix(count)) }
    let candidates = due
    if candidates.isEmpty { return Array(early.prefix(count)) }
    guard let values = try await scores(of: candidates, context) else {
      return Array(candidates.prefix(count))
    }
    // Unscored ones last; of equal ones the one that was proposed first.
    let ranked = candidates.indices.sorted { left, right in
      let (a, b) = (values[left], values[right])
      if a.isNaN || b.isNaN { return a.isNaN == b.isNaN ? left < right : b.isNaN }
      return a != b ? a > b : left < right
    }
    return ranked.prefix(count).map { candidates[$0] }
  }

  /// Nil where the order is that of the sources.
  private func scores(
    of candidates: [CardNumber], _ context: DealContext<QuizDeck>
  ) async throws -> [Double]? {
    let slate = Slate(
      table: table, rows: candidates.compactMap { table.row(of: $0) }, context: context)
    let ranking: any RankingStrategy<QuizDeck>
    switch order {
    case .due, .leastKnown, .bestKnown: return nil
    case .random:
      var random = SplitMix64(seed: context.seed)
      return candidates.map { _ in random.unitInterval() }
    case .retrievability: ranking = RetrievabilityRanking(memory: memory)
    case .targetDifficulty: ranking = TargetDifficultyRanking(target: 0.8)
    case .studyGain:
      ranking = StudyGainRanking(
        memory: memory, horizon: 30, secondsWhenRight: StudySimulation.secondsWhenRight,
        secondsWhenWrong: StudySimulation.secondsWhenWrong, newGain: 0.3)
    }
    return try await ranking.scores(
      for: slate, estimates: try await memory.estimates(for: slate)
    ).values
  }
}
