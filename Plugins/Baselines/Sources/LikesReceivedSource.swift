public import CardFeed

/// Proposes the people whose last answer about the viewer is positive, newest first.
///
/// Skips nothing else: whom the viewer has answered already is for `already-swiped` to say. That a
/// card came from this source tells the viewer that its person likes them, so feeds keep the
/// source's name from viewers (`DealReason.forViewer`). In a deck whose cards say nothing it
/// proposes nothing.
public struct LikesReceivedSource<D: Deck>: CandidateSource {
  /// Needs nothing.
  public init() {}

  /// What others said of the viewer.
  public var needs: ContextNeeds { .answersReceived }

  /// The people from `cursor` on, which counts the answers received. O(answers received).
  public func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage {
    let answers = context.answersReceived
    var rows: [Row] = []
    var index = max(cursor.rawValue, 0)
    while index < answers.count, rows.count < limit {
      if answers[index].meaning == .positive, let row = table.row(of: answers[index].from) {
        rows.append(row)
      }
      index += 1
    }
    return SourcePage(rows: rows, next: index < answers.count ? SourceCursor(index) : nil)
  }
}
