/// People who may meet, pair by pair, and how likely they match: a market of two sides, of one, or
/// of several that partly overlap.
///
/// Memory grows with the pairs, not with the square of the people. Nobody need belong to a side: the
/// people are parted into groups within which nobody may meet, and the methods let one group act
/// after the other. In a market of two sides these are its sides, and every method does what it does
/// on matrices. In one pool, a person has one list, and one place in the lists of others, as in the
/// symmetric market in which everybody stands once on each side.
public struct MatchingPool: Equatable, Sendable {
  /// Two people who may meet.
  public struct Pair: Hashable, Sendable {
    /// One of them.
    public let first: Int
    /// The other.
    public let second: Int
    /// P(the first likes the second).
    public let likes: Double
    /// P(the second likes the first).
    public let likesBack: Double
    /// P(match).
    public let match: Double

    /// Two people who may meet.
    ///
    /// - Parameters:
    ///   - first: One of them.
    ///   - second: The other.
    ///   - likes: P(the first likes the second).
    ///   - likesBack: P(the second likes the first).
    ///   - match: P(match); nil is the product of the two.
    public init(
      _ first: Int, _ second: Int, likes: Double, likesBack: Double, match: Double? = nil
    ) {
      self.first = first
      self.second = second
      self.likes = likes
      self.likesBack = likesBack
      self.match = match ?? likes * likesBack
    }
  }

  /// How many people there are.
  public let count: Int
  /// Where each person's entries begin; one more at the end. An entry is a pair as one of the two
  /// sees it.
  let starts: [Int]
  /// Of each entry the other person; ascending within a person.
  let members: [Int32]
  /// Of each entry the entry of the other person.
  let mirrors: [Int32]
  /// Of each entry P(its owner likes the member).
  let likes: [Double]
  /// Of each entry P(match).
  let match: [Double]

  /// A pool.
  ///
  /// - Parameters:
  ///   - count: How many people there are.
  ///   - pairs: Each two people once at most, in any order; probabilities finite and 0 or more.
  /// - Complexity: O(pairs · log pairs) time, 24 bytes for each person of each pair.
  public init(count: Int, pairs: [Pair]) {
    precondition(count >= 0 && count <= Int(Int32.max), "A pool has at most 2³¹ − 1 people.")
    precondition(pairs.count <= Int(Int32.max) / 2, "A pool has at most 2³⁰ − 1 pairs.")
    var starts = Array(repeating: 0, count: count + 1)
    for pair in pairs {
      precondition(
        pair.first != pair.second && (0..<count).contains(pair.first)
          && (0..<count).contains(pair.second),
        "A pair is two different people of the pool.")
      precondition(
        pair.likes >= 0 && pair.likesBack >= 0 && pair.match >= 0
          && (pair.likes + pair.likesBack + pair.match).isFinite,
        "Probabilities of a pool are finite and not negative.")
      starts[pair.first + 1] += 1
      starts[pair.second + 1] += 1
    }
    for person in 0..<count { starts[person + 1] += starts[person] }
    var next = starts
    var members = Array(repeating: Int32(0), count: 2 * pairs.count)
    var mirrors = members
    var likes = Array(repeating: 0.0, count: 2 * pairs.count)
    var match = likes
    // In ascending order of both, every person's entries come out ascending.
    let sorted = pairs.sorted { ($0.low, $0.high) < ($1.low, $1.high) }
    for (place, pair) in sorted.enumerated() {
      precondition(
        place == 0 || (pair.low, pair.high) != (sorted[place - 1].low, sorted[place - 1].high),
        "A pool names each two people once.")
      let (one, other) = (next[pair.first], next[pair.second])
      next[pair.first] += 1
      next[pair.second] += 1
      (members[one], members[other]) = (Int32(pair.second), Int32(pair.first))
      (mirrors[one], mirrors[other]) = (Int32(other), Int32(one))
      (likes[one], likes[other]) = (pair.likes, pair.likesBack)
      (match[one], match[other]) = (pair.match, pair.match)
    }
    self.count = count
    self.starts = starts
    self.members = members
    self.mirrors = mirrors
    self.likes = likes
    self.match = match
  }

  /// How many pairs there are.
  public var pairCount: Int { members.count / 2 }

  func entries(of person: Int) -> Range<Int> { starts[person]..<starts[person + 1] }

  /// What the two of an entry have of each other.
  func joint(_ entry: Int, _ utility: TransferableUtility.JointUtility) -> Double {
    utility(likes[entry], likes[Int(mirrors[entry])])
  }
}

extension MatchingPool.Pair {
  fileprivate var low: Int { min(first, second) }
  fileprivate var high: Int { max(first, second) }
}

extension MatchingPool {
  /// The pairs, in ascending order of the smaller number and then of the other. O(pairs).
  public var pairs: [Pair] {
    (0..<count).flatMap { person in
      entries(of: person).compactMap { entry in
        let other = Int(members[entry])
        guard other > person else { return nil }
        return Pair(
          person, other, likes: likes[entry], likesBack: likes[Int(mirrors[entry])],
          match: match[entry])
      }
    }
  }
}
