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
