import CardFeed
import CardFeedCalendar
import Testing

/// The day that a moment belongs to, as quotas count it.
@Suite struct DaySpanTests {
  @Test(.enabled(if: !SystemZones.areMissing, SystemZones.skipped))
  func daysOf23And25Hours() throws {
    let berlin = try SystemZones.database.rules(named: "Europe/Berlin")
    for (day, hours) in [("2025-03-30", 23), ("2025-10-26", 25), ("2025-10-27", 24)] {
      let span = berlin.momentsOfDay(at: try utc(day, 12))
      #expect(span == berlin.moments(of: try date(day)))
      let length = span.upperBound.milliseconds - span.lowerBound.milliseconds
      #expect(length == Int64(hours) * 3_600_000)
      // Both ends: the first moment is in the day, the end is in the next.
      #expect(berlin.momentsOfDay(at: span.lowerBound) == span)
      #expect(berlin.momentsOfDay(at: span.upperBound).lowerBound == span.upperBound)
    }
  }

  /// Newfoundland put its clock back at 00:01, so that an hour of the old day came again; São Paulo
  /// has days without midnight, Samoa a day less, Kwajalein too.
  @Test(
    .enabled(if: !SystemZones.areMissing, SystemZones.skipped),
    arguments: [
      ("America/St_Johns", "2006-10-20"), ("America/St_Johns", "2006-03-25"),
      ("America/Sao_Paulo", "2018-10-25"), ("Pacific/Apia", "2011-12-25"),
      ("Pacific/Kwajalein", "1993-08-15"), ("Europe/Berlin", "2037-10-20"),
      ("Europe/Berlin", "2077-10-20"),
    ])
  func theDaysFollowOneAnotherWithoutGap(name: String, from day: String) throws {
    let zone = try SystemZones.database.rules(named: name)
    let start = try utc(day, 0)
    var last = zone.momentsOfDay(at: start)
    var count = 1
    for minute in 1..<(20 * 1440) {
      let moment = start.advanced(byMilliseconds: Int64(minute) * 60_000)
      let span = zone.momentsOfDay(at: moment)
      #expect(span.contains(moment))
      guard span != last else { continue }
      #expect(span.lowerBound == last.upperBound)
      last = span
      count += 1
    }
    #expect((20...21).contains(count))
  }

  @Test func withoutAnyZone() throws {
    let span = ZoneRules.utc.momentsOfDay(at: Timestamp(milliseconds: -1))
    #expect(span == Timestamp(milliseconds: -Timestamp.day)..<Timestamp(milliseconds: 0))
  }
}
