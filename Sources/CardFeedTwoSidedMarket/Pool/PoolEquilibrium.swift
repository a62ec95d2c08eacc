#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The equilibrium of `TransferableUtility` in a pool: A_i² + Σ_j A_i · A_j · e^(u_ij / 2β) = 1 over
/// the pairs that may meet.
///
/// With two sides it is the equilibrium of the matrices. In one pool it is the equilibrium of the
/// symmetric market with everybody on both sides, in which both of a person's numbers are equal. The
/// dual problem is convex (Galichon & Salanié 2022), and a sweep minimises it one person after the
/// other, so any order of the people comes to the same numbers.
///
/// A pair that is not in the pool has no mass; on matrices a pair of probability 0 has a little.
public struct PoolEquilibrium: Equatable, Sendable {
  private let pool: MatchingPool
  private let utility: TransferableUtility
  private let kernel: [Double]
  /// Of each person the square root of the share that stays single.
  public private(set) var singles: [Double]
  /// How many sweeps there were.
  public private(set) var sweeps = 0
  /// Whether the last sweep changed less than the tolerance.
  public private(set) var isConverged = false

  /// Nobody is with anybody yet. O(pairs).
  public init(_ pool: MatchingPool, _ utility: TransferableUtility = TransferableUtility()) {
    self.pool = pool
    self.utility = utility
    kernel = pool.members.indices.map { exp(pool.joint($0, utility.joint) / (2 * utility.beta)) }
    singles = Array(repeating: 1, count: pool.count)
  }

  /// One sweep over everybody. O(pairs).
  ///
  /// - Returns: Whether another one is needed.
  public mutating func sweep() -> Bool {
    guard !isConverged, sweeps < utility.maximumSweeps else { return false }
    var change = 0.0
    for person in 0..<pool.count {
      var sum = 0.0
      for entry in pool.entries(of: person) {
        sum += kernel[entry] * singles[Int(pool.members[entry])]
      }
      let new = TransferableUtility.single(half: sum / 2)
      change = max(change, abs(new - singles[person]))
      singles[person] = new
    }
    sweeps += 1
    isConverged = change < utility.tolerance
    return !isConverged && sweeps < utility.maximumSweeps
  }

  /// The masses μ of all pairs as they are now, by entry.
  var masses: [Double] {
    var masses = kernel
    for person in 0..<pool.count {
      for entry in pool.entries(of: person) {
        masses[entry] *= singles[person] * singles[Int(pool.members[entry])]
      }
    }
    return masses
  }

  /// Lists by mass. O(pairs · log pairs of a person).
  public func lists(length: Int) -> PoolLists {
    let masses = masses
    var orders = PoolOrders(pool)
    for person in 0..<pool.count { orders.sort(pool.entries(of: person), by: masses) }
    return PoolLists(pool, orders, scores: masses, length: length)
  }
}
