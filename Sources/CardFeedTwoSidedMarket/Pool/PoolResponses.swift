/// The turns of `BestResponse` in a pool: one group after the other sorts every list by P(match) ×
/// how likely the other looks back.
///
/// Nobody of a group may meet another of it, so a group's turn is the best answer of each of its
/// people to all other lists, and raises the expected matches or leaves them. With two sides these
/// are the turns of the sides, the right one first.
public struct PoolResponses: Sendable {
  private let pool: MatchingPool
  private let groups: PoolGroups
  private let maximumTurns: Int
  private let weights: [Double]
  private var orders: PoolOrders
  /// Of each entry how likely its owner looks at the member.
  private var seen: [Double]
  private var gains: [Double]
  /// Σ over pairs of P(match) · x · z.
  public private(set) var expectedMatches = -1.0
  /// How many turns of all groups there were.
  public private(set) var turns = 0
  private var isDone = false

  /// Begins with the lists of an equilibrium.
  ///
  /// - Parameters:
  ///   - equilibrium: Of the same pool.
  ///   - pool: The pool.
  ///   - settings: How many turns there are at most.
  ///   - examination: How places are looked at.
  /// - Complexity: O(pairs · log pairs of a person).
  public init(
    from equilibrium: PoolEquilibrium, of pool: MatchingPool,
    _ settings: BestResponse = BestResponse(), _ examination: Examination = .reciprocal
  ) {
    self.pool = pool
    groups = PoolGroups(pool)
    maximumTurns = settings.maximumTurns
    weights = examination.weights(pool.longestList)
    orders = PoolOrders(pool)
    gains = equilibrium.masses
    seen = gains
    for person in 0..<pool.count { arrange(person) }
  }

  /// One turn of every group. O(pairs · log pairs of a person).
  ///
  /// - Returns: Whether another one may raise the expected matches.
  public mutating func turn() -> Bool {
    guard !isDone else { return false }
    for group in groups.members.reversed() {
      for person in group {
        for entry in pool.entries(of: Int(person)) {
          gains[entry] = pool.match[entry] * seen[Int(pool.mirrors[entry])]
        }
        arrange(Int(person))
      }
    }
    var matches = 0.0
    for entry in seen.indices {
      matches += pool.match[entry] * seen[entry] * seen[Int(pool.mirrors[entry])]
    }
    turns += 1
    isDone = matches / 2 <= expectedMatches + 1e-12 || turns == maximumTurns
    expectedMatches = matches / 2
    return !isDone
  }

  /// Sorts a person's list by gain, and takes down how likely each of its places is looked at.
  private mutating func arrange(_ person: Int) {
    let entries = pool.entries(of: person)
    orders.sort(entries, by: gains)
    for (weight, entry) in zip(weights, orders.entries[entries]) { seen[Int(entry)] = weight }
  }

  /// The lists as they are now, scored by gain.
  public func lists(length: Int) -> PoolLists {
    PoolLists(pool, orders, scores: gains, length: length)
  }
}

extension MatchingPool {
  /// How many people the one may meet who may meet most.
  var longestList: Int { (0..<count).map { entries(of: $0).count }.max() ?? 0 }
}
