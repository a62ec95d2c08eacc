import CardFeed
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedProduct

/// What was looked at for long comes up; what was not timed stays where it is.
@Suite("Ranking by dwell")
struct DwellRankingTests {
  private static let names = ["tea", "tea", "cup", "cup", "pot"]

  private func feed(
    _ ranking: JSONValue, store: InMemoryStore = InMemoryStore()
  ) async throws -> ProductFeed {
    let cards = Self.names.enumerated().map { place, name in
      Product(id: CardID("p\(place)"), title: "t", category: ["Home", name])
    }
    return try await productFeed(
      cards, ["ranking": ranking, "hand": ["size": 5, "refillBelow": 5]], store: store)
  }

  private func look(
    _ feed: ProductFeed, _ looks: [(CardID, Int64?)], by viewer: ViewerID = "v"
  ) async throws {
    _ = try await feed.hand(for: viewer)
    for (place, look) in looks.enumerated() {
      let dwell = try look.1.map { try Dwell(milliseconds: $0) }
      let outcome = try await feed.impression(
        of: look.0, by: viewer, event: EventID("look \(place)"), dwell: dwell)
      #expect(outcome == .applied)
    }
  }

  private func scores(_ feed: ProductFeed, of viewer: ViewerID = "v") async throws -> [Double?] {
    let cards = Self.names.indices.map { CardID("p\($0)") }
    return try await feed.appraise(cards, for: viewer).map { numbers in
      numbers.score.value.map { ($0 * 1e6).rounded() / 1e6 }
    }
  }

  private static let flat: JSONValue = ["use": "match-probability"]

  @Test(arguments: ["longest", "mean"])
  func aProductGetsWhatItWasLookedAt(take: String) async throws {
    let store = InMemoryStore()
    let ranking: JSONValue = [
      "use": "dwell", "then": Self.flat, "take": JSONValue(take), "weight": 1, "halfSeconds": 10,
    ]
    let feed = try await feed(ranking, store: store)
    let before = try await scores(feed)
    let base = try #require(before[0])
    #expect(before == Array(repeating: base, count: 5))
    // One product for 30 and for 10 seconds, one for none at all, one untimed, two never.
    try await look(feed, [("p2", 30_000), ("p2", 10_000), ("p2", nil), ("p1", 0), ("p0", nil)])
    let added = take == "longest" ? 30.0 / 40 : 20.0 / 30
    let expected = [base, base, base + added, base, base].map { ($0 * 1e6).rounded() / 1e6 }
    #expect(try await scores(feed) == expected)
    #expect(try await feed.dealtAnew().first == "p2")
    // Whoever opens the store anew knows the same, and somebody else looked at nothing.
    let again = try await self.feed(ranking, store: store)
    #expect(try await scores(again) == expected)
    #expect(try await scores(again, of: "w") == before)
  }

  @Test func aCategorySharesItsDurations() async throws {
    let ranking: JSONValue = [
      "use": "dwell", "then": Self.flat, "of": "category", "take": "mean", "weight": -1,
      "halfSeconds": 1,
    ]
    let feed = try await feed(ranking)
    let base = try #require(try await scores(feed)[0])
    try await look(feed, [("p2", 4000), ("p3", 2000), ("p0", 0)])
    let cup = ((base - 0.75) * 1e6).rounded() / 1e6
    let rest = (base * 1e6).rounded() / 1e6
    #expect(try await scores(feed) == [rest, rest, cup, cup, rest])
    let terms = try await feed.appraise(["p0", "p1", "p2", "p3", "p4"], for: "v").map { numbers in
      numbers.terms.first { $0.name == "dwell" }?.value
    }
    // 0 seconds are known and add 0; of the last nothing is known.
    #expect(terms == [0, 0, -0.75, -0.75, nil])
  }

  @Test func aColumnThatIsNoneIsRefused() async throws {
    let error = await #expect(throws: (any Error).self) {
      _ = try await feed(["use": "dwell", "of": "categry"])
    }
    let text = "\(try #require(error))"
    #expect(text.contains("asks for the column \"categry\""))
    #expect(text.contains("did you mean \"category\"?"))
  }
}
