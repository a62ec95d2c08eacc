import CardFeedTwoSidedMarket
import Testing

@Suite struct EquilibriumTests {
  private func market(_ left: Int, _ right: Int, _ seed: UInt64) -> TwoSidedMarket {
    var random = TestRandom(seed: seed)
    return random.market(left, right)
  }

  /// x² + K x² = 1 for both, so μ = K / (1 + K).
  @Test func onePairInClosedForm() {
    let market = TwoSidedMarket(
      left: DenseMatrix(rows: 1, columns: 1, repeating: 0.3),
      right: DenseMatrix(rows: 1, columns: 1, repeating: 0.9))
    let utility = TransferableUtility(beta: 0.5)
    let equilibrium = utility.equilibrium(of: market)
    #expect(equilibrium.converged)
    let kernel = 3.3201169227365472  // e^1.2
    #expect(abs(utility.masses(equilibrium, of: market)[0, 0] - kernel / (1 + kernel)) < 1e-9)
  }

  @Test(arguments: [(30, 20, 1.0), (7, 40, 0.1), (1, 9, 0.05)])
  func everybodyIsUsedUpOnce(left: Int, right: Int, beta: Double) {
    let market = market(left, right, 4)
    let utility = TransferableUtility(beta: beta, tolerance: 1e-12)
    let equilibrium = utility.equilibrium(of: market)
    #expect(equilibrium.converged)
    let masses = utility.masses(equilibrium, of: market)
    for i in 0..<left {
      let sum = (0..<right).reduce(0) { $0 + masses[i, $1] }
      #expect(abs(sum + equilibrium.left[i] * equilibrium.left[i] - 1) < 1e-9)
    }
    for j in 0..<right {
      let sum = (0..<left).reduce(0) { $0 + masses[$1, j] }
      #expect(abs(sum + equilibrium.right[j] * equilibrium.right[j] - 1) < 1e-9)
    }
  }

  @Test func sidesExchangedIsTheSameEquilibrium() {
    let market = market(12, 17, 5)
    let mirrored = TwoSidedMarket(left: market.likesBack.transposed(), right: market.likes)
    let utility = TransferableUtility(tolerance: 1e-13)
    let one = utility.masses(utility.equilibrium(of: market), of: market)
    let other = utility.masses(utility.equilibrium(of: mirrored), of: mirrored).transposed()
    #expect(zip(one.values, other.values).allSatisfy { abs($0 - $1) < 1e-10 })
  }

  /// u = 4 · 0.2 · 0.6 / 0.8 = 0.6, and e^(0.6 / 1) = 1.8221….
  @Test func harmonicMeanInClosedForm() {
    let utility = TransferableUtility(beta: 0.5, joint: .harmonicMean)
    for (a, b, kernel) in [(0.2, 0.6, 1.8221188003905089), (0, 0, 1), (0, 0.9, 1)] {
      let market = TwoSidedMarket(
        left: DenseMatrix(rows: 1, columns: 1, repeating: a),
        right: DenseMatrix(rows: 1, columns: 1, repeating: b))
      let mass = utility.masses(utility.equilibrium(of: market), of: market)[0, 0]
      #expect(abs(mass - kernel / (1 + kernel)) < 1e-9)
    }
  }

  @Test(arguments: TransferableUtility.JointUtility.allCases)
  func rowByRowIsTheSame(joint: TransferableUtility.JointUtility) {
    let market = market(33, 21, 6)
    let utility = TransferableUtility(beta: 0.4, joint: joint)
    let equilibrium = utility.equilibrium(of: market)
    #expect(utility.equilibrium(streaming: market) == equilibrium)
    let masses = utility.masses(equilibrium, of: market)
    for length in [1, 5, 100] {
      let lists = utility.topLists(equilibrium, streaming: market, length: length)
      #expect(lists.left == RankedLists(ranking: masses).prefix(length))
      #expect(lists.right == RankedLists(ranking: masses.transposed()).prefix(length))
    }
  }

  @Test func sweepsAreBounded() {
    let equilibrium = TransferableUtility(maximumSweeps: 2).equilibrium(of: market(9, 9, 7))
    #expect(equilibrium.sweeps == 2)
    #expect(!equilibrium.converged)
  }

  @Test func emptySides() {
    let market = TwoSidedMarket(
      left: DenseMatrix(rows: 3, columns: 0), right: DenseMatrix(rows: 0, columns: 3))
    let equilibrium = TransferableUtility().equilibrium(of: market)
    #expect(equilibrium.left == [1, 1, 1])
    #expect(equilibrium.converged)
  }
}
