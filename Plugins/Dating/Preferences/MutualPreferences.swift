public import CardFeed
public import CardFeedCalendar

/// Whether somebody is what somebody looks for.
public enum PreferenceFit: Int, Hashable, Comparable, Sendable {
  /// They are.
  case fits
  /// It cannot be known, because something is missing that there is a preference about.
  case unknown
  /// They are not.
  case doesNotFit

  /// What is worse comes later, so that the greater one decides.
  public static func < (left: PreferenceFit, right: PreferenceFit) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Whose preferences about a pair are left out of account.
public struct PreferenceWaiver: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Wraps bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The viewer's.
  public static let own = PreferenceWaiver(rawValue: 1)
  /// The card's.
  public static let other = PreferenceWaiver(rawValue: 2)
}

/// Who may meet whom by what both of them look for: the one predicate for rows of a table and for
/// two people, for deals and for counts.
///
/// Each side's preferences are about the other side's gender (`seeks`), age (`minimumAge`,
/// `maximumAge`, inclusive), distance (`maximumDistance`, inclusive), `verified`, and attributes
/// (`dealbreakers`). What is not stated is no preference. Both sides' `intents` need one in common
/// when both state any.
///
/// Ages are full years on the calendar day of one declared zone, from the day of birth or else the
/// declared age. What is missing although there is a preference about it is `unknown`, which nobody
/// should take for a yes. Nobody fits themselves.
public struct MutualPreferences: Hashable, Sendable {
  /// Where the day begins on which somebody is a year older.
  public let zone: ZoneRules
  /// When somebody who was born on 29 February is a year older in a common year.
  public let leapDay: LeapDayPolicy

  /// A predicate by the calendar of a zone.
  public init(zone: ZoneRules = .utc, leapDay: LeapDayPolicy = .march1) {
    self.zone = zone
    self.leapDay = leapDay
  }

  /// One side of every pair of a viewer, for questions about many cards.
  ///
  /// - Parameters:
  ///   - viewer: The viewer's row in the table.
  ///   - table: The cards.
  ///   - now: The moment for which ages count.
  /// - Returns: Nil when the table lacks the deck's columns, as one without cards does.
  /// - Complexity: O(names of genders, dealbreakers and attributes).
  public func side(
    of viewer: Row, in table: CardTable<DatingDeck>, at now: Timestamp
  ) -> PreferenceSide? {
    PreferenceColumns(table).map { side(of: viewer, in: $0, at: now) }
  }

  func side(
    of viewer: Row, in columns: PreferenceColumns, at now: Timestamp
  ) -> PreferenceSide {
    PreferenceSide(viewer, columns, on: zone.day(at: now), leapDay: leapDay)
  }

  /// Whether two people may meet. The same both ways, with the waivers exchanged.
  ///
  /// Makes a table of the two; ask a `side` about many.
  public func fit(
    of viewer: Person, with card: Person, at now: Timestamp, waiving: PreferenceWaiver = []
  ) -> PreferenceFit {
    guard viewer.id != card.id else { return .doesNotFit }
    let table = CardTable.make(
      [(viewer, CardNumber(1)), (card, CardNumber(2))], deck: DatingDeck())
    return side(of: Row(0), in: table, at: now)?.fit(with: Row(1), waiving: waiving) ?? .unknown
  }
}
