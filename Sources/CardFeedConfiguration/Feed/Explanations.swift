package import CardFeed

/// Reasons in words and as JSON, for operators.
package enum Explanations {
  package static func text(_ reason: DealReason) -> String {
    var parts = ["from \(reason.source)"]
    parts += reason.terms.map { "\($0.name) \(brief($0.value))" }
    if let forward = reason.estimate.forward?.value {
      parts.append("P(viewer likes) \(brief(forward))")
    }
    if let backward = reason.estimate.backward?.value {
      parts.append("P(likes back) \(brief(backward))")
    }
    if let variant = reason.variant { parts.append("variant \(variant)") }
    return parts.joined(separator: ", ")
  }

  package static func json(_ reason: DealReason) -> JSONValue {
    [
      "source": JSONValue(reason.source),
      "match_probability": JSONValue(orNull: reason.estimate.match?.value),
      "forward": JSONValue(orNull: reason.estimate.forward?.value),
      "backward": JSONValue(orNull: reason.estimate.backward?.value),
      "score": JSONValue(orNull: reason.score.value),
      "terms": JSONValue(
        JSONObject(reason.terms.map { ($0.name, JSONValue(orNull: $0.value)) })),
      "propensity": JSONValue(orNull: reason.propensity),
      "fingerprint": JSONValue(reason.fingerprint),
      "variant": reason.variant.map { JSONValue($0) } ?? .null,
    ]
  }

  package static func text(_ shortfall: Shortfall) -> String {
    switch shortfall {
    case .starved: return "no source proposed any card"
    case .degraded: return "the deal stopped early; there may be more"
    case .exhausted(let exhaustion):
      let removed = exhaustion.removed.map { "\($0.count) by \($0.filter) (\($0.reason))" }
      // Who may not see what filters took out is told nothing of it.
      var text = "exhausted"
      if !removed.isEmpty { text += "; removed " + removed.joined(separator: ", ") }
      if let due = exhaustion.nextDue {
        text += "; the next card is due at \(due.milliseconds) ms since 1970"
      }
      return text
    }
  }

  package static func text(_ degradation: Degradation) -> String {
    switch degradation {
    case .timeBudget(let stage): "the time budget ended before \(stage)"
    case .batchLimit: "pages beyond the batch limit; the next deal goes on there"
    case .source(let name, let failure): "cards of the source \(name): \(failure.rawValue)"
    case .strategy(let name): "the stage \(name), which failed"
    }
  }

  package static func text(_ explanation: CardExplanation) -> String {
    switch explanation {
    case .inHand(let place, let reason): "in the hand at place \(place + 1), \(text(reason))"
    case .wouldBeDealt(let place, let numbers):
      "would be dealt next, as card \(place + 1)\(text(numbers))"
    case .notDealt(let fate, let numbers): "not dealt: \(text(fate))\(text(numbers))"
    case .notProposed: "not dealt: no source proposes it within the pages of one deal"
    case .unknown: "not in the deck"
    }
  }

  package static func text(_ fate: CandidateFate) -> String {
    switch fate {
    case .dealt(let place): "dealt at place \(place + 1)"
    case .removed(let filter, let reason, let due):
      "removed by \(filter) (\(reason))"
        + (due.map { " until \($0.milliseconds) ms since 1970" } ?? "")
    case .unavailable(let filter): "withheld by \(filter), whose data are unavailable"
    case .withheld(let rule, let reason): "kept back by \(rule) (\(reason))"
    case .unscored: "without a score, and such cards are not dealt"
    case .outranked(let rank): "\(rank) cards are ranked before it"
    case .notReached: "the deal ended before it was looked at"
    }
  }

  private static func text(_ numbers: CandidateNumbers?) -> String {
    guard let numbers else { return "" }
    let terms = numbers.terms.map { ", \($0.name) \(brief($0.value))" }.joined()
    return "; score \(brief(numbers.score.value)), "
      + "P(match) \(brief(numbers.estimate.match?.value))" + terms
  }

  private static func brief(_ number: Double?) -> String {
    number.map { FixedDecimals.text($0, decimals: 4) } ?? "unknown"
  }
}
