internal import CardFeed
internal import CardFeedConfiguration

extension OpenFeed {
  func card(_ id: CardID) -> [UInt8]? {
    let table = feed.cards
    guard let row = table.row(of: id), table.isAvailable(row) else { return nil }
    return deck.json(of: table.card(at: row)).bytes()
  }

  func put(_ record: JSONValue, as id: CardID) async throws {
    let card: P.D.Card
    do {
      card = try deck.card(from: record)
    } catch let problem as CardProblem {
      throw Problem(.unprocessable, "the record is no card: \(problem)")
    } catch {
      // The error of a deck that does not explain itself may hold the record; it is not shown.
      throw Problem(.unprocessable, "the deck '\(P.D.name)' does not take this record")
    }
    guard deck.deck.id(of: card) == id else {
      throw Problem(
        .unprocessable, "the record's identity is another one than that of the path",
        hint: "they are compared byte by byte, after the path is decoded")
    }
    try await feed.put([card])
  }

  func putLines(_ lines: [UInt8], firstLine: Int) async throws -> StoredLines {
    let reading = CardReader(deck).readLines(lines, firstLine: firstLine)
    if !reading.cards.isEmpty { try await feed.put(reading.cards) }
    return StoredLines(
      stored: reading.cards.count,
      problems: reading.problems.map { ($0.location?.line ?? firstLine, "\($0)") })
  }

  func record(
    _ viewers: [ViewerID], answering answer: String, to card: CardID
  ) async throws {
    guard let known = P.D.Answer(rawValue: answer) else { return }
    let swipes = viewers.map { viewer in
      RecordedSwipe(
        Swipe(
          viewer: viewer, card: card, answer: known,
          event: EventID(bytes: Array("recorded/".utf8) + card.bytes)))
    }
    _ = try await feed.record(swipes)
  }

  func withdraw(_ ids: [CardID]) async throws -> Int {
    let table = feed.cards
    let present = ids.filter { id in table.row(of: id).map { table.isAvailable($0) } ?? false }
    if !present.isEmpty { try await feed.withdraw(present) }
    return Set(present).count
  }

  func explain(_ card: CardID, for viewer: ViewerID) async throws -> CardExplanation {
    try await feed.explain(card, for: viewer)
  }

  func export(_ viewer: ViewerID) async throws -> JSONValue {
    try checkMaintainable()
    return try await PersonJSON.value(of: viewer, in: feed, deck: deck)
  }

  func erase(_ viewer: ViewerID) async throws -> ErasureReport {
    try checkMaintainable()
    defer { follower.nudge() }
    return try await feed.erase(viewer)
  }

  private func checkMaintainable() throws {
    guard store is any MaintainableStore else {
      throw Problem(
        .unprocessable, "the feed's store can neither hand out nor erase the data of a person",
        hint: "use a store that can, such as sqlite")
    }
  }
}
