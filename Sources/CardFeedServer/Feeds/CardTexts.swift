internal import CardFeed
internal import CardFeedConfiguration

/// The JSON texts of cards that were dealt last, so that a card is not written anew for each hand.
///
/// A text belongs to a snapshot of the card table. When the table moves on, the texts of the cards
/// that changed are dropped; a text that may have been made of another snapshot is not kept at all.
/// Two generations of at most half the capacity each make the memory bounded and a use O(1).
final class CardTexts<P: DeckPlugin>: Sendable {
  private struct State {
    var revision: TableRevision?
    var young: [CardID: [UInt8]] = [:]
    var old: [CardID: [UInt8]] = [:]
  }

  private let deck: P
  private let half: Int
  private let state = Lock(State())

  init(_ deck: P, capacity: Int) {
    self.deck = deck
    half = max(1, capacity / 2)
  }

  /// The texts of dealt cards, in order.
  ///
  /// - Parameters:
  ///   - cards: What a feed dealt.
  ///   - before: The table's revision from before the feed was asked.
  ///   - table: The table after it: where it has the same revision, the cards are of this snapshot.
  func texts(
    of cards: [DealtCard<P.D.Card>], before: TableRevision, table: CardTable<P.D>
  ) -> [[UInt8]] {
    guard table.revision == before else { return cards.map(text) }
    follow(table)
    let known = state.withLock { state in
      state.revision == before ? cards.map { find($0.id, in: &state) } : []
    }
    guard known.count == cards.count else { return cards.map(text) }
    if !known.contains(where: { $0 == nil }) { return known.compactMap(\.self) }
    let texts = zip(cards, known).map { $1 ?? text($0) }
    state.withLock { state in
      guard state.revision == before else { return }
      for (card, text) in zip(cards, texts) { keep(text, of: card.id, in: &state) }
    }
    return texts
  }

  private func text(_ card: DealtCard<P.D.Card>) -> [UInt8] { deck.json(of: card.card).bytes() }

  private func find(_ id: CardID, in state: inout State) -> [UInt8]? {
    if let text = state.young[id] { return text }
    guard let text = state.old[id] else { return nil }
    keep(text, of: id, in: &state)
    return text
  }

  private func keep(_ text: [UInt8], of id: CardID, in state: inout State) {
    if state.young.count >= half {
      state.old = state.young
      state.young = [:]
    }
    state.young[id] = text
  }

  /// Drops what a later table has changed.
  private func follow(_ table: CardTable<P.D>) {
    let revision = table.revision
    let known = state.withLock { $0.revision }
    guard known != revision else { return }
    guard let known else { return state.withLock { $0.revision = $0.revision ?? revision } }
    // Outside of the lock, for it looks at every row.
    let changed = table.rows(changedSince: known)?.map { table.id(at: $0) }
    state.withLock { state in
      guard state.revision == known, changed == nil || revision.isLater(than: known) else { return }
      state.revision = revision
      for id in changed ?? [] {
        state.young[id] = nil
        state.old[id] = nil
      }
      if changed == nil {
        state.young = [:]
        state.old = [:]
      }
    }
  }
}
