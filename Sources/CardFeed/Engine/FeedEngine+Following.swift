internal import CardFeedStack

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
      var cards: [CardTable<D>.Placed] = []
      var withdrawn: Set<CardNumber> = []
      while true {
        let page = try await store.cardChanges(after: last, limit: pageSize)
        for change in page {
          guard let number = change.card.number else { continue }
          if change.isErased {
            erased.insert(number)
            continue
          }
          cards.append((try deck.decode(change.card.payload), number, change.card.changedAt))
          // The last change counts: a card may come back while pages are read.
          if change.card.isWithdrawn { withdrawn.insert(number) } else { withdrawn.remove(number) }
        }
        last = page.last?.sequence ?? last
        guard page.count == pageSize else { break }
      }
      let end = try await endOfLog(ifWithdrawn: cards.map(\.number), in: table)
      var next = cards.isEmpty ? table : table.putting(cards, deck: deck, end: end)
      if !withdrawn.isEmpty { next = next.withdrawing(withdrawn.sorted()) }
      identifiers = erased.compactMap { next.row(of: $0).map(next.id(at:)) }
      return erased.reduce(next) { $0.purging($1, deck: deck) }
    }
    for identifier in identifiers { forgetInModels(identifier) }
    await forget(erased)
    return last
  }

  /// Takes over what other processes do to the cards, and whom they keep apart, until the task is
  /// cancelled.
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
    var parted: LogPosition?
    while !Task.isCancelled {
      do { last = try await takeCardChanges(after: last) } catch { failed(error) }
      do { parted = try await takePartings(after: parted) } catch { failed(error) }
      // Cancelled while it waits: the loop ends by itself.
      try? await Task.sleep(for: interval)
    }
  }
}

extension FeedEngine {
  /// Takes over whom other processes have kept apart since a place in the log, by a block, a report
  /// or the end of a match: their cards leave the hands and the past of both, where these are in
  /// memory here. In a deck of people; elsewhere an event concerns its viewer's own hand only, which
  /// one process has.
  ///
  /// - Parameter position: The place up to which it was taken over. Nil is for the first time: every
  ///   hand in memory is read anew.
  /// - Returns: The place up to which it is taken over now.
  /// - Throws: What the store throws. What was taken over is taken over again the next time then.
  /// - Complexity: One question to the store, and O(hand) for each of the two whose session is here.
  public func takePartings(after position: LogPosition?) async throws -> LogPosition {
    guard let position else {
      let end = try await store.lastPosition()
      for viewer in sessions.viewers { await sessions.use(viewer) { $0.isLoaded = false } }
      return end
    }
    guard deck.policy.isMutual else { return position }
    var end = position
    while true {
      let page = try await store.partings(after: end, limit: 10_000)
      for pair in page.pairs {
        await takeApart(pair.card, from: pair.viewer)
        await takeApart(pair.viewer, from: pair.card)
      }
      end = page.end
      guard page.hasMore else { return end }
    }
  }

  private func takeApart(_ card: CardNumber, from person: ViewerNumber) async {
    let table = catalogue.table
    guard let viewer = table.row(of: person).map({ table.id(at: $0) }),
      sessions.present(viewer) != nil
    else { return }
    await sessions.use(viewer) { session in
      guard session.isLoaded, session.number == person,
        session.stack.upcoming.contains(where: { $0.id == card })
          || session.stack.history.contains(where: { $0.card.id == card })
      else { return }
      // Read anew, which leaves the card out, and not saved: the viewer may have gone to another
      // process meanwhile, whose hand this one must not replace.
      session.isLoaded = false
    }
  }
}
