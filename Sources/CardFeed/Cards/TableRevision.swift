/// Which snapshot of a card table it is: what a strategy that keeps something of the cards, such as
/// an index, remembers of the snapshot it was made from. It keeps no card alive.
public struct TableRevision: Hashable, Sendable {
  let lineage: TableLineage
  let version: UInt64

  /// Whether this snapshot came after another one of the same table.
  public func isLater(than other: TableRevision) -> Bool {
    lineage == other.lineage && version > other.version
  }
}

/// One card table over its time: snapshots that were made from each other share it.
final class TableLineage: Hashable, Sendable {
  static func == (left: TableLineage, right: TableLineage) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CardTable {
  /// Which snapshot this is.
  public var revision: TableRevision {
    TableRevision(lineage: index.lineage, version: index.version)
  }

  /// The rows that may look different from what they were in an earlier snapshot, ascending: those
  /// of cards that were added, put again, withdrawn, reinstated or erased since.
  ///
  /// O(rows), a comparison of numbers for each.
  ///
  /// - Parameter earlier: The revision of the earlier snapshot.
  /// - Returns: Nil when that was no earlier snapshot of this table, so that all of it may differ.
  public func rows(changedSince earlier: TableRevision) -> [Row]? {
    guard earlier.lineage == index.lineage, earlier.version <= index.version else { return nil }
    return index.rows(changedSince: earlier.version)
  }
}

extension CardTableIndex {
  fileprivate func rows(changedSince earlier: UInt64) -> [Row] {
    guard earlier < version else { return [] }
    var changed = Set(withdrawals.lazy.filter { $0.value > earlier }.map(\.key))
    for (row, version) in changes.enumerated() where version > earlier { changed.insert(row) }
    return changed.sorted().map(Row.init)
  }
}
