public import CardFeed
public import CardFeedCalendar

/// Keeps adults and minors apart, in both directions. Hard: no setting and no fallback relaxes it.
///
/// A pair stays only if both are of age or both are not. Whose age is not known is shown to nobody
/// and sees nobody, and neither does a viewer without a card; a host that has checked ages elsewhere
/// can say that people of unknown age count as adults.
///
/// Ages are full years on the calendar day of one declared zone. Who was born on 29 February comes
/// of age on 1 March unless told otherwise, the later day. The reasons do not tell which of the two
/// is the minor.
public struct LegalAgeFilter: FilterStrategy {
  /// The deck with the columns that it reads.
  public typealias D = DatingDeck

  /// What somebody counts as whose age is not known.
  public enum UnknownAge: String, Hashable, Sendable, CaseIterable {
    /// They meet nobody.
    case remove
    /// They count as adults. Only where the host has made sure of it.
    case adult
  }

  private let years: Int
  private let unknownAge: UnknownAge
  private let zone: ZoneRules
  private let leapDay: LeapDayPolicy

  /// A wall between adults and minors.
  ///
  /// - Parameters:
  ///   - years: The age from which somebody is an adult, in full years, 1 or more.
  ///   - unknownAge: What somebody counts as whose age is not known.
  ///   - zone: Where the day begins on which somebody comes of age.
  ///   - leapDay: When somebody who was born on 29 February comes of age in a common year.
  public init(
    years: Int = 18, unknownAge: UnknownAge = .remove, zone: ZoneRules = .utc,
    leapDay: LeapDayPolicy = .march1
  ) {
    precondition(years >= 1, "People come of age at 1 year or later; got \(years).")
    self.years = years
    self.unknownAge = unknownAge
    self.zone = zone
    self.leapDay = leapDay
  }

  /// Yes: a match does not show an adult to a minor whose age was corrected, nor the other way round.
  public var isWall: Bool { true }

  /// Why it removes cards; the same for both directions.
  public var reasons: [String] { ["adults and minors do not meet"] }

  /// Compares on which side of the wall each pair stands. O(n).
  public func verdicts(
    for slate: Slate<DatingDeck>, relaxation: Int
  ) async throws -> [FilterVerdict] {
    guard let viewer = slate.context.row, let ages = AgeColumns(slate.table) else {
      return slate.rows.map { _ in .unavailable }
    }
    let bounds = AgeBounds(
      minimum: Double(years), maximum: .nan, on: zone.day(at: slate.context.now),
      leapDay: leapDay)
    let own = isAdult(viewer, ages, bounds)
    return slate.rows.map { card in
      guard let own, let other = isAdult(card, ages, bounds) else { return .unavailable }
      return own == other ? .keep : .remove()
    }
  }

  /// Nil is not known.
  private func isAdult(_ person: Row, _ ages: AgeColumns, _ bounds: AgeBounds) -> Bool? {
    switch bounds.fit(of: person, in: ages) {
    case .fits: true
    case .doesNotFit: false
    case .unknown:
      // A day of birth that is still to come is known to be wrong, which is no proof of age.
      unknownAge == .adult && ages.birthDays[person.index] == .min ? true : nil
    }
  }
}
