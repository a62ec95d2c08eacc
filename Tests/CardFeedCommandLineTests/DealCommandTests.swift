import CardFeedCommandLine
import CardFeedConfiguration
import CardFeedStandardPlugins
import Testing

/// `cardfeed deal` over an SQLite file.
@Suite struct DealCommandTests {
  private let folder: ScratchFolder
  private let configuration: String
  private let cards: String

  init() throws {
    folder = try ScratchFolder()
    (configuration, cards) = try folder.makeFeed()
  }

  private func deal(_ arguments: String...) async -> Call {
    await Call.tool(["deal", "--config", configuration] + arguments)
  }

  @Test func theSameHandTwice() async {
    let first = await deal("--viewer", "ada", "--cards", cards)
    #expect(
      first.output == """
        hand of ada
        place  card  P(match)    score  propensity  reason
        -----  ----  --------  -------  ----------  --------
            1  dan     0.5000   0.0000      1.0000  from all
            2  eli     0.5000  -1.0000      1.0000  from all
            3  finn    0.5000  -2.0000      1.0000  from all

        """)
    #expect(first.errors == "7 cards from \(cards)\n")
    #expect(first.status == .fine)
    let second = await deal("--viewer", "ada")
    #expect(second == Call(status: .fine, output: first.output, errors: ""))
    #expect(await deal("--viewer", "ada", "--cards", cards) == first)
  }

  @Test func theHandAsJSON() async throws {
    let call = await deal("--viewer", "dan", "--cards", cards, "--format", "json")
    #expect(call.status == .fine)
    let hand = try #require(try call.json.object)
    #expect(hand.members.map(\.key) == ["cards", "shortfall", "degradations"])
    #expect(hand["shortfall"]?.isNull == true)
    #expect(hand["degradations"] == [])
    let cards = try #require(hand["cards"]?.array)
    #expect(cards.map { $0["card"]?["id"] } == ["ada", "bea", "cleo"])
    let fingerprint = try FeedConfiguration(
      parsing: FileSystem.read(configuration), file: "", plugins: .standard
    ).base.fingerprint
    #expect(
      cards.first?["reason"] == [
        "source": "all", "match_probability": 0.5, "forward": nil, "backward": nil,
        "score": 0, "terms": [:], "propensity": 1, "fingerprint": JSONValue(fingerprint),
        "variant": nil,
      ])
  }

  @Test func eachCardsPlaceIsExplained() async throws {
    #expect(await deal("--viewer", "ada", "--cards", cards).status == .fine)
    let explanations = [
      ("dan", "dan: in the hand at place 1, from all\n"),
      ("gus", "gus: would be dealt next, as card 1; score 0.0000, P(match) 0.5000\n"),
      (
        "bea",
        "bea: not dealt: removed by mutual-preferences (the preferences do not fit)\n"
      ),
      ("nobody", "nobody: not in the deck\n"),
    ]
    for (card, text) in explanations {
      let call = await deal("--viewer", "ada", "--explain", card)
      #expect(call == Call(status: .fine, output: text, errors: ""))
    }
    let json = await deal("--viewer", "ada", "--explain", "dan", "--format", "json")
    #expect(
      try json.json == ["card": "dan", "explanation": "in the hand at place 1, from all"])
  }

  @Test func anExhaustedFeedSaysWhatRemovedHowMany() async throws {
    #expect(await deal("--viewer", "cleo", "--cards", cards).status == .fine)
    for _ in 0..<4 {
      let call = await Call.tool(
        "swipe", "--config", configuration, "--viewer", "cleo", "--answer", "pass")
      #expect(call.status == .fine)
    }
    let call = await deal("--viewer", "cleo")
    #expect(call.status == .fine)
    #expect(
      call.output == """
        hand of cleo
        place  card  P(match)  score  propensity  reason
        -----  ----  --------  -----  ----------  ------
        fewer cards than wanted: exhausted; removed 4 by already-swiped (answered before), \
        2 by mutual-preferences (the preferences do not fit), 1 by self (the viewer's own card)

        """)
  }

  @Test func brokenRecordsAreNamedAndSkipped() async throws {
    let cards = try folder.write(
      """
      {"id":"ada","age":30,"gender":"woman","seeks":["man"]}
      {"gender":"man"}
      {"id":"dan","age":30,"gender":"man","seeks":["woman"]}
      {"id":
      """, to: "broken.jsonl")
    let call = await deal("--viewer", "ada", "--cards", cards)
    #expect(call.status == .fine)
    #expect(call.output.contains("1  dan"))
    #expect(
      call.errors.replacing(cards, with: "broken.jsonl") == """
        broken.jsonl: line 2, column 1, $.id: the key is missing; allowed: a text that is not \
        empty; skipped
        broken.jsonl: line 4, column 7, $.id: a value is missing; found the end of the text, \
        allowed: a value; the object opened at line 4, column 1 is not closed; skipped
        2 cards from broken.jsonl

        """)
  }

  @Test func aBrokenConfigurationDealsNothing() async throws {
    let broken = try folder.write(#"{"version": 1, "deck": "datin"}"#, to: "broken.json")
    let call = await Call.tool("deal", "--config", broken, "--viewer", "ada")
    #expect(call.status == .failure)
    #expect(call.output == "")
    #expect(
      call.errors.replacing(broken, with: "broken.json") == """
        error: broken.json: line 1, column 24, $.deck: unknown deck "datin", so that nothing else \
        could be checked; allowed: "dating", "quiz", "product"; did you mean "dating"?
        broken.json: 1 problem; nothing was changed

        """)
  }

  @Test func aPageSourceNeedsAHostProgram() async throws {
    let paged = try folder.write(
      #"{"version": 1, "deck": "dating", "sources": [{"use": "page"}]}"#, to: "paged.json")
    let call = await Call.tool("deal", "--config", paged, "--viewer", "ada")
    #expect(call.status == .failure)
    #expect(
      call.errors == "error: the source 'page' has nowhere to bring cards from; give the host "
        + "program's page loader when the feed is opened, or take the source out of the "
        + "configuration\n")
  }
}
