internal import CardFeed
internal import CardFeedSpacedRepetition

/// What happens to a card that is forgotten again and again.
enum LeechAction: String, Hashable, Sendable, CaseIterable {
  /// It is not asked any more until the learner resumes it.
  case suspend
  /// It is only counted as one.
  case mark
}

/// How questions come back: the schedule of short steps and intervals, and the learner's days.
struct MemorySchedule: Hashable, Sendable {
  var study: StudySchedule
  var days: StudyDays
  /// Whether intervals are spread, and days on which much is due avoided.
  var isFuzzed: Bool
  /// Lapses after which a card is a leech; 0 is never.
  var leechAfter: Int
  var leechAction: LeechAction

  /// Whether the given number of lapses makes a leech: the threshold, and every half of it from then
  /// on.
  func isLeech(afterLapses lapses: Int) -> Bool {
    guard leechAfter > 0, lapses >= leechAfter else { return false }
    return (lapses - leechAfter) % max(1, (leechAfter + 1) / 2) == 0
  }
}

/// Whether the time between two answers counts in whole days of the learner or in fractions.
enum MemoryTime: Hashable, Sendable {
  case wholeDays
  case fractions

  /// The days between two moments, as fractions; none where the clock went back.
  static func days(from earlier: Timestamp, to later: Timestamp) -> Double {
    max(0, Double(later.milliseconds - earlier.milliseconds) / 86_400_000)
  }
}

extension QuizDeck.Answer {
  /// What it says to a memory model; nil where it says nothing of knowledge.
  var rating: Rating? {
    switch self {
    case .again, .wrong: .again
    case .hard: .hard
    case .good, .right: .good
    case .easy: .easy
    case .suspend, .resume, .bury: nil
    }
  }
}
