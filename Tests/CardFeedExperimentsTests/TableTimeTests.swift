import CardFeedExperiments
import Testing

/// Times as tables write them.
struct TableTimeTests {
  @Test(
    arguments: [
      ("1970-01-01", 0), ("2024-01-31", 1_706_659_200), ("2024-01-31T10:00:00Z", 1_706_695_200),
      ("2024-01-31T10:00:00+02:00", 1_706_688_000), ("2024-01-31 10:00:00-09:30", 1_706_729_400),
      ("2024-02-29 23:59:59", 1_709_251_199), ("2000-03-01", 951_868_800),
      ("1969-12-31T23:59:59Z", -1), ("0001-01-01", -62_135_596_800),
    ] as [(String, Int64)])
  func momentsAreSecondsSince1970(text: String, seconds: Int64) throws {
    let time = try #require(CalendarTime(text))
    #expect(time.seconds == seconds)
    #expect(time.microseconds == 0)
  }

  @Test func fractionsAndZonesAreKept() throws {
    let time = try #require(CalendarTime("1969-12-31T23:59:59.2500019Z"))
    #expect(time.seconds == -1 && time.microseconds == 250_001 && time.hasZone)
    #expect(try !#require(CalendarTime("2024-01-31T10:00:00.5")).hasZone)
  }

  @Test(arguments: [
    "", "2024", "2024-1-31", "2024-02-30", "2023-02-29", "2024-13-01", "0000-01-01", "2024-01-31T",
    "2024-01-31T10:00", "2024-01-31T24:00:00Z", "2024-01-31T10:00:00.", "2024-01-31T10:00:00+2",
    "2024-01-31T10:00:00 Z", "2024/01/31", "2024-01-31x",
  ])
  func whatIsNoMomentIsNone(text: String) {
    #expect(CalendarTime(text) == nil)
  }

  private func times(_ column: [String]) throws -> (times: [Int64], problems: DataProblems) {
    let folder = try TemporaryFolder()
    let rows = column.map { "a,b,\"\($0)\"\n" }.joined()
    let file = try folder.write("user,item,time\n" + rows, to: "log.csv")
    var columns = InteractionTableImporter.Columns()
    columns.timestamp = "time"
    let reading = try InteractionTableImporter(columns: columns).read(path: file)
    return (reading.interactions.map(\.timestamp), reading.problems)
  }

  @Test(
    arguments: [
      (["1706659200", "3", "-7"], [1_706_659_200, 3, -7]),
      (["1706659200123", "5.0", "2e3"], [1_706_659_200_123, 5, 2000]),
      (["1706659200.25", "3", "-0.5"], [1_706_659_200_250_000, 3_000_000, -500_000]),
      (["0.9999999", "1"], [1, 1]),
      (["2024-01-31", "2024-01-31T10:00:00+02:00"], [1_706_659_200, 1_706_688_000]),
      (["2024-01-31", "2024-01-31T00:00:00.5Z"], [1_706_659_200_000_000, 1_706_659_200_500_000]),
    ] as [([String], [Int64])])
  func aColumnOfTimesKeepsItsOrder(column: [String], expected: [Int64]) throws {
    let (times, problems) = try times(column)
    #expect(problems.isEmpty)
    #expect(times == expected)
  }

  @Test func timesOfTwoFormsAreNotCompared() throws {
    let (times, problems) = try times(["2024-01-31", "1706659200", "", "nan", "0x10", "2024-02-01"])
    #expect(times == [1_706_659_200, 1_706_745_600])
    #expect(problems.listed.map(\.line) == [3, 4, 5, 6])
    #expect(problems.listed[0].found == "numbers")
    #expect(problems.listed[0].allowed == "dates, as in the rows before")
  }

  @Test func fractionsBesideTooLargeNumbersAreRefused() throws {
    let error = #expect(throws: DataProblem.self) { _ = try times(["1706659200123456", "0.5"]) }
    #expect(error?.reason.contains("too large") == true)
  }
}
