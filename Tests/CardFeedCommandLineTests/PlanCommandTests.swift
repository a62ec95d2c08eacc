import CardFeed
import CardFeedCommandLine
import CardFeedConfiguration
import Foundation
import Testing

/// A plan from `cardfeed train` to the hands of `cardfeed deal`.
@Suite struct PlanCommandTests {
  @Test func aPlanIsMadeWrittenAndDealt() async throws {
    let folder = try ScratchFolder()
    func config(_ model: String, to name: String) throws -> String {
      try folder.write(
        """
        {"version": 1, "deck": "dating",
         "store": {"use": "sqlite", "path": "\(folder.file("a.db"))"},
         "filters": [{"use": "already-swiped"}, {"use": "mutual-preferences"}],
         "hand": {"size": 1, "refillBelow": 1}, "sources": [{"use": "all"}],
         "matchProbability": {"use": "additive", "actorSpread": 1, "partnerSpread": 1\(model)},
         "ranking": {"use": "most-compatible"\(model)}}
        """, to: name)
    }
    let plain = try config("", to: "plain.json")
    let served = try config(#", "model": "\#(folder.file("a.model"))""#, to: "feed.json")
    let made = await Call.tool(
      "dataset", "make", "generated-dating", "--waves", "5", "--people", "4", "--out",
      folder.file("data"))
    try #require(made.status == .fine)
    _ = await Call.tool(
      "swipe", "--config", plain, "--recorded", "--from",
      folder.file("data/dating/swipes.jsonl"), "--cards", folder.file("data/dating/cards.jsonl"))
    let trained = await Call.tool("train", "--config", plain, "--out", folder.file("a.model"))
    #expect(trained.status == .fine)
    #expect(trained.output.contains("most-compatible: "))

    // Where a model lies is no part of what it is: the file fits a configuration that names it.
    func first(_ viewer: String) async throws -> String? {
      let call = await Call.tool(
        "deal", "--config", served, "--viewer", viewer, "--format", "json")
      #expect(call.status == .fine)
      return try call.json["cards"]?.array?.first?["card"]?["id"]?.string
    }
    let partner = try #require(try await first("p0001"))
    #expect(try await first(partner) == "p0001")
  }
}
