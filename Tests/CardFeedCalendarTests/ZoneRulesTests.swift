import CardFeed
import CardFeedCalendar
import Testing

/// Against changes of the clock that are known from the calendar, not from another program.
@Suite(.disabled(if: SystemZones.areMissing, SystemZones.skipped))
struct SystemZoneTests {
  private func zone(_ name: String) throws -> ZoneRules {
    try SystemZones.database.rules(named: name)
  }

  private func hours(_ zone: ZoneRules, _ day: String) throws -> Double {
    let moments = zone.moments(of: try date(day))
    let length = moments.upperBound.milliseconds - moments.lowerBound.milliseconds
    return Double(length) / 3_600_000
  }

  @Test func summerTimeInBerlin() throws {
    let berlin = try zone("Europe/Berlin")
    let spring = try utc("2025-03-30", 1)
    #expect(berlin.offset(at: spring.advanced(byMilliseconds: -1)) == 3600)
    #expect(berlin.offset(at: spring) == 7200)
    let autumn = try utc("2025-10-26", 1)
    #expect(berlin.offset(at: autumn.advanced(byMilliseconds: -1)) == 7200)
    #expect(berlin.offset(at: autumn) == 3600)
    #expect(try berlin.start(of: date("2025-03-30")) == utc("2025-03-29", 23))
    #expect(try berlin.start(of: date("2025-03-31")) == utc("2025-03-30", 22))
    #expect(try hours(berlin, "2025-03-29") == 24)
    #expect(try hours(berlin, "2025-03-30") == 23)
    #expect(try hours(berlin, "2025-10-26") == 25)
    // Before standard time, Berlin's own noon.
    #expect(try berlin.offset(at: utc("1850-01-01", 12)) == 53 * 60 + 28)
  }

  @Test func theRuleAfterTheLastChangeOfTheFile() throws {
    let berlin = try zone("Europe/Berlin")
    // 27 March 2050 and 30 October 2050 are the last Sundays of their months.
    #expect(try hours(berlin, "2050-03-27") == 23)
    #expect(try hours(berlin, "2050-10-30") == 25)
    #expect(try hours(berlin, "2050-03-26") == 24)
    #expect(try berlin.offset(at: utc("2050-07-01", 12)) == 7200)
    #expect(try berlin.offset(at: utc("9999-12-31", 12)) == 3600)
    // Ireland's winter is the exception from its standard time.
    let dublin = try zone("Europe/Dublin")
    #expect(try dublin.offset(at: utc("2060-07-01", 12)) == 3600)
    #expect(try dublin.offset(at: utc("2060-01-01", 12)) == 0)
    // South of the equator the year begins in summer.
    let sydney = try zone("Australia/Sydney")
    #expect(try sydney.offset(at: utc("2060-01-01", 0)) == 11 * 3600)
    #expect(try sydney.offset(at: utc("2060-07-01", 0)) == 10 * 3600)
    #expect(try sydney.offset(at: utc("2060-12-31", 23)) == 11 * 3600)
  }

  @Test func midnightsThatWereNotInSaoPaulo() throws {
    let saoPaulo = try zone("America/Sao_Paulo")
    // At midnight the clock went to 01:00, which is 03:00 in UTC by the old offset of −3 hours.
    #expect(try saoPaulo.start(of: date("2017-10-15")) == utc("2017-10-15", 3))
    #expect(try hours(saoPaulo, "2017-10-15") == 23)
    #expect(try saoPaulo.start(of: date("2018-11-04")) == utc("2018-11-04", 3))
    // At midnight the clock went back to 23:00 of the 17th.
    #expect(try hours(saoPaulo, "2018-02-17") == 25)
    #expect(try saoPaulo.start(of: date("2018-02-18")) == utc("2018-02-18", 3))
    #expect(try saoPaulo.day(at: utc("2018-02-18", 2, 30)) == date("2018-02-17"))
  }

  @Test func theDayThatSamoaLeftOut() throws {
    let apia = try zone("Pacific/Apia")
    let jump = try utc("2011-12-30", 10)
    #expect(apia.day(at: jump.advanced(byMilliseconds: -1)) == (try date("2011-12-29")))
    #expect(apia.day(at: jump) == (try date("2011-12-31")))
    #expect(try hours(apia, "2011-12-29") == 24)
    #expect(try hours(apia, "2011-12-30") == 0)
    #expect(try hours(apia, "2011-12-31") == 24)
    #expect(apia.start(of: try date("2011-12-30")) == jump)
    #expect(apia.start(of: try date("2011-12-31")) == jump)
  }

