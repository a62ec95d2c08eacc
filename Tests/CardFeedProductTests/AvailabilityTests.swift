import CardFeed
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedProduct

private struct Regions: ViewerRegions {
  let known: [ViewerID: String]

  func region(of viewer: ViewerID) -> String? { known[viewer] }
}

@Suite("What a viewer can buy")
struct AvailabilityTests {
  @Test func whatIsSoldOutLeavesTheHand() async throws {
    var stock = products(3) { index, product in product.stock = index == 0 ? 0 : 2 }
    let feed = try await productFeed(stock)
    #expect(try await feed.shown() == ["p1", "p2"])
    stock[1].stock = 0
    try await feed.put([stock[1]])
    #expect(try await feed.shown() == ["p2"])
    stock[0].stock = 1
    try await feed.put([stock[0]])
    #expect(Set(try await feed.shown()) == ["p0", "p2"])
  }

  @Test func stockThatNobodyCounts() async throws {
    let unknown = products(1)
    #expect(try await productFeed(unknown).shown() == ["p0"])
    let strict = try await productFeed(
      unknown, ["filters": [["use": "in-stock", "unknown": "remove"]]])
    #expect(try await strict.shown().isEmpty)
    let many = try await productFeed(
      products(2) { index, product in product.stock = index == 0 ? 4 : 5 },
      ["filters": [["use": "in-stock", "least": 5]]])
    #expect(try await many.shown() == ["p1"])
  }

  @Test func regionsOfTheViewer() async throws {
    let sold = products(3) { index, product in product.regions = [["DE"], ["AT", "CH"], []][index] }
    let regions = Regions(known: ["d": "DE", "c": "CH", "f": "FR"])
    let feed = try await productFeed(sold, regions: regions)
    #expect(try await feed.shown("d") == ["p0", "p2"])
    #expect(try await feed.shown("c") == ["p1", "p2"])
    #expect(try await feed.shown("f") == ["p2"])
    #expect(try await feed.shown("nobody knows") == ["p2"])
    let everybody = try await productFeed(
      sold, ["filters": [["use": "sold-in-region", "region": "AT"]]], regions: regions)
    #expect(try await everybody.shown("nobody knows") == ["p1", "p2"])
    #expect(try await everybody.shown("d") == ["p0", "p2"])
  }

  @Test func pricesAreComparedWithinACurrencyAndRelaxed() async throws {
    let euro = try #require(Currency("EUR"))
    let franc = try #require(Currency("CHF"))
    let priced = products(5) { index, product in
      switch index {
      case 0: product.price = Price(minorUnits: 500, currency: euro)
      case 1: product.price = Price(minorUnits: 501, currency: euro)
      case 2: product.price = Price(minorUnits: 900, currency: euro)
      case 3: product.price = Price(minorUnits: 100, currency: franc)
      default: break
      }
    }
    func shown(_ filter: JSONValue) async throws -> [CardID] {
      try await productFeed(priced, ["filters": [filter]]).shown()
    }
    #expect(try await shown(["use": "price", "currency": "EUR", "most": 500]) == ["p0"])
    #expect(
      try await shown(["use": "price", "currency": "EUR", "least": 501]) == ["p1", "p2"])
    #expect(
      try await shown(["use": "price", "currency": "EUR", "most": 500, "unknown": "keep"])
        == ["p0", "p3", "p4"])
    #expect(
      try await shown(["use": "price", "currency": "EUR", "most": 500, "relax": [501]])
        == ["p0", "p1"])
    #expect(try await shown(["use": "price", "currency": "USD"]).isEmpty)
  }

  @Test(
    arguments: [
      (["use": "price", "currency": "eur"], "did you mean \"EUR\"?"),
      (["use": "price", "currency": "EUR", "least": 5, "most": 4], "do not ascend"),
      (["use": "price", "currency": "EUR", "relax": [4]], "none to begin with"),
      (["use": "price", "currency": "EUR", "most": 4, "relax": [4]], "do not ascend"),
      (["use": "price"], "currency"),
      (["use": "in-stock", "least": 0], "1 …"),
      (["use": "repeat-policy", "skipedReturnsAfterDays": 1], "skippedReturnsAfterDays"),
    ] as [(JSONValue, String)]) func whatCannotBeAskedForIsRefused(
      filter: JSONValue, expected: String
    ) async throws
  {
    let error = await #expect(throws: (any Error).self) {
      _ = try await productFeed([], ["filters": [filter]])
    }
    #expect("\(try #require(error))".contains(expected))
  }
}
