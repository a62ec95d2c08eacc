/// The row of each card by its number: four bytes a card, because a store hands numbers out one
/// after the other. Numbers that lie far apart, where most belong to viewers, are kept by hash.
struct RowsByNumber: Sendable {
  /// By number; -1 where no card has it.
  private var dense: [Int32] = []
  private var sparse: [CardNumber: Row] = [:]
  private var count = 0

  /// Setting nil takes the number out. O(1), amortised.
  subscript(number: CardNumber) -> Row? {
    get {
      let index = number.rawValue
      if index >= 0, index < dense.count {
        let row = dense[Int(index)]
        if row >= 0 { return Row(Int(row)) }
      }
      return sparse.isEmpty ? nil : sparse[number]
    }
    set {
      guard let newValue else { return remove(number) }
      if self[number] == nil { count += 1 }
      let index = number.rawValue
      // A number that came early, and was far away then, stays where it is.
      let isNear = index >= 0 && index < 4 * count + 1024 && newValue.index <= Int32.max
      guard isNear, sparse.isEmpty || sparse[number] == nil else {
        sparse[number] = newValue
        return
      }
      if index >= dense.count {
        dense.append(contentsOf: repeatElement(-1, count: Int(index) + 1 - dense.count))
      }
      dense[Int(index)] = Int32(newValue.index)
    }
  }

  private mutating func remove(_ number: CardNumber) {
    if self[number] == nil { return }
    count -= 1
    let index = number.rawValue
    if index >= 0, index < dense.count { dense[Int(index)] = -1 }
    sparse[number] = nil
  }
}
