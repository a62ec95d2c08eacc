internal import CardFeed

/// Counts how many answers each person has given today: what is left of their day's cards.
///
/// A day is one of UTC. The count belongs to the day it is stored with, and the first answer of a new
/// day resets it by increments like any others, so a rewind is exact. The answers of one person come
/// one after the other, each counted before the next is worked out, so no two of them reset at once;
/// in a deployment of many processes that holds while a person talks to one of them at a time. If the
/// first answer of a day is taken back while later ones stand, as only recorded ones can, the next one
/// counts as the first. An
/// answer that arrives after answers of a later day is not counted; a day that lies further ahead than
/// tomorrow is of a log from before the feed held clients' clocks back, or of a clock of its own that
/// was wrong, and the next answer resets it.
struct DailyAnswers: Learner {
  typealias D = DatingDeck

  enum Slot {
    static let day: UInt8 = 0
    static let answers: UInt8 = 1
    static let count = 2
  }

  private static let identity = "daily-answers/2"

  let numbers: LearnedNumbers

  /// Counts over shared learner states; all rankings of a feed share them.
  init(states: LearnerStates) {
    numbers = states.numbers(for: Self.identity, stride: Slot.count)
  }

  var identity: String { Self.identity }

  func increments(for event: LearningEvent<DatingDeck>) -> [Increment] {
    let (day, answers) = numbers.read {
      ($0(event.viewer, Slot.day), $0(event.viewer, Slot.answers))
    }
    let today = DayCounts.day(of: event.time)
    let isFirst = day < today || day > today + 1
    guard isFirst || today == day else { return [] }
    return [
      Increment(LearnedKey(owner: event.viewer, slot: Slot.day), today - day),
      Increment(LearnedKey(owner: event.viewer, slot: Slot.answers), isFirst ? 1 - answers : 1),
    ].filter { $0.amount != 0 }
  }

  /// How many answers each of these people has given today. O(n).
  func answersToday(of people: [CardNumber], now: Timestamp) -> [Int] {
    let today = DayCounts.day(of: now)
    return numbers.read { numbers in
      people.map { person in
        numbers(person, Slot.day) == today
          ? Int(clamping: max(0, numbers(person, Slot.answers))) : 0
      }
    }
  }
}
