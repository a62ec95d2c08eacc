internal import CardFeedTwoSidedMarket

/// The evenings of the speed-dating data as markets: women on the left, men on the right, ascending
/// by number. Who did not meet has the probability 0.
struct EveningMarkets {
  private let data: SpeedDatingData
  /// The indices of each evening's pairs.
  private let pairs: [[Int]]
  private let women: [[Int: Int]]
  private let men: [[Int: Int]]
  /// Whether each evening belongs to the later ones.
  let isTest: [Bool]

  init(_ data: SpeedDatingData) {
    self.data = data
    let waves = data.waves
    let byWave = Dictionary(grouping: data.pairs.indices) { data.pairs[$0].wave }
    pairs = waves.map { byWave[$0] ?? [] }
    func side(_ gender: SpeedDatingData.Gender, _ wave: Int) -> [Int: Int] {
      let people = data.persons.filter { $0.wave == wave && $0.gender == gender }.map(\.id)
      return Dictionary(uniqueKeysWithValues: people.enumerated().map { ($1, $0) })
    }
    women = waves.map { side(.woman, $0) }
    men = waves.map { side(.man, $0) }
    isTest = pairs.map { pairs in pairs.first.map { data.pairs[$0].timeSplit == .test } ?? false }
  }

  /// The markets of probabilities.
  func markets(_ probabilities: PairProbabilityColumns) -> [TwoSidedMarket] {
    markets { (probabilities.women[$0], probabilities.men[$0]) }
  }

  /// The markets of the decisions, 1 for yes and 0 for no.
  func truth() -> [TwoSidedMarket] {
    markets { pair in
      (data.pairs[pair].womanDecision ? 1 : 0, data.pairs[pair].manDecision ? 1 : 0)
    }
  }

  private func markets(_ values: (Int) -> (Double, Double)) -> [TwoSidedMarket] {
    pairs.indices.map { wave in
      let (women, men) = (women[wave], men[wave])
      var left = DenseMatrix(rows: women.count, columns: men.count)
      var right = DenseMatrix(rows: men.count, columns: women.count)
      for pair in pairs[wave] {
        guard let woman = women[data.pairs[pair].woman], let man = men[data.pairs[pair].man] else {
          preconditionFailure("A pair of a whole data set has both people in its evening.")
        }
        (left[woman, man], right[man, woman]) = values(pair)
      }
      return TwoSidedMarket(left: left, right: right)
    }
  }
}
