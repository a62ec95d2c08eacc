extension FeedEngine {
  /// Opens a feed over a store: reads its cards and what its learners know.
  ///
  /// - Parameters:
  ///   - deck: The kind of cards.
  ///   - store: Where they are kept. The feed closes it.
  ///   - pipelines: What decides.
  ///   - states: The learner states with which the pipelines were built.
  ///   - clock: Where the time comes from.
  ///   - options: How the engine runs.
  /// - Throws: What the store throws, and a card's decoding error.
  /// - Complexity: O(cards + events since the learners were last saved).
  public static func open(
    deck: D, store: Store, pipelines: PipelineSet<D>, states: LearnerStates, clock: Clock,
    options: FeedOptions = FeedOptions()
  ) async throws -> FeedEngine {
    let table = try await readCards(of: deck, from: store)
    let engine = FeedEngine(
      deck: deck, store: store, pipelines: pipelines, states: states, clock: clock,
      options: options, table: table)
    for learner in pipelines.learners { try await engine.load(learner) }
    return engine
  }

  /// Reads all cards into one table. Pages are decoded, and their columns filled, beside the reading of
  /// the next ones; at the end they are joined.
  package static func readCards(of deck: D, from store: Store) async throws -> CardTable<D> {
    let pageSize = 10_000
    let decodersAtOnce = 4
    let pages = try await withThrowingTaskGroup(of: CardPage<D>.self) { group in
      var pages: [CardPage<D>] = []
      var last: CardNumber?
      var count = 0
      while true {
        let page = try await store.cards(after: last, limit: pageSize)
        guard let end = page.last?.number else { break }
        last = end
        if count >= decodersAtOnce, let done = try await group.next() { pages.append(done) }
        group.addTask { [count] in try CardPage(count, page, deck: deck) }
        count += 1
      }
      for try await done in group { pages.append(done) }
      return pages.sorted { $0.index < $1.index }
    }
    return await CardTable.joining(pages, deck: deck)
  }
}
