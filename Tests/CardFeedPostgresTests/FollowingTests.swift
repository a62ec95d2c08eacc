#if Postgres
  import CardFeed
  import CardFeedTesting
  import Testing

  @testable import CardFeedPostgres

  /// Two servers over one store: what one does to the cards reaches the other.
  @Suite struct FollowingTests {
    private typealias ToyFeed = FeedEngine<ToyDeck, PostgresStore, SystemClock, SplitMix64>

    private func open(
      _ options: PostgresStore.Options, isMutual: Bool = false
    ) async throws -> ToyFeed {
      let store = try await PostgresStore.open(options)
      var pipelines = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
      pipelines.source(
        "all",
        ClosureSource { _, _, table, _ in
          SourcePage(rows: (0..<table.count).map { Row($0) }, next: nil)
        })
      return try await ToyFeed.open(
        deck: ToyDeck(isMutual: isMutual), store: store, pipelines: pipelines.buildSet(),
        states: LearnerStates(), clock: SystemClock())
    }

    @Test func cardsOfAnotherProcessAreDealtAndWithdrawn() async throws {
      try await withStore { options in
        let one = try await open(options)
        let other = try await open(options)
        #expect(try await other.takeCardChanges(after: 0) == 0)
        try await one.put([ToyCard("a"), ToyCard("b")])
        #expect(try await other.hand(for: "v").cards.isEmpty)
        let first = try await other.takeCardChanges(after: 0)
        #expect(try await other.hand(for: "v").cards.map(\.id).sorted() == ["a", "b"])

        try await one.withdraw(["a"])
        let second = try await other.takeCardChanges(after: first)
        #expect(second > first)
        #expect(try await other.hand(for: "v").cards.map(\.id) == ["b"])
        #expect(try await other.takeCardChanges(after: second) == second)
        try await one.close()
        try await other.close()
      }
    }

    /// What another process erased is in no hand, table or session of this one.
    @Test func peopleWhomAnotherProcessErasedAreForgotten() async throws {
      try await withStore { options in
        let one = try await open(options, isMutual: true)
        let other = try await open(options, isMutual: true)
        try await one.put(["a", "b", "gone"].map { ToyCard(CardID($0)) })
        let first = try await other.takeCardChanges(after: 0)
        #expect(try await other.hand(for: "a").cards.map(\.id).sorted() == ["b", "gone"])
        #expect(try await other.hand(for: "gone").cards.map(\.id).sorted() == ["a", "b"])
        let number = try #require(
          other.cards.row(of: CardID("gone")).map { other.cards.number(at: $0) })

        try await one.erase("gone")
        let second = try await other.takeCardChanges(after: first)
        #expect(second > first)
        #expect(other.cards.row(of: CardID("gone")) == nil)
        #expect(other.cards.row(of: number) == nil)
        #expect(try await other.hand(for: "a").cards.map(\.id) == ["b"])
        // Whoever comes with the identifier is somebody new.
        #expect(try await other.export("gone").number != number)
        #expect(try await other.hand(for: "gone").cards.map(\.id).sorted() == ["a", "b"])
        #expect(try await other.export("gone").deals == 1)
        // Who follows from the beginning is told of it too.
        #expect(try await open(options, isMutual: true).takeCardChanges(after: 0) == second)
        let late = try await PostgresStore.open(options)
        #expect(try await late.check().map(\.description) == [])
        try await late.close()
        try await one.close()
        try await other.close()
      }
    }

    /// A process that has not been told of a pause, a return or an erasure does not undo it.
    @Test func whatAnotherProcessDidIsNotUndone() async throws {
      try await withStore { options in
        let one = try await open(options, isMutual: true)
        try await one.put(["a", "b", "c"].map { ToyCard(CardID($0)) })
        let other = try await open(options, isMutual: true)
        let last = try await other.takeCardChanges(after: 0)
        try await one.withdraw(["a"])
        try await one.erase("b")
        try await other.revise(["a", "b", "c"].map { ToyCard(CardID($0), group: "new") })
        #expect(other.cards.row(of: CardID("b")) == nil)
        #expect(try await other.hand(for: "c").cards.isEmpty)
        try await one.withdraw(["c"])
        try await other.reinstate(["a", "b", "c"])
        #expect(try await other.hand(for: "c").cards.map(\.id) == ["a"])
        #expect(try await one.takeCardChanges(after: last) > last)
        #expect(try await one.hand(for: "c").cards.map(\.card.group) == ["new"])
        let late = try await PostgresStore.open(options)
        let kept = try await late.cards(after: nil, limit: 10)
        #expect(kept.map(\.id) == ["a", "c"])
        #expect(kept.map(\.isWithdrawn) == [false, false])
        #expect(try await late.check().map(\.description) == [])
        try await late.close()
        try await one.close()
        try await other.close()
      }
    }

    /// One process keeps two apart; the other holds the hands of both. What lies between is not sent.
    @Test(arguments: [0, 16])
    func whomAnotherProcessKeepsApartLeavesTheHands(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        let one = try await open(options, isMutual: true)
        try await one.put((1...6).map { ToyCard(CardID("\($0)")) })
        let other = try await open(options, isMutual: true)
        var last = try await other.takePartings(after: nil)
        func hand(_ viewer: ViewerID) async throws -> Set<CardID> {
          Set(try await other.redeal(for: viewer).cards.map(\.id))
        }
        for viewer in ["1", "2", "3", "4"] as [ViewerID] {
          #expect(try await hand(viewer).count == 5)
        }
        for (viewer, card) in [("3", "4"), ("4", "3")] as [(ViewerID, CardID)] {
          let swipe = Swipe(
            viewer: viewer, card: card, answer: ToyAnswer.like, event: EventID("\(viewer) \(card)"))
          _ = try await one.record([RecordedSwipe(swipe)])
        }
        try await one.block("2", by: "1", event: "block")
        #expect(try await one.unmatch("4", by: "3", event: "end") == .applied)
        try await one.report("4", by: "2", event: "report")

        let store = try await PostgresStore.open(options)
        let all = try await store.partings(after: last, limit: 10)
        #expect(all.pairs.count == 3 && !all.hasMore)
        var (pairs, end, hasMore) = ([] as [Partings.Pair], last, true)
        while hasMore {
          let page = try await store.partings(after: end, limit: 1)
          pairs += page.pairs
          (end, hasMore) = (page.end, page.hasMore)
        }
        #expect(pairs == all.pairs && end == all.end)
        try await store.close()

        last = try await other.takePartings(after: last)
        #expect(last >= all.end)
        #expect(try await other.hand(for: "1").cards.map(\.id).sorted() == ["3", "4", "5", "6"])
        #expect(try await other.hand(for: "2").cards.map(\.id).sorted() == ["3", "5", "6"])
        #expect(try await other.hand(for: "3").cards.map(\.id).contains("4") == false)
        #expect(try await other.hand(for: "4").cards.map(\.id).sorted() == ["1", "5", "6"])
        #expect(try await other.takePartings(after: last) >= last)
        try await one.close()
        try await other.close()
      }
    }

    /// A revision beside an erasure: the identifier gets no new number, and nothing comes back.
    @Test func aRevisionNeverMakesSomebodyNew() async throws {
      try await withStore { options in
        let stores = [
          try await PostgresStore.open(options), try await PostgresStore.open(options),
        ]
        for round in 0..<40 {
          let id = CardID("person \(round)")
          let number = try #require(
            try await stores[0].put([StoredCard(id: id, payload: [1])]).first)
          async let erased = stores[0].erase(person: number)
          for _ in 0..<20 {
            let kept = try await stores[1].revise([
              StoredCard(id: id, number: number, payload: [2])
            ])
            if kept == [nil] { break }
            #expect(kept.map { $0?.number } == [number])
          }
          _ = try await erased
          #expect(
            try await stores[1].revise([StoredCard(id: id, number: number, payload: [3])]) == [nil])
        }
        #expect(try await stores[0].cards(after: nil, limit: 10).isEmpty)
        let last = try #require(try await stores[0].numbers(for: ["somebody new"]).first)
        #expect(last == CardNumber(41))
        #expect(try await stores[0].check().map(\.description) == [])
        for store in stores { try await store.close() }
      }
    }

    @Test(.timeLimit(.minutes(10))) func aFollowerNeedsNoCalls() async throws {
      try await withStore { options in
        let one = try await open(options, isMutual: true)
        let other = try await open(options, isMutual: true)
        let following = Task {
          await other.followCards(every: .milliseconds(10)) { Issue.record($0) }
        }
        try await one.put([ToyCard("a")])
        while other.cards.row(of: CardID("a")) == nil {
          try await Task.sleep(for: .milliseconds(5))
        }
        try await one.put([ToyCard("b")])
        while try await other.hand(for: "a").cards.map(\.id) != ["b"] {
          try await Task.sleep(for: .milliseconds(5))
        }
        try await one.block("a", by: "b", event: "block")
        while try await !other.hand(for: "a").cards.isEmpty {
          try await Task.sleep(for: .milliseconds(5))
        }
        following.cancel()
        await following.value
        try await one.close()
        try await other.close()
      }
    }
  }
#endif
