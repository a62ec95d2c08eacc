/// The steps of `FairLists` in a pool: one group after the other moves its lotteries towards the
/// lists that the welfare asks for.
///
/// With two sides these are the steps of the sides on matrices, the right one first.
public struct PoolLottery: Sendable {
  private let pool: MatchingPool
  private let groups: PoolGroups
  private let settings: FairLists
  private let weights: [Double]
  private var orders: PoolOrders
  /// Of each entry how likely its owner looks at the member, over the lottery.
  private var seen: [Double]
  private var gains: [Double]
  /// Of each person.
  private var matches: [Double]
  /// Σ over pairs of P(match) · x · z.
  public private(set) var expectedMatches = 0.0
  /// How many steps there were.
  public private(set) var steps = 0
  private var isDone = false

  /// Begins with the uniform lottery. O(pairs).
  ///
  /// - Parameters:
  ///   - pool: The pool.
  ///   - settings: What is made great, and how far steps go.
  ///   - examination: How places are looked at.
  public init(
    _ pool: MatchingPool, _ settings: FairLists, _ examination: Examination = .reciprocal
  ) {
    self.pool = pool
    self.settings = settings
    groups = PoolGroups(pool)
    weights = examination.weights(pool.longestList)
    orders = PoolOrders(pool)
    gains = Array(repeating: 0, count: pool.members.count)
    seen = gains
    matches = Array(repeating: 0, count: pool.count)
    for person in 0..<pool.count {
      let entries = pool.entries(of: person)
      let mean = weights.prefix(entries.count).reduce(0, +) / Double(max(1, entries.count))
      for entry in entries { seen[entry] = mean }
    }
  }

  /// One step of every group. O(pairs · log pairs of a person).
  ///
  /// - Returns: Whether another one is needed.
  public mutating func step() -> Bool {
    guard !isDone else { return false }
    countMatches()
    for group in groups.members.reversed() {
      // All gains of a group before anybody moves: the numbers of matches are those of its turn.
      for person in group {
        for entry in pool.entries(of: Int(person)) {
          var gain = pool.match[entry] * seen[Int(pool.mirrors[entry])]
          if settings.objective == .nashSocialWelfare {
            gain /= max(matches[Int(pool.members[entry])], 1e-4)
          }
          gains[entry] = gain
        }
      }
      for person in group { move(Int(person)) }
    }
    let before = expectedMatches
    countMatches()
    expectedMatches = matches.reduce(0, +) / 2
    steps += 1
    isDone = abs(expectedMatches - before) < settings.tolerance || steps == settings.maximumSteps
    return !isDone
  }

  private mutating func countMatches() {
    for person in 0..<pool.count {
      var sum = 0.0
      for entry in pool.entries(of: person) {
        sum += pool.match[entry] * seen[entry] * seen[Int(pool.mirrors[entry])]
      }
      matches[person] = sum
    }
  }

  private mutating func move(_ person: Int) {
    let entries = pool.entries(of: person)
    orders.sort(entries, by: gains)
    let size = settings.stepSize
    for (weight, entry) in zip(weights, orders.entries[entries]) {
      let entry = Int(entry)
      let moved = (1 - size) * seen[entry] + size * weight
      let gained = pool.match[entry] * (moved - seen[entry]) * seen[Int(pool.mirrors[entry])]
      matches[person] += gained
      matches[Int(pool.members[entry])] += gained
      seen[entry] = moved
    }
  }

  /// The lottery as one list for each person, by how likely they look at whom.
  public func lists(length: Int) -> PoolLists {
    var orders = orders
    for person in 0..<pool.count { orders.sort(pool.entries(of: person), by: seen) }
    return PoolLists(pool, orders, scores: seen, length: length)
  }
}
