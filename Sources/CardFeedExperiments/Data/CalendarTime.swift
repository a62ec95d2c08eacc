/// A moment as tables write it, after ISO 8601: `2024-01-31`, `2024-01-31T10:00:00Z`,
/// `2024-01-31 10:00:00.25+02:00`.
///
/// Years 1 to 9999 of the Gregorian calendar, no leap seconds. A day alone is its first second, and
/// what names no zone is taken for universal time; ``hasZone`` tells.
public struct CalendarTime: Hashable, Sendable {
  /// Since the beginning of 1970 in universal time, rounded down.
  public let seconds: Int64
  /// Beyond ``seconds``, from 0 to 999,999; further digits are cut off.
  public let microseconds: Int64
  /// Whether the distance from universal time stood there.
  public let hasZone: Bool

  /// The moment of a text; nil where the text has another form, or such a day or hour is none.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count,
        bytes[range].allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    func isThere(_ separators: [(place: Int, text: String)]) -> Bool {
      separators.allSatisfy { bytes[$0.place] == $0.text.utf8.first }
    }
    guard bytes.count >= 10, isThere([(4, "-"), (7, "-")]), let year = number(0..<4),
      let month = number(5..<7), let day = number(8..<10), year >= 1, (1...12).contains(month),
      day >= 1, day <= Self.days(of: month, year)
    else { return nil }
    let midnight = Self.dayNumber(year, month, day) * 86_400
    guard bytes.count > 10 else {
      (seconds, microseconds, hasZone) = (midnight, 0, false)
      return
    }
    guard bytes.count >= 19, isThere([(13, ":"), (16, ":")]),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var end = 19
    var fraction: Int64 = 0
    if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
      let digits = bytes[(end + 1)...].prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      for place in 0..<6 {
        fraction = fraction * 10 + (place < digits.count ? Int64(digits[end + 1 + place]) - 48 : 0)
      }
      end += 1 + digits.count
    }
    hasZone = end < bytes.count
    guard let zone = hasZone ? Self.zone(bytes[end...], number) : 0 else { return nil }
    seconds = midnight + hour * 3600 + minute * 60 + second - zone * 60
    microseconds = fraction
  }

  /// Minutes ahead of universal time.
  private static func zone(_ bytes: ArraySlice<UInt8>, _ number: (Range<Int>) -> Int64?) -> Int64? {
    if bytes.elementsEqual("Z".utf8) { return 0 }
    let start = bytes.startIndex
    guard bytes.count == 6, bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "-"),
      bytes[start + 3] == UInt8(ascii: ":"), let hours = number(start + 1..<start + 3),
      let minutes = number(start + 4..<start + 6), hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (bytes[start] == UInt8(ascii: "-") ? -1 : 1)
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(of month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970 in the Gregorian calendar.
  private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let before = year - 1
    let leapDays = before / 4 - before / 100 + before / 400 - 477
    let inYear = (1..<month).reduce(0) { $0 + days(of: $1, year) }
    return (year - 1970) * 365 + leapDays + inYear + day - 1
  }
}
