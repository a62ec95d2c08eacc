/// The likeliest matches of each person, gathered pair by pair: which pairs of a large population
/// are looked at more closely.
///
/// Memory is O(people · k), whatever is offered, and the outcome does not depend on the order.
public struct PoolCandidates: Sendable {
  private var lists: TopLists

  /// Nobody yet.
  ///
  /// - Parameters:
  ///   - count: How many people there are.
  ///   - length: How many candidates each keeps, k.
  public init(count: Int, length: Int) {
    precondition(length >= 1, "Everybody keeps at least one candidate; got \(length).")
    lists = TopLists(count: count, length: max(0, min(length, count - 1)))
  }

  /// Offers two people to each other, each two once. O(log k).
  public mutating func offer(_ first: Int, _ second: Int, match: Double) {
    lists.offer(TopLists.Entry(score: match, match: match, member: Int32(second)), to: first)
    lists.offer(TopLists.Entry(score: match, match: match, member: Int32(first)), to: second)
  }

  /// The pairs in which at least one of the two keeps the other, the smaller number first,
  /// ascending. Who is wanted by many is in many more than k of them. O(entries · log entries).
  public func pairs() -> [(first: Int, second: Int)] {
    var keys: [UInt64] = []
    for person in 0..<lists.count {
      for entry in lists.entries(of: person) {
        let (low, high) = (min(person, Int(entry.member)), max(person, Int(entry.member)))
        keys.append(UInt64(low) << 32 | UInt64(high))
      }
    }
    keys.sort()
    var pairs: [(first: Int, second: Int)] = []
    for (place, key) in keys.enumerated() where place == 0 || keys[place - 1] != key {
      pairs.append((Int(key >> 32), Int(key & 0xffff_ffff)))
    }
    return pairs
  }
}
