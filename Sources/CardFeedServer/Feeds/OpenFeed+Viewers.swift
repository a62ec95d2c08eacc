internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedEventSinks

extension OpenFeed {
  func hand(for viewer: ViewerID, isFresh: Bool, showsFilters: Bool) async throws -> [UInt8] {
    let before = feed.cards.revision
    let hand = isFresh ? try await feed.redeal(for: viewer) : try await feed.hand(for: viewer)
    let texts = texts.texts(of: hand.cards, before: before, table: feed.cards)
    let length = texts.reduce(256) { $0 + $1.count + 192 }
    var writer = JSONWriter(capacity: length)
    writer.beginObject()
    writer.key("cards")
    writer.beginArray()
    for (card, text) in zip(hand.cards, texts) { write(card, text, to: &writer) }
    writer.endArray()
    writer.key("shortfall")
    write(hand.shortfall, showsFilters: showsFilters, to: &writer)
    writer.key("degradations")
    writer.beginArray()
    for degradation in hand.degradations { writer.string(Explanations.text(degradation)) }
    writer.endArray()
    writer.key("generation")
    writer.integer(hand.generation)
    writer.endObject()
    return writer.bytes
  }

  func swipe(
    by viewer: ViewerID, card: CardID, answer: String, event: EventID, time: Timestamp?
  ) async throws -> SwipeAnswer {
    guard let known = P.D.Answer(rawValue: answer) else {
      let allowed = P.D.Answer.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw Problem(
        .unprocessable, "the deck '\(P.D.name)' has no such answer; allowed: \(allowed)")
    }
    let before = feed.cards.revision
    let outcome = try await feed.swipe(
      Swipe(viewer: viewer, card: card, answer: known, event: event, time: time))
    switch outcome {
    case .applied(let receipt, let top):
      if receipt.match == receipt.event { follower.nudge() }
      return .counts(
        text(receipt, isNew: true, top: text(top, before)), isNew: true,
        isMatch: receipt.match == receipt.event)
    case .repeated(let receipt):
      return .counts(text(receipt, isNew: false, top: nil), isNew: false, isMatch: false)
    case .stale(let top): return .stale(top: text(top, before) ?? Self.null)
    case .overQuota(let allowance, let top):
      return .overQuota(allowance, top: text(top, before) ?? Self.null)
    }
  }

  func rewind(for viewer: ViewerID, event: EventID) async throws -> [UInt8] {
    let before = feed.cards.revision
    let outcome = try await feed.rewind(for: viewer, event: event)
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.key("result")
    var card: DealtCard<P.D.Card>?
    var hasEnded = false
    switch outcome {
    case .applied(let back, let ended):
      writer.string("applied")
      card = back
      hasEnded = ended
      if ended { follower.nudge() }
    case .repeated: writer.string("repeated")
    case .nothingToRewind: writer.string("nothing-to-rewind")
    case .tooOld: writer.string("too-old")
    }
    writer.key("card")
    writer.text(text(card, before) ?? Self.null)
    writer.key("ended_match")
    writer.bool(hasEnded)
    writer.endObject()
    return writer.bytes
  }

  func impression(
    of card: CardID, by viewer: ViewerID, event: EventID, dwell: Dwell?
  ) async throws -> String {
    switch try await feed.impression(of: card, by: viewer, event: event, dwell: dwell) {
    case .applied: "applied"
    case .repeated: "repeated"
    case .notDealt: "not-dealt"
    }
  }

  func part(
    _ parting: Parting, _ card: CardID, from viewer: ViewerID, event: EventID
  ) async throws -> String {
    // Also after a failure: what was committed is to be told.
    defer { follower.nudge() }
    switch parting {
    case .block: try await feed.block(card, by: viewer, event: event)
    case .report: try await feed.report(card, by: viewer, event: event)
    case .unmatch:
      switch try await feed.unmatch(card, by: viewer, event: event) {
      case .applied: break
      case .repeated: return "repeated"
      case .noMatch: return "no-match"
      }
    }
    return "applied"
  }

