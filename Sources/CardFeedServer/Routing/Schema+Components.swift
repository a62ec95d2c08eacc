internal import CardFeed
internal import CardFeedConfiguration

extension Schema {
  /// What the answers and bodies of routes refer to, by name.
  static let components: [(name: String, schema: JSONValue)] = [
    ("Problem", problem), ("Hand", hand), ("DealtCard", dealtCard), ("Shortfall", shortfall),
    ("SwipeRequest", swipeRequest), ("SwipeResult", swipeResult), ("Receipt", receipt),
    ("RewindResult", rewindResult), ("CardReference", cardReference),
    ("ImpressionRequest", impressionRequest), ("Match", match),
    ("MatchEvent", matchEvent), ("ReloadEvent", reloadEvent),
    ("Allowance", allowance), ("Feed", feed), ("Explanation", explanation), ("Reason", reason),
    ("Fate", fate), ("Upload", upload), ("ConfigurationProblem", configurationProblem),
    ("Strategy", strategy), ("Layout", layout),
  ]

  private static let problem: JSONValue = [
    "type": "object", "required": ["type", "title", "status", "detail"],
    "properties": [
      "type": one(of: Problem.Kind.allCases.map { "/problems/" + $0.rawValue }),
      "title": text, "status": ["type": "integer", "minimum": 400, "maximum": 599],
      "detail": text, "hint": text,
      "id": described(text, "Names the line of the service's log that says more."),
      "problems": list(of: anyObject), "top": orNull(reference("DealtCard")),
    ],
  ]

  private static let card = described(
    anyObject, "The card's record, with the keys that its deck knows.")

  private static let dealtCard = object([
    "id": text, "deal": described(count, "The event of the log that dealt it."), "card": card,
    "reason": described(
      object([
        "terms": described(numbers, "The public parts of its score."), "variant": orNull(text),
      ]), "Why it came, as far as the viewer may know."),
  ])

  private static let matchEvent = described(
    object(
      [
        "kind": one(of: ["match-made", "match-ended"]),
        "event": described(
          count, "The event of the log that did it; of a made match its identity."),
        "card": described(orNull(text), "The other one; null for somebody who was erased."),
        "cardHex": described(text, "Instead of `card`, for an identifier that is not UTF-8."),
        "time": milliseconds,
      ], optional: ["card", "cardHex"]),
    "The data of the events `match-made` and `match-ended`.")

  private static let reloadEvent = described(
    object(["reason": one(of: ["too-old", "other-stream", "erasure"])]),
    "The data of the event `reload`: something may be missing, so load the matches anew.")

  private static let shortfall = object([
    "kind": one(of: ["exhausted", "starved", "degraded"]),
    "text": described(text, "The reason in words."),
    "next_due_ms": orNull(milliseconds),
    "removed": described(
      list(of: object(["filter": text, "reason": text, "count": count])),
      "What each filter removed; for callers with the scope admin only."),
  ])

  private static let hand = object([
    "cards": described(list(of: reference("DealtCard")), "Top first."),
    "shortfall": orNull(reference("Shortfall")),
    "degradations": described(list(of: text), "What the last deal left out, in words."),
    "generation": ["type": "integer"],
  ])

  private static let swipeRequest = object(
    [
      "card": text, "answer": text,
      "time_ms": described(
        ["type": "integer", "minimum": 0, "maximum": JSONValue(greatestTime)],
        "When the client swiped, in milliseconds since 1970; now without."),
    ], optional: ["time_ms"])

  /// The last millisecond of the year 9999.
  static let greatestTime: Int64 = 253_402_300_799_999

  private static let receipt = object([
    "event": count, "card": text, "answer": text, "match": orNull(count), "remaining": count,
  ])

  private static let swipeResult = object([
    "result": one(of: ["applied", "repeated"]), "receipt": reference("Receipt"),
    "top": described(
      orNull(reference("DealtCard")),
      "The card on top now; null where there is none, and for a repeated swipe."),
  ])

