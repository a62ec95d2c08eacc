import CardFeedTwoSidedMarket
import Testing

@Suite struct AllocationTests {
  private func market(_ left: Int, _ right: Int, _ seed: UInt64) -> TwoSidedMarket {
    var random = TestRandom(seed: seed)
    return random.market(left, right)
  }

  private func equilibriumScores(_ market: TwoSidedMarket) -> DenseMatrix {
    let utility = TransferableUtility()
    return utility.masses(utility.equilibrium(of: market), of: market)
  }

  /// Every list of a side against all orders of it: none is better.
  @Test(arguments: [UInt64](1...6))
  func noSideGainsByReordering(seed: UInt64) {
    let market = market(5, 4, seed)
    let lists = BestResponse().lists(for: market, from: equilibriumScores(market))
    let best = market.expectedMatches(lists.examination(.reciprocal))
    #expect(abs(best - lists.expectedMatches) < 1e-12)
    for (side, count) in [(0, 5), (1, 4)] {
      for person in 0..<count {
        for order in permutations(9 - count) {
          var left = lists.left.arrays
          var right = lists.right.arrays
          if side == 0 { left[person] = order } else { right[person] = order }
          let changed = MutualExamination(
            left: RankedLists(left), right: RankedLists(right), .reciprocal)
          #expect(market.expectedMatches(changed) <= best + 1e-12)
        }
      }
    }
  }

  @Test(arguments: [Examination.reciprocal, .logarithmic, .exponential])
  func responsesRaiseTheMatchesOfTheBeginning(examination: Examination) {
    let market = market(30, 20, 8)
    let scores = equilibriumScores(market)
    let begin = MutualExamination(
      left: RankedLists(ranking: scores), right: RankedLists(ranking: scores.transposed()),
      examination)
    let lists = BestResponse().lists(for: market, from: scores, examination)
    #expect(lists.expectedMatches > market.expectedMatches(begin))
  }

  @Test func turnsAreBounded() {
    let market = market(20, 20, 9)
    let scores = equilibriumScores(market)
    let one = BestResponse(maximumTurns: 1).lists(for: market, from: scores)
    #expect(one.turns == 1)
    #expect(one.expectedMatches <= BestResponse().lists(for: market, from: scores).expectedMatches)
  }

  @Test func topListsOfEverybodyAreTheCompleteLists() {
    let market = market(25, 25, 10)
    let complete = BestResponse().lists(for: market, from: equilibriumScores(market))
    let top = BestResponse().topLists(streaming: market, length: 25)
    #expect(top.left == complete.left)
    #expect(top.right == complete.right)
    #expect(abs(top.expectedMatches - complete.expectedMatches) < 1e-9)
  }

  @Test func shortTopLists() {
    let market = market(40, 60, 11)
    let complete = BestResponse().lists(for: market, from: equilibriumScores(market))
    let top = BestResponse().topLists(streaming: market, length: 8)
    #expect(top.left.arrays.allSatisfy { $0.count == 8 })
    #expect(top.right.arrays.allSatisfy { $0.count == 8 })
    let seen = top.examination(.reciprocal)
    #expect(abs(market.expectedMatches(seen) - top.expectedMatches) < 1e-9)
    #expect(top.expectedMatches > 0.8 * complete.expectedMatches)
  }

  @Test(arguments: FairLists.Objective.allCases)
  func aLotteryIsOneOverLists(objective: FairLists.Objective) {
    let market = market(12, 9, 12)
    let lottery = FairLists(objective).lottery(for: market, counting: (.first(3), .first(2)))
    let seen = lottery.examination
    #expect(abs(market.expectedMatches(seen) - lottery.expectedMatches) < 1e-9)
    for (matrix, sum) in [
      (seen.left, Examination.reciprocal.weights(9).reduce(0, +)),
      (seen.right, Examination.reciprocal.weights(12).reduce(0, +)),
      (lottery.counted?.left ?? seen.left, 3), (lottery.counted?.right ?? seen.right, 2),
    ] {
      for row in 0..<matrix.rows {
        let own = (0..<matrix.columns).reduce(0) { $0 + matrix[row, $1] }
        #expect(abs(own - sum) < 1e-9)
      }
      #expect(matrix.values.allSatisfy { $0 >= 0 && $0 <= 1 })
    }
    #expect(lottery.lists.left.count == 12)
  }

  /// With full steps the method is the best response, from uniform lists.
  @Test func fullStepsAreBestResponses() {
    let market = market(6, 6, 13)
    let lottery = FairLists(.socialWelfare, stepSize: 1, tolerance: 0, maximumSteps: 50)
      .lottery(for: market)
    var left = DenseMatrix(rows: 6, columns: 6, repeating: 2.45 / 6)
    var right = left
    for _ in 0..<50 {
      var scores = DenseMatrix(rows: 6, columns: 6)
      for i in 0..<6 { for j in 0..<6 { scores[j, i] = market.match[i, j] * left[i, j] } }
      right = RankedLists(ranking: scores).examination(.reciprocal, of: 6)
      for i in 0..<6 { for j in 0..<6 { scores[i, j] = market.match[i, j] * right[j, i] } }
      left = RankedLists(ranking: scores).examination(.reciprocal, of: 6)
    }
    #expect(lottery.examination == MutualExamination(left: left, right: right))
  }

  @Test func nashWelfareHasLessEnvyAndSocialWelfareMoreMatches() {
    for seed in UInt64(20)..<25 {
      let market = market(30, 20, seed)
      let social = FairLists(.socialWelfare).lottery(for: market)
      let nash = FairLists(.nashSocialWelfare).lottery(for: market)
      let envies = (market.envies(social.examination), market.envies(nash.examination))
      #expect(envies.1 == .init(left: 0, right: 0))
      #expect(envies.0.left + envies.0.right > 0)
      #expect(social.expectedMatches > nash.expectedMatches)
    }
  }

  @Test func theSameMarketGivesTheSameLists() {
    let market = market(14, 15, 14)
    let scores = equilibriumScores(market)
    let responses = (0..<2).map { _ in BestResponse().lists(for: market, from: scores) }
    #expect(responses[0] == responses[1])
    let fair = (0..<2).map { _ in FairLists(.nashSocialWelfare).lottery(for: market) }
    #expect(fair[0] == fair[1])
  }
}
