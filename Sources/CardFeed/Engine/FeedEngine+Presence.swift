extension FeedEngine {
  /// Takes cards out of the deck until they are reinstated: somebody pauses, or leaves and may come
  /// back. They are dealt to nobody from then on, and have left every hand: no hand shows them, and
  /// a swipe of one that a client still shows is stale. Their own hands, what they said and what was
  /// said of them, and their matches stay; `matchedCards` shows a tombstone. Identifiers that the
  /// deck does not have are ignored.
  ///
  /// - Throws: What the store throws.
  /// - Complexity: O(cards in the deck) for each call, so give many at once.
  public func withdraw(_ ids: [CardID]) async throws {
    try await catalogue.update { table in
      let numbers = ids.compactMap { table.row(of: $0) }.map { table.number(at: $0) }
      try await store.withdraw(numbers)
      return table.withdrawing(numbers)
    }
  }

  /// Brings cards back that were withdrawn, as they were: from then on they can be dealt, likes that
  /// they have given and received count, and their matches show them. Hands deal them anew; what was
  /// swiped stays swiped. Others, and identifiers that the deck does not have, are ignored.
  ///
  /// - Throws: What the store throws.
  /// - Complexity: O(cards in the deck) for each call.
  public func reinstate(_ ids: [CardID]) async throws {
    try await catalogue.update { table in
      let rows = ids.compactMap { table.row(of: $0) }.filter { !table.isAvailable($0) }
      guard !rows.isEmpty else { return table }
      let cards = rows.map { table.card(at: $0) }
      let numbers = try await store.put(
        cards.map { StoredCard(id: deck.id(of: $0), payload: deck.encode($0)) })
      return table.putting(zip(cards, numbers).map { ($0, $1) }, deck: deck)
    }
  }

  /// Replaces cards by their identity and leaves them where they are: who was withdrawn can change
  /// their card and stays withdrawn, while `put` would bring them back. New cards are added.
  ///
  /// - Throws: What the store throws.
  /// - Complexity: O(cards in the deck) for each call.
  public func revise(_ cards: [D.Card]) async throws {
    try await catalogue.update { table in
      let stored = cards.map { card in
        let id = deck.id(of: card)
        let isWithdrawn = table.row(of: id).map { !table.isAvailable($0) } ?? false
        return StoredCard(id: id, payload: deck.encode(card), isWithdrawn: isWithdrawn)
      }
      let numbers = try await store.put(stored)
      let withdrawn = zip(stored, numbers).filter { $0.0.isWithdrawn }.map(\.1)
      return table.putting(zip(cards, numbers).map { ($0, $1) }, deck: deck)
        .withdrawing(withdrawn)
    }
  }

  /// The viewer's matches that stand, oldest first, with their cards. Of who was withdrawn there is
  /// a tombstone: the identity, by which the match can be ended, and nothing else. Of who was erased
  /// nothing is left, no match either.
  ///
  /// - Throws: What the store throws.
  /// - Complexity: O(matches of the viewer).
  public func matchedCards(of viewer: ViewerID) async throws -> [MatchedCard<D.Card>] {
    try await withSession(viewer) { session in
      let matches = try await store.matches(of: session.number)
      let others = matches.map { $0.low == session.number ? $0.high : $0.low }
      let ids = try await store.ids(for: others)
      let table = catalogue.table
      return zip(matches, zip(others, ids)).compactMap { match, other in
        guard let id = other.1 else { return nil }
        let row = table.row(of: other.0).flatMap { table.isAvailable($0) ? $0 : nil }
        return MatchedCard(
          id: id, match: match.event, time: match.time, card: row.map { table.card(at: $0) })
      }
    }
  }
}

/// A match of a viewer, with the card as far as it may be shown.
public struct MatchedCard<Card: Sendable>: Sendable {
  /// The card's identity.
  public let id: CardID
  /// The event that made the match.
  public let match: LogPosition
  /// When it was made.
  public let time: Timestamp
  /// The card; nil for a tombstone, while the card is withdrawn.
  public let card: Card?
}

extension MatchedCard: Equatable where Card: Equatable {}
