public import CardFeed
internal import CardFeedDiversity

/// Keeps more than `most` cards of one kind out of any `window` cards in a row, also across hands.
///
/// In front of a place lie the cards of the hand, and before those the viewer's latest answers. A
/// card that does not fit is withheld, or loses `penalty`; what would leave a hand empty is not
/// withheld. With `most` 1 and a small window kinds take turns.
public struct WindowCapRule<D: Deck>: SlateRule {
  private let column: String
  private let window: Int
  private let most: Int
  private let penalty: Double?

  /// A cap.
  ///
  /// - Parameters:
  ///   - column: A column of categories or tags.
  ///   - window: How many cards in a row, 1 or more.
  ///   - most: How many of them may be of one kind, 1 or more.
  ///   - penalty: What a card loses that does not fit, 0 or more; nil where it is withheld.
  public init(column: String, window: Int, most: Int, penalty: Double?) {
    precondition(
      window > 0 && most > 0 && (penalty ?? 0) >= 0, "A window and a cap are above 0.")
    self.column = column
    self.window = window
    self.most = most
    self.penalty = penalty
  }

  /// The viewer's answers.
  public var needs: ContextNeeds { .answersGiven }

  /// Penalties and withheld cards. O(places · n).
  public func adjustment(for ranked: RankedSlate<D>) async throws -> SlateAdjustment {
    let slate = ranked.slate
    guard slate.count > 0 else { return SlateAdjustment() }
    let keys = try slate.table.keys(column, askedBy: "window-cap")
    // A window of w cards is the place itself and the w − 1 before it.
    let before = window - 1
    guard before > 0 else { return SlateAdjustment() }
    let answered = slate.context.answersGiven.suffix(before).map { given in
      slate.table.row(of: given.card).map(keys) ?? []
    }
    let spread = KeyWindow(
      window: before, most: most, held: ranked.heldRows.map(keys), answered: answered
    ).spread(
      scores: ranked.scores, keys: slate.rows.map(keys), places: ranked.places, penalty: penalty,
      mayBeEmpty: !ranked.held.isEmpty)
    let reason = "\(most) of the same \(column) among \(window)"
    return SlateAdjustment(
      penalties: spread.penalties,
      withheld: Dictionary(uniqueKeysWithValues: spread.withheld.map { ($0, reason) }))
  }
}
