import CardFeedCommandLine
import CardFeedConfiguration
import CardFeedStandardPlugins
import Foundation
import Testing

/// `cardfeed config`: every mistake of a file at once.
@Suite struct ConfigCommandTests {
  /// Five mistakes and more, each of another kind.
  private static let broken = """
    {
      "version": 1,
      "deck": "dating",
      "hand": { "size": 3, "refilBelow": 2 },
      "sources": [{ "use": "al" }],
      "filters": [{ "use": "already-swiped", "answers": ["lik"] }],
      "matchProbability": { "use": "constant", "value": 1.5 },
      "ranking": { "use": "weighted", "terms": { "random": 0 } },
      "slate": [{ "use": "epsilon" }]
    }
    """

  @Test func aFileWithSixMistakesNamesThemAll() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.broken, to: "feed.json")
    let call = await Call.tool("config", "check", path)
    #expect(call.status == .negativeResult)
    #expect(call.errors == "")
    #expect(
      call.output.replacing(path, with: "feed.json") == """
        feed.json: line 4, column 24, $.hand.refilBelow: unknown key "refilBelow"; allowed: \
        "size", "refillBelow", "rewind", "ties", "unscored", "batches", \
        "timeBudgetMilliseconds"; did you mean "refillBelow"?
        feed.json: line 5, column 24, $.sources[0].use: unknown source "al"; allowed: "all", \
        "likes-received", "page", "nearest", "recommended", "similar-cards", "vector-nearest", \
        "planned"; did you mean "all"?
        feed.json: line 6, column 54, $.filters[0].answers[0]: unknown name "lik"; allowed: \
        "like", "pass", "super-like"; did you mean "like"?
        feed.json: line 7, column 53, $.matchProbability.value: wrong value; found 1.5; \
        allowed: a number, 0 … 1
        feed.json: line 8, column 56, $.ranking.terms.random: a weight of 0 switches the term \
        off silently; found 0; allowed: a number other than 0, or no such key
        feed.json: line 9, column 13, $.slate[0]: missing key "epsilon"; allowed: a number, 0 … 1
        feed.json: 6 problems

        """)
  }

  @Test func theSameAsJSON() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.broken, to: "feed.json")
    let call = await Call.tool("config", "check", path, "--format", "json")
    #expect(call.status == .negativeResult)
    let json = try call.json
    #expect(json["file"]?.string == path)
    #expect(json["fingerprint"]?.isNull == true)
    let problems = try #require(json["problems"]?.array)
    try #require(problems.count == 6)
    #expect(
      problems.map { $0["path"]?.string } == [
        "$.hand.refilBelow", "$.sources[0].use", "$.filters[0].answers[0]",
        "$.matchProbability.value", "$.ranking.terms.random", "$.slate[0]",
      ])
    #expect(
      problems[3] == [
        "path": "$.matchProbability.value", "line": 7, "column": 53, "message": "wrong value",
        "found": "1.5", "allowed": "a number, 0 … 1", "nearest": nil,
      ])
    #expect(problems[0]["nearest"] == "refillBelow")
  }

  @Test func aSyntaxErrorHasItsLine() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write("{\n  \"version\": 1,\n}\n", to: "feed.json")
    let call = await Call.tool("config", "check", path)
    #expect(call.status == .negativeResult)
    #expect(
      call.output.replacing(path, with: "feed.json") == """
        feed.json: line 3, column 1, $: a key is missing; found '}'; allowed: a key in double \
        quotes (remove the comma before it)
        feed.json: 1 problem

        """)
  }

  @Test func aGoodFileIsSpelledOutAndStaysTheSame() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(#"{"deck": "dating", "version": 1}"#, to: "feed.json")
    let check = await Call.tool("config", "check", path)
    let configuration = try FeedConfiguration(
      ["version": 1, "deck": "dating"], file: "", plugins: .standard)
    #expect(check.status == .fine)
    #expect(check.output == "\(path): no problem; fingerprint \(configuration.fingerprint)\n")
    #expect(check.errors == "")
    let dump = await Call.tool("config", "dump", path)
    #expect(dump.status == .fine)
    #expect(try dump.json == configuration.effective)
    try folder.write(dump.output, to: "feed.json")
    #expect(await Call.tool("config", "dump", path) == dump)
    #expect(await Call.tool("config", "check", path) == check)
  }

  @Test func aBrokenFileIsNotDumped() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.broken, to: "feed.json")
    let call = await Call.tool("config", "dump", path)
    #expect(call.status == .failure)
    #expect(call.output == "")
    #expect(call.errors.hasSuffix("feed.json: 6 problems; nothing was changed\n"))
  }

  @Test func aMissingFileIsAFailure() async {
    let call = await Call.tool("config", "check", "/nowhere/feed.json")
    #expect(call.status == .failure)
    #expect(
      call.errors == "error: cannot read '/nowhere/feed.json': No such file or directory (error "
        + "2); check the spelling of the path\n")
  }

  @Test func theSchemaIsTheOneOfTheLibrary() async throws {
    let call = await Call.tool("config", "schema")
    #expect(call.status == .fine)
    #expect(try call.json == ConfigurationSchema.document(plugins: .standard))
  }

  @Test(arguments: [
    ["config"], ["config", "check"], ["config", "dump", "a", "b"], ["config", "schema", "x"],
    ["config", "check", "x", "--format", "csv"], ["config", "chek", "x"],
  ])
  func wrongUsage(_ arguments: [String]) async {
    #expect(await Call.tool(arguments).status.rawValue == 64)
  }
}
