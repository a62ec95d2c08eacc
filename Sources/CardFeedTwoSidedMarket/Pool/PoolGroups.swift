/// The people of a pool in groups within which nobody may meet.
///
/// A connected part of two sides has two groups: that of its smallest number is group 0, the other is
/// group 1. Any other part is coloured greedily in the order of the numbers.
struct PoolGroups: Equatable {
  /// Of each person.
  let group: [Int32]
  /// Of each person, whether the part of the pool that they belong to has two sides.
  let isTwoSided: [Bool]
  /// Of each person the smallest number of that part.
  let part: [Int32]
  /// The people by group, each ascending.
  let members: [[Int32]]

  /// O(people + pairs).
  init(_ pool: MatchingPool) {
    var group = Array(repeating: Int32(-1), count: pool.count)
    var part = group
    var isTwoSided = Array(repeating: true, count: pool.count)
    for start in 0..<pool.count where part[start] < 0 {
      var reached = [Int32(start)]
      (part[start], group[start]) = (Int32(start), 0)
      var fits = true
      var next = 0
      while next < reached.count {
        let person = Int(reached[next])
        next += 1
        for entry in pool.entries(of: person) {
          let member = Int(pool.members[entry])
          if part[member] < 0 {
            part[member] = Int32(start)
            group[member] = 1 - group[person]
            reached.append(Int32(member))
          } else if group[member] == group[person] {
            fits = false
          }
        }
      }
      if fits { continue }
      reached.sort()
      for person in reached {
        group[Int(person)] = -1
        isTwoSided[Int(person)] = false
      }
      for person in reached { group[Int(person)] = Self.free(Int(person), pool, group) }
    }
    var members = Array(repeating: [Int32](), count: 1 + Int(group.max() ?? -1))
    for person in 0..<pool.count { members[Int(group[person])].append(Int32(person)) }
    self.group = group
    self.isTwoSided = isTwoSided
    self.part = part
    self.members = members
  }

  /// The smallest group that nobody belongs to whom the person may meet.
  private static func free(_ person: Int, _ pool: MatchingPool, _ group: [Int32]) -> Int32 {
    let taken = Set(
      pool.entries(of: person).lazy.map { group[Int(pool.members[$0])] }.filter { $0 >= 0 })
    var free: Int32 = 0
    while taken.contains(free) { free += 1 }
    return free
  }
}
