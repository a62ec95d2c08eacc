internal import CardFeed

/// Counts how often each person was shown on a day, as clients report it (`Feed.impression`). A report
/// counts as often as it comes with an event id of its own.
///
/// Impressions are counted one after the other, so the count is exact for those that this process
/// recorded and for all that were in the log when it was opened. What other processes record meanwhile
/// it does not see: with p processes a cap lets through p times as many at most.
struct ImpressionNumbers: ImpressionLearner {
  typealias D = DatingDeck

  private static let identity = "impressions/2"
  private static let shown = DayCounts(first: 0)

  let numbers: LearnedNumbers

  /// Counts over shared learner states; all rules of a feed share them.
  init(states: LearnerStates) {
    numbers = states.numbers(for: Self.identity, stride: DayCounts.slots)
  }

  var identity: String { Self.identity }

  func increments(
    forImpression impression: LearningEvent<DatingDeck>, over numbers: LearnedNumbers
  ) -> [Increment] {
    numbers.read {
      Self.shown.increments(of: impression.card, on: DayCounts.day(of: impression.time), $0)
    }
  }

  /// How often each of these people was shown today. O(n).
  func impressionsToday(of people: [CardNumber], now: Timestamp) -> [Int64] {
    let today = DayCounts.day(of: now)
    return numbers.read { numbers in
      people.map { Self.shown.count(of: $0, on: today, numbers) }
    }
  }
}
