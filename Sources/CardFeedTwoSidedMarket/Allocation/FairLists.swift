/// Lotteries over lists that make a welfare of the whole market great, by the alternating
/// Frank–Wolfe method.
///
/// The two sides take turns. With the other side fixed, welfare is linear (or is linearised) in the
/// doubly stochastic matrices that say how likely each member stands at each place; Frank–Wolfe
/// moves a step from where it is towards the best vertex. The objective of that linear step is an
/// outer product, gain of the member × examination of the place, so by the rearrangement inequality
/// the best vertex is the list sorted by gain: no linear program is solved. What is kept is the
/// expected examination, two n × m matrices.
///
/// `socialWelfare` is the number of expected matches. `nashSocialWelfare` is the sum over people of
/// the logarithm of their expected matches, which favours those who have few: its lists come out
/// with little or no envy.
///
/// Sources: Tomita & Yokoyama, "Fair Reciprocal Recommendation in Matching Markets", RecSys 2024
/// (objectives, alternation, step size, stopping rule); Frank & Wolfe, "An Algorithm for Quadratic
/// Programming", 1956; Hardy, Littlewood, Pólya, "Inequalities", theorem 368 (the sorted vertex).
public struct FairLists: Hashable, Sendable {
  /// What is made great.
  public enum Objective: String, Hashable, Sendable, CaseIterable {
    /// Σ over pairs of the probability of a match.
    case socialWelfare
    /// Σ over people of the logarithm of their expected matches.
    case nashSocialWelfare
  }

  /// What is made great.
  public let objective: Objective
  /// How far each step goes towards the sorted lists, above 0 and at most 1.
  public let stepSize: Double
  /// A step that changes the expected matches by less is the last.
  public let tolerance: Double
  /// At most so many steps.
  public let maximumSteps: Int

  /// The settings, by default the published ones.
  public init(
    _ objective: Objective, stepSize: Double = 0.1, tolerance: Double = 0.01,
    maximumSteps: Int = 100
  ) {
    precondition(
      stepSize > 0 && stepSize <= 1, "A step is above 0 and at most 1; got \(stepSize).")
    precondition(tolerance >= 0, "The tolerance is 0 or more; got \(tolerance).")
    precondition(maximumSteps >= 1, "There is at least one step; got \(maximumSteps).")
    self.objective = objective
    self.stepSize = stepSize
    self.tolerance = tolerance
    self.maximumSteps = maximumSteps
  }

  /// What the method came to.
  public struct Lottery: Equatable, Sendable {
    /// How likely everybody looks at whom, over the lottery.
    public let examination: MutualExamination
    /// The same under the examinations `counting`, if they were asked for: with `.first(k)`, how
    /// likely each stands among the first k.
    public let counted: MutualExamination?
    /// Σ P(match) · x · z at the end.
    public let expectedMatches: Double
    /// How many steps it took.
    public let steps: Int

    /// Lists by examination, the greatest first: the lottery as one list for each person.
    public var lists: (left: RankedLists, right: RankedLists) {
      (RankedLists(ranking: examination.left), RankedLists(ranking: examination.right))
    }
  }

  /// Runs the method from the uniform lottery.
  ///
  /// - Parameters:
  ///   - market: The probabilities.
  ///   - examination: How places are looked at.
  ///   - counting: A second examination of each side, to be kept account of; it decides nothing.
  /// - Complexity: O(n · m · log(n · m)) a step, O(n · m) memory.
  public func lottery(
    for market: TwoSidedMarket, _ examination: Examination = .reciprocal,
    counting: (left: Examination, right: Examination)? = nil
  ) -> Lottery {
    var left = LotterySide(market.leftCount, market.rightCount, examination, counting?.left)
    var right = LotterySide(market.rightCount, market.leftCount, examination, counting?.right)
    let match = market.match
    let matchBack = match.transposed()
    // `seen` is a side's examination with rows and columns exchanged, as the other side needs it.
    var leftSeen = left.examination.transposed()
    var rightSeen = right.examination.transposed()
    var welfare = 0.0
    for step in 1...maximumSteps {
      var gains = matchBack.multipliedByPlace(leftSeen)
      if objective == .nashSocialWelfare {
        // Who already has many expected matches counts for less: the gradient of the logarithm.
        gains.divideColumns(by: Self.matches(of: gains, right.examination).byColumn)
      }
      right.step(towards: gains, stepSize)
      right.examination.transpose(into: &rightSeen)

      gains = match.multipliedByPlace(rightSeen)
      if objective == .nashSocialWelfare {
        gains.divideColumns(by: Self.matches(of: gains, left.examination).byColumn)
      }
      left.step(towards: gains, stepSize)
      left.examination.transpose(into: &leftSeen)

      let new = Self.matches(of: match.multipliedByPlace(rightSeen), left.examination).total
      let change = abs(new - welfare)
      welfare = new
      if change < tolerance || step == maximumSteps {
        return Lottery(
          examination: MutualExamination(left: left.examination, right: right.examination),
          counted: Self.counted(left, right), expectedMatches: welfare, steps: step)
      }
    }
    preconditionFailure("The last step of the method returns.")
  }

