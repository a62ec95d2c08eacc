import Testing

@testable import CardFeedVectorIndex

@Suite("Vectors that are refused")
struct RefusedVectorTests {
  @Test(
    "what is not finite is refused, everywhere, and changes nothing",
    arguments: [Float.nan, .infinity, -.infinity])
  func notFinite(value: Float) throws {
    for metric in VectorMetric.allCases {
      var index = try VectorIndex([[1, 2], [3, 4]], metric)
      #expect(throws: VectorError.notFinite(component: 1, of: "the vector for row 2")) {
        try index.append([1, value])
      }
      #expect(throws: VectorError.notFinite(component: 0, of: "the vector for row 1")) {
        try index.set([value, 1], at: 1)
      }
      #expect(throws: VectorError.notFinite(component: 1, of: "the vector that is looked for")) {
        _ = try index.nearest(1, to: [0, value])
      }
      #expect(
        throws: VectorError.notFinite(component: 0, of: "the vector number 1 that is looked for")
      ) { _ = try index.nearest(1, toEach: [[1, 1], [value, 1]]) }
      #expect(index.count == 2)
      #expect(try index.nearest(5, to: [1, 1]).count == 2)
    }
  }

  @Test("so are vectors of another length, those too long, and those without a direction")
  func unfit() throws {
    var index = try VectorIndex([[1, 2]], .cosine)
    #expect(throws: VectorError.wrongLength(3, expected: 2, of: "what is added")) {
      try index.append([1, 2, 3])
    }
    #expect(throws: VectorError.wrongLength(1, expected: 2, of: "the vector that is looked for")) {
      _ = try index.nearest(1, to: [1])
    }
    #expect(throws: VectorError.noDirection("the vector for row 1")) { try index.append([0, -0]) }
    var product = VectorIndex(dimension: 2, metric: .innerProduct)
    #expect(throws: VectorError.tooLong("the vector for row 0")) {
      try product.append([3e18, 3e18])
    }
    try product.append([0, 0])
    #expect(product.count == 1)
  }

  @Test("the texts say what to do and hold no component")
  func texts() throws {
    var index = VectorIndex(dimension: 2, metric: .cosine)
    let error = try #require(throws: VectorError.self) { try index.append([.nan, 0.123]) }
    #expect(
      error.description
        == "component 0 of the vector for row 0 is not finite; allowed: finite numbers; leave the "
        + "vector out where it is not known")
    #expect(error.code == .notFinite)
  }

  @Test("an index without rows, or without vectors, finds nothing")
  func empty() throws {
    var index = VectorIndex(dimension: 3, metric: .euclidean)
    #expect(try index.nearest(5, to: [1, 2, 3]) == [])
    index.appendMissing()
    #expect(try index.nearest(5, to: [1, 2, 3]) == [])
    #expect(try index.score(of: 0, to: [1, 2, 3]) == nil)
    #expect(index.count == 1)
    #expect(index.vectorCount == 0)
  }
}
