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
  /// The store is asked, which other processes may have changed: a card comes back with what is kept
  /// of it there, and nobody who was erased does.
  ///
  /// - Throws: What the store throws, and a card's decoding error.
  /// - Complexity: O(cards in the deck) for each call, and one question to the store for each card
  ///   that comes back.
  public func reinstate(_ ids: [CardID]) async throws {
    try await changingCards { table in
      let numbers = Set(ids.compactMap { table.row(of: $0) }.map { table.number(at: $0) }).sorted()
      guard !numbers.isEmpty else { return (table, []) }
      let back = try await store.reinstate(numbers)
      let end = try await store.lastPosition()
      var cards: [CardTable<D>.Placed] = []
      for number in back where table.hasWithdrawn([number]) {
        // Another process may have changed it meanwhile.
        let kept = try await store.cards(after: CardNumber(number.rawValue - 1), limit: 1).first
        guard let kept, kept.number == number else { continue }
        cards.append((try deck.decode(kept.payload), number, kept.changedAt))
      }
      let next = cards.isEmpty ? table : table.putting(cards, deck: deck, end: end)
      return (next, Set(numbers).subtracting(back))
    }
  }

  /// The last place of the log, if one of the cards is withdrawn and so may be about to come back:
  /// hands that were dealt it up to there were dealt it before it left.
  func endOfLog(
    ifWithdrawn cards: [CardNumber], in table: CardTable<D>
  ) async throws -> LogPosition? {
    table.hasWithdrawn(cards) ? try await store.lastPosition() : nil
  }

  /// Replaces cards by their identity and leaves them where they are: who was withdrawn can change
  /// their card and stays withdrawn, while `put` would bring them back. New cards are added. Who was
  /// erased meanwhile by another process stays erased, and their card is ignored; `put` would make
  /// somebody new of it.
  ///
  /// - Throws: What the store throws, and `FeedError.Code.badInput` as `put` does.
  /// - Complexity: O(cards in the deck) for each call.
  public func revise(_ cards: [D.Card]) async throws {
    try await changingCards { table in
      let given = try cards.map { card in
        try stored(card, number: table.row(of: deck.id(of: card)).map { table.number(at: $0) })
      }
      let kept = try await store.revise(given, at: clock.now)
      let placed = placed(cards, kept)
      let end = try await endOfLog(ifWithdrawn: placed.map(\.number), in: table)
      var next = placed.isEmpty ? table : table.putting(placed, deck: deck, end: end)
      let withdrawn = kept.compactMap { $0?.isWithdrawn == true ? $0?.number : nil }
      if !withdrawn.isEmpty { next = next.withdrawing(withdrawn) }
      return (next, Set(zip(given, kept).compactMap { $1 == nil ? $0.number : nil }))
    }
  }

  /// A card as a store takes it. The identity of a thing must not be one under which stores know
  /// viewers: card and viewer would share a number, and what was said of the one would count of the
  /// other.
  func stored(_ card: D.Card, number: CardNumber? = nil) throws(FeedError) -> StoredCard {
    let id = deck.id(of: card)
    guard !ViewerIdentity.isTaken(id, isMutual: deck.policy.isMutual) else {
      throw FeedError(
        .badInput,
        "the identity of a card begins with a zero byte and 'viewer:', by which stores tell viewers "
          + "from cards; nothing was put",
        hint: "give the card another identity")
    }
    return StoredCard(id: id, number: number, payload: deck.encode(card))
  }

  /// Cards with what a store says of each; those that it did not keep are left out.
  func placed(_ cards: [D.Card], _ kept: [StoredCard?]) -> [CardTable<D>.Placed] {
    zip(cards, kept).compactMap { card, kept in
      kept?.number.map { (card, $0, kept?.changedAt) }
    }
  }

  /// Publishes the table that `change` makes of the current one, without the people of whom `change`
  /// found out that they were erased elsewhere.
  private func changingCards(
    _ change: (CardTable<D>) async throws -> (CardTable<D>, erased: Set<CardNumber>)
  ) async throws {
    var erased: Set<CardNumber> = []
    var identifiers: [CardID] = []
    try await catalogue.update { table in
      let (next, gone) = try await change(table)
      erased = gone
      identifiers = gone.compactMap { next.row(of: $0).map(next.id(at:)) }
      return gone.reduce(next) { $0.purging($1, deck: deck) }
    }
    for identifier in identifiers { forgetInModels(identifier) }
    await forget(erased)
  }

  /// The viewer's matches that stand, oldest first, with their cards. Of who was withdrawn there is
  /// a tombstone: the identity, by which the match can be ended, and nothing else. So there is of whom
  /// a filter keeps away that is a wall (`FilterStrategy.isWall`). Of who was erased nothing is left,
  /// no match either.
  ///
  /// - Throws: What the store throws.
  /// - Complexity: O(matches of the viewer), and what the walls need.
  public func matchedCards(of viewer: ViewerID) async throws -> [MatchedCard<D.Card>] {
    try await withSession(viewer) { session in
      let matches = try await store.matches(of: session.number)
      let others = matches.map { $0.low == session.number ? $0.high : $0.low }
      let ids = try await store.ids(for: others)
      let table = catalogue.table
      let available = others.compactMap { table.row(of: $0) }.filter { table.isAvailable($0) }
      let walls = pipelines.pipeline(for: viewer).pipeline.filters.filter { $0.strategy.isWall }
      let shown =
        walls.isEmpty || available.isEmpty
        ? Set(available)
        : Set(
          try await asked(
            walls, about: available, for: session, seen: session.seen, now: clock.now, in: table
          ).kept)
      return zip(matches, zip(others, ids)).compactMap { match, other in
        guard let id = other.1 else { return nil }
        let row = table.row(of: other.0).flatMap { shown.contains($0) ? $0 : nil }
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
  /// The card; nil for a tombstone, while the card is withdrawn or behind a wall.
  public let card: Card?
}

extension MatchedCard: Equatable where Card: Equatable {}
