/// Lists from which neither side as a whole gains by reordering: the sides take turns, and each
/// sorts every list by P(match) × how likely the other looks back, until the expected matches stop
/// growing.
///
/// With one side fixed the expected matches are a sum over lists, each greatest when the list is
/// sorted by gain (rearrangement inequality: Hardy, Littlewood, Pólya, "Inequalities", theorem
/// 368), so every turn raises the sum or ends the method. What it ends in is a local optimum of the
/// position-based objective of Su, Bayoumi, Joachims (WWW 2022); where it begins decides which.
/// The lists of `TransferableUtility` are a good beginning.
///
/// When not to use it: where envy matters more than matches, see `FairLists`.
public struct BestResponse: Hashable, Sendable {
  /// At most so many turns of both sides.
  public let maximumTurns: Int

  /// The settings of the method.
  public init(maximumTurns: Int = 200) {
    precondition(maximumTurns >= 1, "There is at least one turn; got \(maximumTurns).")
    self.maximumTurns = maximumTurns
  }

  /// Lists on both sides.
  public struct Lists: Equatable, Sendable {
    /// The left side's lists.
    public let left: RankedLists
    /// The right side's lists.
    public let right: RankedLists
    /// Σ P(match) · x · z over pairs that hold each other in their lists.
    public let expectedMatches: Double
    /// How many turns of both sides it took.
    public let turns: Int

    /// How likely everybody looks at whom.
    public func examination(_ examination: Examination) -> MutualExamination {
      MutualExamination(left: left, right: right, examination)
    }
  }

  /// Complete lists.
  ///
  /// - Parameters:
  ///   - market: The probabilities.
  ///   - scores: What the left side's lists are sorted by at the beginning, n × m.
  ///   - examination: How places are looked at.
  /// - Complexity: O(n · m · log(n · m)) a turn, O(n · m) memory.
  public func lists(
    for market: TwoSidedMarket, from scores: DenseMatrix, _ examination: Examination = .reciprocal
  ) -> Lists {
    precondition(
      scores.rows == market.leftCount && scores.columns == market.rightCount,
      "A market of \(market.leftCount) × \(market.rightCount) was given scores of "
        + "\(scores.rows) × \(scores.columns).")
    let match = market.match
    let matchBack = match.transposed()
    var left = Side(rows: scores.rows, columns: scores.columns, examination)
    var right = Side(rows: scores.columns, columns: scores.rows, examination)
    left.sort(by: scores)
    var best = -1.0
    for turn in 1...maximumTurns {
      right.sort(by: matchBack.multipliedByPlace(left.seen))
      let gains = match.multipliedByPlace(right.seen)
      left.sort(by: gains)
      let matches = left.sum(of: gains)
      if matches <= best + 1e-12 || turn == maximumTurns {
        return Lists(
          left: RankedLists(left.orders), right: RankedLists(right.orders),
          expectedMatches: matches, turns: turn)
      }
      best = matches
    }
    preconditionFailure("The last turn of the method returns.")
  }

  /// The lists of one side.
  private struct Side {
    var orders: RowOrders
    let weights: [Double]
    /// How likely each of this side looks at each of the other, one row for each of the other side.
    var seen: DenseMatrix

    init(rows: Int, columns: Int, _ examination: Examination) {
      orders = RowOrders(rows: rows, columns: columns)
      weights = examination.weights(columns)
      seen = DenseMatrix(rows: columns, columns: rows)
    }

    mutating func sort(by scores: DenseMatrix) {
      for row in 0..<orders.rows { orders.sort(row, by: scores) }
      let (rows, columns) = (orders.rows, orders.columns)
      seen.values.withUnsafeMutableBufferPointer { seen in
        orders.members.withUnsafeBufferPointer { members in
          for row in 0..<rows {
            for place in 0..<columns {
              seen[Int(members[row * columns + place]) * rows + row] = weights[place]
            }
          }
        }
      }
    }

    /// Σ gain × weight of the place.
    func sum(of gains: DenseMatrix) -> Double {
      let (rows, columns) = (orders.rows, orders.columns)
      return gains.values.withUnsafeBufferPointer { gains in
        orders.members.withUnsafeBufferPointer { members in
          var sum = 0.0
          for row in 0..<rows {
            for place in 0..<columns {
              sum += gains[row * columns + Int(members[row * columns + place])] * weights[place]
            }
          }
          return sum
        }
      }
    }
  }
}
