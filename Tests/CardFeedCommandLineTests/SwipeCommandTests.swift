import CardFeedCommandLine
import CardFeedConfiguration
import Testing

/// `cardfeed swipe` and `store check` over an SQLite file.
@Suite struct SwipeCommandTests {
  private let folder: ScratchFolder
  private let configuration: String
  private let cards: String

  init() throws {
    folder = try ScratchFolder()
    (configuration, cards) = try folder.makeFeed()
  }

  private func swipe(_ arguments: String...) async -> Call {
    await Call.tool(["swipe", "--config", configuration, "--cards", cards] + arguments)
  }

  /// The results of a call's lines.
  private func results(_ call: Call) throws -> [String?] {
    try call.lines.map { $0["result"]?.string }
  }

  @Test func onceAgainStaleAndConflict() async throws {
    let once = await swipe("--viewer", "ada", "--answer", "like", "--event", "1")
    #expect(once.status == .fine)
    #expect(
      once.output == #"{"result":"applied","viewer":"ada","card":"dan","event":2,"match":null,"#
        + "\"remaining\":2}\n")
    let again = await swipe(
      "--viewer", "ada", "--answer", "like", "--card", "dan", "--event", "1")
    #expect(again.status == .fine)
    #expect(again.output == once.output.replacing("applied", with: "repeated"))

    let stale = await swipe("--viewer", "ada", "--answer", "pass", "--card", "gus")
    #expect(stale.status == .negativeResult)
    #expect(try results(stale) == ["stale"])

