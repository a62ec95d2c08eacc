public import CardFeed
public import CardFeedCalendar

/// Limits how many answers a viewer gives from midnight to midnight.
///
/// The day is the one of the viewer's zone where their card names one in a column, else of the zone
/// given. A zone that is not known here counts as none. Whoever moves to another zone has that zone's
/// day from then on; a host that lets people choose it freely may want to ask less often.
public struct DailyQuota<D: Deck>: QuotaStrategy {
  private let answers: [String]
  private let perDay: Int
  private let zone: ZoneRules
  private let zoneColumn: String?
  private let zones = ZoneMemory()

  /// A limit for a day.
  ///
  /// - Parameters:
  ///   - answers: The raw values of the answers that count, together.
  ///   - perDay: How many of them, 0 or more.
  ///   - zone: Where the day begins for viewers without a zone.
  ///   - zoneColumn: A column of categories that holds the names of zones; nil for none.
  public init(
    answers: [String], perDay: Int, zone: ZoneRules = .utc, zoneColumn: String? = nil
  ) {
    precondition(perDay >= 0, "A quota is 0 answers or more; got \(perDay).")
    self.answers = answers
    self.perDay = perDay
    self.zone = zone
    self.zoneColumn = zoneColumn
  }

  /// The day of the moment. O(changes of the zone's offset).
  public func limit(for context: QuotaContext<D>) -> QuotaLimit? {
    let zone = own(context).flatMap(zones.rules) ?? zone
    return QuotaLimit(
      answers: answers, most: perDay, span: zone.momentsOfDay(at: context.now))
  }

  private func own(_ context: QuotaContext<D>) -> String? {
    guard let zoneColumn, let row = context.row,
      case .category(let codes, let names)? = context.table.column(zoneColumn)
    else { return nil }
    let code = codes[row.index]
    return code < 0 ? nil : names.names[Int(code)]
  }
}
