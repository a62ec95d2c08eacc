import CardFeedConfiguration
import CardFeedTesting
import Foundation
import Testing

@testable import CardFeed
@testable import CardFeedCollaborativeFiltering
@testable import CardFeedRecommenders

/// What happens where a model cannot be kept, is missing, or does not fit into memory.
@Suite struct ModelFailureTests {
  /// Scores that belong to no model of the library.
  private struct Foreign: Recommender {
    let cardCount: Int

    func score(
      into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
    ) {
      scores.update(repeating: 1)
    }
  }

  @Test func `a fitted model that has no form in a file is an error of the training`() throws {
    let error = #expect(throws: FeedError.self) {
      try CollaborativeModel(fitted: Foreign(cardCount: 1), cards: [[1]])
    }
    #expect(error?.code == .training)
    #expect(error?.message.contains("has no form in a file") == true)
    #expect(throws: FeedError.self) {
      try CollaborativeModel(fitted: Popularity(cardCount: 2), cards: [[1]])
    }
    #expect(try CollaborativeModel(bytes: CollaborativeModel().bytes).recommender == nil)
  }

  @Test func `ids of an unordered model are refused, since rows would not be found`() throws {
    let bytes = try RecommenderFile.bytes(of: Popularity(cardCount: 2), cards: [[2], [1]])
    let error = #expect(throws: FeedError.self) { try CollaborativeModel(bytes: bytes) }
    #expect(error?.code == .model)
  }

  @Test func `an erased id is found no more, leaves the bytes, and the empty id is an id`() throws {
    let ids: [[UInt8]] = [[], Array("a".utf8), Array("secret".utf8), Array("z".utf8)]
    var model = try CollaborativeModel(fitted: Popularity(cardCount: 4), cards: ids)
    for (row, id) in ids.enumerated() { #expect(model.row(of: CardID(bytes: id)) == row) }
    model = model.forgetting("secret").forgetting("a").forgetting("nobody")
    let read = try CollaborativeModel(bytes: model.bytes)
    for model in [model, read] {
      #expect(ids.map { model.row(of: CardID(bytes: $0)) } == [0, nil, nil, 3])
      #expect((0..<4).map { model.card(at: $0) } == ["", nil, nil, "z"])
    }
    #expect(model.bytes == read.bytes)
    #expect(!String(decoding: model.bytes, as: UTF8.self).contains("secret"))
    #expect(model.forgetting("z").forgetting("").row(of: "z") == nil)
  }

  @Test func `a model that is loaded from a file is not copied into memory`() async {
    await #expect(processExitsWith: .success) {
      // Pages that the process holds, in bytes.
      func resident() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = Int(try #require(text.split(separator: " ").dropFirst().first))
        return try #require(pages) * Int(sysconf(Int32(_SC_PAGESIZE)))
      }
      let (cardCount, factorCount) = (100_000, 100)
      let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).model"
      defer { try? FileManager.default.removeItem(atPath: path) }
      func write() throws -> (size: Int, bytes: [UInt8]) {
        let model = FactorModel(
          factors: Numbers(count: cardCount * factorCount) { $0.initialize(repeating: 0.5) },
          biases: Numbers([]), summary: Numbers(Array(repeating: 0.5, count: factorCount)),
          factorCount: factorCount, foldIn: .pairwise(regularisation: 1), decay: .none)
        let ids = (0..<cardCount).map { Array("\(1_000_000 + $0)".utf8) }
        let bytes = try CollaborativeModel(fitted: model, cards: ids).bytes
        let file = ModelFile(
          deck: "toy",
          entries: [
            .init(identity: "pairwise-factors/1", position: .start, answers: 1, model: bytes)
          ])
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
        return (bytes.count, bytes)
      }
      let (size, bytes) = try write()
      func load() throws -> CollaborativeModel {
        let found = try ModelReader.files.model(
          of: "pairwise-factors/1", deck: "toy", at: path, as: CollaborativeModel.self)
        return try #require(found).model
      }
      // Once before, for what the process sets up at the first time.
      _ = try load()
      let before = try resident()
      let mapped = try load()
      let after = try resident()
      #expect(mapped.recommender?.cardCount == cardCount)
      #expect(mapped.row(of: "1000007") == 7)
      #expect(after - before < size / 8, "\(after - before) of \(size)")
      // The figure is one that sees a copy.
      let copied = try CollaborativeModel(bytes: bytes)
      #expect(try resident() - after > size / 2)
      let history = ViewerHistory(cards: [7])
      #expect(mapped.recommender?.scores(history) == copied.recommender?.scores(history))
    }
  }

  @Test func `a mapped model is checked as copied bytes are`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).model"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let ids = (0..<9).map { [UInt8($0)] }
    let model = try CollaborativeModel(
      fitted: Popularity(counts: (0..<9).map(Double.init)), cards: ids)
    let file = ModelFile(
      deck: "toy",
      entries: [
        .init(identity: "other/1", position: .start, answers: 0, model: [1]),
        .init(identity: "own/1", position: .start, answers: 1, model: model.bytes),
        .init(identity: "empty/1", position: .start, answers: 0, model: []),
      ])
    func load(
      _ bytes: [UInt8], _ identity: String = "own/1"
    ) throws -> CollaborativeModel? {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return try ModelReader.files.model(
        of: identity, deck: "toy", at: path, as: CollaborativeModel.self)?.model
    }
    #expect(try load(file.bytes)?.bytes == model.bytes)
    #expect(try load(file.bytes, "empty/1")?.bytes == [])
    #expect(throws: FeedError.self) { try load(file.bytes, "other/1") }
    for place in stride(from: 0, to: file.bytes.count, by: 13) {
      var damaged = file.bytes
      damaged[place] ^= 4
      #expect(throws: FeedError.self, "byte \(place)") { try load(damaged) }
    }
    for count in [0, 3, 15, 19, 40, 100, file.bytes.count - 1] {
      #expect(throws: FeedError.self, "\(count) bytes") {
        try load(Array(file.bytes.prefix(count)))
      }
    }
  }
}
