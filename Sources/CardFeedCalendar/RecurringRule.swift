/// A POSIX rule of a time zone: an offset for all times, or one for each half of the year.
///
/// IEEE Std 1003.1, section 8.3, "TZ", with the hours −167 … 167 that RFC 8536, section 3.3.1, adds.
struct RecurringRule: Hashable, Sendable {
  /// A day of the year.
  enum Day: Hashable, Sendable {
    /// 1 … 365; 29 February is not counted, so 60 is always 1 March.
    case withoutLeapDay(Int64)
    /// 0 … 365; 29 February is counted.
    case fromZero(Int64)
    /// The `week`th (5 is the last) `weekday` (0 is Sunday) of a month.
    case month(Int, week: Int64, weekday: Int64)
  }

  /// When the clock is changed.
  struct Moment: Hashable, Sendable {
    var day: Day
    /// Seconds after local midnight, by the clock before the change.
    var time: Int64
  }

  struct Summer: Hashable, Sendable {
    /// Seconds to add to UTC in summer.
    var offset: Int64
    var start: Moment
    var end: Moment
  }

  /// Seconds to add to UTC, in winter where there is a summer.
  var offset: Int64
  var summer: Summer?

  func offset(atSecond second: Int64) -> Int64 {
    guard summer != nil else { return offset }
    return changes(around: second, second).last { $0.time <= second }?.offset ?? offset
  }

  /// The changes of the years that a span of time touches and of those before and after it, in
  /// order. Changes of one moment stand in the order in which they take effect.
  func changes(around start: Int64, _ end: Int64) -> [ZoneRules.Change] {
    guard let summer else { return [] }
    let years = (Self.year(ofSecond: start) - 1)...(Self.year(ofSecond: end) + 1)
    return years.flatMap { year in
      let toSummer = ZoneRules.Change(
        time: Self.seconds(of: summer.start, in: year) - offset, offset: summer.offset)
      let toWinter = ZoneRules.Change(
        time: Self.seconds(of: summer.end, in: year) - summer.offset, offset: offset)
      return toSummer.time < toWinter.time ? [toSummer, toWinter] : [toWinter, toSummer]
    }
  }

  /// The year of the Gregorian calendar in UTC, by whole days; exact, whatever the second.
  private static func year(ofSecond second: Int64) -> Int64 {
    let days = ZoneRules.floorDivide(second, ZoneRules.secondsOfDay)
    // 400 years have 146,097 days; the estimate is off by one at most.
    var year = 1970 + ZoneRules.floorDivide(days * 400, 146_097)
    while day(ofYear: year) > days { year -= 1 }
    while day(ofYear: year + 1) <= days { year += 1 }
    return year
  }

  /// Days from 1970-01-01 to 1 January of a year.
  private static func day(ofYear year: Int64) -> Int64 {
    let before = year - 1
    let leapDays =
      ZoneRules.floorDivide(before, 4) - ZoneRules.floorDivide(before, 100)
      + ZoneRules.floorDivide(before, 400)
    return before * 365 + leapDays - 719_162
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Local seconds since 1970-01-01 by the clock before the change.
  private static func seconds(of moment: Moment, in year: Int64) -> Int64 {
    day(moment.day, in: year) * ZoneRules.secondsOfDay + moment.time
  }

  private static func day(_ day: Day, in year: Int64) -> Int64 {
    let january1 = Self.day(ofYear: year)
    switch day {
    case .withoutLeapDay(let number):
      return january1 + number - 1 + (isLeap(year) && number >= 60 ? 1 : 0)
    case .fromZero(let number): return january1 + number
    case .month(let month, let week, let weekday):
      let lengths: [Int64] = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      let first = january1 + lengths[..<(month - 1)].reduce(0, +)
      // 1970-01-01 was a Thursday, weekday 4.
      let firstWeekday = first + 4 - ZoneRules.floorDivide(first + 4, 7) * 7
      let wait = weekday - firstWeekday
      let found = first + (wait < 0 ? wait + 7 : wait) + (week - 1) * 7
      return found < first + lengths[month - 1] ? found : found - 7
    }
  }
}
