internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedEventSinks

/// An open feed of one deck and one store.
final class OpenFeed<P: DeckPlugin, Store: FeedStore>: FeedOperations {
  typealias Engine = FeedEngine<P.D, Store, SystemClock, SplitMix64>

  let deck: P
  let feed: Engine
  let store: Store
  let plugins: PluginSet
  let models: ModelReader
  let sink: ServerSentEventSink
  let follower: MatchFollower<Store>
  let texts: CardTexts<P>
  let current: Lock<FeedConfiguration>

  init(
    _ configuration: FeedConfiguration, deck: P, store: Store, plugins: PluginSet,
    models: ModelReader
  ) async throws {
    self.deck = deck
    self.store = store
    self.plugins = plugins
    self.models = models
    feed = try await FeedBuilder.open(
      configuration, deck: deck, store: store, plugins: plugins, clock: SystemClock(),
      models: models)
    current = Lock(configuration)
    texts = CardTexts(deck, capacity: 50_000)
    sink = ServerSentEventSink(
      stream: Self.stream(of: configuration, store), store: store, clock: SystemClock())
    follower = try await MatchFollower(store, to: sink)
  }

  var deckName: String { P.D.name }
  var sessions: Int { feed.sessionsInMemory }
  var subscribers: Int { sink.subscribers }
  var configuration: FeedConfiguration { current.withLock { $0 } }

  func information(named name: String, viewers: [String]) -> JSONValue {
    let answers = P.D.Answer.allCases.map { answer -> JSONValue in
      let meaning =
        switch deck.deck.meaning(of: answer) {
        case .positive: "positive"
        case .neutral: "neutral"
        case .negative: "negative"
        }
      return ["name": JSONValue(answer.rawValue), "meaning": JSONValue(meaning)]
    }
    let hand = configuration.base.hand
    return [
      "name": JSONValue(name), "deck": JSONValue(P.D.name), "answers": JSONValue(answers),
      "cards": JSONValue(feed.cards.count),
      "fingerprint": JSONValue(configuration.fingerprint),
      "hand": [
        "size": JSONValue(hand.size), "refill_below": JSONValue(hand.refillBelow),
        "rewind": JSONValue(hand.rewind),
      ],
      "viewers": JSONValue(viewers.map { JSONValue($0) }),
    ]
  }

  func keepAlive() async {
    async let beats: Void = sink.keepAlive()
    await follower.run()
    await beats
  }

  func endStreams() { sink.close() }

  func close() async throws {
    await follower.close()
    try await feed.close()
  }
}
