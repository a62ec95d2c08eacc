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

    @Test(.timeLimit(.minutes(10))) func aFollowerNeedsNoCalls() async throws {
      try await withStore { options in
        let one = try await open(options)
        let other = try await open(options)
        let following = Task {
          await other.followCards(every: .milliseconds(10)) { Issue.record($0) }
        }
        try await one.put([ToyCard("a")])
        while other.cards.row(of: CardID("a")) == nil {
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
