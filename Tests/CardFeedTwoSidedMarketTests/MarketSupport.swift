import CardFeedTwoSidedMarket

/// SplitMix64 (Steele, Lea & Flood 2014): the same markets on every machine.
struct TestRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func matrix(_ rows: Int, _ columns: Int) -> DenseMatrix {
    DenseMatrix(
      rows: rows, columns: columns, values: (0..<rows * columns).map { _ in unit() })
  }

  /// Where some are wanted by many: half taste, half popularity.
  mutating func market(_ left: Int, _ right: Int) -> TwoSidedMarket {
    func mixed(_ taste: DenseMatrix) -> DenseMatrix {
      var result = taste
      for row in 0..<taste.rows {
        for column in 0..<taste.columns {
          let popularity = 1 - Double(column) / Double(max(1, taste.columns - 1))
          result[row, column] = (taste[row, column] + popularity) / 2
        }
      }
      return result
    }
    return TwoSidedMarket(left: mixed(matrix(left, right)), right: mixed(matrix(right, left)))
  }

  /// Incomplete lists: each holds some of the other side in a random order.
  mutating func lists(_ count: Int, of opposite: Int) -> RankedLists {
    RankedLists(
      (0..<count).map { _ in
        var people = Array(0..<opposite)
        for place in people.indices.reversed() { people.swapAt(place, below(place + 1)) }
        return Array(people.prefix(below(opposite + 1)))
      })
  }
}

extension RankedLists {
  /// As plain arrays.
  var arrays: [[Int]] { (0..<count).map { self[$0].map(Int.init) } }
}

/// All orders of the numbers 0 ..< count.
func permutations(_ count: Int) -> [[Int]] {
  guard count > 0 else { return [[]] }
  return permutations(count - 1).flatMap { shorter in
    (0...shorter.count).map { place in
      var longer = shorter
      longer.insert(count - 1, at: place)
      return longer
    }
  }
}
