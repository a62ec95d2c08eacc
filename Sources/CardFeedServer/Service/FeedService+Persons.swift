internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedHTTP

extension FeedService {
  /// Explanations, and what is kept of a person.
  static var personRoutes: [Route] {
    [
      Route(
        .get, "/v1/feeds/{feed}/viewers/{viewer}/explanations/{card}", name: "explainCard",
        scope: .admin, summary: "Why a card is in the viewer's hand, or why it is not.",
        answers: ok(Schema.reference("Explanation"))
      ) { service, call in
        let card = CardID(bytes: call.part("card"))
        let explanation = try await service.feed(of: call).operations.explain(
          card, for: call.viewer)
        return .json(explanation.json(of: card))
      },
      Route(
        .get, "/v1/feeds/{feed}/viewers/{viewer}/export", name: "exportViewer", scope: .admin,
        summary: "Everything that is kept of a viewer.", answers: ok(Schema.anyObject),
        problems: [.unprocessable]
      ) { service, call in
        .json(try await service.feed(of: call).operations.export(call.viewer))
      },
      Route(
        .delete, "/v1/feeds/{feed}/viewers/{viewer}", name: "eraseViewer", scope: .admin,
        summary: "Removes everything that is kept of a viewer, for good.",
        answers: ok(Schema.object(["events": Schema.count, "exposures": Schema.count])),
        problems: [.unprocessable]
      ) { service, call in
        let report = try await service.feed(of: call).operations.erase(call.viewer)
        return .json([
          "events": JSONValue(report.events), "exposures": JSONValue(report.exposures),
        ])
      },
    ]
  }
}

extension CardExplanation {
  fileprivate func json(of card: CardID) -> JSONValue {
    var kind: String
    var place: Int?
    var reason: DealReason?
    var fate: CandidateFate?
    var numbers: CandidateNumbers?
    switch self {
    case .inHand(let at, let why): (kind, place, reason) = ("in-hand", at, why)
    case .wouldBeDealt(let at, let what): (kind, place, numbers) = ("would-be-dealt", at, what)
    case .notDealt(let became, let what): (kind, fate, numbers) = ("not-dealt", became, what)
    case .notProposed: kind = "not-proposed"
    case .unknown: kind = "unknown"
    }
    return [
      "card": JSONValue("\(card)"), "text": JSONValue(Explanations.text(self)),
      "kind": JSONValue(kind), "place": place.map { JSONValue($0) } ?? .null,
      "reason": reason.map(Explanations.json) ?? .null, "fate": fate?.json ?? .null,
      "numbers": numbers?.json ?? .null,
    ]
  }
}

extension CandidateFate {
  fileprivate var json: JSONValue {
    var kind: String
    var by: String?
    var reason: String?
    var due: Timestamp?
    var rank: Int?
    switch self {
    case .dealt(let place): (kind, rank) = ("dealt", place)
    case .removed(let filter, let why, let until):
      (kind, by, reason, due) = ("removed", filter, why, until)
    case .unavailable(let filter): (kind, by) = ("unavailable", filter)
    case .withheld(let rule, let why): (kind, by, reason) = ("withheld", rule, why)
    case .unscored: kind = "unscored"
    case .outranked(let place): (kind, rank) = ("outranked", place)
    case .notReached: kind = "not-reached"
    }
    return [
      "kind": JSONValue(kind), "by": by.map { JSONValue($0) } ?? .null,
      "reason": reason.map { JSONValue($0) } ?? .null,
      "due_ms": due.map { JSONValue($0.milliseconds) } ?? .null,
      "rank": rank.map { JSONValue($0) } ?? .null,
    ]
  }
}

extension CandidateNumbers {
  fileprivate var json: JSONValue {
    [
      "match_probability": JSONValue(orNull: estimate.match?.value),
      "forward": JSONValue(orNull: estimate.forward?.value),
      "backward": JSONValue(orNull: estimate.backward?.value),
      "score": JSONValue(orNull: score.value),
      "terms": JSONValue(JSONObject(terms.map { ($0.name, JSONValue(orNull: $0.value)) })),
    ]
  }
}
