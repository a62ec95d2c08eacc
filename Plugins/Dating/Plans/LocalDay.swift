internal import CardFeed
internal import CardFeedCalendar

/// Which calendar day it is for a person: in the zone that their record names, else in a default one.
struct LocalDay: Sendable {
  private let zone: ZoneRules
  private let zones = ZoneMemory()

  /// Days that begin in `zone` for people without one.
  init(zone: ZoneRules = .utc) { self.zone = zone }

  /// The day, in days from 1970-01-01.
  func number(of row: Row, in table: CardTable<DatingDeck>, at now: Timestamp) -> Int64 {
    let zone = name(of: row, in: table).flatMap(zones.rules) ?? zone
    return DayCounts.day(of: now.advanced(byMilliseconds: zone.offset(at: now) * 1000))
  }

  private func name(of row: Row, in table: CardTable<DatingDeck>) -> String? {
    guard case .category(let codes, let names)? = table.column("zone"), codes[row.index] >= 0
    else { return nil }
    return names.names[Int(codes[row.index])]
  }
}
