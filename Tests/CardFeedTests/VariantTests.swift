import CardFeed
import CardFeedTesting
import Testing

@Suite("Variants and reloads")
struct VariantTests {
  private func pipeline(_ fingerprint: String) -> Pipeline<ToyDeck> {
    var builder = PipelineBuilder<ToyDeck>()
    builder.fingerprint = fingerprint
    builder.hand = HandPolicy(size: 3, refillBelow: 2, ties: .id)
    return builder.build()
  }

  private func set(_ shares: [(String, Double)], salt: String = "") -> PipelineSet<ToyDeck> {
    PipelineSet(
      base: pipeline("base"),
      variants: shares.map { .init(name: $0, share: $1, pipeline: pipeline($0)) }, salt: salt)
  }

  private static let viewers = (0..<20_000).map { ViewerID("viewer-\($0)") }

  @Test("Each variant gets its share of the viewers, and nobody changes sides")
  func shares() {
    let pipelines = set([("a", 0.1), ("b", 0.35)])
    let assigned = Self.viewers.map { pipelines.pipeline(for: $0).variant }
    for (name, share) in [("a", 0.1), ("b", 0.35), (nil, 0.55)] as [(String?, Double)] {
      let found = Double(assigned.count { $0 == name }) / 20_000
      let deviation = (share * (1 - share) / 20_000).squareRoot()
      #expect(abs(found - share) < 4 * deviation, "\(name ?? "base"): \(found)")
    }
    #expect(Self.viewers.map { pipelines.pipeline(for: $0).variant } == assigned)
    for viewer in Self.viewers.prefix(100) {
      let (variant, pipeline) = pipelines.pipeline(for: viewer)
      #expect(pipeline.fingerprint == variant ?? "base")
    }
  }

  @Test("A variant added behind the others moves nobody between them")
  func adding() {
    let before = set([("a", 0.2)])
    let after = set([("a", 0.2), ("b", 0.3)])
    for viewer in Self.viewers.prefix(5000) {
      let old = before.pipeline(for: viewer).variant
      let new = after.pipeline(for: viewer).variant
      #expect((old == "a") == (new == "a"))
    }
  }

  @Test("Another salt deals the viewers anew, independently of the old assignment")
  func salt() {
    let one = set([("a", 0.5)], salt: "one")
    let two = set([("a", 0.5)], salt: "two")
    let both = Self.viewers.count { viewer in
      one.pipeline(for: viewer).variant != nil && two.pipeline(for: viewer).variant != nil
    }
    #expect(abs(Double(both) / 20_000 - 0.25) < 4 * (0.25 * 0.75 / 20_000).squareRoot())
  }

  @Test("Shares of 0 and 1 get nobody and everybody")
  func extremes() {
    let pipelines = set([("nobody", 0), ("everybody", 1)])
    #expect(
      Self.viewers.prefix(2000).allSatisfy {
        pipelines.pipeline(for: $0).variant == "everybody"
      })
  }

  @Test("Hands say which variant and fingerprint dealt each card")
  func inHands() async throws {
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(5), pipelines: set([("a", 0.5)]))
    var variants = Set<String?>()
    for viewer in Self.viewers.prefix(40) {
      let hand = try await bench.feed.hand(for: viewer)
      let expected = bench.feed.pipelines.pipeline(for: viewer).variant
      #expect(hand.cards.allSatisfy { $0.reason.variant == expected })
      #expect(hand.cards.allSatisfy { $0.reason.fingerprint == expected ?? "base" })
      variants.insert(expected)
    }
    #expect(variants == ["a", nil])
  }

  @Test(
    "Rule 12: after a reload hands keep their cards and fingerprint, and refills get the new one")
  func reload() async throws {
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(9), pipelines: PipelineSet(base: pipeline("old")))
    let before = try await bench.feed.hand(for: "viewer")
    try await bench.feed.reload(PipelineSet(base: pipeline("new")))
    let after = try await bench.feed.hand(for: "viewer")
    #expect(after.contents == before.contents)
    try await bench.swipe("1")
    #expect(try await bench.rewind().card == "1")
    #expect(try await bench.feed.hand(for: "viewer").contents == before.contents)
    try await bench.swipe("1")
    try await bench.swipe("2")
    let refilled = try await bench.feed.hand(for: "viewer")
    #expect(refilled.cards.map(\.reason.fingerprint) == ["old", "new", "new"])
  }

  @Test("A reload to a larger or smaller hand and another rewind depth keeps the hand and the past")
  func resizing() async throws {
    var builder = PipelineBuilder<ToyDeck>()
    builder.filter("already-swiped", AnsweredFilter())
    builder.ranking = ClosureRanking { slate, _ in
      SlateScores(values: slate.rows.map { -(slate.table.card(at: $0).weight ?? 0) })
    }
    func pipelines(size: Int, rewind: Int) -> PipelineSet<ToyDeck> {
      builder.hand = HandPolicy(size: size, refillBelow: size, rewind: rewind, ties: .id)
      return builder.buildSet()
    }
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(30), pipelines: pipelines(size: 4, rewind: 5))
    for _ in 0..<6 { try await bench.swipeTop() }
    #expect(try await bench.hand() == ["7", "8", "9", "10"].map { CardID($0) })
    try await bench.feed.reload(pipelines(size: 7, rewind: 2))
    #expect(try await bench.hand() == (7...13).map { CardID("\($0)") })
    #expect(try await bench.rewind().card == "6")
    #expect(try await bench.rewind().card == "5")
    #expect(try await bench.rewind().isTooOld)
    #expect(try await bench.hand() == (5...13).map { CardID("\($0)") })
    try await bench.feed.reload(pipelines(size: 2, rewind: 9))
    #expect(try await bench.hand() == (5...13).map { CardID("\($0)") })
    for _ in 0..<8 { try await bench.swipeTop() }
    #expect(try await bench.hand() == ["13", "14"])
    #expect(try await bench.rewind().card == "12")
  }
}
