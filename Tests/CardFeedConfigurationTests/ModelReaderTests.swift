import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedStandardPlugins
import CardFeedTesting
import Foundation
import Testing

/// Models that a configuration names.
@Suite struct ModelReaderTests {
  private typealias DatingFeed = FeedEngine<DatingDeck, InMemoryStore, ManualClock, SplitMix64>

  private static func text(_ model: String?, spread: Double = 1.5) -> String {
    let path = model.map { ", \"model\": \"\($0)\"" } ?? ""
    return """
      {"version": 1, "deck": "dating", "sources": [{"use": "all"}],
       "matchProbability": {"use": "additive", "actorSpread": \(spread), "partnerSpread": 1\(path)},
       "ranking": {"use": "match-probability"}}
      """
  }

  private func open(
    _ text: String, models: ModelReader = .files
  ) async throws -> DatingFeed {
    let feed = try await FeedBuilder.open(
      FeedConfiguration(text), deck: DatingDeckPlugin(), store: InMemoryStore(),
      plugins: .standard, clock: ManualClock(), models: models)
    try await feed.put((0..<6).map { Person(id: "\($0)", gender: $0 % 2 == 0 ? "w" : "m") })
    return feed
  }

  private func trained() async throws -> ModelFile {
    let feed = try await open(Self.text(nil))
    _ = try await feed.record(
      [("0", "1", true), ("0", "3", false), ("1", "0", true), ("2", "1", true)].map {
        RecordedSwipe(
          Swipe(
            viewer: CardID($0.0), card: CardID($0.1), answer: $0.2 ? .like : .pass,
            event: EventID("\($0)")))
      })
    return try await feed.train().file
  }

  private func estimate(_ feed: DatingFeed) async throws -> Double? {
    try await feed.estimates(for: "0", cards: ["1"]).first?.match?.value
  }

  private func withFile(
    _ bytes: [UInt8]?, _ body: (String) async throws -> Void
  ) async throws {
    let path = FileManager.default.temporaryDirectory.path + "/cardfeed-\(UUID().uuidString).model"
    defer { try? FileManager.default.removeItem(atPath: path) }
    if let bytes { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    try await body(path)
  }

  @Test func aModelIsThereFromTheStart() async throws {
    let file = try await trained()
    try await withFile(file.bytes) { path in
      let feed = try await open(Self.text(path))
      #expect(try await estimate(feed) != nil)
      #expect(try await estimate(open(Self.text(nil))) == nil, "without a model nothing is known")
    }
  }

  @Test func anUnchangedFileKeepsWhatWasTrainedMeanwhileAndAChangedOneBeginsAnew() async throws {
    let file = try await trained()
    let deck = DatingDeckPlugin()
    try await withFile(file.bytes) { path in
      let configuration = try FeedConfiguration(Self.text(path))
      let feed = try await open(Self.text(path))
      let loaded = try await estimate(feed)
      // This feed's own log is empty, so a training forgets everything.
      try await feed.train()
      let own = try await estimate(feed)
      #expect(own != loaded)
      try await FeedBuilder.reload(feed, with: configuration, deck: deck, plugins: .standard)
      #expect(try await estimate(feed) == own)
      let entry = try #require(file.entries.first)
      let other = ModelFile(
        deck: file.deck,
        entries: [
          .init(
            identity: entry.identity, position: .start, answers: 1, model: entry.model)
        ])
      try Data(other.bytes).write(to: URL(fileURLWithPath: path))
      try await FeedBuilder.reload(feed, with: configuration, deck: deck, plugins: .standard)
      #expect(try await estimate(feed) == loaded)
    }
  }

  private func message(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "no error"
    } catch {
      return (error as? FeedError).map { "\($0.code): \($0.message)" } ?? "\(error)"
    }
  }

  @Test func errorsNameTheFile() async throws {
    let file = try await trained()
    try await withFile(nil) { path in
      #expect(
        await message { _ = try await open(Self.text(path)) }
          == "model: there is no model file \(path)")
      // Before the first training there is none.
      let feed = try await open(Self.text(path), models: .filesIfAny)
      #expect(try await estimate(feed) == nil)
    }
    try await withFile(Array(file.bytes.dropLast())) { path in
      #expect(
        await message { _ = try await open(Self.text(path)) }
          == "model: \(path) is damaged: its checksum does not fit its bytes")
    }
    try await withFile(file.bytes) { path in
      #expect(
        await message { _ = try await open(Self.text(path, spread: 2)) }
          == "model: \(path) holds a model of 'additive' with other parameters")
    }
    let folder = FileManager.default.temporaryDirectory.path
    #expect(
      await message { _ = try await open(Self.text(folder)) }
        == "model: the model file \(folder) cannot be read: Is a directory")
  }
}
