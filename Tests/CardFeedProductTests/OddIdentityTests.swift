import CardFeed
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedProduct

/// Catalogues come from anywhere: identities are bytes, and come back as they went in.
@Suite("Identities of any kind")
struct OddIdentityTests {
  private static let names = [
    "\u{e9}", "e\u{301}", "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}",
    "\u{1F469}\u{1F469}\u{1F467}", "", String(repeating: "x", count: 10_240), "a/b", "a\u{0}b",
    "a", "\u{0}", " a", "A", "a\nb", "\"", "\u{0}viewer", "-0", "0",
  ]

  @Test func theyComeBackByteForByte() throws {
    let deck = ProductDeck(vectorDimension: 4)
    for name in Self.names {
      let product = Product(id: CardID(name), title: "t")
      let back = try deck.decode(deck.encode(product))
      #expect(back.id.bytes == Array(name.utf8))
      // Also as a line of a file.
      let reading = CardReader(ProductDeckPlugin()).read(product.json.bytes())
      #expect(reading.problems.isEmpty)
      #expect(reading.cards.map(\.id.bytes) == [Array(name.utf8)])
    }
  }

  @Test func eachIsACardAndAViewerOfItsOwn() async throws {
    let all = Self.names.map { Product(id: CardID($0), title: "t") }
    let feed = try await productFeed(all, ["hand": ["size": 40, "refillBelow": 40]])
    let ids = all.map(\.id)
    #expect(Set(ids).count == Self.names.count)
    #expect(Set(try await feed.shown()) == Set(ids))
    for (index, id) in ids.enumerated() {
      // A viewer who is called like a product is somebody else, and may buy it.
      #expect(try await feed.shown(id).count == ids.count)
      try await feed.note(id, .buy, day: 0, by: id)
      #expect(try await feed.matches(of: id) == [id])
      let rest = try await feed.dealtAnew(id)
      #expect(rest.count == ids.count - 1)
      #expect(!rest.contains(id), "the product of index \(index)")
    }
    // Nobody else has bought anything.
    #expect(try await feed.matches(of: "somebody").isEmpty)
  }

  /// Under such an identity a store knows the viewer "v": a card with it would share the number.
  @Test func noCardIsTakenForAViewer() async throws {
    let taken = CardID("\u{0}viewer:v")
    let feed = try await productFeed(products(2))
    _ = try await feed.hand(for: "v")
    let card = Product(id: taken, title: "t")
    for body in [
      { try await feed.put([Product(id: "new", title: "t"), card]) },
      { try await feed.revise([card]) },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: FeedError.self) { try await body() }
      #expect(error?.code == .badInput)
      #expect(error?.description.contains("begins with a zero byte and 'viewer:'") == true)
    }
    #expect(feed.cards.count == 2, "a part of what was refused is kept")
    // Viewers may be called so: their identities get the bytes in front.
    #expect(try await feed.hand(for: taken).cards.count == 2)
  }

  /// An event is its viewer's and its bytes.
  @Test func eventsAreBytesToo() async throws {
    let feed = try await productFeed(products(30))
    for name in Self.names where !name.isEmpty {
      let top = try #require(try await feed.hand(for: "v").cards.first)
      let swipe = Swipe<ProductDeck.Answer>(
        viewer: "v", card: top.id, answer: .save, event: EventID(name))
      guard case .applied(let receipt, _) = try await feed.swipe(swipe),
        case .repeated(let again) = try await feed.swipe(swipe)
      else {
        Issue.record("an event of \(name.utf8.count) bytes does not count exactly once")
        continue
      }
      #expect(receipt == again)
    }
    #expect(try await feed.matches(of: "v").count == Self.names.count - 1)
  }
}