    let conflict = await swipe(
      "--viewer", "ada", "--answer", "pass", "--card", "dan", "--event", "1")
    #expect(conflict.status == .failure)
    #expect(conflict.output == "")
    #expect(
      conflict.errors.hasSuffix(
        "error: the event id was used before for another event of this viewer; give every event "
          + "an id of its own; repeat an event with the same id and payload\n"))

    let check = await Call.tool("store", "check", "--config", configuration)
    #expect(check == Call(status: .fine, output: "2 events, 0 problems\n", errors: ""))
    let json = await Call.tool("store", "check", "--config", configuration, "--format", "json")
    #expect(try json.json == ["events": 2, "problems": []])
  }

  @Test func overTheQuotaIsANegativeResultThatSaysUntilWhen() async throws {
    let quotas = #", "quotas": [{ "use": "daily-quota", "answers": ["like"], "perDay": 1 }]"#
    let limited = try folder.makeFeed(variants: quotas).configuration
    func like(_ event: String) async -> Call {
      await Call.tool([
        "swipe", "--config", limited, "--cards", cards, "--viewer", "ada", "--answer", "like",
        "--event", event,
      ])
    }
    #expect(await like("1").status == .fine)
    let over = await like("2")
    #expect(over.status == .negativeResult)
    #expect(try results(over) == ["over-quota"])
    let until = try #require(over.lines.first?["until"]?.int64)
    #expect(until % 86_400_000 == 0)
  }

  @Test func recordedSwipesNeedNoHandAndCountOnce() async throws {
    let path = try folder.write(
      """
      {"viewer":"ada","card":"gus","answer":"like"}
      {"viewer":"gus","card":"ada","answer":"like"}

      """, to: "recorded.jsonl")
    let first = await swipe("--recorded", "--from", path)
    #expect(first.status == .fine)
    #expect(first.output == "2 swipes, 2 new\n")
    let again = await swipe("--recorded", "--from", path)
    #expect(again.output == "2 swipes, 0 new\n")
    let check = await Call.tool("store", "check", "--config", configuration)
    // Two swipes and the match they make.
    #expect(check == Call(status: .fine, output: "3 events, 0 problems\n", errors: ""))

    let withoutCard = try folder.write(
      #"{"viewer":"ada","answer":"like"}"#, to: "without.jsonl")
    let refused = await swipe("--recorded", "--from", withoutCard)
    #expect(refused.status == .failure)
    #expect(refused.errors.contains("line 1: a recorded swipe names its card"))
    #expect(await swipe("--recorded", "--viewer", "ada", "--answer", "like").status == .usage)
  }

  @Test func aMutualLikeIsAMatch() async throws {
    #expect(await swipe("--viewer", "ada", "--answer", "like").status == .fine)
    let back = await swipe("--viewer", "dan", "--answer", "super-like", "--card", "ada")
    let line = try #require(try back.lines.first)
    #expect(line["result"] == "applied")
    #expect(line["match"] == line["event"])
  }

  @Test func manySwipesComeFromAFile() async throws {
    // More than one hand holds: the hand has to be refilled on the way.
    let path = try folder.write(
      """
      {"viewer":"ada","card":"dan","answer":"like"}

      {"viewer":"bea","answer":"pass"}
      {"viewer":"ada","card":"eli","answer":"like"}
      {"viewer":"ada","card":"finn","answer":"pass"}
      {"viewer":"ada","card":"gus","answer":"pass"}
      {"viewer":"dan","card":"ada","answer":"like"}\r

      """, to: "swipes.jsonl")
    let first = await swipe("--from", path, "--tasks", "3")
    #expect(first.status == .fine)
    #expect(try results(first) == Array(repeating: "applied", count: 6))
    #expect(try first.lines.count { $0["match"]?.isNull == false } == 1)
    // Without a card the next top card is meant, so only the others are repeats.
    let second = await swipe("--from", path, "--tasks", "1")
    #expect(second.status == .fine)
    #expect(
      try results(second)
        == ["repeated", "applied", "repeated", "repeated", "repeated", "repeated"])
    let check = await Call.tool("store", "check", "--config", configuration)
    #expect(check.status == .fine)
  }

  @Test func aFileWithABrokenLineSwipesNothingAndNamesEveryOne() async throws {
    let path = try folder.write(
      """
      {"viewer":"bea","answer":"like"}

      {"viewer":"bea","answer":"like","card":5}
      {"viewer":"bea","answer":"like","Card":"x"}
      {"viewer":"bea",}
      []
      {"answer":"like"}
      {"viewer":"a","viewer":"b","answer":"x"}
      {"viewer":"a","answer":""}
      """, to: "swipes.jsonl")
    let call = await swipe("--from", path)
    #expect(call.status == .failure)
    #expect(call.output == "")
    #expect(
      call.errors.replacing(path, with: "swipes.jsonl") == """
        error: swipes.jsonl, line 3: "card" must be a text that is not empty; found a number
        swipes.jsonl, line 4: unknown key "Card"; allowed: "viewer", "card", "answer", "event", \
        "time"; did you mean "card"?
        swipes.jsonl, line 5: column 17: a key is missing; found '}', allowed: a key in double \
        quotes
        swipes.jsonl, line 6: must be an object; found an array
        swipes.jsonl, line 7: missing key "viewer"
        swipes.jsonl, line 8: $.viewer: the key stands twice
        swipes.jsonl, line 9: "answer" must be a text that is not empty; found an empty text
        nothing was swiped

        """)
    let check = await Call.tool("store", "check", "--config", configuration)
    #expect(check.status == .failure)
    #expect(check.errors.contains("cannot open database"), "there is not even a store")
  }

  @Test func anUnknownAnswerInTheMiddleSwipesNothing() async throws {
    let path = try folder.write(
      """
      {"viewer":"ada","answer":"like"}
      {"viewer":"bea","answer":"lik"}
      """, to: "swipes.jsonl")
    let call = await swipe("--from", path)
    #expect(call.status == .failure)
    #expect(call.output == "")
    #expect(
      call.errors == "error: the deck 'dating' has no answer 'lik'; allowed: like, pass, "
        + "super-like; nothing was swiped; did you mean 'like'?\n")
    let check = await Call.tool("store", "check", "--config", configuration)
    #expect(check.output == "0 events, 0 problems\n")
  }

  @Test func aConflictInAFileNamesItsLine() async throws {
    let path = try folder.write(
      """
      {"viewer":"ada","card":"dan","answer":"like","event":"1"}

      {"viewer":"ada","card":"eli","answer":"like","event":"1"}
      """, to: "swipes.jsonl")
    let call = await swipe("--from", path)
    #expect(call.status == .failure)
    #expect(try results(call) == ["applied"])
    #expect(
      call.errors.replacing(path, with: "swipes.jsonl").hasSuffix(
        "error: swipes.jsonl, line 3: the event id was used before for another event of this "
          + "viewer; give every event an id of its own; repeat an event with the same id and "
          + "payload; what was printed is applied, and the file can be given again\n"))
  }

  @Test func nothingToSwipeIsANegativeResult() async throws {
    let call = await swipe("--viewer", "nobody", "--answer", "pass")
    #expect(call.status == .negativeResult)
    #expect(try results(call) == ["empty"])
  }

  @Test(
    arguments: [
      ([], "a swipe needs --viewer and --answer, or many come --from a file"),
      (["--viewer", "ada"], "a swipe needs --viewer and --answer, or many come --from a file"),
      (
        ["--from", "x", "--viewer", "ada", "--event", "1"],
        "--from cannot be used with --viewer, --event"
      ),
      (
        ["--viewer", "ada", "--answer", "like", "--tasks", "0"],
        "'--tasks' cannot be '0'; allowed: a whole number from 1 to 1024"
      ),
    ] as [([String], String)])
  func wrongUsageTouchesNothing(_ arguments: [String], _ message: String) async {
    let call = await Call.tool(
      ["swipe", "--config", configuration, "--cards", cards] + arguments)
    #expect(call.status.rawValue == 64)
    #expect(call.output == "")
    #expect(
      call.errors == "error: \(message)\nUsage: cardfeed swipe --config FILE [options]\n"
        + "'cardfeed swipe --help' says more.\n")
    #expect((try? FileSystem.read(folder.file("d.db"))) == nil)
  }

  @Test func aDamagedStoreIsANegativeResultOrAFailureButNeverFine() async throws {
    #expect(await swipe("--viewer", "ada", "--answer", "like").status == .fine)
    var bytes = try FileSystem.read(folder.file("d.db"))
    for index in stride(from: 4096 + 200, to: min(bytes.count, 60_000), by: 64) {
      bytes[index] ^= 0xa5
    }
    try FileSystem.write(bytes, to: folder.file("d.db"))
    let check = await Call.tool("store", "check", "--config", configuration)
    #expect(check.status == .negativeResult || check.status == .failure)
  }
}
