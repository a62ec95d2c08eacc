import Testing

@testable import CardFeedVectorIndex

@Suite("An index that changes")
struct ChangingIndexTests {
  @Test("random changes leave what a new index of the same rows would hold")
  func equalsRebuilding() throws {
    var numbers = SeededNumbers(seed: 11)
    let fresh = numbers.vectors(3000, dimension: 20)
    var rows: [[Float]?] = []
    var index = VectorIndex(dimension: 20, metric: .innerProduct)
    for step in 0..<12_000 {
      let vector = fresh[numbers.below(3000)]
      switch numbers.below(6) {
      case 0 where !rows.isEmpty:
        let row = numbers.below(rows.count)
        rows[row] = nil
        index.remove(at: row)
      case 1 where !rows.isEmpty:
        let row = numbers.below(rows.count)
        rows[row] = vector
        try index.set(vector, at: row)
      case 2:
        rows.append(nil)
        index.appendMissing()
      default:
        rows.append(vector)
        try index.append(vector)
      }
      guard step % 3000 == 2999 else { continue }
      #expect(index.count == rows.count)
      #expect(index.vectorCount == rows.count { $0 != nil })
      #expect((0..<rows.count).allSatisfy { index.vector(at: $0) == rows[$0] })
      var rebuilt = VectorIndex(dimension: 20, metric: .innerProduct)
      for row in rows { try rebuilt.append(row) }
      for query in numbers.vectors(5, dimension: 20) {
        #expect(try index.nearest(30, to: query) == rebuilt.nearest(30, to: query))
        #expect(try index.nearest(30, to: query) == index.sortedNeighbours(30, to: query))
      }
    }
  }

  @Test("a copy keeps what it had")
  func copiesAreApart() throws {
    var numbers = SeededNumbers(seed: 12)
    var index = try VectorIndex(numbers.vectors(6000, dimension: 8), .euclidean)
    let query = numbers.vectors(1, dimension: 8)[0]
    let copy = index
    let before = try copy.nearest(6000, to: query)
    index.remove(at: before[0].row)
    try index.set(query, at: before[5999].row)
    try index.append(query)
    #expect(try copy.nearest(6000, to: query) == before)
    #expect(copy.count == 6000)
    let after = try index.nearest(2, to: query)
    #expect(after.map(\.row) == [before[5999].row, 6000])
    #expect(after.allSatisfy { $0.score == 0 })
  }

  /// Holds the index that readers copy.
  private actor Holder {
    var index: VectorIndex

    init(_ index: VectorIndex) { self.index = index }

    /// Turns all vectors of one row around, and those of another with it.
    func turn(_ row: Int, _ other: Int) throws {
      for row in [row, other] {
        guard let vector = index.vector(at: row) else { continue }
        try index.set(vector.map { -$0 }, at: row)
      }
    }
  }

  @Test("readers search what they hold while a writer changes the next one")
  func concurrentReaders() async throws {
    var numbers = SeededNumbers(seed: 13)
    // Of each pair of rows one points along the query and one against it, before and after a turn.
    let query = numbers.vectors(1, dimension: 16)[0]
    let pairs = 2500
    let vectors = (0..<2 * pairs).map { row in query.map { row % 2 == 0 ? $0 : -$0 } }
    let holder = Holder(try VectorIndex(vectors, .innerProduct))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for turn in 0..<400 {
          let pair = turn * 37 % pairs
          try await holder.turn(2 * pair, 2 * pair + 1)
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<100 {
            let index = await holder.index
            let found = try index.nearest(2 * pairs, to: query)
            #expect(found.count == 2 * pairs)
            #expect(found.count { $0.score > 0 } == pairs)
            #expect(try index.nearest(2 * pairs, to: query) == found)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
