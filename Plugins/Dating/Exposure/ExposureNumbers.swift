public import CardFeed

/// Counts what people answered and what was answered about them: what rules about exposure read.
///
/// Of each person as a card: how often others answered about them, how often with a like, how often on
/// each of the last days (`DayCounts`), and when first. An answer counts as the first while no other
/// does; of several at one moment the mean is taken. When it is taken back, nothing is known of the
/// first until the next answer counts as that. Of each person as a viewer: answers, likes, and
/// the latest activity. What was shown without an answer, `ImpressionNumbers` counts.
public struct ExposureNumbers: Learner {
  /// The deck of people.
  public typealias D = DatingDeck

  enum Slot {
    static let answersReceived: UInt8 = 0
    static let likesReceived: UInt8 = 1
    static let answersGiven: UInt8 = 2
    static let likesGiven: UInt8 = 3
    static let latestMinute: UInt8 = 4
    /// How many answers count as the first, and the sum of their minutes.
    static let firstAnswers: UInt8 = 5
    static let firstMinutes: UInt8 = 6
    static let answersOfDays: UInt8 = 7
    static let count = 7 + DayCounts.slots
  }

  /// Answers received on each day.
  static let received = DayCounts(first: Slot.answersOfDays)

  /// The counts.
  public let numbers: LearnedNumbers

  /// Counts over shared learner states; all rules of a feed share them.
  public init(states: LearnerStates) {
    numbers = states.numbers(for: Self.identity, stride: Slot.count)
  }

  private static let identity = "exposure/4"

  /// The version of the counts.
  public var identity: String { Self.identity }

  /// One answer more for both people. O(1).
  public func increments(for event: LearningEvent<DatingDeck>) -> [Increment] {
    let likes: Int64
    switch event.meaning {
    case .positive: likes = 1
    case .negative: likes = 0
    case .neutral: return []
    }
    let minute = event.time.milliseconds / 60_000
    let (latest, isFirst, ofDay) = numbers.read { numbers in
      (
        numbers(event.viewer, Slot.latestMinute), numbers(event.card, Slot.firstAnswers) == 0,
        Self.received.increments(of: event.card, on: DayCounts.day(of: event.time), numbers)
      )
    }
    func card(_ slot: UInt8, _ amount: Int64) -> Increment {
      Increment(LearnedKey(owner: event.card, slot: slot), amount)
    }
    func viewer(_ slot: UInt8, _ amount: Int64) -> Increment {
      Increment(LearnedKey(owner: event.viewer, slot: slot), amount)
    }
    let increments = [
      card(Slot.answersReceived, 1), card(Slot.likesReceived, likes),
      viewer(Slot.answersGiven, 1), viewer(Slot.likesGiven, likes),
      viewer(Slot.latestMinute, max(0, minute - latest)),
      card(Slot.firstAnswers, isFirst ? 1 : 0), card(Slot.firstMinutes, isFirst ? minute : 0),
    ]
    return increments.filter { $0.amount != 0 } + ofDay
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
    /// When somebody first answered about the person; nil before, and where it is not known.
    let firstShown: Timestamp?

    init(_ numbers: LearnedNumbers.Reader, _ person: CardNumber, now: Timestamp) {
      // A sum that others' rewinds took below zero counts as none.
      func count(_ slot: UInt8) -> Int64 { max(0, numbers(person, slot)) }
      answersReceived = count(Slot.answersReceived)
      likesReceived = count(Slot.likesReceived)
      answersToday = ExposureNumbers.received.count(
        of: person, on: DayCounts.day(of: now), numbers)
      answersGiven = count(Slot.answersGiven)
      likesGiven = count(Slot.likesGiven)
      let minute = count(Slot.latestMinute)
      latestActivity =
        answersGiven > 0 ? Timestamp(milliseconds: minute * 60_000) : nil
      let firsts = count(Slot.firstAnswers)
      firstShown =
        firsts > 0
        ? Timestamp(milliseconds: numbers(person, Slot.firstMinutes) / firsts * 60_000) : nil
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
