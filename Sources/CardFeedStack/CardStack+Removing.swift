extension CardStack {
  /// Removes cards by id, wherever they are. Upcoming cards behind a removed one move up; the swipe
  /// of a removed card disappears from the history, so that a rewind skips it.
  ///
  /// The top position and the generation stay: a decision on a card that is still on top remains
  /// valid.
  ///
  /// - Parameter ids: The ids to remove. Unknown ones are accounted for and are no error.
  /// - Returns: What became of each id.
  /// - Complexity: O(number of ids + upcoming + history), expected.
  @inlinable
  @discardableResult
  public mutating func remove(_ ids: some Sequence<Card.ID>) -> RemovalAccounting<Card.ID> {
    var accounting = RemovalAccounting<Card.ID>()
    for id in ids {
      let bucket = index.bucket(of: id)
      guard let residence = index.buckets[bucket] else {
        accounting.countUnknown(id)
        continue
      }
      if residence.isLeaving {
        accounting.add(duplicates: 1)
      } else if residence.upcoming != nil {
        accounting.add(upcoming: 1)
      } else {
        accounting.add(history: 1)
      }
      index.buckets[bucket]?.isLeaving = true
    }
    if accounting.removedUpcoming + accounting.removedHistory > 0 {
      let before = ring.count
      removeLeavingUpcoming()
      removeLeavingHistory()
      storedCounts.add(removed: before - ring.count)
      if accounting.removedUpcoming > 0 && isEmpty { accounting.noteRanOut() }
    }
    return accounting
  }

  // The gaps are closed from behind here and from the front in the history: so the top, which lies
  // between, keeps its position.
  @inlinable
  mutating func removeLeavingUpcoming() {
    var kept = state.historyCount
    for offset in state.historyCount..<ring.count {
      let id = ring[offset].card.id
      if index.residence(of: id)?.isLeaving == true {
        index.update(id, upcoming: nil)
      } else {
        if kept != offset {
          ring.swapAt(kept, offset)
          index.update(id, upcoming: firstPosition.advanced(by: kept))
        }
        kept += 1
      }
    }
    ring.removeLast(ring.count - kept)
  }

  @inlinable
  mutating func removeLeavingHistory() {
    var kept = state.historyCount
    for offset in (0..<state.historyCount).reversed() {
      let id = ring[offset].card.id
      if index.residence(of: id)?.isLeaving == true {
        index.update(id, upcoming: nil, recordsBy: -1)
      } else {
        kept -= 1
        ring.swapAt(kept, offset)
      }
    }
    ring.removeFirst(kept)
    state.historyCount -= kept
  }
}
