internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedHTTP

extension FeedService {
  private static let path = "/v1/feeds/{feed}/viewers/{viewer}"

  private static var key: Route.Parameter {
    Route.Parameter(
      name: "Idempotency-Key", place: .header, isRequired: true,
      description: "The event's own id, the same one when it is sent again.",
      schema: ["type": "string", "minLength": 1, "maxLength": 255])
  }

  private static func result(_ names: [String]) -> [Route.Answer] {
    ok(Schema.object(["result": Schema.one(of: names)]))
  }

  private static func json(_ schema: String) -> Route.Body {
    .json(Schema.reference(schema), limit: 65_536)
  }

  /// Hands, swipes and whatever else viewers do.
  static var viewerRoutes: [Route] {
    [
      Route(
        .get, path + "/hand", name: "getHand", scope: .serve,
        summary: "The viewer's hand, refilled if it has run low.",
        answers: ok(Schema.reference("Hand"))
      ) { service, call in try await service.hand(call, isFresh: false) },
      Route(
        .post, path + "/redeal", name: "redealHand", scope: .serve,
        summary: "Replaces what the viewer holds by a new deal.",
        answers: ok(Schema.reference("Hand"))
      ) { service, call in try await service.hand(call, isFresh: true) },
      Route(
        .post, path + "/swipes", name: "swipe", scope: .serve,
        summary: "Applies an answer to the top card, once.", parameters: [key],
        body: json("SwipeRequest"), answers: ok(Schema.reference("SwipeResult")),
        problems: [.stale, .conflict]
      ) { service, call in try await service.swipe(call) },
      Route(
        .post, path + "/rewinds", name: "rewind", scope: .serve,
        summary: "Takes the viewer's last swipe back.", parameters: [key],
        answers: ok(Schema.reference("RewindResult")), problems: [.conflict]
      ) { service, call in
        let feed = try service.feed(of: call)
        service.metrics.rewinds.add()
        return .json(
          try await feed.operations.rewind(for: call.viewer, event: call.event()))
      },
      Route(
        .post, path + "/impressions", name: "recordImpression", scope: .serve,
        summary: "Records that the client showed a card.", parameters: [key],
        body: json("ImpressionRequest"), answers: result(["applied", "repeated", "not-dealt"]),
        problems: [.conflict]
      ) { service, call in
        let feed = try service.feed(of: call)
        let body = try call.object(["card", "dwell_ms"])
        return .result(
          try await feed.operations.impression(
            of: CardID(body.text("card")), by: call.viewer, event: call.event(),
            dwell: dwell(in: body)))
      },
      parting("/blocks", .block, "Keeps the two apart from now on."),
      parting("/reports", .report, "Blocks, and records that something is wrong with the card."),
      parting(
        "/unmatches", .unmatch, "Ends the match of the two, and keeps them apart.",
        results: ["applied", "repeated", "no-match"]),
    ] + viewerQuestions
  }

  private static func parting(
    _ end: String, _ parting: Parting, _ summary: String, results: [String] = ["applied"]
  ) -> Route {
    Route(
      .post, path + end, name: "\(parting)", scope: .serve, summary: summary, parameters: [key],
      body: json("CardReference"), answers: result(results), problems: [.conflict]
    ) { service, call in
      let feed = try service.feed(of: call)
      let card = try call.object(["card"]).text("card")
      return .result(
        try await feed.operations.part(
          parting, CardID(card), from: call.viewer, event: call.event()))
    }
  }

