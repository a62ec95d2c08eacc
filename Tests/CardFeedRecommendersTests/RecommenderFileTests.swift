import CardFeedRecommenders
import Foundation
import Testing

@Suite struct RecommenderFileTests {
  /// A file that is gone when the test is over.
  static func withFile(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("model-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  static func models() throws -> [any Recommender] {
    let world = try World()
    let popularity = Popularity(world.histories)
    let personal = PersonalCounts(exponent: 0.5, rate: 0.8, popularity: popularity)
    let items = try DirectionalCooccurrence().fit(world.histories)
    var models: [any Recommender] = [
      items, try PairwiseFactors(factors: 5, iterations: 3).fit(world.matrix), popularity, personal,
      try Blend([(items, 1), (try Blend([(personal, 0.5), (popularity, 2)]), -1)]),
    ]
    #if OpenBLAS
      models.append(try LinearAutoencoder(decay: .perTime(0.7)).fit(world.matrix))
      models.append(try ImplicitFactors(factors: 5, iterations: 3).fit(world.matrix).model)
    #endif
    return models
  }

  @Test func `a model that was written scores as before`() throws {
    let history = try World().histories[4]
    for model in try Self.models() {
      try Self.withFile { path in
        try RecommenderFile.write(model, to: path)
        let read = try RecommenderFile(mapping: path)
        #expect(read.model.scores(history) == model.scores(history))
        #expect(read.cards.isEmpty)
      }
    }
  }

  @Test func `ids are kept byte for byte`() throws {
    let ids: [[UInt8]] = [[], [0], Array("é".utf8), Array("e\u{301}".utf8), Array("a/b".utf8)]
    try Self.withFile { path in
      try RecommenderFile.write(Popularity(cardCount: 5), cards: ids, to: path)
      #expect(Array(try RecommenderFile(mapping: path).cards) == ids)
      #expect(throws: RecommenderError.self) {
        try RecommenderFile.write(Popularity(cardCount: 4), cards: ids, to: path)
      }
      #expect(throws: RecommenderError.self) { try RecommenderFile.write(Fixed([1]), to: path) }
    }
  }

  @Test func `every changed byte and every cut is refused`() throws {
    try Self.withFile { path in
      let world = try World(viewers: 4, cards: 9, swipes: 3)
      try RecommenderFile.write(
        try ItemNeighbours().fit(world.matrix), cards: (0..<9).map { [UInt8($0)] }, to: path)
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      // The last 32 bytes of the header are not used.
      for place in Array(0..<32) + Array(64..<whole.count) {
        var changed = whole
        changed[place] ^= 1
        try changed.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: RecommenderError.self) { try RecommenderFile(mapping: path) }
        #expect(error?.code == .damagedFile)
      }
      for count in [0, 7, 63, 64, 100, whole.count - 1] {
        try whole.prefix(count).write(to: URL(fileURLWithPath: path))
        #expect(throws: RecommenderError.self) { try RecommenderFile(mapping: path) }
      }
    }
  }

  @Test func `a missing file is a typed error that names it`() throws {
    let error = try #require(throws: RecommenderError.self) {
      try RecommenderFile(mapping: "/nowhere/model")
    }
    #expect(error.code == .fileAccess)
    #expect(error.description.hasPrefix("/nowhere/model: the file cannot be opened"))
  }
}
