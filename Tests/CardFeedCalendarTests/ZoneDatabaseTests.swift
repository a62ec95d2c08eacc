import CardFeed
import CardFeedCalendar
import Testing

@Suite struct ZoneDatabaseTests {
  @Test(arguments: [
    "../x", "Europe/../../etc/passwd", "/etc/localtime", "Europe//Berlin", "Europe/", "", ".",
    "..", "Europe/.hidden", "Berlin\n", "Berlin\u{0}", "a b", "Zürich", "-5", "a/b/c/d/e",
    "+24:00", "+1:00", "+02:60", "\\x",
  ])
  func unsafeNamesAreRefusedUnread(name: String) {
    #expect(!ZoneDatabase.isWellFormed(name))
    let error = #expect(throws: ZoneError.self) { try ZoneDatabase().rules(named: name) }
    #expect(error?.code == .unsafeName)
  }

  @Test(arguments: [
    "UTC", "+02:00", "-23:59", "Europe/Berlin", "Etc/GMT+5", "America/Port-au-Prince",
    "America/Argentina/Ushuaia", "Antarctica/DumontDUrville", "EST5EDT",
  ])
  func namesOfZonesAreWellFormed(name: String) { #expect(ZoneDatabase.isWellFormed(name)) }

  @Test func anErrorSaysWhatToDo() throws {
    let long = String(repeating: "é", count: 100)
    let unsafe = #expect(throws: ZoneError.self) { try ZoneDatabase().rules(named: long) }
    #expect(
      unsafe?.description
        == "no time zone can be called \"\(String(repeating: "é", count: 40))\"; allowed: \"UTC\", "
        + "an offset such as \"+02:00\", or a name such as \"Europe/Berlin\": letters, digits, '.', "
        + "'_', '+' and '-', in parts with '/' between them, none of which begins with '.'")
    let missing = #expect(throws: ZoneError.self) {
      try ZoneDatabase(folder: "/there/is/nothing").rules(named: "Europe/Berlin")
    }
    #expect(missing?.code == .unreadable)
    #expect(
      missing?.description
        == "the time zone \"Europe/Berlin\" cannot be read: the folder of time zones is missing or "
        + "closed; install the system's package of time zones, tzdata, or use \"UTC\" or an offset "
        + "such as \"+02:00\"")
    try withZone(ZoneFileWriter().bytes) { database in
      let unknown = #expect(throws: ZoneError.self) { try database.rules(named: "Zome") }
      #expect(unknown?.code == .unknownName)
      #expect(
        unknown?.description
          == "there is no time zone \"Zome\"; check the spelling, upper and lower case included, or "
          + "use \"UTC\" or an offset such as \"+02:00\"")
      #expect(throws: ZoneError.self) { try database.rules(named: "Zone/Part") }
    }
  }

  @Test func aFolderIsNoZone() throws {
    try withFolder { folder in
      let parts = folder.split(separator: "/")
      let name = try #require(parts.last.map(String.init))
      let above = "/" + parts.dropLast().joined(separator: "/")
      let error = #expect(throws: ZoneError.self) {
        try ZoneDatabase(folder: above).rules(named: name)
      }
      #expect(error?.code == .unknownName)
    }
  }

  @Test(
    arguments: [
      (Array("# tab-separated".utf8), ZoneError.Code.unknownName), ([], .unknownName),
      (ZoneFileWriter(version: 0).bytes, .damaged),
      (ZoneFileWriter(leapSeconds: 1).bytes, .damaged),
      (ZoneFileWriter(offsets: [100_000]).bytes, .damaged),
      (ZoneFileWriter(changes: [(1, 1)]).bytes, .damaged),
      (ZoneFileWriter(changes: [(1, 0), (1, 0)]).bytes, .damaged),
      (ZoneFileWriter(footer: "CET-1CEST").bytes, .damaged),
      (ZoneFileWriter(footer: "C-1").bytes, .damaged),
      (ZoneFileWriter(footer: "CET-25").bytes, .damaged),
      (ZoneFileWriter(footer: "CET-1CEST,M13.5.0,M10.5.0").bytes, .damaged),
      (ZoneFileWriter(footer: "CET-1CEST,M3.5.0,M10.5.0/3x").bytes, .damaged),
      (ZoneFileWriter().bytes.dropLast(), .damaged),
      (
        ZoneFileWriter(offsets: [0, 3600], changes: [(1, 1)]).bytes.prefix(110).map(\.self),
        .damaged
      ),
    ] as [([UInt8], ZoneError.Code)])
  func whatIsNoZoneSaysSo(bytes: [UInt8], code: ZoneError.Code) throws {
    try withZone(bytes) { database in
      let error = #expect(throws: ZoneError.self) { try database.rules(named: "Zone") }
      #expect(error?.code == code)
    }
  }

  @Test func changesAndTheRuleAfterThem() throws {
    let writer = ZoneFileWriter(
      offsets: [600, 3600, -7200], changes: [(1000, 1), (2000, 2)], footer: "<-02>2")
    try withZone(writer.bytes) { database in
      let zone = try database.rules(named: "Zone")
      let offsets = [999, 1000, 1999, 2000, 1_000_000_000].map {
        zone.offset(at: Timestamp(milliseconds: $0 * 1000))
      }
      #expect(offsets == [600, 3600, 3600, -7200, -7200])
      #expect(zone.offset(at: Timestamp(milliseconds: 999_999)) == 600)
    }
  }

  /// Each kind of day in a rule, in a common and a leap year.
  @Test(
    arguments: [
      // J60 is 1 March in every year, 59 is 1 March in a common year.
      ("AAA0BBB,J60/0,J300/0", "2025-03-01", 0), ("AAA0BBB,J60/0,J300/0", "2024-03-01", 0),
      ("AAA0BBB,59/0,300/0", "2025-03-01", 0), ("AAA0BBB,59/0,300/0", "2024-02-29", 0),
      // The last Sunday at two, the second Sunday, 26 hours after a Thursday, an hour before one.
      ("AAA0BBB,M3.5.0,M10.5.0", "2025-03-30", 2), ("AAA0BBB,M3.2.0,M11.1.0", "2025-03-09", 2),
      ("AAA0BBB,M3.4.4/26,M10.5.0", "2025-03-28", 2),
      ("AAA0BBB,M3.5.0/-1,M10.5.0", "2025-03-29", 23),
    ] as [(String, String, Int64)])
  func everyKindOfDay(footer: String, day: String, hour: Int64) throws {
    try withZone(ZoneFileWriter(footer: footer).bytes) { database in
      let zone = try database.rules(named: "Zone")
      let change = try utc(day, hour)
      #expect(zone.offset(at: change.advanced(byMilliseconds: -1)) == 0)
      #expect(zone.offset(at: change) == 3600)
    }
  }

  /// RFC 8536, section 3.3.1: summer all year, whose end is the next year's start.
  @Test func summerAllYear() throws {
    try withZone(ZoneFileWriter(footer: "XXX3EDT4,0/0,J365/23").bytes) { database in
      let zone = try database.rules(named: "Zone")
      for hour in stride(from: Int64(0), to: 24 * 800, by: 5) {
        #expect(zone.offset(at: try utc("2024-01-01", hour)) == -4 * 3600)
      }
      let newYear = zone.moments(of: try date("2025-01-01"))
      #expect(newYear.upperBound.milliseconds - newYear.lowerBound.milliseconds == Timestamp.day)
    }
  }

  /// Whatever stands in a file, it is a zone or an error, and the zone knows its days.
  @Test func noFileTraps() throws {
    var generator = SplitMix64(seed: 21)
    let original = ZoneFileWriter(
      offsets: [600, 3600, -7200], changes: [(1000, 1), (2000, 2)],
      footer: "CET-1CEST,M3.5.0,M10.5.0/3"
    ).bytes
    var errors = 0
    for _ in 0..<400 {
      var bytes = original
      for _ in 0...generator.index(below: 3) {
        bytes[generator.index(below: bytes.count)] = UInt8(generator.index(below: 256))
      }
      if generator.index(below: 4) == 0 {
        bytes = Array(bytes.prefix(generator.index(below: bytes.count)))
      }
      try withZone(bytes) { database in
        do {
          let zone = try database.rules(named: "Zone")
          let day = try date("2025-03-30")
          #expect(try #require(zone.day(at: zone.start(of: day))) >= day)
        } catch is ZoneError { errors += 1 }
      }
    }
    #expect((50..<400).contains(errors), "\(errors)")
  }
}