  /// In St. John's the clock went back at 00:01, so that the day had begun a first time.
  @Test func aDayThatBeganTwice() throws {
    let stJohns = try zone("America/St_Johns")
    #expect(try stJohns.start(of: date("2010-11-07")) == utc("2010-11-07", 2, 30))
    #expect(try stJohns.day(at: utc("2010-11-07", 2, 30, 59)) == date("2010-11-07"))
    #expect(try stJohns.day(at: utc("2010-11-07", 2, 31)) == date("2010-11-06"))
    #expect(try stJohns.day(at: utc("2010-11-07", 3, 30)) == date("2010-11-07"))
  }

  @Test func offsetsOfQuartersOfAnHour() throws {
    #expect(try zone("Asia/Kathmandu").offset(at: utc("2025-01-01", 0)) == 20_700)
    #expect(try zone("Pacific/Kiritimati").start(of: date("2025-01-01")) == utc("2024-12-31", 10))
  }

  /// Ten likes half an hour after the midnight of a day of 23 hours: none left at its last minute,
  /// all ten a minute after its end.
  @Test func aDailyQuotaEndsWithTheDayOfItsZone() throws {
    let berlin = try zone("Europe/Berlin")
    let likes = try Array(repeating: utc("2025-03-29", 23, 30), count: 10)
    func remaining(_ now: Timestamp) throws -> Int {
      let today = berlin.moments(of: try #require(berlin.day(at: now)))
      return 10 - likes.count { today.contains($0) }
    }
    #expect(try remaining(utc("2025-03-30", 21, 59)) == 0)
    #expect(try remaining(utc("2025-03-30", 22, 1)) == 10)
  }

  /// The start of a day is where the day at a moment first reaches it, found by trying every minute.
  @Test(
    arguments: [
      "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "America/St_Johns", "Africa/Cairo",
      "Asia/Tehran", "Australia/Lord_Howe", "America/Nuuk", "Asia/Jerusalem", "America/Havana",
    ])
  func theStartOfADay(name: String) throws {
    let zone = try zone(name)
    var generator = SplitMix64(seed: 11)
    // From the year 2000, when offsets are whole minutes, to 2060, beyond the file's changes.
    for _ in 0..<30 {
      let day = try #require(
        CalendarDate(daysSinceEpoch: 10_957 + Int64(generator.index(below: 21_900))))
      var moment = Timestamp(milliseconds: (day.daysSinceEpoch - 1) * Timestamp.day)
      while let reached = zone.day(at: moment), reached < day {
        moment = moment.advanced(byMilliseconds: 60_000)
      }
      #expect(zone.start(of: day) == moment, "\(day)")
      #expect(zone.moments(of: day).lowerBound == moment)
    }
  }
}

@Suite struct FixedZoneTests {
  @Test func daysWithoutAnyFile() throws {
    let nowhere = ZoneDatabase(folder: "/there/is/nothing")
    let east = try nowhere.rules(named: "+02:00")
    #expect(east.name == "+02:00")
    #expect(try east.start(of: date("2025-01-02")) == utc("2025-01-01", 22))
    #expect(try east.day(at: utc("2025-01-01", 22)) == date("2025-01-02"))
    let west = try nowhere.rules(named: "-05:30")
    #expect(try west.start(of: date("2025-01-02")) == utc("2025-01-02", 5, 30))
    #expect(try nowhere.rules(named: "UTC") == .utc)
    #expect(try nowhere.rules(named: "+00:00").offset(at: utc("2025-01-01", 0)) == 0)
  }

  @Test func theEndsOfTheCalendar() throws {
    let first = try date("0001-01-01")
    let last = try date("9999-12-31")
    for name in ["UTC", "+23:59", "-23:59"] {
      let zone = try ZoneDatabase().rules(named: name)
      #expect(zone.day(at: zone.start(of: first)) == first)
      #expect(zone.day(at: zone.start(of: last)) == last)
      #expect(zone.day(at: zone.moments(of: last).upperBound) == nil)
      #expect(zone.day(at: Timestamp(milliseconds: .min)) == nil)
      #expect(zone.day(at: Timestamp(milliseconds: .max)) == nil)
    }
  }

  /// In UTC a zone says what the calendar says alone.
  @Test func utcIsTheCalendar() {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<1000 {
      let moment = Timestamp(milliseconds: Int64(generator.next() >> 14) - (1 << 49))
      #expect(ZoneRules.utc.day(at: moment) == CalendarDate(moment))
    }
  }
}