  private static let rewindResult = object([
    "result": one(of: ["applied", "repeated", "nothing-to-rewind", "too-old"]),
    "card": described(
      orNull(reference("DealtCard")), "The card that is back; null where it may not be shown."),
    "ended_match": flag,
  ])

  private static let cardReference = object(["card": text])

  private static let impressionRequest = object(
    [
      "card": text,
      "dwell_ms": described(
        ["type": "integer", "minimum": 0, "maximum": JSONValue(Dwell.longest)],
        "For how long the card was looked at, in milliseconds; not known without."),
    ], optional: ["dwell_ms"])

  private static let match = object([
    "id": text, "match": described(count, "The event of the log that made it."),
    "time_ms": milliseconds,
    "card": described(orNull(card), "Null for somebody who is withdrawn, or may not be shown."),
  ])

  private static let allowance = object([
    "quota": text, "answers": list(of: text), "limit": count, "used": count, "remaining": count,
    "start_ms": milliseconds, "end_ms": milliseconds,
  ])

  private static let feed = object([
    "name": text, "deck": text,
    "answers": list(
      of: object([
        "name": text, "meaning": one(of: ["positive", "neutral", "negative"]),
      ])),
    "cards": described(count, "Withdrawn ones included."), "fingerprint": text,
    "hand": object(["size": count, "refill_below": count, "rewind": count]),
    "viewers": described(
      list(of: text), "Whom to try it as, the first by default; nobody but in a demonstration."),
  ])

  private static let reason = object([
    "source": text, "match_probability": orNull(number), "forward": orNull(number),
    "backward": orNull(number), "score": orNull(number), "terms": numbers,
    "propensity": orNull(number), "fingerprint": text, "variant": orNull(text),
  ])

  private static let fate = object([
    "kind": one(of: [
      "dealt", "removed", "unavailable", "withheld", "unscored", "outranked", "not-reached",
    ]), "by": described(orNull(text), "The filter or rule."), "reason": orNull(text),
    "due_ms": orNull(milliseconds), "rank": orNull(count),
  ])

  private static let explanation = object([
    "card": text, "text": text,
    "kind": one(of: ["in-hand", "would-be-dealt", "not-dealt", "not-proposed", "unknown"]),
    "place": described(orNull(count), "0 is the top."), "reason": orNull(reference("Reason")),
    "fate": orNull(reference("Fate")),
    "numbers": orNull(
      object([
        "match_probability": orNull(number), "forward": orNull(number),
        "backward": orNull(number), "score": orNull(number), "terms": numbers,
      ])),
  ])

  private static let upload = object([
    "stored": described(count, "Cards that are durable now."),
    "problems": list(of: object(["line": count, "text": text])),
    "problems_left_out": described(count, "Problems beyond the first 1000."),
  ])

  private static let configurationProblem = object([
    "path": text, "line": orNull(count), "column": orNull(count), "message": text,
    "found": orNull(text), "allowed": orNull(text), "nearest": orNull(text),
  ])

  private static let strategy = object([
    "name": text, "stage": text, "summary": text, "discussion": text,
    "parameters": list(
      of: object([
        "name": text, "allowed": text, "unit": orNull(text), "required": flag,
        "default": described([:], "What is used without it."), "help": text,
      ])),
  ])

  private static let layer = object([
    "scale": number, "offsetX": number, "offsetY": number, "rotation": number, "alpha": number,
    "z": number,
  ])

  private static let layout = object([
    "name": text, "summary": text, "policy": text, "directions": list(of: text),
    "anchor": object(["x": number, "y": number]),
    "constants": list(of: object(["name": text, "value": number, "unit": text])),
    "roles": list(of: text), "samples": list(of: object(["distance": number, "layer": layer])),
    "spring": list(of: number), "jitter": list(of: number),
  ])
}
