import Testing

@testable import CardFeedTwoSidedMarket

@Suite("Pools: the methods by pairs, without matrices")
struct PoolTests {
  private func market(_ left: Int, _ right: Int, _ seed: UInt64) -> TwoSidedMarket {
    var random = TestRandom(seed: seed)
    return random.market(left, right)
  }

  /// Left people are 0 ..< n, right ones follow.
  private func pool(_ market: TwoSidedMarket) -> MatchingPool {
    var pairs: [MatchingPool.Pair] = []
    for left in 0..<market.leftCount {
      for right in 0..<market.rightCount {
        pairs.append(
          MatchingPool.Pair(
            left, market.leftCount + right, likes: market.likes[left, right],
            likesBack: market.likesBack[left, right]))
      }
    }
    return MatchingPool(count: market.leftCount + market.rightCount, pairs: pairs.reversed())
  }

  /// A pool without sides, in which some pairs may meet.
  private func mixed(_ count: Int, _ seed: UInt64, share: Double = 0.6) -> MatchingPool {
    var random = TestRandom(seed: seed)
    var pairs: [MatchingPool.Pair] = []
    for first in 0..<count {
      for second in first + 1..<count where random.unit() < share {
        pairs.append(.init(first, second, likes: random.unit(), likesBack: random.unit()))
      }
    }
    return MatchingPool(count: count, pairs: pairs)
  }

  private func expect(
    _ lists: PoolLists, _ left: RankedLists, _ right: RankedLists,
    at location: SourceLocation = #_sourceLocation
  ) {
    let sides = left.arrays.map { $0.map { $0 + left.count } } + right.arrays
    let found = (0..<lists.count).map { person in lists[person].map(\.member) }
    #expect(found == sides, sourceLocation: location)
    for person in 0..<lists.count {
      let scores = lists[person].map(\.score)
      #expect(zip(scores, scores.dropFirst()).allSatisfy { $0 > $1 }, sourceLocation: location)
    }
  }

  @Test("With two sides the equilibrium is that of the matrices", arguments: [UInt64](1...4))
  func equilibrium(seed: UInt64) {
    let market = market(12, 9, seed)
    for joint in TransferableUtility.JointUtility.allCases {
      let utility = TransferableUtility(beta: 0.5, joint: joint)
      let expected = utility.equilibrium(of: market)
      var found = PoolEquilibrium(pool(market), utility)
      while found.sweep() {}
      #expect(found.isConverged)
      for (one, other) in zip(found.singles, expected.left + expected.right) {
        #expect(abs(one - other) < 1e-8)
      }
      let masses = utility.masses(expected, of: market)
      expect(
        found.lists(length: 12), RankedLists(ranking: masses),
        RankedLists(ranking: masses.transposed()))
    }
  }

  @Test("With two sides the turns are those of the matrices", arguments: [UInt64](1...6))
  func responses(seed: UInt64) {
    let market = market(14, 11, seed)
    let utility = TransferableUtility()
    let expected = BestResponse().lists(
      for: market, from: utility.masses(utility.equilibrium(of: market), of: market))
    let pool = pool(market)
    var equilibrium = PoolEquilibrium(pool, utility)
    while equilibrium.sweep() {}
    var found = PoolResponses(from: equilibrium, of: pool)
    while found.turn() {}
    #expect(found.turns == expected.turns)
    #expect(abs(found.expectedMatches - expected.expectedMatches) < 1e-9)
    expect(found.lists(length: 14), expected.left, expected.right)
  }

  @Test("With two sides the steps are those of the matrices", arguments: [UInt64](1...6))
  func lottery(seed: UInt64) {
    let market = market(13, 10, seed)
    for objective in FairLists.Objective.allCases {
      let expected = FairLists(objective).lottery(for: market)
      var found = PoolLottery(pool(market), FairLists(objective))
      while found.step() {}
      #expect(found.steps == expected.steps)
      #expect(abs(found.expectedMatches - expected.expectedMatches) < 1e-9)
      expect(found.lists(length: 13), expected.lists.left, expected.lists.right)
    }
  }

  @Test("With two sides stable pairs are those of deferred acceptance, whoever proposes")
  func pairs() {
    for seed in UInt64(1)...6 {
      let market = market(9, 12, seed)
      let pool = pool(market)
      func expect(_ lists: PoolLists, _ receivers: [Int?]) {
        for (left, right) in receivers.enumerated() {
          #expect(lists[left].map(\.member) == (right.map { [9 + $0] } ?? []))
        }
      }
      let left = RankedLists(ranking: market.match)
      let right = RankedLists(ranking: market.match.transposed())
      let byMatch = PoolPairs.lists(in: pool)
      expect(byMatch, DeferredAcceptance.pairs(proposers: left, receivers: right).receivers)
      expect(byMatch, DeferredAcceptance.pairs(proposers: right, receivers: left).proposers)
      // The larger side, which is the right one, proposes.
      let byLikes = DeferredAcceptance.pairs(
        proposers: RankedLists(ranking: market.likesBack.transposed()),
        receivers: RankedLists(ranking: market.likes))
      expect(PoolPairs.lists(in: pool, by: .likes), byLikes.proposers)
    }
  }

