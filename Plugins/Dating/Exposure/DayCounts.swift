internal import CardFeed

/// How often something happened to a person on each day, in slots of a learner. A day is one of UTC.
///
/// Days that are eight apart share five numbers, which hold the power sums Σ eᵏ, k = 0 … 4, over their
/// events; e counts the rounds of eight days. What an event adds of itself follows from its day alone,
/// so it does not matter in which order events are counted or taken back, nor which of them were
/// worked out at one moment. An event also takes out what is left of days more than three days past.
/// That is subtracted from the sums like anything else: should two take it out at once, or one that
/// took it out be rewound, the sums hold the past day once less or once more, and still say which day
/// it is.
///
/// `DaySums` reads the count of one day out of the sums of all. It is exact as long as no more than
/// two other days are left in the same five numbers. Since every event clears up, that takes three
/// different past days, whole multiples of eight apart, to come back after the latest event about the
/// person: by answers that are taken back a week and more after they were given, or by first answers
/// that were taken back with no other after them, again and again. Where more are left the day counts
/// as none, its next event begins at one, and events of the days after clear up what is left.
struct DayCounts {
  /// How many slots it takes.
  static let slots = days * powers
  private static let days = 8
  /// How many days count on; an event may be so late, less one.
  private static let kept: Int64 = 4
  private static let powers = DaySums.powers
  /// A day near those that are counted, so that the powers are small: 4 October 2024.
  private static let origin: Int64 = 20_000

  private let first: UInt8

  /// Counts in the slots from `first` on.
  init(first: UInt8) { self.first = first }

  /// The day of a time.
  static func day(of time: Timestamp) -> Int64 {
    // Rounded down also before 1970, unlike a division.
    floorDivide(time.milliseconds, by: Timestamp.day).quotient
  }

  /// What one event of a day adds. O(1).
  func increments(
    of owner: CardNumber, on day: Int64, _ numbers: LearnedNumbers.Reader
  ) -> [Increment] {
    var increments: [Increment] = []
    for back in 0..<Int64(Self.days) {
      let place = place(of: day - back)
      let sums = sums(of: owner, place, numbers)
      var change = DaySums()
      if let others = sums.others(than: place.round) {
        for other in others where other.round < place.round {
          change.add(0 &- other.count, of: other.round)
        }
        if back >= Self.kept {
          change.add(others.reduce(0 &- sums[0]) { $0 &+ $1.count }, of: place.round)
        }
      } else if back == 0 || back == Self.kept {
        // Of a late event, the slots further back may be those of days that count.
        change.subtract(sums)
      }
      if back == 0 { change.add(1, of: place.round) }
      for (slot, amount) in slots(of: place, change) where amount != 0 {
        increments.append(Increment(LearnedKey(owner: owner, slot: slot), amount))
      }
    }
    return increments
  }

  /// How many events a person had on a day. O(1).
  func count(of owner: CardNumber, on day: Int64, _ numbers: LearnedNumbers.Reader) -> Int64 {
    let place = place(of: day)
    // A day that began at one, and of which earlier events were taken back, may be below zero.
    return max(0, sums(of: owner, place, numbers).count(of: place.round) ?? 0)
  }

  /// The numbers of a person who had so many events on a day and none before.
  func image(_ count: Int64, on day: Int64) -> [UInt8: Int64] {
    let place = place(of: day)
    var sums = DaySums()
    sums.add(count, of: place.round)
    return Dictionary(uniqueKeysWithValues: slots(of: place, sums))
  }

  private struct Place {
    let round: Int64
    let first: UInt8
  }

  private func place(of day: Int64) -> Place {
    let (round, rest) = Self.floorDivide(day - Self.origin, by: Int64(Self.days))
    return Place(round: round, first: first + UInt8(rest) * UInt8(Self.powers))
  }

  private func sums(
    of owner: CardNumber, _ place: Place, _ numbers: LearnedNumbers.Reader
  ) -> DaySums {
    var sums = DaySums()
    for power in 0..<Self.powers { sums[power] = numbers(owner, place.first + UInt8(power)) }
    return sums
  }

  private func slots(of place: Place, _ sums: DaySums) -> [(UInt8, Int64)] {
    (0..<Self.powers).map { (place.first + UInt8($0), sums[$0]) }
  }

  private static func floorDivide(
    _ number: Int64, by divisor: Int64
  ) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
