import CardFeed
import CardFeedConfiguration
import Testing

@testable import CardFeedProduct

/// What `calibrated` makes of numbers that are far too high, over answers to products.
@Suite struct PurchaseCalibrationTests {
  /// Of "p0" … "p9" one in twenty is bought, of "p10" … "p19" three; the others are skipped.
  private func feed(_ of: JSONValue) async throws -> ProductFeed {
    let feed = try await productFeed(
      products(20),
      ["matchProbability": ["use": "calibrated", "of": of, "method": "platt"]])
    var generator = SplitMix64(seed: 11)
    let swipes = (0..<6000).map { place in
      let product = generator.index(below: 20)
      let isBought = generator.index(below: 20) < (product < 10 ? 1 : 3)
      return RecordedSwipe(
        Swipe(
          viewer: ViewerID("v\(generator.index(below: 50))"), card: CardID("p\(product)"),
          answer: isBought ? ProductDeck.Answer.buy : place.isMultiple(of: 2) ? .skip : .dislike,
          event: EventID("\(place)"), time: noon.after(days: Double(place - 6000) / 100)))
    }
    _ = try await feed.record(swipes)
    return feed
  }

  @Test(
    arguments: [
      ["use": "constant", "value": 0.9],
      ["use": "match-rate", "prior": 0.9, "weight": 20_000],
    ] as [JSONValue])
  func `numbers that are far too high come out right`(_ of: JSONValue) async throws {
    let feed = try await feed(of)
    let cards = (0..<20).map { CardID("p\($0)") }
    let before = try await feed.estimates(for: "v1", cards: cards)
    #expect(before.allSatisfy { ($0.match?.value ?? 0) > 0.4 })
    try await feed.train()
    for viewer in ["v1", "nobody yet"] as [ViewerID] {
      let matches = try await feed.estimates(for: viewer, cards: cards).compactMap(\.match?.value)
      #expect(matches.count == 20)
      let mean = matches.reduce(0, +) / 20
      #expect(abs(mean - 0.1) < 0.03, "\(matches)")
    }
  }

  @Test func `a file holds the function, and the next feed begins with it`() async throws {
    let feed = try await feed(["use": "match-rate", "prior": 0.9, "weight": 20_000])
    let report = try await feed.train()
    let estimates = try await feed.estimates(for: "v1", cards: ["p1", "p15"])
    let other = try await self.feed(["use": "match-rate", "prior": 0.9, "weight": 20_000])
    #expect(try await other.estimates(for: "v1", cards: ["p1", "p15"]) != estimates)
    #expect(try other.install(ModelFile(bytes: report.file.bytes, name: "purchases.model")) == 1)
    #expect(try await other.estimates(for: "v1", cards: ["p1", "p15"]) == estimates)
    #expect(try await other.train().file.bytes == report.file.bytes)
  }
}
