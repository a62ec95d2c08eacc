import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedSQLite
import CardFeedStandardPlugins
import Glibc
import Testing

/// The examples of the README do what it says.
@Suite struct ReadmeTests {
  private static let configuration = Array(
    #"{ "version": 1, "deck": "dating", "hand": { "size": 2, "refillBelow": 1 } }"#.utf8)

  private func withService(_ body: (DatingService) async throws -> Void) async throws {
    var template = Array("/tmp/cardfeed-readme-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    #expect(made, "a temporary folder could not be made")
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      for name in ["cards.db", "cards.db-wal", "cards.db-shm"] { unlink(folder + "/" + name) }
      rmdir(folder)
    }
    let service = try await DatingService(
      configuration: Self.configuration, database: folder + "/cards.db")
    try await service.feed.put([
      Person(id: "ada", age: 30, gender: "woman", seeks: ["man"], tags: ["chess"]),
      Person(id: "ben", age: 31, gender: "man", seeks: ["woman"], tags: ["chess"]),
      Person(id: "carl", age: 32, gender: "man", seeks: ["woman"], tags: ["golf"]),
    ])
    try await body(service)
    try await service.feed.close()
  }

  @Test("a server deals, takes swipes once, and makes one match of two likes")
  func service() async throws {
    try await withService { service in
      let hand = try await service.hand(of: "ada")
      #expect(Set(hand.map(\.id)) == ["ben", "carl"])
      #expect(hand.allSatisfy { $0.reason == $0.reason.forViewer && $0.reason.source.isEmpty })
      let again = try await service.hand(of: "ada")
      #expect(again.map(\.id) == hand.map(\.id))

      let first = try #require(hand.first).id
      #expect(try await service.swipe("ada", "\(first)", .like, event: "a1") == false)
      #expect(try await service.swipe("ada", "\(first)", .like, event: "a1") == false)
      #expect(try await service.hand(of: "\(first)").map(\.id) == ["ada"])
      #expect(try await service.swipe("\(first)", "ada", .like, event: "b1"))
      #expect(try await service.feed.matches(of: "ada") == [first])

      try await service.undo("\(first)", event: "b2")
      #expect(try await service.feed.matches(of: "ada") == [])
      try await service.block("\(first)", by: "ada", event: "a2")
      #expect(try await service.hand(of: "\(first)").isEmpty)
    }
  }

  @Test("a strategy of one's own is asked for by name, and relaxed when cards run out")
  func strategy() async throws {
    let plugins = PluginSet(PluginSet.standard.plugins + [TagsPlugin()])
    let configuration = try FeedConfiguration(
      [
        "version": 1, "deck": "dating", "hand": ["size": 1, "refillBelow": 1],
        "filters": [["use": "already-swiped"], ["use": "shared-tag"]],
      ], file: "test", plugins: plugins)
    let feed = try await FeedBuilder.open(
      configuration, deck: DatingDeckPlugin(), store: InMemoryStore(), plugins: plugins,
      clock: SystemClock())
    try await feed.put([
      Person(id: "ada", tags: ["chess"]), Person(id: "ben", tags: ["golf"]),
      Person(id: "carl", tags: ["chess"]),
    ])
    #expect(try await feed.hand(for: "ada").cards.map(\.id) == ["carl"])
    _ = try await feed.swipe(Swipe(viewer: "ada", card: "carl", answer: .pass, event: "1"))
    #expect(try await feed.hand(for: "ada").cards.map(\.id) == ["ben"])
  }
}
