#if Postgres
  import CardFeed
  import CardFeedTesting
  import Testing

  @testable import CardFeedPostgres

  /// Age-out, erasure and export beside the deals and swipes of other processes.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct RemovalRaceTests {
    private static let old: Int64 = 1_000
    private static let new: Int64 = 9_000
    private static let bound = Timestamp(milliseconds: 5_000)

    private func delta(_ viewer: CardNumber, _ card: CardNumber) -> [LearnerDelta] {
      [
        LearnerDelta(
          learner: "elo",
          increments: [
            Increment(LearnedKey(owner: viewer, slot: 0), 3),
            Increment(LearnedKey(owner: card, slot: 0), -2),
            Increment(LearnedKey(owner: nil, slot: 0), 1),
          ])
      ]
    }

    private func number(_ value: Int) -> CardNumber { CardNumber(Int64(value)) }

    /// Eight viewers with old passes and old likes. Meanwhile two processes fold, two others answer:
    /// the liked people like back, the viewers go on and take back. A like ends as one of two: as a
    /// match, or folded.
    @Test(arguments: [0, 16])
    func anAgeOutBesideSwipesLosesAndDoublesNothing(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        let stores = [
          try await PostgresStore.open(options), try await PostgresStore.open(options),
        ]
        let viewers = (0..<8).map { number(40 * $0 + 20) }
        // Of smaller and of greater numbers than the viewer's.
        func liked(_ viewer: CardNumber) -> [CardNumber] {
          [-6, -5, -4, 4, 5, 6].map { CardNumber(viewer.rawValue + $0) }
        }
        func passed(_ viewer: CardNumber) -> [CardNumber] {
          [-9, -8, -7, 7, 8, 9].map { CardNumber(viewer.rawValue + $0) }
        }
        for viewer in viewers {
          _ = try await stores[0].commit(
            liked(viewer).map {
              swipe(viewer, $0, "like \($0)", at: Self.old, learned: delta(viewer, $0))
            }
              + passed(viewer).map {
                swipe(viewer, $0, "pass \($0)", .negative, at: Self.old, learned: delta(viewer, $0))
              })
        }
        var expected: [LearnedKey: Int64] = [:]
        func expect(_ viewer: CardNumber, _ card: CardNumber) {
          for increment in delta(viewer, card)[0].increments {
            expected[increment.key, default: 0] += increment.amount
          }
        }
        for viewer in viewers { (liked(viewer) + passed(viewer)).forEach { expect(viewer, $0) } }
        for viewer in viewers { liked(viewer).forEach { expect($0, viewer) } }

        let (reports, matched) = try await withThrowingTaskGroup(of: Outcome.self) { group in
          for store in stores {
            group.addTask {
              var reports: [AgeOutReport] = []
              for _ in 0..<4 {
                reports.append(
                  try await store.ageOut(
                    negativesBefore: Self.bound, unansweredLikesBefore: Self.bound))
              }
              return .folded(reports)
            }
            group.addTask {
              for _ in 0..<6 { try await saveBlob(of: "elo", in: store) }
              return .folded([])
            }
          }
          for (place, viewer) in viewers.enumerated() {
            let store = stores[place % 2]
            group.addTask {
              var made: [Pair] = []
              for card in liked(viewer) {
                let back = swipe(card, viewer, "back", at: Self.new, learned: delta(card, viewer))
                if try await store.commit([back]).contains(where: isNewMatch) {
                  made.append(Pair(viewer, card))
                }
              }
              return .matched(made)
            }
            group.addTask {
              for card in passed(viewer) {
                let like = swipe(viewer, card, "again \(card)", at: Self.new)
                guard case .applied(let receipt) = try await store.commit([like])[0] else {
                  Issue.record("a new like was not applied")
                  continue
                }
                let rewind = try await store.commit(
                  RewindCommand(
                    viewer: viewer, event: EventID("back \(card)"), swipe: receipt.event,
                    time: Timestamp(milliseconds: Self.new),
                    stack: StoredStack(generation: 0, top: 0, imageStart: 0, image: [])))
                guard case .applied(_, _, let restored, _, false) = rewind else {
                  Issue.record("a rewind was answered with \(rewind)")
                  continue
                }
                #expect(restored?.answer?.answer == "pass")
              }
              return .matched([])
            }
          }
          var reports: [AgeOutReport] = []
          var matched: Set<Pair> = []
          for try await outcome in group {
            switch outcome {
            case .folded(let new): reports += new
            case .matched(let pairs): matched.formUnion(pairs)
            }
          }
          return (reports, matched)
        }
        let last = try await stores[0].ageOut(
          negativesBefore: Self.bound, unansweredLikesBefore: Self.bound)
        let all = reports + [last]
        #expect(all.reduce(0) { $0 + $1.negatives } == 8 * 6, "passes folded")
        // A like that was answered before it was folded stands, matched.
        #expect(all.reduce(0) { $0 + $1.likes } == 8 * 6 - matched.count, "likes folded")
        for viewer in viewers {
          let seen = try await stores[1].viewer(viewer, swipes: 9).seen
          #expect(seen.keys.sorted() == (liked(viewer) + passed(viewer)).sorted())
          for card in passed(viewer) {
            #expect(seen[card]?.answer?.event == .start && seen[card]?.answer?.answer == "pass")
          }
          for card in liked(viewer) {
            let isMatched = matched.contains(Pair(viewer, card))
            #expect((seen[card]?.answer?.event == .start) == !isMatched)
            #expect(seen[card]?.answer?.answer == "like")
          }
          #expect(
            Set(try await stores[0].matches(of: viewer).map { Pair($0.low, $0.high) })
              == Set(liked(viewer).map { Pair(viewer, $0) }).intersection(matched))
        }
        #expect(try await learned("elo", stores[0]) == expected)
        try await saveBlob(of: "elo", in: stores[0])
        #expect(try await learned("elo", stores[1]) == expected)
        #expect(try await stores[0].check().map(\.description) == [])
        for store in stores { try await store.close() }
      }
    }

    private enum Outcome {
      case folded([AgeOutReport])
      case matched([Pair])
    }

    /// Twelve people, of whom three are erased by two processes while everybody likes everybody,
    /// deals, blocks, takes back and is put again.
    @Test(arguments: [0, 16])
    func anErasureBesideEverythingLeavesNoTraceAndNothingElseIsLost(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        let stores = [
          try await PostgresStore.open(options), try await PostgresStore.open(options),
        ]
        let ids = (1...12).map { CardID("person \($0)") }
        let people = try await stores[0].numbers(for: ids)
        _ = try await stores[0].put(ids.map { StoredCard(id: $0, payload: [1]) })
        let gone: Set = [people[1], people[5], people[11]]
        // An age-out before: what it keeps of the erased must go as well.
        _ = try await stores[0].commit(
          people.map { viewer in
            let card = people[(Int(viewer.rawValue) + 4) % 12]
            return swipe(viewer, card, "old", .negative, at: 1, learned: delta(viewer, card))
          })
        _ = try await stores[1].ageOut(negativesBefore: Self.bound, unansweredLikesBefore: nil)

        let receipts = try await withThrowingTaskGroup(of: [Receipt].self) { group in
          for (place, person) in gone.sorted().enumerated() {
            group.addTask {
              _ = try await stores[place % 2].erase(person: person)
              return []
            }
          }
          for (place, viewer) in people.enumerated() {
            let store = stores[place % 2]
            group.addTask {
              var applied: [Receipt] = []
              for card in people where card != viewer {
                let command = swipe(
                  viewer, card, "like \(card)", at: Self.new, learned: delta(viewer, card))
                if case .applied(let receipt) = try await store.commit([command])[0] {
                  applied.append(Receipt(pair: Pair(viewer, card), viewer: viewer, receipt))
                }
              }
              return applied
            }
            group.addTask {
              for card in people where card != viewer {
                try await disturb(viewer, card, in: store)
              }
              _ = try await store.put([StoredCard(id: ids[place], payload: [2])])
              return []
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
        // Erased in the meantime or not: what is left is what those who stayed did with each other.
        let stayed = receipts.filter { !gone.contains($0.pair.low) && !gone.contains($0.pair.high) }
        #expect(stayed.count == 9 * 8)
        let events = try await stores[1].events(after: .start, limit: 100_000)
        let likes = events.filter { $0.kind == .swipe && $0.answer == "like" }
        #expect(Set(likes.map(\.position)) == Set(stayed.map(\.receipt.event)))
        for person in gone {
          let left = events.filter { $0.viewer == person || $0.card == person }
          #expect(left.map(\.kind) == [.erasure])
        }
        let made = stayed.filter { $0.receipt.match == $0.receipt.event }
        #expect(Set(made.map(\.pair)).count == 9 * 8 / 2)
        #expect(made.count == 9 * 8 / 2)
        let numbers = try await learned("elo", stores[0])
        #expect(!numbers.keys.contains { $0.owner.map(gone.contains) ?? false })
        // Twelve old passes, and the likes: what an erased viewer did with an erased card is gone
        // from the sum of the deck no more than anything else that was learned.
        #expect(numbers[LearnedKey(owner: nil, slot: 0)] == Int64(12 + receipts.count))
        let cards = try await stores[0].cards(after: nil, limit: 99).compactMap(\.number)
        #expect(cards.filter { $0.rawValue <= 12 } == people.filter { !gone.contains($0) })
        #expect(try await stores[0].ids(for: gone.sorted()) == [nil, nil, nil])
        #expect(try await stores[0].check().map(\.description) == [])
        for store in stores { try await store.close() }
      }
    }

    private struct Receipt: Sendable {
      let pair: Pair
      let viewer: CardNumber
      let receipt: StoredReceipt

      init(pair: Pair, viewer: CardNumber, _ receipt: StoredReceipt) {
        self.pair = pair
        self.viewer = viewer
        self.receipt = receipt
      }
    }

    /// An impression, a deal and a stack.
    private func disturb(
      _ viewer: CardNumber, _ card: CardNumber, in store: PostgresStore
    ) async throws {
      let time = Timestamp(milliseconds: Self.new)
      _ = try await store.recordImpression(
        viewer: viewer, card: card, event: EventID("shown \(card)"), time: time)
      let stack = StoredStack(generation: 0, top: 0, imageStart: 0, image: [1])
      _ = try await store.commit(
        DealCommand(
          viewer: viewer, time: time, fingerprint: "print",
          exposures: [
            Exposure(card: card, position: 0, score: 1, probability: nil, propensity: 1)
          ], stack: { _ in stack }))
      try await store.save(stack, of: viewer)
    }

    /// A viewer is dealt and answers all the time; each export holds as many of one as of the other.
    @Test func anExportIsOfOneState() async throws {
      try await withStore(partitions: 16) { options in
        let stores = [
          try await PostgresStore.open(options), try await PostgresStore.open(options),
        ]
        let viewer = CardNumber(7)
        let isOver = Lock(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            for round in 0..<60 {
              let cards = [number(100 + 2 * round), number(101 + 2 * round)]
              let time = Timestamp(milliseconds: Int64(round))
              let top = Int64(2 * round)
              let decision = try await stores[0].commit(
                DealCommand(
                  viewer: viewer, time: time, fingerprint: "print",
                  exposures: cards.enumerated().map { place, card in
                    Exposure(
                      card: card, position: place, score: 1, probability: nil, propensity: 1)
                  },
                  stack: { _ in
                    StoredStack(generation: 0, top: top, imageStart: top, image: [0, 0])
                  }))
              guard case .dealt(let deal) = decision else {
                Issue.record("a deal was answered with \(decision)")
                return
              }
              for (place, card) in cards.enumerated() {
                let command = SwipeCommand(
                  viewer: viewer, card: card, event: EventID("\(card)"), answer: "like",
                  meaning: .positive, time: time,
                  expectation: .top(generation: 0, position: top + Int64(place)), deal: deal,
                  compatibility: nil, remaining: 0, matchRule: MutualLike(),
                  learned: delta(viewer, card))
                _ = try await stores[0].commit([command])
              }
            }
            isOver.withLock { $0 = true }
          }
          group.addTask {
            var isLast = false
            while !isLast {
              isLast = isOver.withLock { $0 }
              let export = try await stores[1].export(person: viewer)
              let swipes = Int64(export.events.count { $0.kind == .swipe })
              let deals = export.events.count { $0.kind == .deal }
              #expect(export.deals == Int64(deals))
              #expect(export.exposures.count == 2 * deals)
              #expect(export.seen.count == 2 * deals)
              #expect(export.seen.values.count { $0.answer != nil } == Int(swipes))
              #expect(export.stack?.top ?? 0 == swipes)
              #expect((export.learned["elo"]?.first?.amount ?? 0) == 3 * swipes)
            }
          }
          try await group.waitForAll()
        }
        #expect(try await stores[1].export(person: viewer).events.count == 180)
        for store in stores { try await store.close() }
      }
    }
  }

  /// What a feed does to save what a learner knows.
  func saveBlob(of learner: String, in store: PostgresStore) async throws {
    let end = try await store.lastPosition()
    let blob = try await store.learnerBlob(learner)
    var sums: [LearnedKey: Int64] = [:]
    for increment in blob?.numbers ?? [] { sums[increment.key, default: 0] += increment.amount }
    let deltas = try await store.learnerDeltas(
      of: learner, after: blob?.position ?? .start, limit: 1_000_000)
    for delta in deltas where delta.position <= end {
      for increment in delta.increments { sums[increment.key, default: 0] += increment.amount }
    }
    try await store.save(
      LearnerBlob(position: end, stride: 1, numbers: sums.map { Increment($0.key, $0.value) }),
      of: learner)
  }
#endif
