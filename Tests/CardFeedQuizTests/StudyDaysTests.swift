import CardFeed
import CardFeedCalendar
import Testing

@testable import CardFeedQuiz

@Suite("The days of a learner")
struct StudyDaysTests {
  /// 2023-11-15, 02:13:20 UTC is the evening of the 14th five hours west.
  @Test("Scenario 6: a cut-off of the night in a zone")
  func aCutOffOfTheNightAndAZone() throws {
    let days = StudyDays(zone: try ZoneDatabase().rules(named: "-05:00"), hour: 4)
    let created = Timestamp(milliseconds: 1_699_952_400_000)
    let now = Timestamp(milliseconds: 1_700_028_000_000)
    #expect(days.day(at: now) == days.day(at: created))
    // One millisecond before and at 04:00 of the wall.
    let four = Timestamp(milliseconds: 1_700_038_800_000)
    #expect(days.day(at: four) == days.day(at: created) + 1)
    #expect(days.day(at: four.advanced(byMilliseconds: -1)) == days.day(at: created))
  }

  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC", "Asia/Kolkata",
  ])
  func daysFollowOneAnother(zone: String) throws {
    for hour in [0, 2, 3, 4, 23] {
      let days = StudyDays(zone: try ZoneDatabase().rules(named: zone), hour: hour)
      // 2026, with both changes of the clock, in steps of 17 minutes.
      var last = days.day(at: Timestamp(milliseconds: 1_767_225_600_000))
      for step in 1..<31_000 {
        let moment = Timestamp(milliseconds: 1_767_225_600_000 + Int64(step) * 1_020_000)
        let day = days.day(at: moment)
        #expect(day == last || day == last + 1)
        #expect(days.beginning(of: day) <= moment)
        #expect(moment < days.beginning(of: day + 1))
        last = day
      }
    }
  }

  @Test("Scenario 6: a day of 23 and one of 25 hours")
  func aDayOf23AndOneOf25Hours() throws {
    let days = StudyDays(zone: try ZoneDatabase().rules(named: "Europe/Berlin"), hour: 4)
    func hours(_ moment: Int64) -> Int64 {
      let day = days.day(at: Timestamp(milliseconds: moment))
      return
        (days.beginning(of: day + 1).milliseconds - days.beginning(of: day).milliseconds)
        / 3_600_000
    }
    // The day before the last Sundays of March and October 2026, at noon.
    #expect(hours(1_774_699_200_000) == 23)
    #expect(hours(1_792_843_200_000) == 25)
    #expect(hours(1_790_000_000_000) == 24)
  }
}
