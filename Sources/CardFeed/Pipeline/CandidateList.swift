/// The state of a candidate inside a run; indices instead of names.
enum CandidateState {
  case eligible
  case removed(filter: Int, reason: Int, due: Timestamp?)
  case unavailable(filter: Int)
  case withheld(rule: Int, reason: String)
  case unscored
  case outranked(rank: Int)
  case dealt(place: Int)
}

/// The candidates of a run, by index. Apart from the run, whose generic type would otherwise be
/// looked up for every candidate.
struct CandidateList {
  private(set) var rows: [Row] = []
  /// Which source proposed each first.
  private(set) var sources: [Int] = []
  var fates: [CandidateState] = []
  private var known: RowSet

  /// No candidate yet, out of a table of `tableCount` rows.
  init(tableCount: Int) { known = RowSet(count: tableCount) }

  var count: Int { rows.count }

  /// Takes the rows of a page that are new and not in the hand; returns how many were taken and how
  /// many are in the hand.
  mutating func take(
    _ page: [Row], numbers: [CardNumber], from source: Int, inHand: Set<CardNumber>
  ) -> (taken: Int, inHand: Int) {
    var result = (taken: 0, inHand: 0)
    for (row, number) in zip(page, numbers) where known.insert(row) {
      if !inHand.isEmpty, inHand.contains(number) {
        result.inHand += 1
        continue
      }
      rows.append(row)
      sources.append(source)
      fates.append(.eligible)
      result.taken += 1
    }
    return result
  }

  /// The indices of those that are still eligible.
  var eligible: [Int] {
    fates.indices.filter { if case .eligible = fates[$0] { true } else { false } }
  }

  var eligibleCount: Int {
    fates.reduce(0) { count, fate in if case .eligible = fate { count + 1 } else { count } }
  }

  /// The indices of those that a filter removed.
  func removed(by filter: Int) -> [Int] {
    fates.indices.filter { if case .removed(filter, _, _) = fates[$0] { true } else { false } }
  }

  func rows(at indices: [Int]) -> [Row] { indices.map { rows[$0] } }

  /// Enters a filter's verdicts. Returns those that go on, and how many were removed and how many
  /// could not be judged.
  mutating func enter(
    _ verdicts: [FilterVerdict], of filter: Int, isHard: Bool, for indices: [Int]
  ) -> (kept: [Int], removed: Int, unavailable: Int) {
    var result = (kept: [Int](), removed: 0, unavailable: 0)
    result.kept.reserveCapacity(indices.count)
    for (index, verdict) in zip(indices, verdicts) {
      switch verdict {
      case .keep:
        fates[index] = .eligible
        result.kept.append(index)
      case .remove(let reason, let due):
        fates[index] = .removed(filter: filter, reason: reason, due: due)
        result.removed += 1
      case .unavailable where isHard:
        fates[index] = .unavailable(filter: filter)
        result.unavailable += 1
      case .unavailable:
        fates[index] = .eligible
        result.kept.append(index)
        result.unavailable += 1
      }
    }
    return result
  }
}

/// Rows of one table, one bit each.
struct RowSet {
  private var words: [UInt64]

  /// None of `count` rows. O(count / 64).
  init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  /// Adds a row of the table; returns whether it is new. O(1).
  mutating func insert(_ row: Row) -> Bool {
    let bit: UInt64 = 1 << UInt64(row.index % 64)
    let isNew = words[row.index / 64] & bit == 0
    words[row.index / 64] |= bit
    return isNew
  }
}
