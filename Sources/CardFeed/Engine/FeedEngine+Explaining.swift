internal import CardFeedStack

extension FeedEngine {
  /// What the pipeline thinks of each card for this viewer, without dealing anything and without
  /// filters. O(cards).
  public func appraise(
    _ cards: [CardID], for viewer: ViewerID
  ) async throws -> [CandidateNumbers] {
    try await withSession(viewer) { session in
      let table = catalogue.table
      let rows = try cards.map { card in
        guard let row = table.row(of: card) else {
          throw FeedError(
            .unknownCard, "the deck '\(D.name)' has no card with one of the given identifiers")
        }
        return row
      }
      let pipeline = pipelines.pipeline(for: viewer).pipeline
      let context = try await context(
        for: session, pipeline: pipeline, seed: seed(for: viewer, deal: session.deals))
      // A slate holds each card once; repeated questions get the same answer.
      var places: [Row: Int] = [:]
      var unique: [Row] = []
      for row in rows where places[row] == nil {
        places[row] = unique.count
        unique.append(row)
      }
      let numbers = try await pipeline.appraise(
        Slate(table: table, rows: unique, context: context))
      return rows.compactMap { row in places[row].map { numbers[$0] } }
    }
  }

  /// Why a card is in the viewer's hand, or why it is not: the pipeline is run without dealing.
  public func explain(_ card: CardID, for viewer: ViewerID) async throws -> CardExplanation {
    try await withSession(viewer) { session in
      let table = try await checked(session)
      guard let row = table.row(of: card) else { return .unknown }
      let number = table.number(at: row)
      if session.hidden.contains(number) { return .notProposed }
      if let place = session.stack.upcoming.firstIndex(where: { $0.id == number }) {
        return .inHand(
          place: session.stack.upcoming.distance(
            from: session.stack.upcoming.startIndex, to: place),
          DealReason(session.stack.upcoming[place]))
      }
      let assigned = pipelines.pipeline(for: viewer)
      let missing = assigned.pipeline.hand.size - session.stack.upcomingCount
      let plan = try await plan(
        max(1, missing), for: session, by: assigned, inHand: session.inHand,
        namesCandidates: true)
      guard let candidate = plan.trace.candidates?.first(where: { $0.id == card }) else {
        return .notProposed
      }
      if case .dealt(let place) = candidate.fate {
        return .wouldBeDealt(place: place, candidate.numbers)
      }
      return .notDealt(candidate.fate, candidate.numbers)
    }
  }
}
