/// Stable pairs and capped exposure by deferred acceptance.
///
/// Proposers go down their lists; receivers hold the best of what was proposed to them and turn the
/// rest away for good. Lists may be incomplete: who is not listed is not acceptable. In the lists
/// equal scores stand in the order of numbers (`RankedLists(ranking:)`), so every tie is decided
/// and the outcome is one.
///
/// Source: Gale & Shapley, "College Admissions and the Stability of Marriage", American Mathematical
/// Monthly 69 (1), 1962. The outcome does not depend on the order of proposals, and of all stable
/// outcomes it is the best for every proposer.
public enum DeferredAcceptance {
  /// Pairs of proposers and receivers, each in one pair at most.
  public struct Pairs: Equatable, Sendable {
    /// For each proposer the receiver, or nil.
    public let receivers: [Int?]
    /// For each receiver the proposer, or nil.
    public let proposers: [Int?]
  }

  /// Stable pairs: no proposer and receiver who list each other both prefer each other to what they
  /// have.
  ///
  /// - Parameters:
  ///   - proposers: The proposing side's lists.
  ///   - receivers: The other side's lists.
  /// - Complexity: O(entries · log k) for lists of k entries.
  public static func pairs(proposers: RankedLists, receivers: RankedLists) -> Pairs {
    let held = hold(
      proposers: proposers, receivers: receivers, wanted: 1, cap: 1, weight: { _, _ in 1 })
    var result = Array(repeating: Int?.none, count: proposers.count)
    let proposersOf = held.map { $0.first?.proposer }
    for (receiver, proposer) in proposersOf.enumerated() {
      if let proposer { result[proposer] = receiver }
    }
    return Pairs(receivers: result, proposers: proposersOf)
  }

  /// What counts as exposure of a receiver.
  public enum Exposure: Sendable {
    /// Each list that a receiver stands in counts 1.
    case impressions
    /// A list counts P(its owner likes the receiver), a row for each proposer: who is liked by
    /// nearly everybody is full sooner, which keeps likes within what the receiver can answer.
    /// The idea of a limit in expected likes: Sekiya, Otani et al. 2026 (arXiv 2602.19689).
    case expectedLikes(DenseMatrix)
  }

  /// Lists under a cap: every receiver stands in lists of proposers up to `cap`, and in those of the
  /// proposers it lists first.
  ///
  /// A receiver holds its proposals in the order of its list up to the first that does not fit any
  /// more; a lighter one behind that is not taken either. With that rule a longer list of proposals
  /// never brings a rejected one back, so rejections are final and the outcome is stable: a proposer
  /// with room left, or with somebody worse in the list, is not preferred by a receiver who turned
  /// them away.
  ///
  /// - Parameters:
  ///   - proposers: Whom each proposer would like to see, best first.
  ///   - receivers: By whom each receiver would like to be seen, best first.
  ///   - wanted: How many receivers a proposer's list has at most.
  ///   - cap: The greatest exposure of a receiver. A single list that counts more is never given.
  ///   - exposure: What counts.
  /// - Returns: The proposers' lists, in their own order.
  /// - Complexity: O(entries · (log k + c)) where a receiver stands in c lists.
  public static func lists(
    proposers: RankedLists, receivers: RankedLists, wanted: Int, cap: Double,
    counting exposure: Exposure = .impressions
  ) -> RankedLists {
    precondition(wanted >= 0, "A list has 0 places or more; got \(wanted).")
    precondition(cap >= 0 && !cap.isNaN, "A cap is 0 or more; got \(cap).")
    let held = hold(
      proposers: proposers, receivers: receivers, wanted: wanted, cap: cap
    ) { proposer, receiver in
      switch exposure {
      case .impressions: 1
      case .expectedLikes(let likes): likes[proposer, receiver]
      }
    }
    var given = Array(repeating: Set<Int32>(), count: proposers.count)
    for (receiver, held) in held.enumerated() {
      for proposal in held { given[proposal.proposer].insert(Int32(receiver)) }
    }
    return RankedLists(
      (0..<proposers.count).map { proposer in
        proposers[proposer].filter { given[proposer].contains($0) }.map(Int.init)
      })
  }

  private struct Proposal {
    let proposer: Int
    let rank: Int
    let weight: Double
  }

  /// For each receiver the held proposals, best first.
  private static func hold(
    proposers: RankedLists, receivers: RankedLists, wanted: Int, cap: Double,
    weight: (_ proposer: Int, _ receiver: Int) -> Double
  ) -> [[Proposal]] {
    let ranks = InvertedRanks(receivers)
    var held = Array(repeating: [Proposal](), count: receivers.count)
    // The best rank that was turned away for lack of room; nobody behind it comes in any more.
    var closed = Array(repeating: Int.max, count: receivers.count)
    var next = Array(repeating: 0, count: proposers.count)
    var open = Array(repeating: wanted, count: proposers.count)
    var waiting = Array((0..<proposers.count).reversed())
    while let proposer = waiting.popLast() {
      let list = proposers[proposer]
      while open[proposer] > 0, next[proposer] < list.count {
        let receiver = Int(list[list.startIndex + next[proposer]])
        next[proposer] += 1
        precondition(
          receiver < receivers.count,
          "A list names person \(receiver) of a side of \(receivers.count) people.")
        let exposure = weight(proposer, receiver)
        guard let rank = ranks.rank(of: proposer, in: receiver), rank < closed[receiver],
          exposure <= cap
        else { continue }
        let proposal = Proposal(proposer: proposer, rank: rank, weight: exposure)
        let place = held[receiver].firstIndex { $0.rank > rank } ?? held[receiver].count
        held[receiver].insert(proposal, at: place)
        open[proposer] -= 1
        for rejected in trim(&held[receiver], to: cap) {
          closed[receiver] = min(closed[receiver], rejected.rank)
          open[rejected.proposer] += 1
          if rejected.proposer != proposer { waiting.append(rejected.proposer) }
        }
      }
    }
    return held
  }

  /// Keeps proposals as long as their weights fit; returns the others.
  private static func trim(_ held: inout [Proposal], to cap: Double) -> ArraySlice<Proposal> {
    var total = 0.0
    for (index, proposal) in held.enumerated() {
      total += proposal.weight
      if total > cap {
        let rejected = held[index...]
        held.removeSubrange(index...)
        return rejected
      }
    }
    return []
  }
}

/// At which place each person stands in the lists of others. O(entries) memory.
private struct InvertedRanks {
  private let lists: RankedLists
  private let members: [Int32]
  private let ranks: [Int32]

  init(_ lists: RankedLists) {
    self.lists = lists
    var members: [Int32] = []
    var ranks: [Int32] = []
    members.reserveCapacity(lists.entryCount)
    ranks.reserveCapacity(lists.entryCount)
    for person in 0..<lists.count {
      let list = Array(lists[person])
      for place in list.indices.sorted(by: { list[$0] < list[$1] }) {
        members.append(list[place])
        ranks.append(Int32(place))
      }
    }
    self.members = members
    self.ranks = ranks
  }

  /// Binary search in the person's members. O(log k).
  func rank(of member: Int, in person: Int) -> Int? {
    var low = lists.start(of: person)
    let end = low + lists[person].count
    var high = end
    while low < high {
      let middle = (low + high) / 2
      if Int(members[middle]) < member { low = middle + 1 } else { high = middle }
    }
    guard low < end, Int(members[low]) == member else { return nil }
    return Int(ranks[low])
  }
}