  private static var viewerQuestions: [Route] {
    [
      Route(
        .get, path + "/matches", name: "listMatches", scope: .serve,
        summary: "The viewer's matches that stand, newest first.",
        answers: ok(Schema.object(["matches": Schema.list(of: Schema.reference("Match"))]))
      ) { service, call in
        .json(try await service.feed(of: call).operations.matches(of: call.viewer))
      },
      Route(
        .get, path + "/likes-received", name: "countLikes", scope: .serve,
        summary: "How many of those who like the viewer can be dealt.",
        answers: ok(Schema.object(["count": Schema.count, "exact": Schema.flag]))
      ) { service, call in
        let likes = try await service.feed(of: call).operations.likesReceived(for: call.viewer)
        return .json(["count": JSONValue(likes.count), "exact": JSONValue(likes.isExact)])
      },
      Route(
        .get, path + "/allowances", name: "listAllowances", scope: .serve,
        summary: "What is left of each quota of the viewer.",
        answers: ok(
          Schema.object(["allowances": Schema.list(of: Schema.reference("Allowance"))]))
      ) { service, call in
        let allowances = try await service.feed(of: call).operations.allowances(for: call.viewer)
        return .json(["allowances": JSONValue(allowances.map(\.json))])
      },
      Route(
        .get, path + "/events", name: "followEvents", scope: .serve,
        summary: "The viewer's matches as server-sent events, for as long as the client listens.",
        discussion: """
          Tells each match of the viewer that is made or ends, whichever process of the store did it, \
          in order and once for each id. Events: `match-made` and `match-ended` (data: \
          `#/components/schemas/MatchEvent`), `reload` (`#/components/schemas/ReloadEvent`), and \
          `closed` before a stream ends because its client was too slow. Ids are opaque; comments \
          with an id keep a quiet connection alive.
          """,
        parameters: [
          Route.Parameter(
            name: "Last-Event-ID", place: .header, description: "The last event that was seen.",
            schema: Schema.text)
        ],
        answers: [
          Route.Answer(
            status: 200, description: "A stream of events.", type: "text/event-stream",
            schema: nil)
        ]
      ) { service, call in
        let stream = try await service.feed(of: call).operations.events(
          of: call.viewer, after: call.head.header("last-event-id"))
        return HTTPResponse(
          status: 200,
          headers: [
            ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
            ("X-Accel-Buffering", "no"),
          ], body: .stream(EventBody(stream)))
      },
    ]
  }

  private static func dwell(in body: JSONObject) throws -> Dwell? {
    guard let value = body["dwell_ms"] else { return nil }
    guard let milliseconds = value.int64, (0...Dwell.longest).contains(milliseconds) else {
      throw Problem(
        .unprocessable,
        "\"dwell_ms\" is no duration; allowed: a whole number, 0 … \(Dwell.longest)",
        hint: "leave it out where it is not known")
    }
    return try Dwell(milliseconds: milliseconds)
  }

  private func hand(_ call: ServiceCall, isFresh: Bool) async throws -> HTTPResponse {
    let feed = try feed(of: call)
    try await feed.welcome?(call.part("viewer"))
    let bytes = try await feed.operations.hand(
      for: call.viewer, isFresh: isFresh, showsFilters: call.grant.scopes.contains(.admin))
    metrics.hands.add()
    return .json(bytes)
  }

  private func swipe(_ call: ServiceCall) async throws -> HTTPResponse {
    let feed = try feed(of: call)
    let event = try call.event()
    let body = try call.object(["card", "answer", "time_ms"])
    let card = try body.text("card")
    let answer = try body.text("answer")
    var time: Timestamp?
    if let value = body["time_ms"] {
      guard let milliseconds = value.int64, (0...Schema.greatestTime).contains(milliseconds)
      else {
        throw Problem(
          .unprocessable,
          "\"time_ms\" is no moment; allowed: a whole number, 0 … \(Schema.greatestTime)")
      }
      time = Timestamp(milliseconds: milliseconds)
    }
    let outcome = try await feed.operations.swipe(
      by: call.viewer, card: CardID(card), answer: answer, event: event, time: time)
    switch outcome {
    case .counts(let bytes, let isNew, let isMatch):
      (isNew ? metrics.swipes : metrics.repeatedSwipes).add()
      if isMatch { metrics.matches.add() }
      return .json(bytes)
    case .stale(let top):
      metrics.staleSwipes.add()
      throw Problem(
        .stale, "the card is not on top of the viewer's hand any more; nothing changed",
        hint: "ask for the hand again, and answer the card on top"
      ).adding("top", top)
    case .overQuota(let allowance, let top):
      let now = SystemClock().now.milliseconds
      throw Problem(
        .overLimit,
        "the quota '\(allowance.quota)' allows \(allowance.limit) of these answers in "
          + "its span, and none is left; nothing changed"
      ).adding("top", top).adding("allowance", allowance.json.bytes()).retrying(
        after: (allowance.end.milliseconds - now + 999) / 1000)
    }
  }
}

extension HTTPResponse {
  fileprivate static func result(_ name: String) -> HTTPResponse {
    .json(["result": JSONValue(name)])
  }
}

extension Allowance {
  fileprivate var json: JSONValue {
    [
      "quota": JSONValue(quota), "answers": JSONValue(answers.map { JSONValue($0) }),
      "limit": JSONValue(limit), "used": JSONValue(used), "remaining": JSONValue(remaining),
      "start_ms": JSONValue(start.milliseconds), "end_ms": JSONValue(end.milliseconds),
    ]
  }
}
