/// Gives every viewer the few cards worth showing next, and takes their answers.
///
/// Operations of one viewer happen one after the other, in the order in which they were called;
/// operations of different viewers run side by side. An operation that throws changed nothing.
public protocol Feed<Card>: Sendable {
  /// One thing that can be dealt.
  associatedtype Card: Sendable
  /// What a viewer can say to it.
  associatedtype Answer: Sendable

  /// The viewer's hand, refilled if it has run low. Asking again gives the same hand.
  func hand(for viewer: ViewerID) async throws -> Hand<Card>

  /// Replaces what the viewer holds by a new deal. The old cards count as dealt, not as seen.
  func redeal(for viewer: ViewerID) async throws -> Hand<Card>

  /// Applies an answer to the top card, once. Throws `FeedError.Code.eventConflict` when the event
  /// id belongs to another event.
  func swipe(_ swipe: Swipe<Answer>) async throws -> SwipeOutcome<Card>

  /// What is left of each quota of the viewer, in the order of the configuration.
  func allowances(for viewer: ViewerID) async throws -> [Allowance]

  /// Takes the viewer's last swipe back.
  func rewind(for viewer: ViewerID, event: EventID) async throws -> RewindOutcome<Card>

  /// Keeps two people apart from now on: the card leaves the viewer's hand, and the viewer's card
  /// leaves the other's.
  func block(_ card: CardID, by viewer: ViewerID, event: EventID) async throws

  /// Blocks, and records that something is wrong with the card.
  func report(_ card: CardID, by viewer: ViewerID, event: EventID) async throws

  /// Ends the match of two people and keeps them apart from then on, as a block does: each leaves
  /// the other's hand, and neither can tell which of the two it was. Only where a match stands.
  func unmatch(
    _ card: CardID, by viewer: ViewerID, event: EventID
  ) async throws -> UnmatchOutcome

  /// Records that the client showed a card; only where it was dealt to the viewer.
  ///
  /// The event id alone decides whether it was recorded before: sent again with another duration it
  /// is a repetition, and the first duration stays. A client that measures durations reports when
  /// the card has left the screen.
  ///
  /// - Parameters:
  ///   - card: The card.
  ///   - viewer: Who was shown it.
  ///   - event: The client's identity of the event.
  ///   - dwell: For how long the viewer looked at it; nil where that is not known, which is not 0.
  /// - Throws: `FeedError.Code.unknownCard`, `eventConflict`, and what the store throws. A duration
  ///   that is out of range is refused where it is made, `Dwell(milliseconds:)`.
  @discardableResult
  func impression(
    of card: CardID, by viewer: ViewerID, event: EventID, dwell: Dwell?
  ) async throws -> ImpressionOutcome

  /// Records swipes that happened elsewhere, in order: history of another system, or a log. Hands
  /// need not hold the cards. Returns how many were new.
  func record(_ swipes: [RecordedSwipe<Answer>]) async throws -> Int

  /// What the pipeline thinks of each card for this viewer (P(match), score, its terms), without
  /// dealing anything and without filters.
  func appraise(_ cards: [CardID], for viewer: ViewerID) async throws -> [CandidateNumbers]

  /// Why a card is in the viewer's hand, or why it is not.
  func explain(_ card: CardID, for viewer: ViewerID) async throws -> CardExplanation

  /// The viewer's matches that stand, oldest first.
  func matches(of viewer: ViewerID) async throws -> [CardID]

  /// The same with the cards; of who was withdrawn a tombstone.
  func matchedCards(of viewer: ViewerID) async throws -> [MatchedCard<Card>]

  /// How many of those who like the viewer can be dealt, by the pipeline's own filters.
  func likesReceived(for viewer: ViewerID) async throws -> DealableCount

  /// What happens from now on. Each caller gets everything; one that falls 1,024 behind loses the
  /// oldest.
  var outcomes: AsyncStream<FeedOutcome> { get }
}

extension Feed {
  /// Records that the client showed a card, without saying for how long.
  @discardableResult
  public func impression(
    of card: CardID, by viewer: ViewerID, event: EventID
  ) async throws -> ImpressionOutcome {
    try await impression(of: card, by: viewer, event: event, dwell: nil)
  }

  /// How likely the viewer and each card are to match, without dealing anything.
  public func estimates(
    for viewer: ViewerID, cards: [CardID]
  ) async throws -> [MatchEstimate] {
    try await appraise(cards, for: viewer).map(\.estimate)
  }
}
