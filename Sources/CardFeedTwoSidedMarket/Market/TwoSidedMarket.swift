/// People of two sides, and how likely each likes each of the other side.
///
/// This module holds the algorithms that look at everybody's lists at once: equilibria, fair lists,
/// best responses, stable pairs, envy. They are pure and deterministic, work on flat matrices of
/// `Double`, and know neither decks nor feeds. Experiments call them, and decks may; the module must
/// never import anything but the C library.
///
/// The words: the left side has n people, the right side m. Everybody holds a list of the other
/// side and looks at its places with the probabilities of an `Examination`. Left i and right j
/// match with the probability P(i likes j) · P(j likes i) · x · z, where x is how likely i looks at
/// the place of j, and z how likely j looks at the place of i: the position-based model of Su,
/// Bayoumi, Joachims, "Optimizing Rankings for Recommendation in Matching Markets", WWW 2022.
public struct TwoSidedMarket: Equatable, Sendable {
  /// P(left i likes right j) in row i and column j.
  public let likes: DenseMatrix
  /// P(right j likes left i) in row i and column j, as `likes` has it.
  public let likesBack: DenseMatrix
  /// P(left i likes right j) · P(right j likes left i) in row i and column j.
  public let match: DenseMatrix

  /// A market.
  ///
  /// - Parameters:
  ///   - left: P(left i likes right j), n × m, each finite and 0 or more.
  ///   - right: P(right j likes left i), m × n, likewise. 0 on a side keeps a pair apart.
  /// - Complexity: O(n · m).
  public init(left: DenseMatrix, right: DenseMatrix) {
    precondition(
      left.rows == right.columns && left.columns == right.rows,
      "The right side's matrix of \(right.rows) × \(right.columns) does not fit the left side's "
        + "of \(left.rows) × \(left.columns); it has a row for each person of the right side.")
    precondition(
      (left.values + right.values).allSatisfy { $0.isFinite && $0 >= 0 },
      "Probabilities of a market are finite and not negative.")
    likes = left
    likesBack = right.transposed()
    match = likes.multipliedByPlace(likesBack)
  }

  /// How many people the left side has.
  public var leftCount: Int { likes.rows }

  /// How many people the right side has.
  public var rightCount: Int { likes.columns }

  /// Expected matches Σ P(match) · x · z.
  ///
  /// - Parameter examination: How likely everybody looks at whom.
  /// - Complexity: O(n · m).
  public func expectedMatches(_ examination: MutualExamination) -> Double {
    check(examination)
    let right = examination.right.transposed()
    var sum = 0.0
    for index in match.values.indices {
      sum += match.values[index] * examination.left.values[index] * right.values[index]
    }
    return sum
  }

  func check(_ examination: MutualExamination) {
    precondition(
      examination.left.rows == leftCount && examination.left.columns == rightCount,
      "A market of \(leftCount) × \(rightCount) was given an examination of "
        + "\(examination.left.rows) × \(examination.left.columns).")
  }
}

/// How likely everybody looks at whom: what lists come to, or lotteries over lists.
public struct MutualExamination: Equatable, Sendable {
  /// P(left i looks at right j), n × m.
  public var left: DenseMatrix
  /// P(right j looks at left i), m × n.
  public var right: DenseMatrix

  /// Both sides.
  public init(left: DenseMatrix, right: DenseMatrix) {
    precondition(
      left.rows == right.columns && left.columns == right.rows,
      "The right side's examination of \(right.rows) × \(right.columns) does not fit the left "
        + "side's of \(left.rows) × \(left.columns).")
    self.left = left
    self.right = right
  }

  /// What lists on both sides come to.
  ///
  /// - Parameters:
  ///   - left: The left side's lists.
  ///   - right: The right side's lists.
  ///   - examination: How likely each place is looked at; who is not listed is not looked at.
  /// - Complexity: O(n · m).
  public init(left: RankedLists, right: RankedLists, _ examination: Examination) {
    self.init(
      left: left.examination(examination, of: right.count),
      right: right.examination(examination, of: left.count))
  }
}
