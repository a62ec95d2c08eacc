public import CardFeed

/// Counts what people were shown and what they answered: what rules about exposure read.
///
/// Of each person as a card: how often others answered about them, how often with a like, and how
/// often on the latest day. Of each person as a viewer: answers, likes, and the latest activity. A
/// day is one of UTC. A card that was dealt and not answered is not counted; that is as near to an
/// impression as learned numbers come, since they follow from answers only.
///
/// The count of a day belongs to the day it is stored with. The first answer of a new day resets
/// it, as increments like any others, so a rewind is exact. When several first answers of a day about
/// the same person are committed at the same moment, each resets, and the stored day is too late by
/// as many steps. A day that is further ahead than tomorrow is one that nobody can have stored alone:
/// the next answer resets it. So a wrong day lasts until the next answer, or where it is tomorrow's
/// for one day, in which answers are not counted. An answer that arrives more than a day late resets
/// it, too.
public struct ExposureNumbers: Learner {
  /// The deck of people.
  public typealias D = DatingDeck

  enum Slot {
    static let answersReceived: UInt8 = 0
    static let likesReceived: UInt8 = 1
    static let day: UInt8 = 2
    static let answersOfDay: UInt8 = 3
    static let answersGiven: UInt8 = 4
    static let likesGiven: UInt8 = 5
    static let latestMinute: UInt8 = 6
    static let count = 7
  }

  /// The counts.
  public let numbers: LearnedNumbers

  /// Counts over shared learner states; all rules of a feed share them.
  public init(states: LearnerStates) {
    numbers = states.numbers(for: Self.identity, stride: Slot.count)
  }

  private static let identity = "exposure/2"

  /// The version of the counts.
  public var identity: String { Self.identity }

  static func day(of time: Timestamp) -> Int64 {
    // Rounded down also before 1970, unlike a division.
    let (day, rest) = time.milliseconds.quotientAndRemainder(dividingBy: Timestamp.day)
    return rest < 0 ? day - 1 : day
  }

  /// Whether a stored day has to be reset by an answer of another one: it is earlier, or so far ahead
  /// that resets at the same moment have added up.
  static func isOver(_ stored: Int64, on today: Int64) -> Bool {
    stored < today || stored > today + 1
  }

  /// One answer more for both people. O(1).
  public func increments(for event: LearningEvent<DatingDeck>) -> [Increment] {
    let likes: Int64
    switch event.meaning {
    case .positive: likes = 1
    case .negative: likes = 0
    case .neutral: return []
    }
    let (day, answers, minute) = numbers.read { numbers in
      (
        numbers(event.card, Slot.day), numbers(event.card, Slot.answersOfDay),
        numbers(event.viewer, Slot.latestMinute)
      )
    }
    func card(_ slot: UInt8, _ amount: Int64) -> Increment {
      Increment(LearnedKey(owner: event.card, slot: slot), amount)
    }
    func viewer(_ slot: UInt8, _ amount: Int64) -> Increment {
      Increment(LearnedKey(owner: event.viewer, slot: slot), amount)
    }
    var increments = [
      card(Slot.answersReceived, 1), card(Slot.likesReceived, likes),
      viewer(Slot.answersGiven, 1), viewer(Slot.likesGiven, likes),
      viewer(Slot.latestMinute, max(0, event.time.milliseconds / 60_000 - minute)),
    ]
    let today = Self.day(of: event.time)
    if Self.isOver(day, on: today) {
      increments += [card(Slot.day, today - day), card(Slot.answersOfDay, 1 - answers)]
    } else if today == day {
      increments.append(card(Slot.answersOfDay, 1))
    }
    return increments.filter { $0.amount != 0 }
  }

  /// What is known of one person at a moment.
  struct Person {
    let answersReceived: Int64
    let likesReceived: Int64
    let answersToday: Int64
    let answersGiven: Int64
    let likesGiven: Int64
    /// Nil before the first answer.
    let latestActivity: Timestamp?

    init(_ numbers: LearnedNumbers.Reader, _ person: CardNumber, now: Timestamp) {
      // A sum that others' rewinds took below zero counts as none.
      func count(_ slot: UInt8) -> Int64 { max(0, numbers(person, slot)) }
      answersReceived = count(Slot.answersReceived)
      likesReceived = count(Slot.likesReceived)
      let isToday = numbers(person, Slot.day) == ExposureNumbers.day(of: now)
      answersToday = isToday ? count(Slot.answersOfDay) : 0
      answersGiven = count(Slot.answersGiven)
      likesGiven = count(Slot.likesGiven)
      let minute = count(Slot.latestMinute)
      latestActivity =
        answersGiven > 0 ? Timestamp(milliseconds: minute * 60_000) : nil
    }
  }

  /// What is known of each candidate of a slate. O(n).
  func people(of slate: Slate<DatingDeck>) -> [Person] {
    let cards = slate.numbers
    return numbers.read { numbers in
      cards.map { Person(numbers, $0, now: slate.context.now) }
    }
  }
}
