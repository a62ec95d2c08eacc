/// Everybody's list: people they may meet, best first, with what they are ranked by.
public struct PoolLists: Equatable, Sendable {
  /// Somebody in a list.
  public struct Entry: Hashable, Sendable {
    /// Who it is.
    public let member: Int
    /// What the list is ranked by: strictly falling, so that it alone tells the order.
    public let score: Double
  }

  private let starts: [Int]
  private let entries: [Entry]

  /// How many people hold a list.
  public var count: Int { starts.count - 1 }

  /// One person's list, best first.
  public subscript(person: Int) -> ArraySlice<Entry> {
    entries[starts[person]..<starts[person + 1]]
  }

  /// The first `length` entries of each list.
  init(_ pool: MatchingPool, _ orders: PoolOrders, scores: [Double], length: Int) {
    var starts = [0]
    var entries: [Entry] = []
    for person in 0..<pool.count {
      var last = Double.infinity
      for entry in orders.entries[pool.entries(of: person)].prefix(length) {
        // Equal scores stand in the order of numbers; who reads scores alone sees that order, too.
        last = min(scores[Int(entry)], last.nextDown)
        entries.append(Entry(member: Int(pool.members[Int(entry)]), score: last))
      }
      starts.append(entries.count)
    }
    self.starts = starts
    self.entries = entries
  }

  /// Lists of one person or none.
  init(_ pool: MatchingPool, partners: [Int?], score: (_ entry: Int) -> Double) {
    var starts = [0]
    var entries: [Entry] = []
    for (person, partner) in partners.enumerated() {
      for entry in pool.entries(of: person) where Int(pool.members[entry]) == partner {
        entries.append(Entry(member: Int(pool.members[entry]), score: score(entry)))
      }
      starts.append(entries.count)
    }
    self.starts = starts
    self.entries = entries
  }
}

/// Of each person the entries in an order, kept between sorts: orders change little from step to
/// step.
struct PoolOrders: Equatable {
  private(set) var entries: [Int32]

  init(_ pool: MatchingPool) { entries = pool.members.indices.map { Int32($0) } }

  /// Sorts a person's entries, the greatest score first, equal ones by the smaller number.
  mutating func sort(_ range: Range<Int>, by scores: [Double]) {
    // A slice of an array would be copied to be sorted, and back.
    entries.withUnsafeMutableBufferPointer { entries in
      scores.withUnsafeBufferPointer { scores in
        var own = UnsafeMutableBufferPointer(rebasing: entries[range])
        own.sort { left, right in
          let (one, other) = (scores[Int(left)], scores[Int(right)])
          return one > other || (one == other && left < right)
        }
      }
    }
  }
}
