@testable import CardFeedVectorIndex

/// Numbers that follow from a seed (SplitMix64), so that a failure comes back.
struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

  /// Some vectors around a few centres, of quite different lengths.
  mutating func vectors(_ count: Int, dimension: Int) -> [[Float]] {
    let centres = (0..<8).map { _ in (0..<dimension).map { _ in unit() * 2 - 1 } }
    return (0..<count).map { _ in
      let centre = centres[below(8)]
      let length = unit() * 3 + 0.1
      return centre.map { length * ($0 + (unit() - 0.5) * 0.4) }
    }
  }
}

extension VectorIndex {
  init(_ vectors: [[Float]], _ metric: VectorMetric, hasCodes: Bool = true) throws {
    self.init(dimension: vectors.first?.count ?? 1, metric: metric, hasCodes: hasCodes)
    for vector in vectors { try append(vector) }
  }

  /// What a search has to say: every row's score, sorted.
  func sortedNeighbours(
    _ count: Int, to query: [Float], among kept: RowSet? = nil
  ) throws -> [Neighbour] {
    let rows = (0..<self.count).filter { kept?.contains($0) ?? true }
    let scored = zip(rows, try scores(of: rows, to: query)).compactMap { row, score in
      score.map { Neighbour(row: row, score: $0) }
    }
    let sorted = scored.sorted { ($1.score, $0.row) < ($0.score, $1.row) }
    return Array(sorted.prefix(count))
  }
}
