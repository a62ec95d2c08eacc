internal import CardFeed
internal import CardFeedConfiguration

/// What opening and dealing cost over a store of a certain size.
struct ScaleFigures: Sendable {
  /// Times of one kind of operation, and the statements that the store ran for it.
  struct Series: Sendable {
    private(set) var nanoseconds: [UInt64] = []
    private(set) var statements: [Int] = []

    mutating func add(_ nanoseconds: UInt64, _ statements: Int) {
      self.nanoseconds.append(nanoseconds)
      self.statements.append(statements)
    }

    /// In microseconds.
    func percentile(_ percent: Int) -> Double? {
      let sorted = nanoseconds.sorted()
      return sorted.isEmpty ? nil : Double(sorted[(sorted.count - 1) * percent / 100]) / 1000
    }

    /// The most that one of them took.
    var mostStatements: Int { statements.max() ?? 0 }
  }

  var cards = 0
  var viewers = 0
  var events: Int64 = 0
  var buildSeconds: Double?
  var fileBytes = 0
  var openSeconds = 0.0
  /// Of all processors together.
  var openProcessorSeconds = 0.0
  /// Resident memory that opening added, and what each session added after that.
  var openBytes = 0
  var sessionBytes = 0
  var residentBytes = 0
  /// A viewer who holds a hand and is not in memory; the same again.
  var coldHand = Series()
  var warmHand = Series()
  /// A viewer without a hand who is not in memory; another deal to the same.
  var coldDeal = Series()
  var warmDeal = Series()
}

/// Measures a store that is closed, by opening a feed over it.
struct ScaleMeasure {
  let world: ScaleWorld
  /// How many viewers each figure is measured with.
  let sample: Int

  func run<P: DeckPlugin, Store: FeedStore>(
    _ configuration: FeedConfiguration, deck: P, store: Store, plugins: PluginSet
  ) async throws -> ScaleFigures {
    var figures = ScaleFigures()
    figures.viewers = world.viewers
    let counter = store as? any StatementCounting
    try await counter?.countStatements()
    let clock = SystemClock()
    let before = Machine.residentBytes()
    let start = clock.uptimeNanoseconds
    let processor = Machine.processorSeconds
    let feed = try await FeedBuilder.open(
      configuration, deck: deck, store: store, plugins: plugins, clock: clock)
    figures.openSeconds = Double(clock.uptimeNanoseconds - start) / 1e9
    figures.openProcessorSeconds = Machine.processorSeconds - processor
    let opened = Machine.residentBytes()
    figures.openBytes = opened - before
    figures.cards = feed.cards.count
    figures.events = try await store.lastPosition().rawValue

    func measure(
      _ viewers: Range<Int>, _ series: WritableKeyPath<ScaleFigures, ScaleFigures.Series>,
      _ body: (ViewerID) async throws -> Hand<P.D.Card>
    ) async throws {
      for viewer in viewers {
        let statements = counter?.statementCount ?? 0
        let begin = clock.uptimeNanoseconds
        let hand = try await body(ViewerID(world.id(viewer)))
        figures[keyPath: series].add(
          clock.uptimeNanoseconds - begin, (counter?.statementCount ?? 0) - statements)
        guard !hand.cards.isEmpty else {
          throw FeedError(.badInput, "a measured hand was empty", hint: "use more cards")
        }
      }
    }
    let held = 0..<sample
    let empty = try await withoutHands(store, isMutual: deck.deck.policy.isMutual)
    try await measure(held, \.coldHand) { try await feed.hand(for: $0) }
    figures.sessionBytes = (Machine.residentBytes() - opened) / sample
    try await measure(held, \.warmHand) { try await feed.hand(for: $0) }
    try await measure(empty, \.coldDeal) { try await feed.hand(for: $0) }
    try await measure(empty, \.warmDeal) { try await feed.redeal(for: $0) }
    figures.residentBytes = Machine.residentBytes()
    try await feed.close()
    return figures
  }

  /// Viewers who were never dealt to: an earlier measurement has dealt to some.
  private func withoutHands(
    _ store: some FeedStore, isMutual: Bool
  ) async throws -> Range<Int> {
    for start in stride(from: sample, through: world.viewers - sample, by: sample) {
      let last = ViewerIdentity.stored(
        ViewerID(world.id(start + sample - 1)), isMutual: isMutual)
      guard let number = try await store.numbers(for: [last]).first else { continue }
      let record = try await store.viewer(number, swipes: 0)
      if record.stack == nil { return start..<start + sample }
    }
    throw FeedError(
      .badInput, "every viewer of the store holds a hand", hint: "build it anew")
  }
}
