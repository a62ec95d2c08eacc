/// The probabilities of a market too large for a matrix, one person of the left side at a time.
///
/// What reads them keeps O((n + m) · k) numbers, never n · m.
public protocol PairProbabilities {
  /// How many people the left side has: n.
  var leftCount: Int { get }

  /// How many people the right side has: m.
  var rightCount: Int { get }

  /// Writes one person's probabilities with everybody of the other side.
  ///
  /// Called for every person once in a sweep; must answer the same each time.
  ///
  /// - Parameters:
  ///   - left: The person, 0 ..< n.
  ///   - likes: m places, for P(left likes right j), finite and 0 or more.
  ///   - likesBack: m places, for P(right j likes left), likewise.
  func write(
    left: Int, likes: UnsafeMutableBufferPointer<Double>,
    likesBack: UnsafeMutableBufferPointer<Double>)
}

extension TwoSidedMarket: PairProbabilities {
  /// Copies a row of both matrices. O(m).
  public func write(
    left: Int, likes: UnsafeMutableBufferPointer<Double>,
    likesBack: UnsafeMutableBufferPointer<Double>
  ) {
    let start = left * rightCount
    for column in 0..<rightCount {
      likes[column] = self.likes.values[start + column]
      likesBack[column] = self.likesBack.values[start + column]
    }
  }
}
