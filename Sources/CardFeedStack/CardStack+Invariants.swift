extension CardStack {
  /// What is wrong inside the stack, one sentence each; empty when all is well.
  package var brokenInvariants: [String] {
    var broken = ring.brokenInvariants
    func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
      if !condition { broken.append(sentence()) }
    }
    require(
      state.historyCount >= 0 && state.historyCount <= Swift.min(historyLimit, ring.count),
      "the history is longer than its limit")
    guard broken.isEmpty else { return broken }

    require(
      ring.start == RingSlot(of: firstPosition.value, capacity: ring.capacity),
      "the slots do not match the positions")
    require(
      storedCounts.offered + storedCounts.recirculated
        == upcomingCount + historyCount + storedCounts.evicted + storedCounts.removed,
      "the counts do not add up")
    require(top?.id == upcoming.first?.id, "the top is not the first upcoming card")

    var ids: [Card.ID: (upcoming: Int, records: Int)] = [:]
    for offset in ring.indices {
      let entry = ring[offset]
      let isPast = offset < state.historyCount
      require((entry.swipe != nil) == isPast, "offset \(offset) is on the wrong side of the top")
      require(policy == .loop || entry.lap == 0, "a card has a lap in a stack that does not loop")
      ids[entry.card.id, default: (0, 0)].upcoming += isPast ? 0 : 1
      ids[entry.card.id, default: (0, 0)].records += isPast ? 1 : 0
      let residence = index.residence(of: entry.card.id)
      require(residence != nil, "the id at offset \(offset) is not in the index")
      if !isPast {
        require(
          residence?.upcoming == firstPosition.advanced(by: offset),
          "the index has another position for the id at offset \(offset)")
      }
    }
    for (id, places) in ids {
      require(places.upcoming <= 1, "an id is upcoming twice")
      require(
        policy == .loop || places.upcoming + places.records == 1,
        "an id is held twice in a stack that does not loop")
      let residence = index.residence(of: id)
      require(residence.map { Int($0.records) } == places.records, "records are miscounted")
      require(residence?.isLeaving != true, "an id is marked as leaving between operations")
    }
    require(index.count == ids.count, "the index holds ids that the stack does not hold")
    require(
      index.buckets.count(where: { $0 != nil }) == index.count, "the index is miscounted")

    var least = 0
    for record in history {
      require(record.sequence >= least, "sequence numbers do not increase")
      least = record.sequence + 1
    }
    require(state.nextSequence >= least, "the next sequence number is taken")
    return broken
  }

  /// Traps with the reason if the stack's bookkeeping contradicts itself. For tests.
  ///
  /// - Complexity: O(capacity + historyLimit), expected.
  public func checkInvariants() {
    let broken = brokenInvariants
    precondition(broken.isEmpty, "CardStack is corrupt: \(broken.joined(separator: "; "))")
  }
}
