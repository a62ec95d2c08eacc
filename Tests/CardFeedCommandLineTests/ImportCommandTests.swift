import CardFeedCommandLine
import CardFeedConfiguration
import Foundation
import Testing

/// `cardfeed import` and `cardfeed export`, and the way into a store and back.
@Suite struct ImportCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func cards(_ count: Int) throws -> String {
    let lines = (1...count).map { #"{"id":"\#($0)","prompt":"p\#($0)","answer":"a\#($0)"}"# }
    return try folder.write(lines.joined(separator: "\n") + "\n", to: "given.jsonl")
  }

  private func log() throws -> String {
    try folder.write(
      """
      card_id,review_rating,review_time,review_duration
      1,1,2024-03-29T20:32:32.250000+00:00,25060
      "2",3,2024-03-29T22:32:39.497+02:00,
      1,4,1711744952250,7

      """, to: "log.csv")
  }

  @Test func aLogGoesThroughAStoreIntoAnkiAndBack() async throws {
    let cards = try cards(2)
    let csv = await Call.tool(
      "import", "csv", try log(), "--viewer", "ada", "--out", folder.file("log"))
    #expect(csv.output == "\(folder.file("log")): 3 answers\n")
    #expect(csv.status == .fine)
    let swipes = folder.file("log/swipes.jsonl")
    let times = try folder.text(of: "log/swipes.jsonl").split(separator: "\n").map {
      try JSONDocument(parsing: String($0)).root["time"]?.int64
    }
    #expect(times == [1_711_744_352_250, 1_711_744_359_497, 1_711_744_952_250])

    let configuration = try folder.write(
      """
      { "version": 1, "deck": "quiz", "store": { "use": "sqlite", "path": "\(folder.file("q.db"))" },
        "sources": [{ "use": "all" }], "matchProbability": { "use": "constant" },
        "ranking": { "use": "source-order" } }
      """, to: "quiz.json")
    let record = [
      "swipe", "--config", configuration, "--recorded", "--cards", cards, "--from", swipes,
    ]
    #expect(await Call.tool(record).output == "3 swipes, 3 new\n")
    #expect(await Call.tool(record).output == "3 swipes, 0 new\n")
    let export = await Call.tool("store", "export", "--config", configuration, "--viewer", "ada")
    let exported = try folder.write(export.output, to: "export.json")

    let anki = folder.file("new.apkg")
    let made = await Call.tool(
      "export", "anki", "--cards", cards, "--swipes", exported, "--out", anki)
    #expect(made.output == "\(anki): 2 notes, 2 cards, 3 answers\n")
    let back = await Call.tool("import", "anki", anki, "--viewer", "ada", "--out", folder.file("b"))
    #expect(back.status == .fine)
    #expect(back.output == "\(folder.file("b")): 2 cards, 3 answers\n")
    #expect(try folder.text(of: "b/swipes.jsonl") == folder.text(of: "log/swipes.jsonl"))

    let out = folder.file("out.csv")
    let table = await Call.tool("export", "csv", "--swipes", swipes, "--out", out)
    #expect(table.output == "\(out): 3 answers\n")
    #expect(
      try folder.text(of: "out.csv").replacing("\r\n", with: "\n") == """
        card_id,rating,time
        1,1,1711744352250
        2,3,1711744359497
        1,4,1711744952250

        """)
    _ = await Call.tool("import", "csv", out, "--viewer", "ada", "--out", folder.file("again"))
    #expect(try folder.text(of: "again/swipes.jsonl") == folder.text(of: "log/swipes.jsonl"))
  }

  @Test func answersAboutOtherCardsAreLeftOutAndCounted() async throws {
    let call = await Call.tool(
      "import", "csv", try log(), "--viewer", "ada", "--out", folder.file("log"), "--cards",
      try cards(1))
    #expect(call.output == "\(folder.file("log")): 2 answers\n")
    #expect(call.errors.contains("left out: 1 answers about cards that are not there\n"))
  }

  @Test func aSwipeWithATimeIsOnlyRecorded() async throws {
    let (configuration, cards) = try folder.makeFeed()
    func swipe(_ line: String, _ more: String...) async throws -> Call {
      let path = try folder.write(line + "\n", to: "s.jsonl")
      return await Call.tool(
        ["swipe", "--config", configuration, "--cards", cards, "--from", path] + more)
    }
    let timed = #"{"viewer":"ada","card":"dan","answer":"like","time":5}"#
    let live = try await swipe(timed)
    #expect(live.status == .failure)
    #expect(live.errors.contains("line 1: a swipe with a \"time\" happened elsewhere"))
    #expect(try await swipe(timed, "--recorded").output == "1 swipes, 1 new\n")
    let wrong = try await swipe(
      #"{"viewer":"ada","card":"dan","answer":"like","time":"5"}"#, "--recorded")
    #expect(wrong.errors.contains("found a string\n"))
    #expect(wrong.errors.contains("\"time\" must be milliseconds since 1970"))
  }

  @Test(arguments: [
    ("", ":1: found no header line"),
    ("card_id,rating,when\n", ":1, column 3: the column is unknown"),
    ("card_id,rating,ease,time\n", ":1, column 3: a second column of this meaning"),
    ("card_id,rating\n", ":1: a column is missing; allowed names: time, review_time"),
    ("card_id,rating,time\n1,5,5\n", ":2, column 2: found no rating; allowed: 1, 2, 3, 4"),
    ("card_id,rating,time\n,1,5\n", ":2, column 1: found nothing"),
    ("card_id,rating,time\n1,1\n", ":2: found 2 fields; allowed: the 3 of the header"),
    ("card_id,rating,time\n1,1,0\n", ":2, column 3: found no time"),
    ("card_id,rating,time\n1,1,2023-02-29T00:00:00Z\n", ":2, column 3: found no time"),
    ("card_id,rating,time\n1,1,2024-02-29T00:00:00\n", ":2, column 3: found no time"),
    ("card_id,rating,time,duration\n1,1,5,-1\n", ":2, column 4: found no duration"),
    ("card_id,rating,time\n\"1,1,5\n", ":2, column 1: a quote is not closed"),
  ])
  func brokenLogsAreRefusedWhole(text: String, message: String) async throws {
    let path = try folder.write(text, to: "broken.csv")
    let call = await Call.tool("import", "csv", path, "--viewer", "a", "--out", folder.file("o"))
    #expect(call.status == .failure)
    #expect(call.output == "")
    #expect(call.errors.contains(path + message), "\(call.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("o")))
  }

  @Test func aDamagedPackageIsRefusedAndNothingIsWritten() async throws {
    let path = try folder.write("PK\u{3}\u{4}", to: "deck.apkg")
    let call = await Call.tool("import", "anki", path, "--viewer", "a", "--out", folder.file("o"))
    #expect(call.status == .failure)
    #expect(
      call.errors.contains(
        "found a damaged ZIP archive (Not a zip archive); allowed: a package of Anki"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("o")))
  }

  @Test(arguments: [
    ["import"], ["import", "anki", "x", "--out", "y"], ["import", "anki", "--viewer", "a"],
    ["import", "csv", "x", "--viewer", "a"], ["import", "apkg", "x"], ["export"],
    ["export", "anki", "--out", "y"], ["export", "csv", "--out", "y"],
    ["export", "anki", "--cards", "x"],
  ])
  func wrongUsage(_ arguments: [String]) async {
    let call = await Call.tool(arguments)
    #expect(call.status == .usage)
    #expect(call.output == "")
  }
}
