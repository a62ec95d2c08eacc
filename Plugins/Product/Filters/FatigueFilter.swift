internal import CardFeed

/// Rests products that the viewer was shown again and again without deciding.
///
/// Two things are counted, each against its own limit: answers that decide nothing (skip, open) since
/// the last one that does (save, buy, dislike), and impressions that no answer followed. At a limit the
/// product rests for some days from the latest of them; each further one makes the rest as long again.
/// A rest ends by itself and is no dislike.
///
/// What was shown together with an answer counts once, as the answer: impressions before the latest
/// answer are not counted. Nor are those that the client says were shorter than `minimumDwell`.
struct FatigueFilter: FilterStrategy {
  typealias D = ProductDeck

  /// How often a product may be left undecided before it rests; 1 or more.
  let most: Int
  /// How often it may be shown without an answer; nil where impressions do not count.
  let impressions: Int?
  /// Impressions that lasted shorter do not count; those of which that is not known do.
  let minimumDwell: Dwell?
  /// For how long it rests, in days.
  let days: Double

  var needs: ContextNeeds { impressions == nil ? .answersGiven : [.answersGiven, .impressions] }

  var reasons: [String] {
    ["shown too often without a decision", "shown too often without an answer"]
  }

  /// No: an answer takes the product out of the hand itself, and what lies on top is shown often.
  var revalidates: Bool { false }

  /// O(n + impressions + answers of the viewer · log answers).
  func verdicts(
    for slate: Slate<ProductDeck>, relaxation: Int
  ) async throws -> [FilterVerdict] {
    let context = slate.context
    let history = ProductHistory(context.answersGiven)
    var shown: [CardNumber: (count: Int, latest: Timestamp)] = [:]
    if impressions != nil {
      for impression in context.impressions where isSeen(impression) {
        if let answer = history[impression.card], impression.time <= answer.latest.time { continue }
        let known = shown[impression.card] ?? (0, impression.time)
        shown[impression.card] = (known.count + 1, max(known.latest, impression.time))
      }
    }
    return slate.numbers.map { number in
      if let entry = history[number],
        let due = end(of: entry.undecided, most: most, since: entry.latest.time), context.now < due
      {
        return .remove(reason: 0, due: due)
      }
      if let impressions, let sight = shown[number],
        let due = end(of: sight.count, most: impressions, since: sight.latest), context.now < due
      {
        return .remove(reason: 1, due: due)
      }
      return .keep
    }
  }

  /// Who flicks past a product has not seen it. That a duration is not known is not 0.
  private func isSeen(_ impression: Impression) -> Bool {
    guard let minimumDwell, let dwell = impression.dwell else { return true }
    return dwell >= minimumDwell
  }

  /// When a rest ends; nil where there are too few for one.
  private func end(of count: Int, most: Int, since time: Timestamp) -> Timestamp? {
    count < most ? nil : time.after(days: days * Double(count - most + 1))
  }
}
