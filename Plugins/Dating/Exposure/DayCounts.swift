internal import CardFeed

/// How often something happened to a person on each of the last days, in slots of a learner. A day is
/// one of UTC.
///
/// A day has a slot of its own, day mod 8, so an event adds one to it whatever others of the same
/// moment add: nothing is lost when several are worked out before any of them counts. Each event also
/// clears the slots of the four days to come, which hold counts of days long past; should two clear one
/// at once, the next event puts that right, before the day comes.
///
/// The latest day is stored beside the counts, and events of one moment that move it move it too far.
/// That does not matter while it is wrong by three days or less: for up to four first events of a day
/// at one moment where there was one on the day before, and two where the last was two or three days
/// ago. With more of them at once, or after a longer time without any, the next event begins at one, so
/// the count lacks those of that one moment, and only those. So it does when an event comes more than
/// three days late.
struct DayCounts {
  /// How many slots it takes.
  static let slots = 9
  private static let days = 8
  /// How far the stored day may lie from an event's.
  private static let tolerance = 3

  private let latest: UInt8

  /// Counts in the slots from `first` on.
  init(first: UInt8) { latest = first }

  /// The day of a time.
  static func day(of time: Timestamp) -> Int64 {
    // Rounded down also before 1970, unlike a division.
    let (day, rest) = time.milliseconds.quotientAndRemainder(dividingBy: Timestamp.day)
    return rest < 0 ? day - 1 : day
  }

  /// What one event of a day adds. O(1).
  func increments(
    of owner: CardNumber, on day: Int64, _ numbers: LearnedNumbers.Reader
  ) -> [Increment] {
    let stored = numbers(owner, latest)
    let isNear = abs(day - stored) <= Self.tolerance
    var increments: [Increment] = []
    func add(_ slot: UInt8, _ amount: Int64) {
      if amount != 0 { increments.append(Increment(LearnedKey(owner: owner, slot: slot), amount)) }
    }
    let own = slot(of: day)
    // Below zero is a slot that was cleared twice.
    let count = numbers(owner, own)
    add(own, isNear && count >= 0 ? 1 : 1 - count)
    if day > stored || !isNear { add(latest, day - stored) }
    let newest = isNear ? max(day, stored) : day
    for ahead in 1...Int64(isNear ? Self.days / 2 : Self.days - 1) {
      let slot = slot(of: newest + ahead)
      add(slot, -numbers(owner, slot))
    }
    return increments
  }

  /// How many events a person had on a day; 0 for days long past. O(1).
  func count(of owner: CardNumber, on day: Int64, _ numbers: LearnedNumbers.Reader) -> Int64 {
    guard abs(day - numbers(owner, latest)) <= Self.tolerance else { return 0 }
    // A sum that others' rewinds took below zero counts as none.
    return max(0, numbers(owner, slot(of: day)))
  }

  /// The numbers of a person who had so many events on a day and none before.
  func image(_ count: Int64, on day: Int64) -> [UInt8: Int64] {
    [latest: day, slot(of: day): count]
  }

  private func slot(of day: Int64) -> UInt8 {
    let days = Int64(Self.days)
    return latest + 1 + UInt8(((day % days) + days) % days)
  }
}
