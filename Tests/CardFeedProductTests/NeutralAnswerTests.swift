import CardFeed
import CardFeedConfiguration
import Testing

@testable import CardFeedProduct

/// A product that is shown and skipped was not wanted that time, whatever learns from answers.
@Suite struct NeutralAnswerTests {
  /// "p0" is skipped or opened 199 times and saved once; "p1" is saved three times of four.
  private func feed(_ members: JSONObject) async throws -> ProductFeed {
    let feed = try await productFeed(
      products(4) { index, product in
        product.price = Currency("EUR").map { Price(minorUnits: 100, currency: $0) }
      },
      members)
    for index in 0..<200 {
      try await feed.note(
        "p0", index == 90 ? .save : index % 2 == 0 ? .skip : .open, day: -1 - Double(index) / 300,
        by: ViewerID("viewer \(index)"))
    }
    for index in 0..<4 {
      try await feed.note(
        "p1", index == 0 ? .skip : .buy, day: -0.5, by: ViewerID("other \(index)"))
    }
    return feed
  }

  @Test(
    arguments: [
      ["use": "thompson"], ["use": "upper-bound", "width": 0], ["use": "popularity"],
    ] as [JSONValue])
  func `rankings by counts see what was skipped`(_ ranking: JSONValue) async throws {
    let feed = try await feed(["ranking": ranking])
    let scores = try await feed.appraise(["p0", "p1", "p2"], for: "new").map(\.score.value)
    let (skipped, bought, unknown) = (
      try #require(scores[0]), try #require(scores[1]), try #require(scores[2])
    )
    #expect(skipped < unknown && unknown < bought, "\(scores)")
  }

  @Test func `the probability by gradients is the share of all answers`() async throws {
    let feed = try await feed([
      "matchProbability": [
        "use": "ftrl", "columns": ["currency"], "features": ["currency"], "lambda2": 0.001,
      ]
    ])
    let matches = try await feed.appraise(["p0", "p1"], for: "new").map(\.estimate.match?.value)
    let (skipped, bought) = (try #require(matches[0]), try #require(matches[1]))
    #expect(skipped < 0.1 && bought > 2 * skipped, "\(matches)")
  }

  @Test func `a linear bandit learns from what was skipped`() async throws {
    let feed = try await feed([
      "ranking": [
        "use": "linear-bandit", "columns": ["price": 100], "of": "everybody", "width": 0,
      ]
    ])
    let score = try #require(try await feed.appraise(["p2"], for: "new")[0].score.value)
    // 4 of 204 wanted it, of the one price there is; without what was skipped, all would have.
    #expect(score < 0.1)
  }

  @Test func `a product that everybody skips is not new for ever`() async throws {
    let feed = try await feed([
      "ranking": ["use": "source-order"],
      "slate": [["use": "new-card-floor", "share": 1, "answers": 50]],
      "hand": ["size": 2, "refillBelow": 2],
    ])
    // All places are kept for products with few answers, and "p0" is none of them.
    #expect(try await feed.shown("new") == ["p1", "p2"])
  }
}
