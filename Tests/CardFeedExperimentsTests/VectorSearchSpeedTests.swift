import CardFeed
import CardFeedExperiments
import Testing

@Suite("The speed of searches by vectors")
struct VectorSearchSpeedTests {
  private func vectors(_ count: Int, seed: UInt64) -> VectorSearchSpeed.Vectors {
    var generator = SplitMix64(seed: seed)
    return VectorSearchSpeed.Vectors(
      (0..<count * 8).map { _ in Float(generator.unitInterval() - 0.5) }, dimension: 8)
  }

  private var speed: VectorSearchSpeed {
    VectorSearchSpeed(
      vectors: vectors(600, seed: 1), queries: vectors(12, seed: 2),
      keeps: (0..<600).map { $0 % 30 == 0 })
  }

  @Test(
    "exact searches find all of the nearest, with and without the filter, one by one and at once")
  func exact() throws {
    let figures = try speed.exact()
    #expect(
      figures.map(\.task) == [
        "make an index of 600", "nearest 20 of 600", "nearest 20 of 600 where a filter keeps 20",
        "12 queries at once over 600, each (bytes and floats)",
        "12 queries at once over 600, each (floats only)",
      ])
    #expect(figures.map(\.recall) == [nil, 1, 1, 1, 1])
    #expect(figures.allSatisfy { $0.value >= 0 && $0.value.isFinite })
  }

  #if HNSW
    @Test("with more effort the graph finds nearly all")
    func graph() throws {
      let figures = try speed.graph(rows: 500)
      #expect(figures.first?.task == "make a graph of 500")
      let recall = try #require(figures.last?.recall)
      #expect(recall > 0.95)
      #expect(figures.count == 9)
    }
  #endif
}
