/// The row of each card by its identifier: an open-addressed table of rows with linear probing, which
/// holds no identifiers but looks at those of the table of cards. About eight bytes a card.
struct RowsByID: Sendable {
  private static let free: Int32 = -1
  private static let removed: Int32 = -2

  /// A power of two, at most two thirds of them used.
  private var slots: [Int32] = []
  /// Slots that are not free, removed ones included.
  private var used = 0

  /// The row of an identifier. O(length of the identifier).
  ///
  /// - Parameter ids: The identifiers by row.
  func row(of id: CardID, in ids: [CardID]) -> Row? {
    guard !slots.isEmpty else { return nil }
    var slot = id.hashValue & (slots.count - 1)
    while true {
      let row = slots[slot]
      if row == Self.free { return nil }
      if row >= 0, ids[Int(row)] == id { return Row(Int(row)) }
      slot = (slot + 1) & (slots.count - 1)
    }
  }

  /// Adds rows whose identifiers the table does not hold.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - ids: The identifiers by row, those of the new rows included.
  ///   - hashes: `hashValue` of each row's identifier, where it is known already.
  mutating func insert(_ rows: Range<Int>, ids: [CardID], hashes: [Int]? = nil) {
    precondition(rows.upperBound <= Int(Int32.max), "A table holds 2^31 cards at most.")
    if (used + rows.count) * 3 > slots.count * 2 { grow(for: rows.lowerBound + rows.count, ids) }
    for (place, row) in rows.enumerated() {
      put(Int32(row), hashes?[place] ?? ids[row].hashValue)
    }
  }

  /// Takes an identifier out.
  mutating func remove(_ id: CardID, in ids: [CardID]) {
    guard !slots.isEmpty else { return }
    var slot = id.hashValue & (slots.count - 1)
    while slots[slot] != Self.free {
      if slots[slot] >= 0, ids[Int(slots[slot])] == id {
        slots[slot] = Self.removed
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
  }

  private mutating func grow(for count: Int, _ ids: [CardID]) {
    var capacity = 16
    while capacity < 2 * count { capacity *= 2 }
    let old = slots
    slots = Array(repeating: Self.free, count: capacity)
    used = 0
    for row in old where row >= 0 { put(row, ids[Int(row)].hashValue) }
  }

  private mutating func put(_ row: Int32, _ hash: Int) {
    var slot = hash & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    if slots[slot] == Self.free { used += 1 }
    slots[slot] = row
  }
}
