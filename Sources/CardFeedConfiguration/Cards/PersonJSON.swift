package import CardFeed

/// An export as people get it: with identifiers in the place of numbers.
package struct PersonJSON {
  let export: PersonExport
  let names: [CardNumber: CardID]
  let viewer: ViewerID

  /// Everything that is kept of a viewer, as JSON.
  ///
  /// - Parameters:
  ///   - viewer: Who.
  ///   - feed: Whose store is asked.
  ///   - deck: The feed's deck.
  /// - Throws: What `FeedEngine.export` throws, and the decoding error of the person's card.
  package static func value<P: DeckPlugin, Store: FeedStore, Clock: FeedClock>(
    of viewer: ViewerID, in feed: FeedEngine<P.D, Store, Clock, SplitMix64>, deck: P
  ) async throws -> JSONValue {
    let export = try await feed.export(viewer)
    let numbers =
      export.events.compactMap(\.card) + export.exposures.map(\.exposure.card) + export.seen.keys
      + export.matches.flatMap { [$0.low, $0.high] }
    let names = try await feed.identifiers(of: numbers)
    return try PersonJSON(export: export, names: names, viewer: viewer).value(deck: deck)
  }

  private func value<P: DeckPlugin>(deck: P) throws -> JSONValue {
    [
      "viewer": JSONValue("\(viewer)"),
      "card": try export.card.map { deck.json(of: try deck.deck.decode($0.payload)) } ?? .null,
      "events": JSONValue(export.events.map(event)),
      "exposures": JSONValue(
        export.exposures.map { deal, exposure in
          [
            "deal": JSONValue(deal.rawValue), "card": name(exposure.card),
            "place": JSONValue(exposure.position), "score": JSONValue(orNull: exposure.score),
            "matchProbability": JSONValue(orNull: exposure.probability),
            "propensity": JSONValue(orNull: exposure.propensity),
          ]
        }),
      "seen": JSONValue(export.seen.sorted { $0.key < $1.key }.map { seen($0.key, $0.value) }),
      "answersReceived": [
        "positive": count(.positive), "neutral": count(.neutral), "negative": count(.negative),
      ],
      "matches": JSONValue(
        export.matches.map { match in
          [
            "with": name(match.low == export.number ? match.high : match.low),
            "time": time(match.time),
          ]
        }),
      "hand": [
        "deals": JSONValue(export.deals),
        "imageBytes": JSONValue(export.stack?.image.count ?? 0),
      ],
      "learned": JSONValue(
        export.learned.sorted { $0.key < $1.key }.map { learner, numbers in
          [
            "learner": JSONValue(learner),
            "numbers": JSONValue(
              numbers.map {
                ["slot": JSONValue(Int($0.key.slot)), "value": JSONValue($0.amount)]
              }),
          ]
        }),
    ]
  }

  private func event(_ event: LoggedEvent) -> JSONValue {
    [
      "event": JSONValue(event.position.rawValue), "kind": JSONValue("\(event.kind)"),
      "card": event.card.map(name) ?? .null, "time": time(event.time),
      "answer": event.answer.map { JSONValue($0) } ?? .null,
      "takenBack": JSONValue(event.isRewound),
      "dwellMilliseconds": event.dwell.map { JSONValue($0.milliseconds) } ?? .null,
    ]
  }

  private func seen(_ card: CardNumber, _ entry: SeenEntry) -> JSONValue {
    [
      "card": name(card), "dealt": entry.dealtAt.map(time) ?? .null,
      "answer": entry.answer.map { JSONValue($0.answer) } ?? .null,
      "answered": entry.answer.map { time($0.time) } ?? .null,
    ]
  }

  private func count(_ meaning: AnswerMeaning) -> JSONValue {
    JSONValue(export.answersReceived[meaning] ?? 0)
  }

  private func name(_ number: CardNumber) -> JSONValue {
    names[number].map { JSONValue("\($0)") } ?? .null
  }

  /// Milliseconds since 1970, as everywhere in a store.
  private func time(_ time: Timestamp) -> JSONValue { JSONValue(time.milliseconds) }
}
