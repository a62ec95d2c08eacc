internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedHTTP

extension FeedService {
  private static let path = "/v1/feeds/{feed}/cards"

  /// Cards one by one and many at once.
  static func cardRoutes(limit: Int) -> [Route] {
    let stored = ok(Schema.object(["stored": Schema.count]))
    return [
      Route(
        .get, path + "/{card}", name: "getCard", scope: .serve, summary: "A card's record.",
        answers: ok(Schema.anyObject)
      ) { service, call in
        guard
          let card = try service.feed(of: call).operations.card(CardID(bytes: call.part("card")))
        else { throw Problem(.notFound, "the deck has no such card, or it is withdrawn") }
        return .json(card)
      },
      Route(
        .put, path + "/{card}", name: "putCard", scope: .write,
        summary: "Adds a card, or replaces the one of the same identity.",
        body: .json(Schema.anyObject, limit: limit), answers: stored
      ) { service, call in
        let feed = try service.feed(of: call)
        try await feed.operations.put(call.json(), as: CardID(bytes: call.part("card")))
        service.metrics.storedCards.add()
        return .json(["stored": 1])
      },
      Route(
        .delete, path + "/{card}", name: "withdrawCard", scope: .write,
        summary: "Takes a card out of the deck; its history stays.",
        answers: ok(Schema.object(["withdrawn": Schema.count]))
      ) { service, call in
        let feed = try service.feed(of: call)
        let count = try await feed.operations.withdraw([CardID(bytes: call.part("card"))])
        return .json(["withdrawn": JSONValue(count)])
      },
      Route(
        .post, path, name: "uploadCards", scope: .write,
        summary: "Adds or replaces many cards, one record a line.",
        discussion: "Cards are stored in batches as they come, so what was stored when a "
          + "connection breaks stays stored: send all of it again. A line that is no card is "
          + "reported and skipped.",
        body: .lines(Schema.text), answers: ok(Schema.reference("Upload"))
      ) { service, call in
        let feed = try service.feed(of: call)
        var upload = CardUpload(feed: feed, metrics: service.metrics)
        var lines = LineBatches(call.body, lineLimit: service.options.lineLimit)
        while let batch = try await lines.next() { try await upload.take(batch) }
        return .json(upload.json)
      },
      Route(
        .post, path + "/withdrawals", name: "withdrawCards", scope: .write,
        summary: "Takes many cards out of the deck, one identity a line.",
        discussion: "A line is the identity as a JSON text, or an object with \"id\". Those that "
          + "the deck does not have are not counted.",
        body: .lines(Schema.text), answers: ok(Schema.object(["withdrawn": Schema.count]))
      ) { service, call in
        let feed = try service.feed(of: call)
        var count = 0
        var lines = LineBatches(call.body, lineLimit: service.options.lineLimit)
        while let batch = try await lines.next() {
          count += try await feed.operations.withdraw(CardUpload.identities(batch))
        }
        return .json(["withdrawn": JSONValue(count)])
      },
    ]
  }
}
