import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedCollaborativeFiltering

/// Repurchases, trends and tuned parts, by their names in a configuration.
extension CollaborativeFilteringTests {
  /// Records likes at days, of which the hundredth is today.
  func record(
    _ feed: Feed, _ likes: [(viewer: String, card: String, day: Int64)]
  ) async throws {
    let end = ManualClock().now
    _ = try await feed.record(
      likes.enumerated().map { index, like in
        RecordedSwipe(
          Swipe(
            viewer: ViewerID(like.viewer), card: CardID(like.card), answer: .like,
            event: EventID("\(index)"),
            time: end.advanced(byMilliseconds: (like.day - 100) * Timestamp.day)))
      })
  }

  @Test func `what was taken at intervals is likelier than what was taken once, long ago`()
    async throws
  {
    let feed = try await feed(["use": "repurchase", "period": 14])
    var likes: [(viewer: String, card: String, day: Int64)] = []
    for viewer in 0..<20 {
      // "a…" is used up in ten days, "b…" lasts.
      for day in stride(from: Int64(10 + viewer % 5), to: 100, by: 10) {
        likes.append(("v\(viewer)", "a\(viewer % 3)", day))
      }
      likes.append(("v\(viewer)", "b\(viewer % 3)", Int64(8 + viewer)))
    }
    try await record(feed, likes.sorted { $0.day < $1.day })
    try await feed.train()
    let scores = try await feed.appraise(["a0", "b0", "a5"], for: "v0").map(\.score.value)
    let (used, lasting, other) = (scores[0] ?? 0, scores[1] ?? 0, scores[2])
    #expect(used > 0.5 && used < 1.001)
    #expect(lasting > 0 && lasting < 0.3)
    #expect(other == nil, "nobody has taken it, so the model does not know it")
  }

  @Test func `repurchases without a past are an error of the training`() async throws {
    let feed = try await feed(["use": "repurchase", "period": 1000])
    try await record(feed, [("one", "a0", 1), ("one", "a1", 2)])
    let error = await #expect(throws: FeedError.self) { try await feed.train() }
    #expect(error?.code == .training)
  }

  @Test func `a trend raises what is liked lately above what was liked as often before`()
    async throws
  {
    func scores(_ ranking: JSONValue) async throws -> [Double] {
      let feed = try await feed(ranking)
      var likes: [(viewer: String, card: String, day: Int64)] = []
      for viewer in 0..<10 {
        likes += [("v\(viewer)", "a0", 1), ("v\(viewer)", "b0", 2 + Int64(viewer % 2) * 60)]
        likes += [("w\(viewer)", "a1", 60), ("w\(viewer)", "b0", 61)]
      }
      likes.append(("new", "b0", 62))
      try await record(feed, likes.sorted { $0.day < $1.day })
      try await feed.train()
      return try await feed.appraise(["a0", "a1"], for: "new").compactMap(\.score.value)
    }
    let base: JSONValue = ["use": "item-neighbours"]
    let plain = try await scores(base)
    #expect(plain[0] == plain[1])
    let trend = try await scores(["use": "trend", "of": base, "exponent": 1])
    #expect(trend[1] > trend[0])
    let recent = try await scores(["use": "recent-popularity"])
    #expect(recent[1] > recent[0])
  }

  @Test func `parts have the parameters under their names, which make another model`() async throws
  {
    func identity(_ text: String) throws -> String {
      let configuration = try FeedConfiguration(
        parsing: Array(#"{"version": 1, "deck": "toy", "ranking": \#(text)}"#.utf8),
        file: "feed.json",
        plugins: plugins)
      let context = BuildContext(
        deck: Things().deck, states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
        registry: plugins.registry(for: Things()))
      let ranking = try configuration.pipelines(context).base.ranking.strategy
      return try #require(ranking as? CollaborativeRanking<ToyDeck>).slot.identity
    }
    let plain = #"{"use": "collaborative-blend", "parts": {"co-occurrence": 1, "trend": 0.5}}"#
    #expect(try identity(plain).contains("trend 0.95 0.3"))
    let tuned = """
      {"use": "collaborative-blend", "parts": {"co-occurrence": 1, "trend": 0.5},
       "trend": {"use": "trend", "of": {"use": "item-neighbours", "neighbours": 9}, "exponent": 2}}
      """
    #expect(try identity(tuned).contains("trend 0.95 2.0 1.0 of (neighbours 9.0"))
    let unused = """
      {"use": "collaborative-blend", "parts": {"co-occurrence": 1},
       "item-neighbours": {"use": "item-neighbours", "neighbours": 9}}
      """
    let swapped = """
      {"use": "collaborative-blend", "parts": {"item-neighbours": 1},
       "item-neighbours": {"use": "random-walk"}}
      """
    for (text, reason) in [
      (unused, "parameters of 'item-neighbours', which is none of its parts"),
      (swapped, "under 'item-neighbours' the blend has the ranking 'random-walk'"),
      (#"{"use": "trend", "of": {"use": "random"}}"#, "'random' cannot stand in 'trend'"),
    ] {
      let error = #expect(throws: (any Error).self) { try identity(text) }
      #expect("\(error.map { "\($0)" } ?? "")".contains(reason))
    }
  }

  @Test func `a cold card and a stranger's swipes of this minute count in a blend`() async throws {
    let feed = try await trained([
      "use": "collaborative-blend", "features": ["group"],
      "parts": ["pairwise-factors": 1, "co-occurrence": 1, "trend": 0.25],
    ])
    try await feed.put([ToyCard("z", group: "a"), ToyCard("y", group: "b")])
    // Nobody of that name was there at the training.
    try await like(feed, "new", ["a0", "a1"])
    let first = try await feed.appraise(["z", "y", "a5", "b5"], for: "new").map {
      $0.score.value ?? 0
    }
    #expect(first[0] > first[1] && first[2] > first[3])
    _ = try await feed.record(
      ["b0", "b1", "b2", "b3"].map {
        RecordedSwipe(
          Swipe(viewer: "new", card: $0, answer: .like, event: EventID("later \($0)")))
      })
    let then = try await feed.appraise(["z", "y", "a5", "b5"], for: "new").map {
      $0.score.value ?? 0
    }
    #expect(then[0] < then[1] && then[2] < then[3])
  }
}
