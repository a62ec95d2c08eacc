internal import CardFeed
internal import CardFeedCalendar

/// Who looks for whom, read off the columns of one table at one moment.
struct WishColumns {
  /// Whether one person is what another looks for. The greater one decides about a pair.
  enum Fit: Int, Comparable {
    case fits
    case unknown
    case doesNotFit

    static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
  }

  private let genders: [Int32]
  private let seeks: [[Int32]]
  /// For each gender's code the code of the same name in `seeks`; nil when nobody seeks it.
  private let soughtCodes: [Int32?]
  private let ages: AgeColumns
  private let minimumAges: [Double]
  private let maximumAges: [Double]

  /// Nil when the table lacks the columns, as one without cards does.
  init?(_ table: CardTable<DatingDeck>, now: Timestamp) {
    guard case .category(let genders, let genderNames)? = table.column("gender"),
      case .tags(let seeks, let soughtNames)? = table.column("seeks"),
      case .float(let minimumAges)? = table.column("min_age"),
      case .float(let maximumAges)? = table.column("max_age"),
      let ages = AgeColumns(table, now: now)
    else { return nil }
    self.genders = genders
    self.seeks = seeks
    soughtCodes = genderNames.names.map { soughtNames.code(of: $0) }
    self.ages = ages
    self.minimumAges = minimumAges
    self.maximumAges = maximumAges
  }

  /// Whether `person` is what `seeker` looks for. O(genders sought).
  func fit(of person: Row, for seeker: Row) -> Fit {
    max(genderFit(of: person, for: seeker), ageFit(of: person, for: seeker))
  }

  private func genderFit(of person: Row, for seeker: Row) -> Fit {
    let sought = seeks[seeker.index]
    if sought.isEmpty { return .fits }
    let gender = genders[person.index]
    guard gender >= 0 else { return .unknown }
    guard let code = soughtCodes[Int(gender)] else { return .doesNotFit }
    return sought.contains(code) ? .fits : .doesNotFit
  }

  private func ageFit(of person: Row, for seeker: Row) -> Fit {
    let minimum = minimumAges[seeker.index]
    let maximum = maximumAges[seeker.index]
    if minimum.isNaN, maximum.isNaN { return .fits }
    guard let age = ages.age(of: person) else { return .unknown }
    // A bound that is NaN is none, and every comparison with NaN is false.
    return age < minimum || age > maximum ? .doesNotFit : .fits
  }
}

/// Ages in full years, read off the columns of one table at one moment.
struct AgeColumns {
  private let birthDays: [Int64]
  private let declared: [Double]
  private let today: CalendarDate?

  /// Nil when the table lacks the columns.
  init?(_ table: CardTable<DatingDeck>, now: Timestamp) {
    guard case .integer(let birthDays)? = table.column("birth_day"),
      case .float(let declared)? = table.column("age")
    else { return nil }
    self.birthDays = birthDays
    self.declared = declared
    today = CalendarDate(now)
  }

  /// The full years of a person: since the day of birth, or else as declared. Nil when neither is
  /// known, and for a day of birth that is still to come. O(1).
  func age(of person: Row) -> Double? {
    let birthDay = birthDays[person.index]
    if birthDay == .min {
      let age = declared[person.index].rounded(.down)
      return age >= 0 ? age : nil
    }
    guard let today, let born = CalendarDate(daysSinceEpoch: birthDay) else { return nil }
    return born.fullYears(until: today).map(Double.init)
  }
}
