public import CardFeed

/// A time zone: which day of the calendar it is at a moment, and when a day begins.
///
/// This module holds the calendar: days, ages in full years, and time zones as they stand in the
/// system's TZif files (RFC 8536). The engine does not know it; filters, quotas and decks that mean
/// days or ages may use it. It imports the engine for `Timestamp` and the C library to read files,
/// and must never import Foundation, a plugin or a store.
///
/// The rules are read once and then a value: no later change of the system's files changes a feed
/// that runs. When not to use it: to show clock times to people, which takes names of months and
/// of zones; none are here. Leap seconds are not counted, as in `Timestamp`.
public struct ZoneRules: Hashable, Sendable {
  /// The zone's name, as it was asked for.
  public let name: String
  /// Seconds to add to UTC before the first change.
  let firstOffset: Int64
  /// When the offset changes, ascending, in seconds since 1970-01-01 UTC.
  let changes: [Change]
  /// What holds from the last change on; nil when the last offset stays.
  let recurring: RecurringRule?

  struct Change: Hashable, Sendable {
    var time: Int64
    /// Seconds to add to UTC from then on.
    var offset: Int64
  }

  init(
    name: String, firstOffset: Int64, changes: [Change] = [], recurring: RecurringRule? = nil
  ) {
    self.name = name
    self.firstOffset = firstOffset
    self.changes = changes
    self.recurring = recurring
  }

  /// Coordinated Universal Time.
  public static let utc = ZoneRules(name: "UTC", firstOffset: 0)

  /// Seconds to add to UTC for the local time at a moment. O(log changes).
  public func offset(at moment: Timestamp) -> Int64 {
    offset(atSecond: Self.seconds(moment))
  }

  /// The calendar day at a moment; nil outside of the years 1 … 9999. O(log changes).
  public func day(at moment: Timestamp) -> CalendarDate? {
    let second = Self.seconds(moment)
    return CalendarDate(
      daysSinceEpoch: Self.floorDivide(second + offset(atSecond: second), Self.secondsOfDay))
  }

  func offset(atSecond second: Int64) -> Int64 {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].time <= second { low = middle + 1 } else { high = middle }
    }
    if low == changes.count, let recurring { return recurring.offset(atSecond: second) }
    return low == 0 ? firstOffset : changes[low - 1].offset
  }

  /// Whole seconds, rounded down, so that the millisecond before midnight is in the old day.
  static func seconds(_ moment: Timestamp) -> Int64 { floorDivide(moment.milliseconds, 1000) }

  static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }

  static var secondsOfDay: Int64 { 86_400 }
  /// No clock is farther from UTC: RFC 8536, section 3.2, allows up to 26 hours.
  static var farthestOffset: Int64 { 26 * 3600 }
}
