public import CardFeed

/// Removes cards that the viewer has answered, for as long as the deck's policy says.
///
/// A card with a positive answer never returns. One with a negative or neutral answer returns after
/// its time, if there is one; until then the verdict says when. Hard, so that no fallback deals a
/// seen card.
public struct AlreadySwipedFilter<D: Deck>: FilterStrategy {
  private let answers: Set<String>
  private let negativeReturnsAfter: Int64?
  private let neutralReturnsAfter: Int64?

  /// Removes what was answered.
  ///
  /// - Parameters:
  ///   - answers: The answers that count, nil for all; cards with other answers stay.
  ///   - policy: After how many milliseconds a card returns.
  public init(answers: [D.Answer]? = nil, policy: DeckPolicy) {
    self.answers = Set((answers ?? Array(D.Answer.allCases)).map(\.rawValue))
    negativeReturnsAfter = policy.negativeReturnsAfter
    neutralReturnsAfter = policy.neutralReturnsAfter
  }

  /// Why it removes cards.
  public var reasons: [String] { ["answered before", "answered before, and not due yet"] }

  /// No: an answer takes the card out of the hand itself.
  public var revalidates: Bool { false }

  /// Looks each candidate up. O(n).
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    let seen = slate.context.seen
    guard !seen.isEmpty else { return Array(repeating: .keep, count: slate.count) }
    return slate.numbers.map { number in
      guard let answer = seen[number]?.answer, answers.contains(answer.answer)
      else { return .keep }
      let wait: Int64? =
        switch answer.meaning {
        case .positive: nil
        case .negative: negativeReturnsAfter
        case .neutral: neutralReturnsAfter
        }
      guard let wait else { return .remove(reason: 0) }
      let due = answer.time.saturatingAdvance(byMilliseconds: wait)
      return slate.context.now < due ? .remove(reason: 1, due: due) : .keep
    }
  }
}
