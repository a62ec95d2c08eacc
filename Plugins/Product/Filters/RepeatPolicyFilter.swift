internal import CardFeed

/// Removes products by what the viewer last decided about them.
///
/// - Bought: one that lasts is not dealt again; one that is used up comes back by its rhythm.
/// - Disliked: not again, or after a time.
/// - Saved: not again, or after a time; it is in the viewer's list.
/// - Skipped, opened: after a time. Neither says that the product is not wanted.
///
/// What was never answered stays, dealt before or not. Hard, so that no fallback deals such a product;
/// every verdict that changes by itself says when.
struct RepeatPolicyFilter: FilterStrategy {
  typealias D = ProductDeck

  /// After how many days a product comes back; nil is never.
  struct Waits: Sendable {
    var skipped: Double?
    var opened: Double?
    var saved: Double?
    var disliked: Double?
  }

  private enum Reason {
    static let disliked = 0
    static let lasts = 1
    static let notDue = 2
    static let saved = 3
    static let skipped = 4
    static let opened = 5
  }

  let waits: Waits
  let rhythm: PurchaseRhythm

  var needs: ContextNeeds { .answersGiven }

  var reasons: [String] {
    [
      "disliked", "bought, and it lasts", "bought, and not due again yet", "saved",
      "skipped, and not due again yet", "opened, and not due again yet",
    ]
  }

  /// No: an answer takes the product out of the hand itself, and the past, which a rewind brings back,
  /// would be judged by the answer that is to be taken back.
  var revalidates: Bool { false }

  /// O(n + answers of the viewer · log answers).
  func verdicts(
    for slate: Slate<ProductDeck>, relaxation: Int
  ) async throws -> [FilterVerdict] {
    let history = ProductHistory(slate.context.answersGiven)
    return zip(slate.rows, slate.numbers).map { row, number in
      guard let entry = history[number] else { return .keep }
      return verdict(entry, row: row, in: slate)
    }
  }

  private func verdict(
    _ entry: ProductHistory.Entry, row: Row, in slate: Slate<ProductDeck>
  ) -> FilterVerdict {
    let now = slate.context.now
    func wait(_ days: Double?, since time: Timestamp, reason: Int) -> FilterVerdict {
      guard let days else { return .remove(reason: reason) }
      let due = time.after(days: days)
      return now < due ? .remove(reason: reason, due: due) : .keep
    }
    if let (answer, time) = entry.decision, answer == .dislike {
      let verdict = wait(waits.disliked, since: time, reason: Reason.disliked)
      if verdict != .keep { return verdict }
    }
    if !entry.purchases.isEmpty {
      guard let due = rhythm.due(entry, row: row, in: slate.table) else {
        return .remove(reason: Reason.lasts)
      }
      if now < due { return .remove(reason: Reason.notDue, due: due) }
    } else if let (answer, time) = entry.decision, answer == .save {
      let verdict = wait(waits.saved, since: time, reason: Reason.saved)
      if verdict != .keep { return verdict }
    }
    switch entry.latest.answer {
    case .skip: return wait(waits.skipped, since: entry.latest.time, reason: Reason.skipped)
    case .open: return wait(waits.opened, since: entry.latest.time, reason: Reason.opened)
    case .save, .buy, .dislike: return .keep
    }
  }
}
