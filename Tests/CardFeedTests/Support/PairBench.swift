import CardFeed
import CardFeedTesting

/// A feed of pairs: "a7" is dealt "b7" and the other way round, and nobody else.
func pairBench(_ pairs: Int) async throws -> TestBench<InMemoryStore> {
  let cards = (0..<pairs).flatMap { [ToyCard(CardID("a\($0)")), ToyCard(CardID("b\($0)"))] }
  return try await TestBench(InMemoryStore(), cards: cards) {
    $0.hand = HandPolicy(size: 1, refillBelow: 1)
    $0.source("partner", partnerSource)
    $0.filter("already-swiped", AnsweredFilter())
  }
}

private let partnerSource = ClosureSource<ToyDeck> { _, _, table, context in
  var bytes = context.viewer.bytes
  bytes[0] = bytes[0] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
  return SourcePage(rows: [table.row(of: CardID(bytes: bytes))].compactMap(\.self), next: nil)
}
