internal import CardFeed
internal import CardFeedConfiguration

/// Fills a store with a made-up world, through the feed alone.
struct ScaleBuild: FeedTask {
  typealias Outcome = Void

  let world: ScaleWorld
  /// Viewers, from the first on, who shall hold a hand at the end.
  let hands: Int
  let context: CommandContext

  func run<P: DeckPlugin, Store: FeedStore>(
    _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
  ) async throws {
    try await putCards(feed, deck: deck)
    guard let like = P.D.Answer(rawValue: "like"), let pass = P.D.Answer(rawValue: "pass") else {
      throw FeedError(.badInput, "the deck '\(P.D.name)' has no answers 'like' and 'pass'")
    }
    let progress = ProgressReporter("swiped", total: world.swipes, context: context)
    // Each viewer's swipes lie together, as those of an evening do. Four at a time share commits.
    let visits = 20
    for round in 0..<world.rounds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (place, first) in stride(from: 0, to: world.viewers, by: visits).enumerated() {
          if place >= 4 { try await group.next() }
          let last = min(first + visits, world.viewers)
          group.addTask {
            let swipes = (first..<last).flatMap { viewer in
              world.swipes(of: viewer, round: round, like: like, pass: pass)
            }
            _ = try await feed.record(swipes)
            progress.advance(by: swipes.count)
          }
        }
        try await group.waitForAll()
      }
    }
    progress.finish()
    for viewer in 0..<hands { _ = try await feed.hand(for: ViewerID(world.id(viewer))) }
  }

  /// Many at once, because each call makes a new table.
  private func putCards<P: DeckPlugin, Store: FeedStore>(
    _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
  ) async throws {
    let progress = ProgressReporter("cards", total: world.cards, context: context)
    let part = 100_000
    for start in stride(from: 0, to: world.cards, by: part) {
      let end = min(start + part, world.cards)
      try await feed.put(try (start..<end).map { try deck.card(from: world.person($0)) })
      progress.advance(by: end - start)
    }
    progress.finish()
  }
}
