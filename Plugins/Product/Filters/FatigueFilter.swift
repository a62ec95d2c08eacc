internal import CardFeed

/// Rests products that the viewer was shown again and again without deciding.
///
/// Counted are the answers that decide nothing (skip, open) since the last one that does (save, buy,
/// dislike). After `most` of them the product rests for `days` from the latest one; each further one
/// makes the rest as long again. A rest ends by itself and is no dislike.
struct FatigueFilter: FilterStrategy {
  typealias D = ProductDeck

  /// How often a product may be left undecided before it rests; 1 or more.
  let most: Int
  /// For how long, in days.
  let days: Double

  var needs: ContextNeeds { .answersGiven }

  var reasons: [String] { ["shown too often without a decision"] }

  /// No: an answer takes the product out of the hand itself.
  var revalidates: Bool { false }

  /// O(n + answers of the viewer · log answers).
  func verdicts(
    for slate: Slate<ProductDeck>, relaxation: Int
  ) async throws -> [FilterVerdict] {
    let history = ProductHistory(slate.context.answersGiven)
    return slate.numbers.map { number in
      guard let entry = history[number], entry.undecided >= most else { return .keep }
      let rests = Double(entry.undecided - most + 1)
      let due = entry.latest.time.after(days: days * rests)
      return slate.context.now < due ? .remove(due: due) : .keep
    }
  }
}
