import CardFeed
import CardFeedConfiguration
import CardFeedProduct
import Testing

/// What a customer sees of a product.
@Suite struct ProductFaceTests {
  @Test func thePriceHasItsDecimals() throws {
    let deck = ProductDeckPlugin()
    func face(_ json: JSONValue) throws -> CardFace {
      deck.face(of: try deck.card(from: json), at: Timestamp(milliseconds: 0))
    }
    #expect(
      try face([
        "id": "p1", "title": "Kettle", "brand": "Acme", "category": ["kitchen", "tea"],
        "price": ["minor_units": 1999, "currency": "EUR"], "tags": ["red"], "stock": 3,
      ])
        == CardFace(
          title: "Kettle", subtitle: "Acme, 19.99 EUR", body: ["kitchen / tea"], tags: ["red"]))
    #expect(try face(["id": "p1", "title": "Tea"]) == CardFace(title: "Tea"))
  }
}
