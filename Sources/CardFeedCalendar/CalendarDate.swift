public import CardFeed

/// A day of the Gregorian calendar, 0001-01-01 … 9999-12-31.
public struct CalendarDate: Hashable, Comparable, Sendable {
  // Narrow, because a deck holds one for every person.
  private let storedYear: Int16
  private let storedMonth: UInt8
  private let storedDay: UInt8

  /// 1 … 9999.
  public var year: Int { Int(storedYear) }
  /// 1 … 12.
  public var month: Int { Int(storedMonth) }
  /// 1 … 31.
  public var day: Int { Int(storedDay) }

  /// Nil unless the calendar has that day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }
    storedYear = Int16(year)
    storedMonth = UInt8(month)
    storedDay = UInt8(day)
  }

  /// Reads `YYYY-MM-DD`, ten ASCII characters; nil for anything else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int? {
      var result = 0
      for byte in bytes[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        result = result * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return result
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }

  /// The day that began `days` days after 1970-01-01; nil outside of the years 1 … 9999. O(1).
  ///
  /// Counts in periods of 400 years, after which the Gregorian calendar repeats, and in years that
  /// begin in March, so that the leap day is the last of its year.
  public init?(daysSinceEpoch days: Int64) {
    guard (Self.firstDay...Self.lastDay).contains(days) else { return nil }
    let shifted = Int(days - Self.marchOfYearZero)
    let period = shifted / 146_097
    let dayOfPeriod = shifted % 146_097
    let yearOfPeriod =
      (dayOfPeriod - dayOfPeriod / 1460 + dayOfPeriod / 36_524 - dayOfPeriod / 146_096) / 365
    let dayOfYear = dayOfPeriod - Self.days(beforeYear: yearOfPeriod)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let isAfterYearEnd = monthFromMarch >= 10
    self.init(
      year: period * 400 + yearOfPeriod + (isAfterYearEnd ? 1 : 0),
      month: isAfterYearEnd ? monthFromMarch - 9 : monthFromMarch + 3,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// The day in UTC at a moment; nil outside of the years 1 … 9999.
  public init?(_ moment: Timestamp) {
    let (days, rest) = moment.milliseconds.quotientAndRemainder(dividingBy: Timestamp.day)
    self.init(daysSinceEpoch: rest < 0 ? days - 1 : days)
  }

  /// Days from 1970-01-01, negative before it. O(1).
  public var daysSinceEpoch: Int64 {
    let yearFromMarch = month > 2 ? year : year - 1
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return Int64(Self.days(beforeYear: yearFromMarch) + dayOfYear) + Self.marchOfYearZero
  }

  /// Earlier before later.
  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// Days from 1970-01-01 to 1 March of the year 0.
  private static var marchOfYearZero: Int64 { -719_468 }
  private static var firstDay: Int64 { -719_162 }
  private static var lastDay: Int64 { 2_932_896 }

  /// Days in the years from 0 to before `year`, each of which begins in March.
  private static func days(beforeYear year: Int) -> Int {
    year * 365 + year / 4 - year / 100 + year / 400
  }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: isLeap(year) ? 29 : 28
    default: 31
    }
  }

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
}

extension CalendarDate: CustomStringConvertible {
  /// `YYYY-MM-DD`.
  public var description: String {
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }
}
