#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The matching equilibrium with transferable utility: who would be with whom if everybody could pay
/// with attention, so that nobody is asked for by more people than there is of them.
///
/// The mass of the pair i, j is μ_ij = A_i · B_j · e^(u_ij / 2β), where u_ij is what the two have of
/// each other, and what is left of each person stays single: A_i² + Σ_j μ_ij = 1, and
/// B_j² + Σ_i μ_ij = 1. Ranking by μ keeps
/// lists from crowding on the same few people, without any examination being assumed.
///
/// Sources: Choo & Siow, "Who Marries Whom and Why", Journal of Political Economy 114 (1), 2006;
/// iterative proportional fitting (IPFP), Galichon & Salanié, "Cupid's Invisible Hand", Review of
/// Economic Studies 89 (5), 2022; as lists, Tomita, Togashi, Moriwaki, "Matching Theory-based
/// Recommender Systems in Online Dating", RecSys 2022; row by row, Nakada et al. 2024
/// (arXiv 2411.19214).
///
/// When not to use it: a single best list for one viewer; the equilibrium is about all lists.
public struct TransferableUtility: Hashable, Sendable {
  /// What a pair has of each other, u, made of the two probabilities a and b.
  public enum JointUtility: String, Hashable, Sendable, CaseIterable {
    /// a + b, the published rule.
    case sum
    /// 4ab / (a + b), twice the harmonic mean; 0 where both are 0. The same as the sum for equal
    /// probabilities, but a like that is not returned counts for nothing.
    case harmonicMean

    @inline(__always)
    func callAsFunction(_ a: Double, _ b: Double) -> Double {
      switch self {
      case .sum: return a + b
      case .harmonicMean:
        let sum = a + b
        return sum > 0 ? 4 * a * b / sum : 0
      }
    }
  }

  /// How much of the utility is unobserved taste, β: greater is flatter.
  public let beta: Double
  /// What a pair has of each other.
  public let joint: JointUtility
  /// A sweep that changes no A and B by this much is the last.
  public let tolerance: Double
  /// At most so many sweeps.
  public let maximumSweeps: Int

  /// The settings of the equilibrium.
  ///
  /// - Parameters:
  ///   - beta: β, at least 1/300, so that the exponential stays finite for probabilities.
  ///   - joint: What a pair has of each other.
  ///   - tolerance: Above 0.
  ///   - maximumSweeps: At least 1.
  public init(
    beta: Double = 1, joint: JointUtility = .sum, tolerance: Double = 1e-9,
    maximumSweeps: Int = 10_000
  ) {
    precondition(
      beta >= 1.0 / 300 && beta.isFinite, "β is finite and at least 1/300; got \(beta).")
    precondition(tolerance > 0, "The tolerance is above 0; got \(tolerance).")
    precondition(maximumSweeps >= 1, "There is at least one sweep; got \(maximumSweeps).")
    self.beta = beta
    self.joint = joint
    self.tolerance = tolerance
    self.maximumSweeps = maximumSweeps
  }

  /// An equilibrium, by its two vectors.
  public struct Equilibrium: Equatable, Sendable {
    /// A: the square root of the share of each person of the left side that stays single.
    public let left: [Double]
    /// B: the same of the right side.
    public let right: [Double]
    /// How many sweeps it took.
    public let sweeps: Int
    /// Whether the last sweep changed less than the tolerance.
    public let converged: Bool
  }

  /// The equilibrium of a market in memory.
  ///
  /// - Complexity: O(n · m) time a sweep, O(n · m) memory.
  public func equilibrium(of market: TwoSidedMarket) -> Equilibrium {
    let kernel = kernel(of: market)
    let columns = market.rightCount
    return kernel.values.withUnsafeBufferPointer { kernel in
      iterate(market.leftCount, columns) { row, body in
        body(UnsafeBufferPointer(rebasing: kernel[row * columns..<(row + 1) * columns]))
      }
    }
  }

  /// The equilibrium of a market whose probabilities are read row by row, again in every sweep.
  ///
  /// - Complexity: O(n · m) time a sweep, O(n + m) memory.
  public func equilibrium(streaming pairs: some PairProbabilities) -> Equilibrium {
    var rows = KernelRows(pairs: pairs, utility: self)
    return iterate(pairs.leftCount, pairs.rightCount) { row, body in
      rows.read(row)
      rows.kernel.withUnsafeBufferPointer { body($0) }
    }
  }

  /// The masses μ of all pairs, n × m: the score of both sides' lists.
  ///
  /// - Complexity: O(n · m).
  public func masses(_ equilibrium: Equilibrium, of market: TwoSidedMarket) -> DenseMatrix {
    var kernel = kernel(of: market)
    let columns = market.rightCount
    kernel.values.withUnsafeMutableBufferPointer { kernel in
      for row in 0..<market.leftCount {
        for column in 0..<columns {
          kernel[row * columns + column] *= equilibrium.left[row] * equilibrium.right[column]
        }
      }
    }
    return kernel
  }

  private func kernel(of market: TwoSidedMarket) -> DenseMatrix {
    var result = market.likes
    result.values.withUnsafeMutableBufferPointer { result in
      market.likesBack.values.withUnsafeBufferPointer { back in
        for index in result.indices {
          result[index] = exp(joint(result[index], back[index]) / (2 * beta))
        }
      }
    }
    return result
  }

  /// Sweeps until nothing changes. Both half-steps of a sweep pass over the rows once: a row's A is
  /// known as soon as the row is, and its share in every B is added then.
  private func iterate(
    _ rows: Int, _ columns: Int,
    kernelRow: (Int, (UnsafeBufferPointer<Double>) -> Void) -> Void
  ) -> Equilibrium {
    var left = Array(repeating: 1.0, count: rows)
    var right = Array(repeating: 1.0, count: columns)
    var sums = Array(repeating: 0.0, count: columns)
    for sweep in 1...maximumSweeps {
      var change = 0.0
      for column in 0..<columns { sums[column] = 0 }
      for row in 0..<rows {
        kernelRow(row) { kernel in
          let new = right.withUnsafeBufferPointer { Self.single(half: Self.dot(kernel, $0) / 2) }
          change = max(change, abs(new - left[row]))
          left[row] = new
          sums.withUnsafeMutableBufferPointer { sums in
            for column in 0..<columns { sums[column] += kernel[column] * new }
          }
        }
      }
      for column in 0..<columns {
        let new = Self.single(half: sums[column] / 2)
        change = max(change, abs(new - right[column]))
        right[column] = new
      }
      if change < tolerance {
        return Equilibrium(left: left, right: right, sweeps: sweep, converged: true)
      }
    }
    return Equilibrium(left: left, right: right, sweeps: maximumSweeps, converged: false)
  }

  /// The positive root of x² + 2hx = 1, without cancellation for great h.
  static func single(half h: Double) -> Double { 1 / ((1 + h * h).squareRoot() + h) }

  private static func dot(
    _ left: UnsafeBufferPointer<Double>, _ right: UnsafeBufferPointer<Double>
  ) -> Double {
    // Four sums at a time: one after the other, each addition would wait for the last.
    var sums = SIMD4<Double>()
    let blocks = left.count / 4 * 4
    for index in stride(from: 0, to: blocks, by: 4) {
      let first = SIMD4(left[index], left[index + 1], left[index + 2], left[index + 3])
      let second = SIMD4(right[index], right[index + 1], right[index + 2], right[index + 3])
      sums += first * second
    }
    var sum = sums.sum()
    for index in blocks..<left.count { sum += left[index] * right[index] }
    return sum
  }
}
