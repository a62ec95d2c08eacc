internal import CardFeed
internal import CardFeedVectorIndex

/// What cards are to be near to.
public enum VectorTarget: Hashable, Sendable {
  /// The vector of the viewer's own card, in a deck of people.
  case viewer
  /// The mean of the cards that the viewer's latest positive answers were given to. The newest counts
  /// 1, the one before it `decay`, then `decay`², and so on; `latest` of them count. With one it is
  /// "more like this".
  ///
  /// For the metric cosine each card's vector counts with length 1.
  case likes(decay: Double, latest: Int)

  /// The vector that is looked for, or nil when nothing is known: no own vector, or no positive answer
  /// to a card with one.
  ///
  /// O(seen cards + latest · dimension), and sorting the positive answers.
  func vector<D: Deck>(
    for context: DealContext<D>, in table: CardTable<D>, _ vectors: VectorColumn
  ) -> [Float]? {
    switch self {
    case .viewer: return context.row.flatMap { vectors.vector(at: $0) }
    case .likes(let decay, let latest):
      let liked = context.seen.compactMap { card, entry in
        entry.answer.flatMap { $0.meaning == .positive ? (event: $0.event, card: card) : nil }
      }
      // The log's order, which is one order whatever clients' clocks say.
      let newestFirst = liked.sorted { ($1.event, $0.card) < ($0.event, $1.card) }
      var sum = Array(repeating: 0.0, count: vectors.dimension)
      var weight = 1.0
      var counted = 0
      for like in newestFirst {
        guard counted < latest else { break }
        guard let row = table.row(of: like.card), let vector = vectors.unit(at: row) else {
          continue
        }
        for (place, value) in vector.enumerated() { sum[place] += weight * value }
        weight *= decay
        counted += 1
      }
      guard counted > 0 else { return nil }
      let whole = decay < 1 ? (1 - weight) / (1 - decay) : Double(counted)
      return sum.map { Float($0 / whole) }
    }
  }

  /// What is looked for, or why nothing is.
  ///
  /// As ``vector(for:in:_:)``.
  func query<D: Deck>(
    for context: DealContext<D>, in table: CardTable<D>, _ vectors: VectorColumn,
    _ index: VectorIndex
  ) -> VectorQuery {
    guard let vector = vector(for: context, in: table, vectors) else {
      return .unknown(self == .viewer ? "the viewer has no vector" : "no like with a vector")
    }
    do {
      // A search for no rows looks at the vector only.
      _ = try index.nearest(0, to: vector)
      return .vector(vector)
    } catch {
      let reason = "the vector looked for is not fit: \(error.code.rawValue)"
      return error.code == .noDirection ? .unknown(reason) : .unfit(reason)
    }
  }
}

/// What cards are to be near to.
enum VectorQuery {
  case vector([Float])
  /// Nothing is known of the viewer, or what they liked points nowhere: no card is near.
  case unknown(String)
  /// A vector that no search takes. Says why, and no component of it.
  case unfit(String)

  var vector: [Float]? {
    guard case .vector(let vector) = self else { return nil }
    return vector
  }

  var failure: SourceFailure? {
    guard case .unfit = self else { return nil }
    return .failed
  }
}