  @Test("Without sides pairs are mutual, and no two people would rather have each other")
  func stability() {
    for seed in UInt64(1)...10 {
      let pool = mixed(15, seed)
      for preference in PoolPairs.Preference.allCases {
        let lists = PoolPairs.lists(in: pool, by: preference)
        var score = Array(repeating: -1.0, count: pool.count)
        for person in 0..<pool.count {
          guard let partner = lists[person].first else { continue }
          #expect(lists[partner.member].first?.member == person)
          score[person] = partner.score
        }
        for person in 0..<pool.count {
          for entry in pool.entries(of: person) {
            let other = Int(pool.members[entry])
            #expect(pool.match[entry] <= max(score[person], score[other]))
          }
        }
      }
    }
  }

  @Test("Without sides the equilibrium is that of everybody standing on both sides")
  func doubled() {
    let pool = mixed(10, 3, share: 1)
    var pairs: [MatchingPool.Pair] = []
    for person in 0..<10 {
      for entry in pool.entries(of: person) {
        pairs.append(
          .init(
            person, 10 + Int(pool.members[entry]), likes: pool.likes[entry],
            likesBack: pool.likes[Int(pool.mirrors[entry])]))
      }
    }
    var found = PoolEquilibrium(pool)
    while found.sweep() {}
    var both = PoolEquilibrium(MatchingPool(count: 20, pairs: pairs))
    while both.sweep() {}
    #expect(PoolGroups(MatchingPool(count: 20, pairs: pairs)).members.count == 2)
    for (one, other) in zip(found.singles + found.singles, both.singles) {
      #expect(abs(one - other) < 1e-8)
    }
  }

  @Test("Without sides every turn raises the expected matches, and nobody gains alone at the end")
  func poolResponses() {
    for seed in UInt64(1)...6 {
      let pool = mixed(12, seed)
      var equilibrium = PoolEquilibrium(pool)
      while equilibrium.sweep() {}
      var responses = PoolResponses(from: equilibrium, of: pool)
      var last = 0.0
      while responses.turn() {
        #expect(responses.expectedMatches > last)
        last = responses.expectedMatches
      }
      let lists = responses.lists(length: 12)
      var seen = DenseMatrix(rows: 12, columns: 12)
      for person in 0..<12 {
        for (place, entry) in lists[person].enumerated() {
          seen[person, entry.member] = 1 / Double(place + 1)
        }
      }
      for person in 0..<12 {
        let gains = pool.entries(of: person).map { entry in
          pool.match[entry] * seen[Int(pool.members[entry]), person]
        }
        let own = zip(pool.entries(of: person), gains).reduce(0) { sum, pair in
          sum + pair.1 * seen[person, Int(pool.members[pair.0])]
        }
        let best = gains.sorted(by: >).enumerated().reduce(0) { $0 + $1.1 / Double($1.0 + 1) }
        #expect(own >= best - 1e-9)
      }
    }
  }

  @Test("Without sides the welfare of a lottery grows beyond that of chance")
  func poolLottery() {
    let pool = mixed(12, 5)
    var lottery = PoolLottery(pool, FairLists(.nashSocialWelfare))
    _ = lottery.step()
    let first = lottery.expectedMatches
    while lottery.step() {}
    #expect(lottery.expectedMatches > first)
  }

  @Test("Groups keep those who may meet apart; a connected part of two sides has two")
  func groups() {
    let pool = MatchingPool(
      count: 9,
      pairs: [(0, 3), (3, 1), (1, 4), (2, 5), (2, 6), (5, 6), (7, 2)].map {
        MatchingPool.Pair($0.0, $0.1, likes: 1, likesBack: 1)
      })
    let groups = PoolGroups(pool)
    #expect(groups.group == [0, 0, 0, 1, 1, 1, 2, 1, 0])
    #expect(groups.isTwoSided == [true, true, false, true, true, false, false, false, true])
    #expect(groups.part == [0, 0, 2, 0, 0, 2, 2, 2, 8])
    #expect(groups.members == [[0, 1, 2, 8], [3, 4, 5, 7], [6]])
  }

  @Test("Candidates are the likeliest of each, whatever the order of the offers")
  func candidates() {
    var random = TestRandom(seed: 7)
    var offers: [(Int, Int, Double)] = []
    for first in 0..<20 {
      for second in first + 1..<20 { offers.append((first, second, random.unit())) }
    }
    var kept = Set<[Int]>()
    for person in 0..<20 {
      for offer in offers.filter({ $0.0 == person || $0.1 == person })
        .sorted(by: { $0.2 > $1.2 }).prefix(3)
      { kept.insert([offer.0, offer.1]) }
    }
    for order in [offers, offers.reversed()] {
      var candidates = PoolCandidates(count: 20, length: 3)
      for offer in order { candidates.offer(offer.0, offer.1, match: offer.2) }
      let pairs = candidates.pairs().map { [$0.first, $0.second] }
      #expect(Set(pairs) == kept)
      #expect(pairs.count == kept.count)
      #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }
  }

  @Test("A pool of nobody, and one of a single person, have empty lists")
  func empty() {
    for count in 0...1 {
      let pool = MatchingPool(count: count, pairs: [])
      var equilibrium = PoolEquilibrium(pool)
      let needsMore = equilibrium.sweep()
      #expect(!needsMore)
      var responses = PoolResponses(from: equilibrium, of: pool)
      while responses.turn() {}
      var lottery = PoolLottery(pool, FairLists(.nashSocialWelfare))
      while lottery.step() {}
      for lists in [
        responses.lists(length: 3), lottery.lists(length: 3), PoolPairs.lists(in: pool),
      ] {
        #expect(lists.count == count)
        #expect((0..<count).allSatisfy { lists[$0].isEmpty })
      }
    }
  }
}