  func matches(of viewer: ViewerID) async throws -> [UInt8] {
    let matches = try await feed.matchedCards(of: viewer)
    var writer = JSONWriter(capacity: 64 + matches.count * 256)
    writer.beginObject()
    writer.key("matches")
    writer.beginArray()
    for match in matches.reversed() {
      writer.beginObject()
      writer.key("id")
      writer.string(utf8: match.id.bytes)
      writer.key("match")
      writer.integer(match.match.rawValue)
      writer.key("time_ms")
      writer.integer(match.time.milliseconds)
      writer.key("card")
      if let card = match.card { writer.value(deck.json(of: card)) } else { writer.null() }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  func likesReceived(for viewer: ViewerID) async throws -> DealableCount {
    try await feed.likesReceived(for: viewer)
  }

  func allowances(for viewer: ViewerID) async throws -> [Allowance] {
    try await feed.allowances(for: viewer)
  }

  // MARK: Writing

  static var null: [UInt8] { Array("null".utf8) }

  private func text(_ card: DealtCard<P.D.Card>?, _ before: TableRevision) -> [UInt8]? {
    guard let card else { return nil }
    let texts = texts.texts(of: [card], before: before, table: feed.cards)
    guard let text = texts.first else { return nil }
    var writer = JSONWriter(capacity: text.count + 192)
    write(card, text, to: &writer)
    return writer.bytes
  }

  private func write(
    _ card: DealtCard<P.D.Card>, _ text: [UInt8], to writer: inout JSONWriter
  ) {
    let reason = card.reason.forViewer
    writer.beginObject()
    writer.key("id")
    writer.string(utf8: card.id.bytes)
    writer.key("deal")
    writer.integer(card.deal.rawValue)
    writer.key("card")
    writer.text(text)
    writer.key("reason")
    writer.beginObject()
    writer.key("terms")
    writer.beginObject()
    for term in reason.terms {
      writer.key(term.name)
      writer.numberOrNull(term.value)
    }
    writer.endObject()
    writer.key("variant")
    if let variant = reason.variant { writer.string(variant) } else { writer.null() }
    writer.endObject()
    writer.endObject()
  }

  private func write(
    _ shortfall: Shortfall?, showsFilters: Bool, to writer: inout JSONWriter
  ) {
    guard let shortfall = showsFilters ? shortfall : shortfall?.forViewer else {
      return writer.null()
    }
    var removed: [Exhaustion.Removal] = []
    var due: Timestamp?
    writer.beginObject()
    writer.key("kind")
    switch shortfall {
    case .starved: writer.string("starved")
    case .degraded: writer.string("degraded")
    case .exhausted(let exhaustion):
      writer.string("exhausted")
      removed = exhaustion.removed
      due = exhaustion.nextDue
    }
    writer.key("text")
    writer.string(Explanations.text(shortfall))
    writer.key("next_due_ms")
    if let due { writer.integer(due.milliseconds) } else { writer.null() }
    writer.key("removed")
    writer.beginArray()
    for removal in removed {
      writer.beginObject()
      writer.key("filter")
      writer.string(removal.filter)
      writer.key("reason")
      writer.string(removal.reason)
      writer.key("count")
      writer.integer(removal.count)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  private func text(_ receipt: SwipeReceipt, isNew: Bool, top: [UInt8]?) -> [UInt8] {
    var writer = JSONWriter(capacity: 256 + (top?.count ?? 0))
    writer.beginObject()
    writer.key("result")
    writer.string(isNew ? "applied" : "repeated")
    writer.key("receipt")
    writer.beginObject()
    writer.key("event")
    writer.integer(receipt.event.rawValue)
    writer.key("card")
    writer.string(utf8: receipt.card.bytes)
    writer.key("answer")
    writer.string(receipt.answer)
    writer.key("match")
    if let match = receipt.match { writer.integer(match.rawValue) } else { writer.null() }
    writer.key("remaining")
    writer.integer(receipt.remaining)
    writer.endObject()
    writer.key("top")
    if let top { writer.text(top) } else { writer.null() }
    writer.endObject()
    return writer.bytes
  }
}
