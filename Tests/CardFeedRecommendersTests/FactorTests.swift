import CardFeedRecommenders
import Testing

@Suite struct FactorTests {
  @Test func `pairwise factors put a taste's cards first, for strangers too`() throws {
    let world = try World(viewers: 90, cards: 30, swipes: 8)
    let model = try PairwiseFactors(factors: 8, iterations: 60).fit(world.matrix)
    // Cards 10 … 19 are the taste of every third viewer.
    let stranger = ViewerHistory(cards: [10, 11, 12])
    let best = model.top(5, stranger, excluding: [10, 11, 12]).map(\.card)
    #expect(best.count { 10..<20 ~= $0 } >= 4)
    #expect(model.similar(to: 15, count: 4).count { 10..<20 ~= $0.card } >= 3)
  }

  @Test func `the same seed gives the same factors`() throws {
    let world = try World()
    func scores(_ seed: UInt64) throws -> [Float] {
      try PairwiseFactors(factors: 4, iterations: 5, seed: seed).fit(world.matrix)
        .scores(world.histories[0])
    }
    #expect(try scores(3) == scores(3))
    #expect(try scores(3) != scores(4))
  }

  @Test func `a rate that runs away is a typed error`() throws {
    let error = try #require(throws: RecommenderError.self) {
      try PairwiseFactors(factors: 4, iterations: 20, learningRate: 1e30).fit(World().matrix)
    }
    #expect(error.code == .diverged)
  }

  @Test func `a viewer without known cards has a vector of zeros`() throws {
    let model = try PairwiseFactors(factors: 4, iterations: 2).fit(World().matrix)
    #expect(model.viewerVector(ViewerHistory(cards: [99]), now: 0) == [0, 0, 0, 0])
  }

  #if OpenBLAS
    @Test func `implicit factors solve their own least squares`() throws {
      let world = try World()
      let settings = ImplicitFactors(
        factors: 6, iterations: 30, regularisation: 0.01, unobserved: 0.2, solver: .cholesky)
      let fit = try settings.fit(world.matrix)
      // Folding in is the same least squares, so it is where a last half step would go.
      let again = try ImplicitFactors(
        factors: 6, iterations: 31, regularisation: 0.01, unobserved: 0.2, solver: .cholesky
      ).fit(world.matrix)
      for viewer in [0, 5, 11] {
        let vector = fit.model.viewerVector(world.histories[viewer], now: 0)
        #expect(vector.isClose(to: Array(again.viewers[viewer * 6..<viewer * 6 + 6]), within: 1e-3))
      }
    }

    @Test func `conjugate gradients end where exact solutions do`() throws {
      let world = try World(viewers: 60, cards: 24, swipes: 9)
      func scores(_ solver: ImplicitFactors.Solver) throws -> [Float] {
        try ImplicitFactors(
          factors: 5, iterations: 60, regularisation: 0.02, unobserved: 0.3, solver: solver
        ).fit(world.matrix).model.scores(world.histories[2])
      }
      #expect(try scores(.conjugateGradient(steps: 5)).isClose(to: scores(.cholesky), within: 0.02))
    }

    @Test func `factors, lists and weights are the same with one thread and two`() throws {
      let world = try World(viewers: 70, cards: 45, swipes: 12)
      func all(_ threads: Int) throws -> ([Float], [[ScoredCard]], [Float]) {
        let fit = try ImplicitFactors(factors: 16, iterations: 4).fit(
          world.matrix, threads: threads)
        let dense = try LinearAutoencoder(regularisation: 5).fit(world.matrix, threads: threads)
        return (
          fit.viewers,
          fit.model.top(7, viewers: fit.viewers, excluding: world.matrix, threads: threads),
          dense.scores(world.histories[9])
        )
      }
      let (one, two) = (try all(1), try all(2))
      #expect(one.0 == two.0 && one.1 == two.1 && one.2 == two.2)
    }

    @Test func `lists for many viewers are those of each, and hold nothing that was seen`() throws {
      let world = try World(viewers: 40, cards: 33, swipes: 10)
      let fit = try ImplicitFactors(factors: 8, iterations: 5).fit(world.matrix)
      let lists = fit.model.top(40, viewers: fit.viewers, excluding: world.matrix)
      for viewer in [0, 17, 39] {
        var scores = [Float](repeating: 0, count: 33)
        scores.withUnsafeMutableBufferPointer {
          fit.model.score(
            into: $0, viewer: Array(fit.viewers[viewer * 8..<viewer * 8 + 8]))
        }
        // All that is left, each once: 33 cards without the 10 of the viewer.
        #expect(lists[viewer].count == 23)
        #expect(!lists[viewer].contains { world.matrix.has(viewer, Int32($0.card)) })
        #expect(lists[viewer].map(\.score).isClose(to: lists[viewer].map { scores[$0.card] }))
      }
    }

    @Test func `a linear autoencoder is the closed form`() throws {
      // Two cards, three viewers: XᵀX = [[2, 1], [1, 2]], λ = 1, P = [[3, −1], [−1, 3]] / 8.
      let histories = try ViewerHistories(
        viewerCount: 3, cardCount: 2, viewers: [0, 0, 1, 2], cards: [0, 1, 0, 1])
      for doubles in [0, 10] {
        let model = try LinearAutoencoder(regularisation: 1, doublePrecisionCards: doubles).fit(
          InteractionMatrix(histories))
        #expect(model.scores(ViewerHistory(cards: [0])).isClose(to: [0, 1.0 / 3]))
        #expect(
          model.contributions(to: 1, ViewerHistory(cards: [1, 0]), now: 0).isClose(to: [0, 1.0 / 3])
        )
        #expect(model.similar(to: 0, count: 5).map(\.card) == [1])
      }
    }

    @Test func `a model that cannot be inverted or runs away is a typed error`() throws {
      let matrix = try World().matrix
      #expect(throws: RecommenderError.self) {
        try LinearAutoencoder(regularisation: 0).fit(matrix)
      }
      let error = try #require(throws: RecommenderError.self) {
        try ImplicitFactors(factors: 8, regularisation: 1e38, exponent: 30).fit(matrix)
      }
      #expect(error.code == .diverged)
    }
  #endif
}
