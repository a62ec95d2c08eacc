extension FeedEngine where Store: CardChangeFeed {
  /// Takes over what other processes did to the cards since a change. Of people whom they erased
  /// nothing is kept: no row of the table, no learned number, no session and no place in a hand.
  ///
  /// - Parameter sequence: The last change that was taken over; 0 takes all cards anew.
  /// - Returns: The last change that is taken over now.
  /// - Throws: What the store throws, and a card's decoding error; then nothing is taken over.
  /// - Complexity: O(cards in the deck) if there is a change, else one question to the store.
  public func takeCardChanges(after sequence: Int64) async throws -> Int64 {
    let pageSize = 10_000
    var last = sequence
    var erased: Set<CardNumber> = []
    var identifiers: [CardID] = []
    try await catalogue.update { table in
      var cards: [(card: D.Card, number: CardNumber)] = []
      var withdrawn: Set<CardNumber> = []
      while true {
        let page = try await store.cardChanges(after: last, limit: pageSize)
        for change in page {
          guard let number = change.card.number else { continue }
          if change.isErased {
            erased.insert(number)
            continue
          }
          cards.append((try deck.decode(change.card.payload), number))
          // The last change counts: a card may come back while pages are read.
          if change.card.isWithdrawn { withdrawn.insert(number) } else { withdrawn.remove(number) }
        }
        last = page.last?.sequence ?? last
        guard page.count == pageSize else { break }
      }
      var next = cards.isEmpty ? table : table.putting(cards, deck: deck)
      if !withdrawn.isEmpty { next = next.withdrawing(withdrawn.sorted()) }
      identifiers = erased.compactMap { next.row(of: $0).map(next.id(at:)) }
      return erased.reduce(next) { $0.purging($1, deck: deck) }
    }
    for identifier in identifiers { forgetInModels(identifier) }
    await forget(erased)
    return last
  }

  /// Takes over what other processes do to the cards, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - sequence: The last change that was taken over; 0 takes all cards anew first.
  ///   - interval: The pause between two questions to the store.
  ///   - failed: Told what the store throws; the next question is asked all the same.
  public func followCards(
    after sequence: Int64 = 0, every interval: Duration = .milliseconds(500),
    failed: @Sendable (any Error) -> Void
  ) async {
    var last = sequence
    while !Task.isCancelled {
      do {
        last = try await takeCardChanges(after: last)
      } catch {
        failed(error)
      }
      // Cancelled while it waits: the loop ends by itself.
      try? await Task.sleep(for: interval)
    }
  }
}
