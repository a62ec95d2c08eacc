import CardFeed
import CardFeedCommandLine
import CardFeedConfiguration
import Foundation
import Testing

/// `cardfeed audit`: who is shown, liked and matched, and what is scored.
@Suite struct AuditCommandTests {
  private func store(_ ranking: String) async throws -> (ScratchFolder, String) {
    let folder = try ScratchFolder()
    let people = (0..<24).map { index in
      let gender = index % 2 == 0 ? "woman" : index == 23 ? "other" : "man"
      return #"{"id":"p\#(index + 10)","age":\#(20 + index),"gender":"\#(gender)","#
        + #""traits":{"smoking":\#(index % 3)}}"#
    }
    let cards = try folder.write(people.joined(separator: "\n") + "\n", to: "cards.jsonl")
    let config = try folder.write(
      """
      {"version": 1, "deck": "dating", "store": {"use": "sqlite", "path": "\(folder.file("a.db"))"},
       "filters": [], "ranking": \(ranking)}
      """, to: "feed.json")
    let swipes = ["p10 p11", "p11 p10", "p12 p11"].map { pair in
      let parts = pair.split(separator: " ")
      return #"{"viewer":"\#(parts[0])","card":"\#(parts[1])","answer":"like","event":"\#(pair)"}"#
    }
    let from = try folder.write(swipes.joined(separator: "\n") + "\n", to: "swipes.jsonl")
    let recorded = await Call.tool(
      "swipe", "--config", config, "--recorded", "--from", from, "--cards", cards)
    try #require(recorded.status == .fine)
    return (folder, config)
  }

  @Test func groupsAreCountedAndSmallOnesLeftOut() async throws {
    let (folder, config) = try await store(
      #"{"use": "weighted", "terms": {"match-probability": 1, "age": 0.1}}"#)
    defer { withExtendedLifetime(folder) {} }
    let call = await Call.tool(
      "audit", "--config", config, "--by", "gender", "--count", "answers", "--days", "0",
      "--fewer-than", "1", "--smallest-group", "5", "--format", "json")
    #expect(call.status == .fine)
    let json = try call.json
    #expect(json["groups"]?.array?.map { $0["name"] } == ["woman", "man"])
    #expect(json["groups"]?.array?.map { $0["shown"] } == [1, 2])
    #expect(json["groups"]?.array?.map { $0["starved"] } == [11, 10])
    #expect(json["groups"]?.array?.map { $0["matches"] } == [1, 1])
    #expect(json["peopleLeftOut"] == 1)
    #expect(json["all"]?["people"] == 23)
    #expect(json["scored"]?.array?.map { $0["features"] } == [[], ["age"]])
    #expect(json["sensitive"] == [])
    #expect(!call.output.contains("p12"))
  }

  @Test func theTextSaysWhatItCountsAndNamesPeopleOnlyWhenAsked() async throws {
    let (folder, config) = try await store(#"{"use": "match-probability"}"#)
    defer { withExtendedLifetime(folder) {} }
    func audit(_ more: String...) async -> Call {
      await Call.tool(
        [
          "audit", "--config", config, "--by", "smoking", "--bounds", "1", "--count", "answers",
          "--days", "0", "--fewer-than", "1", "--smallest-group", "8",
        ] + more)
    }
    let plain = await audit()
    #expect(plain.status == .fine)
    #expect(plain.output.contains("below 1"))
    #expect(plain.output.contains("1 and above"))
    #expect(plain.output.contains("shown: answers in the whole log"))
    #expect(plain.output.contains("elo-two-scale scores answers only"))
    #expect(plain.output.contains("nothing that is scored is sensitive"))
    #expect(!plain.output.contains("p13"))
    let listed = await audit("--list")
    #expect(listed.output.contains("starved, below 1: p13"))
  }

  @Test func sensitiveColumnsAreNamed() async throws {
    let (folder, config) = try await store(#"{"use": "match-probability"}"#)
    let models = try folder.write(
      """
      {"version": 1, "deck": "dating", "store": {"use": "sqlite", "path": "\(folder.file("a.db"))"},
       "filters": [], "matchProbability": {"use": "hybrid", "actorSpread": 1, "partnerSpread": 1,
       "correlation": 0, "dyad": 0, "featureSpread": 0.1, "own": ["race", "smoking"],
       "model": "\(folder.file("a.model"))"}, "ranking": {"use": "match-probability"}}
      """, to: "hybrid.json")
    let early = await Call.tool("audit", "--config", models, "--by", "gender")
    #expect(early.output.contains("its model is not at hand, and may score more"))
    // A trait that nobody has is not compared, so it takes somebody who has it.
    let cards = try folder.write(
      (0..<4).map {
        #"{"id":"q\#($0)","age":30,"gender":"woman","traits":{"race":\#($0),"smoking":1}}"#
      }.joined(separator: "\n") + "\n", to: "more.jsonl")
    let from = try folder.write(
      #"{"viewer":"q0","card":"q1","answer":"like","event":"1"}"# + "\n"
        + #"{"viewer":"q2","card":"q3","answer":"pass","event":"2"}"# + "\n",
      to: "more-swipes.jsonl")
    _ = await Call.tool("swipe", "--config", config, "--recorded", "--from", from, "--cards", cards)
    let trained = await Call.tool("train", "--config", models, "--out", folder.file("a.model"))
    try #require(trained.status == .fine)
    let call = await Call.tool("audit", "--config", models, "--by", "gender", "--format", "json")
    #expect(try call.json["sensitive"] == ["own(race)"])
  }

  @Test func wrongUseIsSaid() async throws {
    let (folder, config) = try await store(#"{"use": "match-probability"}"#)
    defer { withExtendedLifetime(folder) {} }
    let column = await Call.tool("audit", "--config", config, "--by", "gendr")
    #expect(column.status == .failure)
    #expect(column.errors.contains("there is no column and no named number \"gendr\""))
    for bounds in ["3,2", "x"] {
      let call = await Call.tool(
        "audit", "--config", config, "--by", "age", "--bounds", bounds)
      #expect(call.status == .usage)
    }
  }
}
