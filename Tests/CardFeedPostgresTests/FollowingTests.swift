#if Postgres
  import CardFeed
  import CardFeedTesting
  import Testing

  @testable import CardFeedPostgres

  /// Two servers over one store: what one does to the cards reaches the other.
  @Suite struct FollowingTests {
    private typealias ToyFeed = FeedEngine<ToyDeck, PostgresStore, SystemClock, SplitMix64>

    private func open(_ options: PostgresStore.Options) async throws -> ToyFeed {
      let store = try await PostgresStore.open(options)
      var pipelines = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
      pipelines.source(
        "all",
        ClosureSource { _, _, table, _ in
          SourcePage(rows: (0..<table.count).map { Row($0) }, next: nil)
        })
      return try await ToyFeed.open(
        deck: ToyDeck(isMutual: false), store: store, pipelines: pipelines.buildSet(),
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

    @Test(.timeLimit(.minutes(5))) func aFollowerNeedsNoCalls() async throws {
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
