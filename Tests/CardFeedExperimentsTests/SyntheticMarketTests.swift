import CardFeedExperiments
import CardFeedTwoSidedMarket
import Foundation
import Testing

@Suite struct SyntheticMarketTests {
  /// The first outputs of seed 5489, and the 10,000th, which the C++ standard demands of
  /// `std::mt19937` (ISO C++ [rand.predef]).
  @Test func knownWords() {
    var generator = MersenneTwister(seed: 5489)
    #expect(generator.nextWord() == 3_499_211_612)
    #expect(generator.nextWord() == 581_869_302)
    for _ in 2..<9999 { _ = generator.nextWord() }
    #expect(generator.nextWord() == 4_123_659_995)
  }

  /// `numpy.random.RandomState(0).rand(3)`, and `uniform(.2, .6)` of seed 1.
  @Test func knownNumbersOfNumPy() {
    var generator = MersenneTwister(seed: 0)
    #expect(generator.unitInterval() == 0.5488135039273248)
    #expect(generator.unitInterval() == 0.7151893663724195)
    #expect(generator.unitInterval() == 0.6027633760716439)
    var other = MersenneTwister(seed: 1)
    #expect(other.uniform(0.2, 0.6) == 0.3668088018810296)
  }

  @Test(.enabled(if: SharedData.folder != nil, SharedData.skipped))
  func theDumpedMarket() throws {
    let shared = try #require(SharedData.folder)
    func matrix(_ name: String, _ rows: Int, _ columns: Int) throws -> DenseMatrix {
      let path = shared + "/data/dating/markets/" + name
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let values = text.split { $0 == "," || $0.isNewline }.compactMap { Double($0) }
      return DenseMatrix(rows: rows, columns: columns, values: values)
    }
    let dumped = TwoSidedMarket(
      left: try matrix("lr_30x20_s0.csv", 30, 20), right: try matrix("rl_30x20_s0.csv", 20, 30))
    #expect(SyntheticMarket(left: 30, right: 20).market(seed: 0) == dumped)
  }

  private func seen(_ left: DenseMatrix, _ right: DenseMatrix) -> MutualExamination {
    MutualExamination(
      left: RankedLists(ranking: left), right: RankedLists(ranking: right), .reciprocal)
  }

  /// Tomita & Yokoyama (RecSys 2024), the notebook of their code: 30 × 20, seed 0.
  @Test func publishedFigures() {
    let market = SyntheticMarket(left: 30, right: 20).market(seed: 0)
    func check(_ seen: MutualExamination, _ matches: Double, _ left: Int, _ right: Int) {
      #expect(abs(market.expectedMatches(seen) - matches) < 1e-4)
      #expect(market.envies(seen) == .init(left: left, right: right))
    }
    check(seen(market.likes, market.likesBack.transposed()), 6.0976, 383, 172)
    check(seen(market.match, market.match.transposed()), 13.2147, 211, 81)
    let utility = TransferableUtility()
    let masses = utility.masses(utility.equilibrium(of: market), of: market)
    check(seen(masses, masses.transposed()), 15.4475, 63, 10)
    let social = FairLists(.socialWelfare).lottery(for: market)
    check(social.examination, 16.5096, 28, 7)
    #expect(social.steps == 53)
    let nash = FairLists(.nashSocialWelfare).lottery(for: market)
    check(nash.examination, 15.7623, 0, 0)
    #expect(nash.steps == 42)
    let responses = BestResponse().lists(for: market, from: masses)
    check(responses.examination(.reciprocal), 16.8445, 16, 2)
  }

  /// Means of seeds 0…4, 100 × 100, as a reference implementation in Python has them.
  @Test func hundredOfEachSide() {
    var sums = (tu: 0.0, response: 0.0, nash: 0.0, envies: 0)
    for seed in UInt32(0)..<5 {
      let market = SyntheticMarket(left: 100, right: 100).market(seed: seed)
      let utility = TransferableUtility()
      let masses = utility.masses(utility.equilibrium(of: market), of: market)
      sums.tu += market.expectedMatches(seen(masses, masses.transposed())) / 5
      sums.response += BestResponse().lists(for: market, from: masses).expectedMatches / 5
      let nash = FairLists(.nashSocialWelfare).lottery(for: market)
      sums.nash += nash.expectedMatches / 5
      let envies = market.envies(nash.examination)
      sums.envies += envies.left + envies.right
    }
    #expect(abs(sums.tu - 69.0959) < 1e-3)
    #expect(abs(sums.response - 79.8036) < 1e-3)
    #expect(abs(sums.nash - 77.5124) < 1e-3)
    #expect(sums.envies == 0)
  }

  @Test func oneSeedIsOneMarket() {
    let kind = SyntheticMarket(left: 4, right: 3, lambda: 0.25)
    #expect(kind.market(seed: 7) == kind.market(seed: 7))
    #expect(kind.market(seed: 7) != kind.market(seed: 8))
  }
}
