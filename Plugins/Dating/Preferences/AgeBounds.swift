internal import CardFeed
internal import CardFeedCalendar

/// Ages of a table's people, as they are declared or follow from the day of birth.
struct AgeColumns: Sendable {
  /// Days from 1970-01-01 to the day of birth; `Int64.min` is unknown.
  let birthDays: [Int64]
  /// Declared ages in years; NaN is unknown. They count where the day of birth is unknown.
  let declared: [Double]

  /// Nil when the table lacks the columns, as one without cards does.
  init?(_ table: CardTable<DatingDeck>) {
    guard case .integer(let birthDays)? = table.column("birth_day"),
      case .float(let declared)? = table.column("age")
    else { return nil }
    self.birthDays = birthDays
    self.declared = declared
  }

  /// The full years of a person on a day. Nil when neither age nor day of birth is known, and for a
  /// day of birth that is still to come. O(1).
  func age(of person: Row, on today: CalendarDate?, leapDay: LeapDayPolicy) -> Double? {
    let birthDay = birthDays[person.index]
    if birthDay == .min {
      let age = declared[person.index].rounded(.down)
      return age >= 0 ? age : nil
    }
    guard let today, let born = CalendarDate(daysSinceEpoch: birthDay) else { return nil }
    return born.fullYears(until: today, leapDay: leapDay).map(Double.init)
  }
}

/// A least and a greatest age on one day, turned into days of birth once, so that asking about a
/// person compares two whole numbers.
struct AgeBounds: Sendable {
  private let minimum: Double
  private let maximum: Double
  /// Who was born later is too young.
  private let latestBirth: Int64
  /// Who was born then or earlier is too old.
  private let tooEarlyBirth: Int64
  /// Who was born later is not born yet.
  private let today: Int64

  /// Bounds in full years, inclusive; NaN is none. Without a day no day of birth has an age.
  init(minimum: Double, maximum: Double, on today: CalendarDate?, leapDay: LeapDayPolicy) {
    self.minimum = minimum
    self.maximum = maximum
    guard let today else {
      (self.today, latestBirth, tooEarlyBirth) = (.min, .min, .min)
      return
    }
    self.today = today.daysSinceEpoch
    func latest(_ years: Double) -> Int64 {
      // No age of the calendar lies outside of these years.
      CalendarDate.latestBirth(
        ofAge: Int(Swift.min(Swift.max(years, 0), 10_000)), on: today, leapDay: leapDay
      )?.daysSinceEpoch ?? .min
    }
    latestBirth = minimum.isNaN ? .max : latest(minimum.rounded(.up))
    tooEarlyBirth = maximum.isNaN ? .min : latest(maximum.rounded(.down) + 1)
  }

  /// Whether there is a bound at all.
  var isBound: Bool { !minimum.isNaN || !maximum.isNaN }

  /// Whether a person's age lies within the bounds. O(1).
  func fit(of person: Row, in ages: AgeColumns) -> PreferenceFit {
    let birthDay = ages.birthDays[person.index]
    if birthDay == .min {
      let age = ages.declared[person.index].rounded(.down)
      return age >= 0 ? Self.fit(age, minimum, maximum) : .unknown
    }
    if birthDay > today { return .unknown }
    return birthDay <= latestBirth && birthDay > tooEarlyBirth ? .fits : .doesNotFit
  }

  /// Whether an age in full years lies within bounds. A bound that is NaN is none, and every
  /// comparison with NaN is false.
  static func fit(_ age: Double, _ minimum: Double, _ maximum: Double) -> PreferenceFit {
    age < minimum || age > maximum ? .doesNotFit : .fits
  }
}
