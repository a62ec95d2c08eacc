/// One partner for each person of a pool: stable pairs.
public enum PoolPairs {
  /// What people prefer each other by.
  public enum Preference: String, Hashable, Sendable, CaseIterable {
    /// P(match), on which both agree. Then there is exactly one stable outcome, with sides or
    /// without: the likeliest pair, then the likeliest of the rest, and so on.
    case match
    /// P(the person likes the other). Stable pairs always exist between two sides only (Gale &
    /// Shapley 1962), and then there may be several. The larger side proposes, to which its best
    /// outcome goes; parts of the pool that have no two sides are paired by `match`.
    case likes
  }

  /// Stable pairs: no two people who may meet both prefer each other to their partners. Equal
  /// probabilities are decided by the smaller numbers.
  ///
  /// - Parameters:
  ///   - pool: The pool.
  ///   - preference: What people prefer each other by.
  /// - Returns: Each person's partner or nobody, scored by P(match).
  /// - Complexity: O(pairs · log pairs).
  public static func lists(in pool: MatchingPool, by preference: Preference = .match) -> PoolLists {
    var partners = Array(repeating: Int?.none, count: pool.count)
    var isDecided = Array(repeating: false, count: pool.count)
    if preference == .likes {
      let groups = PoolGroups(pool)
      isDecided = groups.isTwoSided
      propose(in: pool, groups, &partners)
    }
    takeLikeliest(in: pool, except: isDecided, &partners)
    return PoolLists(pool, partners: partners) { pool.match[$0] }
  }

  private static func takeLikeliest(
    in pool: MatchingPool, except isDecided: [Bool], _ partners: inout [Int?]
  ) {
    var pairs: [(match: Double, low: Int, high: Int)] = []
    for person in 0..<pool.count where !isDecided[person] {
      for entry in pool.entries(of: person) where Int(pool.members[entry]) > person {
        pairs.append((pool.match[entry], person, Int(pool.members[entry])))
      }
    }
    pairs.sort { one, other in
      one.match != other.match
        ? one.match > other.match : (one.low, one.high) < (other.low, other.high)
    }
    for pair in pairs where partners[pair.low] == nil && partners[pair.high] == nil {
      (partners[pair.low], partners[pair.high]) = (pair.high, pair.low)
    }
  }

  private static func propose(
    in pool: MatchingPool, _ groups: PoolGroups, _ partners: inout [Int?]
  ) {
    // How many more of group 0 than of group 1 each part has.
    var excess: [Int32: Int] = [:]
    for person in 0..<pool.count where groups.isTwoSided[person] {
      excess[groups.part[person], default: 0] += groups.group[person] == 0 ? 1 : -1
    }
    var proposers: [Int] = []
    var receivers: [Int] = []
    var place = Array(repeating: -1, count: pool.count)
    for person in 0..<pool.count where groups.isTwoSided[person] {
      let proposing: Int32 = excess[groups.part[person], default: 0] >= 0 ? 0 : 1
      if groups.group[person] == proposing {
        place[person] = proposers.count
        proposers.append(person)
      } else {
        place[person] = receivers.count
        receivers.append(person)
      }
    }
    var orders = PoolOrders(pool)
    func lists(_ people: [Int]) -> RankedLists {
      RankedLists(
        people.map { person in
          orders.sort(pool.entries(of: person), by: pool.likes)
          return orders.entries[pool.entries(of: person)].map {
            place[Int(pool.members[Int($0)])]
          }
        })
    }
    let pairs = DeferredAcceptance.pairs(
      proposers: lists(proposers), receivers: lists(receivers))
    for (proposer, receiver) in pairs.receivers.enumerated() {
      guard let receiver else { continue }
      partners[proposers[proposer]] = receivers[receiver]
      partners[receivers[receiver]] = proposers[proposer]
    }
  }
}
