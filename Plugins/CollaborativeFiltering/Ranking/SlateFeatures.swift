internal import CardFeed

/// The categories and tags of a slate's cards, as numbers from 0.
struct SlateFeatures {
  /// For each candidate.
  let codes: [[Int32]]

  init<D: Deck>(_ columns: [String], _ slate: Slate<D>) {
    var codes = [[Int32]](repeating: [], count: slate.count)
    var numbers: [Key: Int32] = [:]
    func add(_ column: Int, _ code: Int32, to index: Int) {
      guard code >= 0 else { return }
      let next = Int32(numbers.count)
      codes[index].append(
        numbers[Key(column: column, code: code)]
          ?? {
            numbers[Key(column: column, code: code)] = next
            return next
          }())
    }
    for (place, name) in columns.enumerated() {
      switch slate.table.column(name) {
      case .category(let values, _)?:
        for (index, row) in slate.rows.enumerated() { add(place, values[row.index], to: index) }
      case .tags(let values, _)?:
        for (index, row) in slate.rows.enumerated() {
          for code in values[row.index] { add(place, code, to: index) }
        }
      default: continue
      }
    }
    self.codes = codes
  }

  private struct Key: Hashable {
    let column: Int
    let code: Int32
  }
}
