/// On which day of a common year somebody who was born on 29 February is a year older.
public enum LeapDayPolicy: String, Hashable, Sendable, CaseIterable {
  /// On 1 March. The later of the two, so the one that never lets anybody in too early.
  case march1 = "march-1"
  /// On 28 February.
  case february28 = "february-28"
}

extension CalendarDate {
  /// The full years from this day to `today`; nil if that is before this day. O(1).
  ///
  /// - Parameters:
  ///   - today: The day on which the age is asked for.
  ///   - leapDay: When somebody who was born on 29 February is a year older in a common year.
  public func fullYears(
    until today: CalendarDate, leapDay: LeapDayPolicy = .march1
  ) -> Int? {
    guard self <= today else { return nil }
    let years = today.year - year
    return today < anniversary(in: today.year, leapDay: leapDay) ? years - 1 : years
  }

  /// The last day of birth of those who are `years` full years old or older on `today`; nil when
  /// that is before the year 1. O(1).
  ///
  /// What a query needs to compare days of birth instead of ages: somebody is between `low` and
  /// `high` full years old, both inclusive, exactly if their day of birth is at most
  /// `latestBirth(ofAge: low, on: today)` and after `latestBirth(ofAge: high + 1, on: today)`.
  ///
  /// - Parameters:
  ///   - years: Full years, 0 or more.
  ///   - today: The day on which the age counts.
  ///   - leapDay: When somebody who was born on 29 February is a year older in a common year.
  public static func latestBirth(
    ofAge years: Int, on today: CalendarDate, leapDay: LeapDayPolicy = .march1
  ) -> CalendarDate? {
    precondition(years >= 0, "An age is 0 years or more; got \(years).")
    let (year, didOverflow) = today.year.subtractingReportingOverflow(years)
    guard !didOverflow, year >= 1 else { return nil }
    // The end of February is where the two calendars differ; every other day is its own answer.
    if (today.month, today.day) == (2, 28), leapDay == .february28, !isLeap(today.year) {
      return CalendarDate(year: year, month: 2, day: days(inMonth: 2, of: year))
    }
    return CalendarDate(
      year: year, month: today.month, day: min(today.day, days(inMonth: today.month, of: year)))
  }

  /// The day of a year on which somebody born on this day is a year older.
  private func anniversary(in year: Int, leapDay: LeapDayPolicy) -> CalendarDate {
    if let same = CalendarDate(year: year, month: month, day: day) { return same }
    let (month, day) = leapDay == .march1 ? (3, 1) : (2, 28)
    return CalendarDate(year: year, month: month, day: day) ?? self
  }
}