  private static func counted(_ left: LotterySide, _ right: LotterySide) -> MutualExamination? {
    guard let left = left.counted, let right = right.counted else { return nil }
    return MutualExamination(left: left, right: right)
  }

  /// Sums of gain × examination over each column's rows, and over everything.
  private static func matches(
    of gains: DenseMatrix, _ examination: DenseMatrix
  ) -> (byColumn: [Double], total: Double) {
    var sums = Array(repeating: 0.0, count: gains.columns)
    gains.values.withUnsafeBufferPointer { gains in
      examination.values.withUnsafeBufferPointer { examination in
        sums.withUnsafeMutableBufferPointer { sums in
          guard !sums.isEmpty else { return }
          for start in stride(from: 0, to: gains.count, by: sums.count) {
            for column in sums.indices {
              sums[column] += gains[start + column] * examination[start + column]
            }
          }
        }
      }
    }
    return (sums, sums.reduce(0, +))
  }
}

extension DenseMatrix {
  /// Divides each column by its number, taken as at least 1e-4, so that people without any expected
  /// match do not outweigh everybody (the bound of the published code).
  fileprivate mutating func divideColumns(by divisors: [Double]) {
    values.withUnsafeMutableBufferPointer { values in
      divisors.withUnsafeBufferPointer { divisors in
        guard !divisors.isEmpty else { return }
        for start in stride(from: 0, to: values.count, by: divisors.count) {
          for column in divisors.indices { values[start + column] /= max(divisors[column], 1e-4) }
        }
      }
    }
  }
}

/// The lists of one side as a lottery that is moved towards sorted lists.
private struct LotterySide {
  var examination: DenseMatrix
  var counted: DenseMatrix?
  private let weights: [Double]
  private let countedWeights: [Double]
  private var orders: RowOrders

  init(_ rows: Int, _ columns: Int, _ examination: Examination, _ counting: Examination?) {
    weights = examination.weights(columns)
    countedWeights = counting?.weights(columns) ?? []
    let mean = weights.reduce(0, +) / Double(max(1, columns))
    self.examination = DenseMatrix(rows: rows, columns: columns, repeating: mean)
    if counting != nil {
      let mean = countedWeights.reduce(0, +) / Double(max(1, columns))
      counted = DenseMatrix(rows: rows, columns: columns, repeating: mean)
    }
    orders = RowOrders(rows: rows, columns: columns)
  }

  mutating func step(towards gains: DenseMatrix, _ size: Double) {
    for row in 0..<gains.rows { orders.sort(row, by: gains) }
    orders.move(&examination, weights, size)
    if var counted {
      self.counted = nil
      orders.move(&counted, countedWeights, size)
      self.counted = counted
    }
  }
}

extension RowOrders {
  /// (1 − size) · matrix + size · weight of each member's place.
  fileprivate func move(_ matrix: inout DenseMatrix, _ weights: [Double], _ size: Double) {
    matrix.values.withUnsafeMutableBufferPointer { values in
      members.withUnsafeBufferPointer { members in
        for row in 0..<rows {
          let start = row * columns
          for place in 0..<columns {
            let index = start + Int(members[start + place])
            values[index] = (1 - size) * values[index] + size * weights[place]
          }
        }
      }
    }
  }
}
