extension RecurringRule {
  /// Reads a POSIX TZ string, such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil for anything else.
  ///
  /// A summer time needs its rule: the default of POSIX, the rule of the United States, is what
  /// nobody means today.
  init?(_ text: some Sequence<UInt8>) {
    var reader = RuleReader(text)
    guard reader.skipName(), let west = reader.time(hours: 24) else { return nil }
    offset = -west
    guard !reader.isAtEnd else { return }
    guard reader.skipName() else { return nil }
    var summerOffset = offset + 3600
    if !reader.isNext(",") {
      guard let west = reader.time(hours: 24) else { return nil }
      summerOffset = -west
    }
    guard reader.take(","), let start = reader.moment(), reader.take(","),
      let end = reader.moment(), reader.isAtEnd
    else { return nil }
    summer = Summer(offset: summerOffset, start: start, end: end)
  }
}

/// Reads the parts of a POSIX TZ string, one after the other.
private struct RuleReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: some Sequence<UInt8>) { rest = Array(text)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  func isNext(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Three letters or more, or anything but `>` between angle brackets.
  mutating func skipName() -> Bool {
    if take("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end > rest.startIndex else {
        return false
      }
      rest = rest[(end + 1)...]
      return true
    }
    let letters = rest.prefix { (65...90).contains($0) || (97...122).contains($0) }
    rest = rest.dropFirst(letters.count)
    return letters.count >= 3
  }

  /// Decimal digits, at most `most`, as a number.
  private mutating func number(atMost most: Int64) -> Int64? {
    let digits = rest.prefix { (48...57).contains($0) }
    guard !digits.isEmpty, digits.count <= 3 else { return nil }
    rest = rest.dropFirst(digits.count)
    let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
    return number <= most ? number : nil
  }

  /// `[+-]hh[:mm[:ss]]` in seconds.
  mutating func time(hours most: Int64) -> Int64? {
    let isNegative = isNext("-")
    if isNegative || isNext("+") { rest.removeFirst() }
    guard let hours = number(atMost: most) else { return nil }
    var seconds = hours * 3600
    for unit: Int64 in [60, 1] where take(":") {
      guard let count = number(atMost: 59) else { return nil }
      seconds += count * unit
    }
    return isNegative ? -seconds : seconds
  }

  mutating func moment() -> RecurringRule.Moment? {
    guard let day = day() else { return nil }
    guard take("/") else { return RecurringRule.Moment(day: day, time: 7200) }
    return time(hours: 167).map { RecurringRule.Moment(day: day, time: $0) }
  }

  private mutating func day() -> RecurringRule.Day? {
    if take("J") {
      return number(atMost: 365).flatMap { $0 >= 1 ? .withoutLeapDay($0) : nil }
    }
    guard take("M") else { return number(atMost: 365).map { .fromZero($0) } }
    guard let month = number(atMost: 12), month >= 1, take("."),
      let week = number(atMost: 5), week >= 1, take("."), let weekday = number(atMost: 6)
    else { return nil }
    return .month(Int(month), week: week, weekday: weekday)
  }
}
