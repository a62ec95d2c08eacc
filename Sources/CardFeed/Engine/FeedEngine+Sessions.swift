internal import CardFeedStack

extension FeedEngine {
  /// Runs `body` with the viewer's session, loaded, alone in its lane.
  func withSession<Result>(
    _ viewer: ViewerID, _ body: (ViewerSession) async throws -> Result
  ) async throws -> Result {
    try await sessions.use(viewer) { session in
      if !session.isLoaded { try await load(session) }
      return try await body(session)
    }
  }

  func load(_ session: ViewerSession) async throws {
    let hand = pipelines.pipeline(for: session.viewer).pipeline.hand
    let identity = ViewerIdentity.stored(session.viewer, isMutual: deck.policy.isMutual)
    // In a deck of people the table knows the numbers of viewers.
    let table = catalogue.table
    let known = deck.policy.isMutual ? table.row(of: identity).map { table.number(at: $0) } : nil
    let start = try await store.sessionStart(of: identity, number: known, swipes: hand.rewind)
    let record = start.record
    session.number = start.number
    session.seen = record.seen
    session.deals = record.deals
    session.spent = nil
    session.given = nil
    session.shown = nil
    session.check = nil
    session.hidden = []
    session.unfitPast = []
    session.takenBack = []
    let (stack, displaced, returned) = try restore(
      record, of: session, hand: hand, unsafe: start.unsafe)
    session.stack = stack
    session.displaced = displaced
    session.setReturned(returned)
    session.isLoaded = true
  }

  /// The stack of the stored image and the latest swipes, without what the session would have
  /// taken out itself: cards that must not meet the viewer, and cards that were answered elsewhere.
  private func restore(
    _ record: ViewerRecord, of session: ViewerSession, hand: HandPolicy, unsafe: Set<CardNumber>
  ) throws -> (HandStack, displaced: [PastSwipe], returned: [CardNumber]) {
    guard let stored = record.stack else {
      return (HandStack(capacity: hand.size, historyLimit: hand.rewind), [], [])
    }
    let (image, returned) = try HandImage.decode(stored.image)
    let (skipped, overflows) = stored.top.subtractingReportingOverflow(stored.imageStart)
    guard !overflows, (0...Int64(image.count)).contains(skipped) else {
      throw FeedError(
        .storedImage,
        "a stored hand has its top outside of its image of \(image.count) cards",
        hint: "check the store; the hand can be dealt anew after its row is deleted")
    }
    let upcoming = image.dropFirst(Int(skipped)).filter { card in
      !unsafe.contains(card.id) && !session.isAnswered(card)
    }
    // Only the swipe that made the answer which stands can be taken back, and after it those that it
    // replaced. A card lies once in a stack: in the hand, or as its last swipe.
    var held = Set(upcoming.map(\.id))
    var later: Set<CardNumber> = []
    var past: [PastSwipe] = []
    var displaced: [PastSwipe] = []
    for (index, swipe) in record.recentSwipes.enumerated().reversed()
    where !unsafe.contains(swipe.card) {
      let stands = record.seen[swipe.card]?.answer?.event == swipe.event
      guard stands || later.contains(swipe.card) else { continue }
      later.insert(swipe.card)
      let record = PastSwipe(
        card: HandCard(swipe),
        answer: RecordedAnswer(answer: swipe.answer, event: swipe.event),
        position: StackPosition(0), sequence: index)
      if held.insert(swipe.card).inserted { past.append(record) } else { displaced.append(record) }
    }
    past.reverse()
    do {
      let stack = try HandStack(
        restoring: past, upcoming: upcoming, topPosition: StackPosition(Int(stored.top)),
        generation: Int(stored.generation), capacity: max(hand.size, upcoming.count),
        historyLimit: hand.rewind)
      return (stack, displaced, returned)
    } catch {
      throw FeedError(
        .storedImage, "a stored hand does not fit its stack: \(error)",
        hint: "check the store; the hand can be dealt anew after its row is deleted")
    }
  }

  /// The card as callers see it.
  func dealt(_ card: HandCard, in table: CardTable<D>) -> DealtCard<D.Card>? {
    table.row(of: card.id).map { row in
      DealtCard(
        id: table.id(at: row), card: table.card(at: row), deal: card.deal,
        reason: DealReason(card))
    }
  }

  /// A seed that belongs to a viewer, and with `deal` to one deal.
  func seed(for viewer: ViewerID, deal: Int64? = nil) -> UInt64 {
    var hash = StableHash()
    hash.combine(options.seed)
    hash.combine(viewer.bytes)
    if let deal { hash.combine(deal) }
    return hash.value
  }

  /// The number of a card of the deck.
  func number(of card: CardID, in table: CardTable<D>) throws -> CardNumber {
    guard let row = table.row(of: card) else {
      throw FeedError(
        .unknownCard, "the deck '\(D.name)' has no card with the given identifier",
        hint: "put the card before it is swiped, and check the identifier byte by byte")
    }
    return table.number(at: row)
  }
}
