extension TwoSidedMarket {
  /// How many people envy whom.
  public struct Envies: Hashable, Sendable {
    /// Ordered pairs of the left side of which the first envies the second.
    public let left: Int
    /// Ordered pairs of the right side of which the first envies the second.
    public let right: Int

    /// Both counts.
    public init(left: Int, right: Int) {
      self.left = left
      self.right = right
    }
  }

  /// Counts envy: a envies b of the same side if a would have more expected matches with the places
  /// that b has in the lists of the other side, everything else unchanged.
  ///
  /// Source: Tomita & Yokoyama, "Fair Reciprocal Recommendation in Matching Markets", RecSys 2024,
  /// definition of envy-freeness.
  ///
  /// - Parameters:
  ///   - examination: How likely everybody looks at whom.
  ///   - tolerance: A gain of no more than this is no envy.
  /// - Complexity: O(n · m · (n + m)).
  public func envies(_ examination: MutualExamination, tolerance: Double = 1e-9) -> Envies {
    check(examination)
    let left = match.multipliedByPlace(examination.left)
    let right = match.transposed().multipliedByPlace(examination.right)
    return Envies(
      left: Self.envies(of: left, for: examination.right, tolerance: tolerance),
      right: Self.envies(of: right, for: examination.left, tolerance: tolerance))
  }

  /// - Parameters:
  ///   - gains: p × q: what each person gets for being looked at by each of the other side.
  ///   - places: q × p: how likely each of the other side looks at each person.
  private static func envies(
    of gains: DenseMatrix, for places: DenseMatrix, tolerance: Double
  ) -> Int {
    let people = gains.rows
    var count = 0
    var sums = Array(repeating: 0.0, count: people)
    gains.values.withUnsafeBufferPointer { gains in
      places.values.withUnsafeBufferPointer { places in
        sums.withUnsafeMutableBufferPointer { sums in
          for person in 0..<people {
            sums.update(repeating: 0)
            // Row by row of `places`, so that memory is read in order.
            for other in 0..<(people == 0 ? 0 : gains.count / people) {
              let gain = gains[person * (gains.count / people) + other]
              let row = other * people
              for index in 0..<people { sums[index] += gain * places[row + index] }
            }
            let own = sums[person] + tolerance
            for index in 0..<people where sums[index] > own { count += 1 }
          }
        }
      }
    }
    return count
  }
}
