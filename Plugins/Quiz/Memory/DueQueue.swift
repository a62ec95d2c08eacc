internal import CardFeed
internal import CardFeedSpacedRepetition

/// The cards that wait for whole days and are due, so that the most urgent ones are found without
/// asking the memory model about each.
///
/// P(recall) falls and falls ever more slowly. So it is at most what it was, and at least what lies
/// on the line through two earlier moments. Both bounds are a few numbers in a row for each card; the
/// model is asked only about cards whose bound is better than the worst one that was found. What it
/// finds is what asking about every card finds.
///
/// The numbers are made anew when the learner's day changes, when many answers have come since, and
/// when they are a day old, since the line has by then become too low to spare much.
final class DueQueue<Model: MemoryModel>: Sendable {
  /// The cards as of a moment.
  private struct Snapshot: Sendable {
    var moment: Timestamp
    var today: Int64
    /// How many answers had been folded.
    var folded: Int
    var numbers: [CardNumber] = []
    var dueDays: [Double] = []
    var recalls: [Double] = []
    /// How much less a day later at most.
    var falls: [Double] = []
  }

  private static var most: Int { 2000 }
  private let snapshot = Lock<Snapshot?>(nil)

  /// The most urgent cards, of equally urgent ones those with the smallest numbers.
  ///
  /// O(due cards) for comparisons of numbers, and the model for about `limit` cards; the model for all
  /// due cards where the snapshot is made.
  func first(_ limit: Int, by order: DueOrder, of moment: RecordMoment<Model>) -> [CardNumber] {
    let snapshot = current(moment)
    let changed = Set(moment.record.touched[snapshot.folded...])
    var best = SmallestValues(limit: limit)
    let days = Double(moment.now.milliseconds - snapshot.moment.milliseconds) / 86_400_000
    // More than rounding can make of a bound.
    let slack = 1e-12
    for index in snapshot.numbers.indices {
      let least: Double =
        switch order {
        case .due: snapshot.dueDays[index]
        case .leastKnown: snapshot.recalls[index] - days * snapshot.falls[index] - slack
        case .bestKnown: -snapshot.recalls[index] - slack
        }
      if let bound = best.bound, least > bound { continue }
      let number = snapshot.numbers[index]
      if changed.contains(number) { continue }
      if let urgency = moment.urgency(of: number, by: order) { best.insert(number, urgency) }
    }
    for number in changed {
      if let urgency = moment.urgency(of: number, by: order) { best.insert(number, urgency) }
    }
    return best.sorted
  }

  private func current(_ moment: RecordMoment<Model>) -> Snapshot {
    let folded = moment.record.touched.count
    if let kept = snapshot.withLock({ $0 }), kept.today == moment.today,
      kept.moment <= moment.now, kept.folded <= folded, folded - kept.folded <= Self.most,
      moment.now.milliseconds - kept.moment.milliseconds <= 86_400_000
    {
      return kept
    }
    var made = Snapshot(moment: moment.now, today: moment.today, folded: folded)
    for (number, card) in moment.record.cards {
      guard let due = card.dueDay, due <= moment.today, moment.isAsked(card),
        let state = card.state
      else { continue }
      let since = moment.memory.elapsed(since: card, at: moment.now, day: moment.today)
      let recall = moment.memory.model.retrievability(state, after: since)
      // Not from the very beginning, where it falls fastest.
      let before = since / 2
      let fall =
        since > 0
        ? (moment.memory.model.retrievability(state, after: before) - recall) / (since - before)
        : .infinity
      made.numbers.append(number)
      made.dueDays.append(Double(due))
      made.recalls.append(recall)
      made.falls.append(fall)
    }
    snapshot.withLock { $0 = made }
    return made
  }
}
