import CardFeedTwoSidedMarket
import Testing

@Suite struct ListTests {
  @Test func listsFollowScoresAndTiesFollowNumbers() {
    let scores = DenseMatrix(rows: 2, columns: 4, values: [0.2, 0.9, 0.2, 0.5, 0, 0, 0, 0])
    #expect(RankedLists(ranking: scores).arrays == [[1, 3, 0, 2], [0, 1, 2, 3]])
    #expect(RankedLists(ranking: scores).prefix(2).arrays == [[1, 3], [0, 1]])
  }

  @Test func nobodyHasAList() {
    let lists = RankedLists(ranking: DenseMatrix(rows: 0, columns: 3))
    #expect(lists.count == 0)
    #expect(RankedLists(ranking: DenseMatrix(rows: 2, columns: 0)).arrays == [[], []])
  }

  @Test func examinationOfPlaces() {
    #expect(Examination.reciprocal.weights(3) == [1, 0.5, 1.0 / 3])
    #expect(Examination.first(2).weights(3) == [1, 1, 0])
    #expect(abs(Examination.logarithmic(3) - 0.5) < 1e-15)
    #expect(abs(Examination.exponential(2) - 0.36787944117144233) < 1e-15)
    for examination in [Examination.reciprocal, .logarithmic, .exponential, .first(3)] {
      let weights = examination.weights(20)
      #expect(zip(weights, weights.dropFirst()).allSatisfy { $0 >= $1 })
      #expect(weights[0] == 1)
    }
  }

  @Test func whoIsNotListedIsNotLookedAt() {
    let lists = RankedLists([[2, 0], []])
    let expected = DenseMatrix(rows: 2, columns: 3, values: [0.5, 0, 1, 0, 0, 0])
    #expect(lists.examination(.reciprocal, of: 3) == expected)
  }

  @Test func transposedTwiceIsTheSame() {
    var random = TestRandom(seed: 3)
    let matrix = random.matrix(67, 41)
    let transposed = matrix.transposed()
    #expect(transposed.transposed() == matrix)
    for row in 0..<67 {
      for column in 0..<41 { #expect(transposed[column, row] == matrix[row, column]) }
    }
  }

  @Test func matchesAndEnviesByTheirDefinition() {
    var random = TestRandom(seed: 9)
    for (n, m) in [(1, 1), (4, 3), (5, 7)] {
      let market = random.market(n, m)
      let left = RankedLists(ranking: random.matrix(n, m))
      let right = RankedLists(ranking: random.matrix(m, n))
      let seen = MutualExamination(left: left, right: right, .reciprocal)
      func place(_ lists: RankedLists, _ owner: Int, _ member: Int) -> Double {
        Double((lists.arrays[owner].firstIndex(of: member) ?? -1) + 1)
      }
      var matches = 0.0
      for i in 0..<n {
        for j in 0..<m {
          matches +=
            market.likes[i, j] * market.likesBack[i, j] / place(left, i, j) / place(right, j, i)
        }
      }
      #expect(abs(market.expectedMatches(seen) - matches) < 1e-12)

      func ofLeft(_ i: Int, withPlacesOf other: Int) -> Double {
        (0..<m).reduce(0) {
          $0 + market.match[i, $1] / place(left, i, $1) / place(right, $1, other)
        }
      }
      func ofRight(_ j: Int, withPlacesOf other: Int) -> Double {
        (0..<n).reduce(0) {
          $0 + market.match[$1, j] / place(right, j, $1) / place(left, $1, other)
        }
      }
      let envyLeft = (0..<n).reduce(0) { sum, i in
        sum + (0..<n).count { ofLeft(i, withPlacesOf: $0) > ofLeft(i, withPlacesOf: i) + 1e-9 }
      }
      let envyRight = (0..<m).reduce(0) { sum, j in
        sum + (0..<m).count { ofRight(j, withPlacesOf: $0) > ofRight(j, withPlacesOf: j) + 1e-9 }
      }
      #expect(market.envies(seen) == .init(left: envyLeft, right: envyRight))
    }
  }

  /// Worked out by hand. Both right people list left 0 first: left 1 has 0.5 · 0.5 + 1 · 0.5 = 0.75
  /// and would have 1.5. Left 0, whom everybody sees, lists right 0 first: right 1 has
  /// 0.5 · 1 + 1 · 0.5 = 1 and would have 1.25.
  @Test func envyOfTheSecondPlace() {
    let one = DenseMatrix(rows: 2, columns: 2, repeating: 1)
    let market = TwoSidedMarket(left: one, right: one)
    let seen = MutualExamination(
      left: RankedLists([[0, 1], [1, 0]]), right: RankedLists([[0, 1], [0, 1]]), .reciprocal)
    #expect(market.expectedMatches(seen) == 2.25)
    #expect(market.envies(seen) == .init(left: 1, right: 1))
  }
}
