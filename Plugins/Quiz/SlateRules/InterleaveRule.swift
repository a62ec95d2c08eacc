internal import CardFeed
internal import CardFeedDiversity

/// Keeps cards of one skill from following each other.
///
/// The hand is put together place by place: of the candidates that are left the best one whose
/// skills did not come up in the places before. Cards that lie in the hand come before all of them,
/// and before those the answers that the viewer has just given. Nothing is done for a card without
/// skills, or with an order that is not by score.
///
/// The order is made with penalties alone, so that no card is raised. Where there is no other card,
/// one of the same skill costs a penalty or is withheld; what would leave a hand empty is not
/// withheld.
///
/// Source: practice of mixed skills is remembered better than practice in blocks, Rohrer and Taylor
/// (2007).
struct InterleaveRule: SlateRule {
  typealias D = QuizDeck

  /// The column of tags.
  let column: String
  /// How many places before a card must have other skills.
  let window: Int
  /// What a card of the same skill is worth less; nil where it is withheld.
  let penalty: Double?

  var needs: ContextNeeds { .answersGiven }

  /// O(places · n).
  func adjustment(for ranked: RankedSlate<QuizDeck>) async throws -> SlateAdjustment {
    let slate = ranked.slate
    guard slate.count > 0 else { return SlateAdjustment() }
    guard case .tags(let codes, _)? = slate.table.column(column) else {
      throw FeedError(
        .badInput, "the slate rule 'interleave' found no column of tags '\(column)' in the deck",
        hint: "name a column that holds any number of names for each card")
    }
    func skills(of cards: some Sequence<CardNumber>) -> [[Int32]] {
      cards.map { number in slate.table.row(of: number).map { codes[$0.index] } ?? [] }
    }
    let spread = KeyWindow(
      window: window, held: skills(of: ranked.held),
      answered: skills(of: slate.context.answersGiven.suffix(window).map(\.card))
    ).spread(
      scores: ranked.scores, keys: slate.rows.map { codes[$0.index] },
      // What a late filter takes out is made up for from the places behind.
      places: ranked.wanted + Self.spare, penalty: penalty, mayBeEmpty: !ranked.held.isEmpty)
    let reason = "a card of the same \(column) in the \(window) before"
    return SlateAdjustment(
      penalties: spread.penalties,
      withheld: Dictionary(uniqueKeysWithValues: spread.withheld.map { ($0, reason) }))
  }

  private static let spare = 20
}
