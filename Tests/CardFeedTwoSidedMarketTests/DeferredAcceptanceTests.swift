import CardFeedTwoSidedMarket
import Testing

@Suite struct DeferredAcceptanceTests {
  /// All pairings of mutually acceptable people, for each proposer the receiver or nil.
  private func pairings(_ proposers: [[Int]], _ receivers: [[Int]]) -> [[Int?]] {
    func extend(_ done: [Int?]) -> [[Int?]] {
      guard done.count < proposers.count else { return [done] }
      let person = done.count
      let partners = proposers[person].filter {
        receivers[$0].contains(person) && !done.contains($0)
      }
      return extend(done + [nil]) + partners.flatMap { extend(done + [$0]) }
    }
    return extend([])
  }

  private func isStable(_ pairing: [Int?], _ proposers: [[Int]], _ receivers: [[Int]]) -> Bool {
    for (proposer, list) in proposers.enumerated() {
      let own = pairing[proposer].flatMap { list.firstIndex(of: $0) } ?? list.count
      for receiver in list.prefix(own) {
        let order = receivers[receiver]
        guard let rank = order.firstIndex(of: proposer) else { continue }
        let held = pairing.firstIndex(of: receiver).flatMap { order.firstIndex(of: $0) }
        if rank < held ?? order.count { return false }
      }
    }
    return true
  }

  @Test(arguments: [UInt64](1...60))
  func theBestStablePairsForProposers(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let sizes = (1 + random.below(4), 1 + random.below(4))
    let lists = (random.lists(sizes.0, of: sizes.1), random.lists(sizes.1, of: sizes.0))
    let proposers = lists.0.arrays
    let receivers = lists.1.arrays
    let pairs = DeferredAcceptance.pairs(proposers: lists.0, receivers: lists.1)
    let stable = pairings(proposers, receivers).filter { isStable($0, proposers, receivers) }
    #expect(stable.contains(pairs.receivers))
    for other in stable {
      for (proposer, list) in proposers.enumerated() {
        let own = pairs.receivers[proposer].flatMap { list.firstIndex(of: $0) } ?? list.count
        let theirs = other[proposer].flatMap { list.firstIndex(of: $0) } ?? list.count
        #expect(own <= theirs)
      }
    }
    for (proposer, receiver) in pairs.receivers.enumerated() {
      if let receiver { #expect(pairs.proposers[receiver] == proposer) }
    }
    #expect(pairs.receivers.count { $0 != nil } == pairs.proposers.count { $0 != nil })
    let single = DeferredAcceptance.lists(
      proposers: lists.0, receivers: lists.1, wanted: 1, cap: 1)
    #expect(single.arrays == pairs.receivers.map { $0.map { [$0] } ?? [] })
  }

  /// The example of Gale & Shapley (1962), page 12: four of each, one stable pairing only.
  @Test func theirExample() {
    let pairs = DeferredAcceptance.pairs(
      proposers: RankedLists([[0, 1, 2, 3], [0, 3, 2, 1], [1, 0, 2, 3], [3, 1, 2, 0]]),
      receivers: RankedLists([[3, 2, 0, 1], [1, 3, 0, 2], [3, 0, 1, 2], [2, 1, 0, 3]]))
    #expect(pairs.receivers == [2, 3, 0, 1])
    #expect(pairs.proposers == [2, 3, 0, 1])
  }

  @Test(arguments: [UInt64](1...40))
  func cappedListsAreStableAndWithinTheCap(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let (n, m) = (2 + random.below(9), 1 + random.below(7))
    let lists = (random.lists(n, of: m), random.lists(m, of: n))
    let likes = random.matrix(n, m)
    let wanted = 1 + random.below(3)
    for (cap, exposure) in [
      (Double(1 + random.below(3)), DeferredAcceptance.Exposure.impressions),
      (0.4 + random.unit(), .expectedLikes(likes)),
    ] {
      func weight(_ proposer: Int, _ receiver: Int) -> Double {
        if case .expectedLikes = exposure { likes[proposer, receiver] } else { 1 }
      }
      let given = DeferredAcceptance.lists(
        proposers: lists.0, receivers: lists.1, wanted: wanted, cap: cap, counting: exposure
      ).arrays
      for receiver in 0..<m {
        let held = (0..<n).filter { given[$0].contains(receiver) }
        #expect(held.reduce(0) { $0 + weight($1, receiver) } <= cap + 1e-12)
      }
      for proposer in 0..<n {
        #expect(given[proposer].count <= wanted)
        #expect(given[proposer] == lists.0.arrays[proposer].filter(given[proposer].contains))
        for receiver in given[proposer] {
          #expect(lists.1.arrays[receiver].contains(proposer))
        }
        // Somebody better who would fit, in the receiver's order, would be a blocking pair.
        let worst = given[proposer].last.flatMap { lists.0.arrays[proposer].firstIndex(of: $0) }
        let isFull = given[proposer].count == wanted
        let better =
          isFull ? lists.0.arrays[proposer].prefix(worst ?? 0) : lists.0.arrays[proposer][...]
        for receiver in better where !given[proposer].contains(receiver) {
          let order = lists.1.arrays[receiver]
          guard let rank = order.firstIndex(of: proposer) else { continue }
          let before = order.prefix(rank).filter { given[$0].contains(receiver) }
          let used = before.reduce(0) { $0 + weight($1, receiver) }
          // Either no room behind those who are preferred, or one of those was turned away already.
          let turnedAway = order.prefix(rank).contains { other in
            !given[other].contains(receiver) && lists.0.arrays[other].contains(receiver)
          }
          #expect(used + weight(proposer, receiver) > cap || turnedAway)
        }
      }
    }
  }

  @Test func aCapInExpectedLikesSparesTheLiked() {
    let everybody = RankedLists([[0, 1], [0, 1], [0, 1], [0, 1]])
    let receivers = RankedLists([[0, 1, 2, 3], [0, 1, 2, 3]])
    let likes = DenseMatrix(rows: 4, columns: 2, values: [0.9, 0.2, 0.9, 0.2, 0.9, 0.2, 0.9, 0.2])
    let given = DeferredAcceptance.lists(
      proposers: everybody, receivers: receivers, wanted: 1, cap: 1,
      counting: .expectedLikes(likes))
    #expect(given.arrays == [[0], [1], [1], [1]])
  }
}
