internal import CardFeedStack

/// The feed: one implementation for every deck, store, clock and generator.
///
/// Same configuration, log, clock and seed give the same hands, bit for bit, as long as the
/// operations come in the same order. Keep one engine for one store: hands live in its sessions.
public final class FeedEngine<
  D: Deck, Store: FeedStore, Clock: FeedClock, Generator: SeededGenerator
>: Feed {
  /// One thing that can be dealt.
  public typealias Card = D.Card
  /// What a viewer can say to it.
  public typealias Answer = D.Answer

  let deck: D
  let store: Store
  let clock: Clock
  let options: FeedOptions
  let catalogue: CardCatalogue<D>
  let sessions: SessionCache
  let broadcast = OutcomeBroadcast()
  let states: LearnerStates
  /// Saving what learners know, and whatever takes events out of the log, one after the other: a
  /// blob says up to which event it counts, and nothing may be removed behind it meanwhile.
  let learnerSaves = SerialLane()
  /// Impressions are counted one after the other.
  let counting = SerialLane()
  /// Events that were learned since the learners were last saved.
  let unsaved = Lock(0)
  let current: Lock<PipelineSet<D>>
  /// What teaches learners shares it, from the question what there is to learn until it is learned; a
  /// reload closes it for the moment in which it swaps them.
  let teaching = SharedGate()
  /// The last event that this feed was taught by.
  let lastTaught = Lock(LogPosition.start)
  /// Reloads one after the other.
  let reloads = SerialLane()
  /// Trainings one after the other.
  let trainings = SerialLane()
  /// Who was erased while a training ran; nil while none runs.
  let erasedDuringTraining = Lock<[CardID]?>(nil)

  init(
    deck: D, store: Store, pipelines: PipelineSet<D>, states: LearnerStates, clock: Clock,
    options: FeedOptions, table: CardTable<D>
  ) {
    self.deck = deck
    self.store = store
    self.clock = clock
    self.options = options
    self.states = states
    catalogue = CardCatalogue(table)
    sessions = SessionCache(capacity: options.sessions)
    current = Lock(pipelines)
  }

  /// The pipelines that deal now.
  public var pipelines: PipelineSet<D> { current.withLock { $0 } }

  /// The cards as they are now.
  public var cards: CardTable<D> { catalogue.table }

  /// How many viewers' sessions are in memory at this moment.
  public var sessionsInMemory: Int { sessions.count }

  /// What happens from now on.
  public var outcomes: AsyncStream<FeedOutcome> { broadcast.stream() }

  /// Adds cards, or replaces those with the same identity; who was withdrawn is back with it.
  /// O(cards in the deck) for each call, so give many at once.
  ///
  /// - Throws: What the store throws; `FeedError.Code.badInput` if, in a deck of things, an identity
  ///   begins as those of viewers do in a store, with a zero byte and `viewer:`.
  public func put(_ cards: [D.Card]) async throws {
    try await catalogue.update { table in
      let given = try cards.map { try stored($0) }
      let kept = try await store.put(given, at: clock.now)
      let placed = placed(cards, kept)
      let end = try await endOfLog(ifWithdrawn: placed.map(\.number), in: table)
      return table.putting(placed, deck: deck, end: end)
    }
  }

  /// Saves what learners know, ends the outcome streams and closes the store.
  public func close() async throws {
    try await saveLearners()
    broadcast.finish()
    try await store.close()
  }
}

extension FeedEngine {
  /// The learners' numbers; build pipelines for `reload` with them, so that nothing is forgotten.
  public var learnerStates: LearnerStates { states }

  /// The safety data of the feed's store.
  public var safety: StoreSafety<Store> { StoreSafety(store) }
}
