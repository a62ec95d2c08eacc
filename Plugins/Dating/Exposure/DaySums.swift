/// The power sums Σ c · eᵏ, k = 0 … 4, of days e that have c events each, and the counts read out of
/// them.
///
/// About the day that is asked for, its own events are in the sum with k = 0 only; the four others
/// are the moments of the other days. If these are two at most, the moments determine them: were
/// there two ways to have the same moments, their difference would be a set of no more than four
/// days, none at zero, whose moments 1 … 4 vanish, which the determinant of Vandermonde forbids. So
/// days with counts below zero are found as well. Two days are the roots of x² − px + q, where
/// s₃ = ps₂ − qs₁ and s₄ = ps₃ − qs₂: the method of Prony (1795), in integers.
///
/// Sums wrap, so that they come back exactly. They say what they should while Σ |c| · |e|⁴, with days
/// counted from the one that is asked for, stays below 2⁶³.
struct DaySums: Equatable {
  /// How many sums there are.
  static let powers = 5

  private var sums = SIMD8<Int64>.zero

  /// A day by its number, and its events.
  struct Day: Equatable {
    var round: Int64
    var count: Int64
  }

  /// One of the sums.
  subscript(power: Int) -> Int64 {
    get { sums[power] }
    set { sums[power] = newValue }
  }

  /// Adds events of a day.
  mutating func add(_ count: Int64, of round: Int64) {
    var term = count
    for power in 0..<Self.powers {
      self[power] &+= term
      term = term &* round
    }
  }

  /// Takes everything out that others hold.
  mutating func subtract(_ others: DaySums) { sums = sums &- others.sums }

  /// How many events a day has; nil where too many other days are in the sums. O(1).
  func count(of round: Int64) -> Int64? {
    others(than: round).map { others in
      others.reduce(self[0]) { $0 &- $1.count }
    }
  }

  /// The other days that are in the sums; nil where they are more than two. O(1).
  func others(than round: Int64) -> [Day]? {
    let moments = moments(about: round)
    let (s1, s2, s3, s4) = (moments[1], moments[2], moments[3], moments[4])
    if (s1, s2, s3, s4) == (0, 0, 0, 0) { return [] }
    let determinant = Self.difference(s1, s3, s2, s2)
    var days: [Day] = []
    if determinant == 0 {
      guard let only = Self.quotient(Int128(s2), Int128(s1)),
        let count = Self.quotient(Int128(s1), only)
      else { return nil }
      days = [Day(round: Int64(truncatingIfNeeded: only), count: Int64(truncatingIfNeeded: count))]
    } else {
      guard let sum = Self.quotient(Self.difference(s1, s4, s2, s3), determinant),
        let product = Self.quotient(Self.difference(s2, s4, s3, s3), determinant),
        let (x, y) = Self.roots(sum: sum, product: product),
        let a = Self.quotient(Int128(s2) - Int128(y) * Int128(s1), Int128(x) * Int128(x - y)),
        let b = Self.quotient(Int128(s2) - Int128(x) * Int128(s1), Int128(y) * Int128(y - x))
      else { return nil }
      days = [
        Day(round: x, count: Int64(truncatingIfNeeded: a)),
        Day(round: y, count: Int64(truncatingIfNeeded: b)),
      ]
    }
    // What three days leave may look like two, but then not in every sum.
    var check = DaySums()
    for day in days { check.add(day.count, of: day.round) }
    guard (1..<Self.powers).allSatisfy({ check[$0] == moments[$0] }) else { return nil }
    return days.map { Day(round: $0.round &+ round, count: $0.count) }
  }

  /// The sums with days counted from another one: (e − a)ᵏ by the binomial theorem.
  private func moments(about round: Int64) -> DaySums {
    var moved = self
    // One Horner step for each power, as in a Taylor shift.
    for last in 1..<Self.powers {
      for power in stride(from: Self.powers - 1, through: last, by: -1) {
        moved[power] &-= round &* moved[power - 1]
      }
    }
    return moved
  }

  /// ab − cd. No product of two numbers of 64 bits runs over 127.
  private static func difference(_ a: Int64, _ b: Int64, _ c: Int64, _ d: Int64) -> Int128 {
    Int128(a) * Int128(b) &- Int128(c) * Int128(d)
  }

  /// The quotient, if it is whole.
  private static func quotient(_ dividend: Int128, _ divisor: Int128) -> Int128? {
    guard divisor != 0 else { return nil }
    let (quotient, isOver) = dividend.dividedReportingOverflow(by: divisor)
    return !isOver && quotient &* divisor == dividend ? quotient : nil
  }

  /// The two whole numbers with a sum and a product, neither of them zero.
  private static func roots(sum: Int128, product: Int128) -> (Int64, Int64)? {
    // Days lie no further apart, so that nothing below runs over.
    let limit = Int128(1) << 40
    guard abs(sum) < limit, product != 0, abs(product) < limit << 40 else { return nil }
    let square = sum * sum - 4 * product
    guard square > 0 else { return nil }
    // Newton's method comes down to the root, rounded down.
    var root = Int128(1) << ((129 - square.leadingZeroBitCount) / 2)
    while case let next = (root + square / root) / 2, next < root { root = next }
    guard root * root == square, (sum + root) % 2 == 0 else { return nil }
    return (Int64((sum + root) / 2), Int64((sum - root) / 2))
  }
}
