import CardFeed
import CardFeedCalendar
import Testing

@Suite struct CalendarDateTests {
  /// Every day of 800 years against a calendar that is counted day by day.
  @Test func agreesWithCounting() throws {
    var year = 1600
    var month = 1
    var day = 1
    let first = try #require(CalendarDate(year: 1600, month: 1, day: 1)).daysSinceEpoch
    for count in first... {
      if year == 2400 { break }
      let date = CalendarDate(daysSinceEpoch: count)
      guard date == CalendarDate(year: year, month: month, day: day),
        date?.daysSinceEpoch == count
      else {
        Issue.record("\(year)-\(month)-\(day) is day \(count)")
        return
      }
      day += 1
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    #expect(CalendarDate("1970-01-01")?.daysSinceEpoch == 0)
    #expect(CalendarDate("2000-03-01")?.daysSinceEpoch == 11_017)
  }

  @Test func theFirstAndTheLastDay() {
    let first = CalendarDate("0001-01-01")
    let last = CalendarDate("9999-12-31")
    #expect(first.flatMap { CalendarDate(daysSinceEpoch: $0.daysSinceEpoch) } == first)
    #expect(last.flatMap { CalendarDate(daysSinceEpoch: $0.daysSinceEpoch) } == last)
    #expect(first.flatMap { CalendarDate(daysSinceEpoch: $0.daysSinceEpoch - 1) } == nil)
    #expect(last.flatMap { CalendarDate(daysSinceEpoch: $0.daysSinceEpoch + 1) } == nil)
    #expect(CalendarDate(daysSinceEpoch: .min) == nil)
    #expect(CalendarDate(daysSinceEpoch: .max) == nil)
    #expect(CalendarDate(Timestamp(milliseconds: .min)) == nil)
    #expect(CalendarDate(Timestamp(milliseconds: .max)) == nil)
  }

  @Test(arguments: [
    "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "2024-01-00",
    "0000-01-01", "2024-1-1", "2024/01/01", "24-01-01", " 2024-01-01", "2024-01-01T", "+024-01-01",
    "२०२४-01-01", "",
  ])
  func thereIsNoSuchDay(text: String) { #expect(CalendarDate(text) == nil) }

  @Test(arguments: ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])
  func textIsReadBack(text: String) { #expect(CalendarDate(text)?.description == text) }

  @Test func aMomentBelongsToItsDayInUTC() {
    #expect(CalendarDate(Timestamp(milliseconds: -1))?.description == "1969-12-31")
    #expect(CalendarDate(Timestamp(milliseconds: 0))?.description == "1970-01-01")
    #expect(CalendarDate(Timestamp(milliseconds: Timestamp.day - 1))?.description == "1970-01-01")
    #expect(CalendarDate(Timestamp(milliseconds: -Timestamp.day))?.description == "1969-12-31")
  }

  @Test(
    arguments: [
      ("2008-02-29", "2026-02-28", 17), ("2008-02-29", "2026-03-01", 18),
      ("2003-03-01", "2024-02-29", 20), ("2008-02-29", "2028-02-28", 19),
      ("2008-02-29", "2028-02-29", 20), ("1994-05-01", "2025-05-02", 31),
      ("1994-05-03", "2025-05-02", 30), ("1994-05-02", "2025-05-02", 31),
      ("2000-12-31", "2001-01-01", 0), ("2000-01-01", "2000-01-01", 0),
      ("2000-01-02", "2000-01-01", nil),
    ] as [(String, String, Int?)])
  func fullYears(born: String, today: String, age: Int?) throws {
    let born = try #require(CalendarDate(born))
    #expect(born.fullYears(until: try #require(CalendarDate(today))) == age)
  }

  @Test(
    arguments: [
      ("2008-02-29", "2026-02-28", 18), ("2008-02-29", "2026-02-27", 17),
      ("2008-02-29", "2028-02-28", 19), ("2008-02-29", "2028-02-29", 20),
      ("2003-03-01", "2024-02-29", 20), ("2003-02-28", "2026-02-28", 23),
    ] as [(String, String, Int?)])
  func leapDaysMayCountOnTheLastOfFebruary(born: String, today: String, age: Int?) throws {
    let born = try #require(CalendarDate(born))
    let today = try #require(CalendarDate(today))
    #expect(born.fullYears(until: today, leapDay: .february28) == age)
  }

  /// What a query compares agrees with the age, for every day of birth around the bound.
  @Test(arguments: LeapDayPolicy.allCases)
  func daysOfBirthAndAgesAgree(policy: LeapDayPolicy) throws {
    var generator = SplitMix64(seed: 3)
    let endsOfFebruary = ["2023-02-28", "2024-02-28", "2024-02-29", "2024-03-01", "2100-02-28"]
    var todays = try endsOfFebruary.map { try #require(CalendarDate($0)) }
    for _ in 0..<200 {
      todays.append(
        try #require(CalendarDate(daysSinceEpoch: Int64(generator.index(below: 80_000)))))
    }
    for today in todays {
      for years in [0, 1, 4, 17, 18, 31, 96, 100] {
        let latest = try #require(
          CalendarDate.latestBirth(ofAge: years, on: today, leapDay: policy))
        for shift in -3...3 {
          let born = try #require(
            CalendarDate(daysSinceEpoch: latest.daysSinceEpoch + Int64(shift)))
          let age = born.fullYears(until: today, leapDay: policy) ?? -1
          #expect((age >= years) == (born <= latest), "\(born) \(today) \(years)")
        }
      }
    }
    let today = try #require(CalendarDate("2024-02-29"))
    #expect(CalendarDate.latestBirth(ofAge: 2024, on: today) == nil)
    #expect(CalendarDate.latestBirth(ofAge: .max, on: today) == nil)
    #expect(CalendarDate.latestBirth(ofAge: 2023, on: today)?.description == "0001-02-28")
  }
}
