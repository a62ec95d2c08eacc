import CardFeed
import CardFeedBandits
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedReranking
import CardFeedTesting

@testable import CardFeedProduct

typealias ProductFeed = FeedEngine<ProductDeck, InMemoryStore, ManualClock, SplitMix64>

/// A feed of products, with the deck's defaults where `members` say nothing else.
func productFeed(
  _ products: [Product], _ members: JSONObject = [:], regions: any ViewerRegions = UnknownRegions(),
  clock: ManualClock = ManualClock(now: noon)
) async throws -> ProductFeed {
  try await productFeed(products, members, regions: regions, clock: clock, store: InMemoryStore())
}

/// The same over any store.
func productFeed<Store: FeedStore>(
  _ products: [Product], _ members: JSONObject = [:], regions: any ViewerRegions = UnknownRegions(),
  clock: ManualClock = ManualClock(now: noon), store: Store
) async throws -> FeedEngine<ProductDeck, Store, ManualClock, SplitMix64> {
  var object: JSONObject = ["version": 1, "deck": "product"]
  for member in members.members { object[member.key] = member.value }
  let plugins = PluginSet([
    BaselinesPlugin(), BanditsPlugin(), RerankingPlugin(),
    ProductPlugin(regions: regions, vectorDimension: 4),
  ])
  let configuration = try FeedConfiguration(
    JSONValue(object), file: "test.json", plugins: plugins)
  let feed = try await FeedBuilder.open(
    configuration, deck: ProductDeckPlugin(regions: regions, vectorDimension: 4), store: store,
    plugins: plugins, clock: clock)
  try await feed.put(products)
  return feed
}

/// Products "p0", "p1" …
func products(_ count: Int, _ change: (Int, inout Product) -> Void = { _, _ in }) -> [Product] {
  (0..<count).map { index in
    var product = Product(id: CardID("p\(index)"), title: "Product \(index)")
    change(index, &product)
    return product
  }
}

extension FeedEngine where D == ProductDeck {
  /// The products in the hand.
  func shown(_ viewer: ViewerID = "v") async throws -> [CardID] {
    try await hand(for: viewer).cards.map(\.id)
  }

  /// The products in a new hand.
  func dealtAnew(_ viewer: ViewerID = "v") async throws -> [CardID] {
    try await redeal(for: viewer).cards.map(\.id)
  }

  /// Answers the top product and says which it was; nil without one.
  @discardableResult
  func answer(
    _ answer: ProductDeck.Answer, event: String, by viewer: ViewerID = "v"
  ) async throws -> CardID? {
    guard let top = try await hand(for: viewer).cards.first else { return nil }
    let outcome = try await swipe(
      Swipe(viewer: viewer, card: top.id, answer: answer, event: EventID(event)))
    return outcome.receipt == nil ? nil : top.id
  }

  /// Records an answer that was given elsewhere, some days from the noon of the tests.
  func note(
    _ card: CardID, _ answer: ProductDeck.Answer, day: Double, by viewer: ViewerID = "v"
  ) async throws {
    let time = noon.after(days: day)
    let event = EventID("\(card) \(answer) \(time.milliseconds)")
    _ = try await record([
      RecordedSwipe(
        Swipe(viewer: viewer, card: card, answer: answer, event: event, time: time))
    ])
  }

  /// Everything the viewer is dealt until no product comes, each skipped.
  func dealtOut(_ viewer: ViewerID = "v", event: String = "out") async throws -> [CardID] {
    var cards: [CardID] = []
    while let card = try await answer(.skip, event: "\(event) \(cards.count)", by: viewer) {
      cards.append(card)
    }
    return cards
  }
}

let noon = Timestamp(milliseconds: 1_767_268_800_000)
let day: Int64 = Timestamp.day
