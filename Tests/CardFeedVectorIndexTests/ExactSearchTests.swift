import Testing

@testable import CardFeedVectorIndex

@Suite("Exact search by vectors")
struct ExactSearchTests {
  /// Lengths around every border of the loops: 16 floats, 64 codes.
  @Test(
    "bytes, floats and every kernel answer like sorting all scores",
    arguments: [1, 3, 16, 17, 63, 64, 65, 130], VectorMetric.allCases)
  func equalsSorting(dimension: Int, metric: VectorMetric) throws {
    var numbers = SeededNumbers(seed: UInt64(dimension))
    // Beyond a full block only once; the rest is about the ends of vectors and of blocks.
    for count in dimension == 17 ? [1, 15, 16, 17, 300, 4200] : [1, 15, 16, 17, 300] {
      let vectors = numbers.vectors(count, dimension: dimension)
      let queries = numbers.vectors(3, dimension: dimension)
      let filters: [RowSet?] = [
        nil, RowSet(below: count) { _ in numbers.below(30) == 0 },
        RowSet(below: count) { _ in numbers.below(2) == 0 }, RowSet([count - 1]), RowSet(),
      ]
      for hasCodes in [true, false] {
        let index = try VectorIndex(vectors, metric, hasCodes: hasCodes)
        for kernel in VectorKernel.available {
          let index = index.using(kernel)
          for (query, kept) in zip(queries + queries, filters + [nil]) {
            for wanted in count > 1000 ? [20] : [1, 20, count] {
              let expected = try index.sortedNeighbours(wanted, to: query, among: kept)
              let found = try index.nearest(wanted, to: query, among: kept)
              #expect(
                found == expected, "\(kernel) \(metric) \(dimension)×\(count), codes \(hasCodes)")
            }
          }
        }
      }
    }
  }

  @Test("scores are those of arithmetic in double precision", arguments: VectorMetric.allCases)
  func scoresAreRight(metric: VectorMetric) throws {
    var numbers = SeededNumbers(seed: 5)
    let vectors = numbers.vectors(100, dimension: 37)
    let query = numbers.vectors(1, dimension: 37)[0]
    func product(_ left: [Float], _ right: [Float]) -> Double {
      zip(left, right).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    let index = try VectorIndex(vectors, metric)
    for kernel in VectorKernel.available {
      for neighbour in try index.using(kernel).nearest(100, to: query) {
        let vector = vectors[neighbour.row]
        let expected =
          switch metric {
          case .innerProduct: product(vector, query)
          case .cosine:
            product(vector, query)
              / (product(vector, vector) * product(query, query)).squareRoot()
          case .euclidean:
            -zip(vector, query).reduce(0) { sum, pair in
              let difference = Double(pair.0) - Double(pair.1)
              return sum + difference * difference
            }
          }
        #expect(abs(Double(neighbour.score) - expected) < 1e-5 * max(1, abs(expected)))
      }
    }
  }

  @Test("kernels with fused multiply-add agree to the bit")
  func kernelsAgree() throws {
    var numbers = SeededNumbers(seed: 6)
    let queries = numbers.vectors(5, dimension: 100)
    let index = try VectorIndex(numbers.vectors(500, dimension: 100), .innerProduct)
    let fused = VectorKernel.available.filter { $0 != .portable }
    for query in queries {
      let answers = try fused.map { try index.using($0).nearest(50, to: query) }
      #expect(Set(answers).count <= 1)
    }
  }

  @Test("of equal scores the lower row comes first, and stays when there is room for few")
  func ties() throws {
    var vectors = Array(repeating: [Float](repeating: 0.5, count: 8), count: 9000)
    vectors[4000] = Array(repeating: 0.6, count: 8)
    for metric in [VectorMetric.innerProduct, .euclidean] {
      let index = try VectorIndex(vectors, metric)
      let found = try index.nearest(4, to: Array(repeating: 1, count: 8)).map(\.row)
      #expect(found == [4000, 0, 1, 2])
    }
  }

  @Test("a batch answers like its queries one by one")
  func batch() throws {
    var numbers = SeededNumbers(seed: 7)
    let index = try VectorIndex(numbers.vectors(5000, dimension: 24), .cosine)
    let queries = numbers.vectors(40, dimension: 24)
    let kept = RowSet(below: 5000) { _ in numbers.below(5) == 0 }
    for filter in [nil, kept] {
      let each = try queries.map { try index.nearest(20, to: $0, among: filter) }
      #expect(try index.nearest(20, toEach: queries, among: filter) == each)
    }
    #expect(try index.nearest(20, toEach: []) == [])
  }

  @Test("the bytes spare nearly all of the full scores")
  func bytesDecide() throws {
    var numbers = SeededNumbers(seed: 8)
    let index = try VectorIndex(numbers.vectors(20_000, dimension: 64), .cosine)
    let query = numbers.vectors(1, dimension: 64)
    #expect(try index.search(20, to: query, among: nil)[0].evaluated < 2000)
  }

  @Test("one long vector among short ones, tiny ones and zeros change no answer")
  func extremeLengths() throws {
    var numbers = SeededNumbers(seed: 9)
    var vectors = numbers.vectors(3000, dimension: 32)
    vectors[17] = vectors[17].map { $0 * 1e15 }
    vectors[18] = vectors[18].map { $0 * 1e-20 }
    vectors[19] = vectors[19].map { $0 * 1e-35 }
    vectors[20] = Array(repeating: 0, count: 32)
    for metric in [VectorMetric.innerProduct, .euclidean] {
      let index = try VectorIndex(vectors, metric)
      for query in numbers.vectors(10, dimension: 32) + [vectors[17], vectors[18], vectors[20]] {
        for kernel in VectorKernel.available {
          let index = index.using(kernel)
          let expected = try index.sortedNeighbours(50, to: query)
          #expect(try index.nearest(50, to: query) == expected)
        }
      }
    }
  }
}
