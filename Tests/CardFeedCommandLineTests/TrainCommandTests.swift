import CardFeed
import CardFeedCommandLine
import CardFeedConfiguration
import Foundation
import Testing

/// `cardfeed train`: from the answers of a store to a file that strategies begin with.
@Suite struct TrainCommandTests {
  private static func configuration(_ folder: ScratchFolder, _ strategy: String) -> String {
    """
    {"version": 1, "deck": "dating", "store": {"use": "sqlite", "path": "\(folder.file("a.db"))"},
     "hand": {"size": 3, "refillBelow": 3}, "sources": [{"use": "all"}],
     "filters": [{"use": "mutual-preferences"}], "matchProbability": \(strategy),
     "ranking": {"use": "match-probability"}}
    """
  }

  private static func strategy(_ folder: ScratchFolder) -> String {
    """
    {"use": "hybrid", "actorSpread": 1.5, "partnerSpread": 1.2, "correlation": 0, "dyad": 0,
     "featureSpread": 0.05, "model": "\(folder.file("a.model"))"}
    """
  }

  @Test func aModelIsTrainedWrittenAndServed() async throws {
    let folder = try ScratchFolder()
    let made = await Call.tool(
      "dataset", "make", "generated-dating", "--waves", "5", "--people", "4", "--out",
      folder.file("data"))
    try #require(made.status == .fine)
    let config = try folder.write(
      Self.configuration(folder, Self.strategy(folder)), to: "feed.json")
    let untrained = try folder.write(
      Self.configuration(folder, #"{"use": "constant"}"#), to: "constant.json")
    let recorded = await Call.tool(
      "swipe", "--config", untrained, "--recorded", "--from",
      folder.file("data/dating/swipes.jsonl"), "--cards", folder.file("data/dating/cards.jsonl"))
    #expect(recorded.status == .fine)

    // Before the first training there is nothing to serve with, and it is said where it is missing.
    let early = await Call.tool("deal", "--config", config, "--viewer", "p0001")
    #expect(early.status == .failure)
    #expect(early.errors.contains("there is no model file \(folder.file("a.model"))"))
    let checked = await Call.tool("config", "check", config)
    #expect(checked.output.contains("$.matchProbability: there is no model file"))

    let trained = await Call.tool("train", "--config", config, "--out", folder.file("a.model"))
    #expect(trained.status == .fine)
    #expect(trained.output.contains("160 answers\nhybrid: "))
    #expect(trained.output.contains("difference(age)"))
    #expect(trained.errors.contains("models in \(folder.file("a.model"))"))
    let first = try FileSystem.read(folder.file("a.model"))
    // Again, from a configuration that knows no store, into another file: the same bytes.
    let elsewhere = try folder.write(
      Self.configuration(folder, Self.strategy(folder)).replacing("a.db", with: "none.db"),
      to: "other.json")
    let again = await Call.tool(
      "train", "--config", elsewhere, "--store", folder.file("a.db"), "--out",
      folder.file("b.model"), "--format", "json")
    #expect(try FileSystem.read(folder.file("b.model")) == first)
    let json = try again.json
    #expect(json["answers"] == 160)
    #expect(json["models"]?.array?.first?["strategy"] == "hybrid")

    let dealt = await Call.tool(
      "deal", "--config", config, "--viewer", "p0001", "--format", "json")
    #expect(dealt.status == .fine)
    #expect(try dealt.json["cards"]?.array?.isEmpty == false)
  }

  @Test func whatNeedsNoTrainingIsToldSo() async throws {
    let folder = try ScratchFolder()
    let config = try folder.write(
      Self.configuration(folder, #"{"use": "elo-two-scale"}"#), to: "feed.json")
    let call = await Call.tool("train", "--config", config)
    #expect(call.status == .negativeResult)
    #expect(call.errors.contains("the configuration has no strategy that needs training"))
  }
}
