/// Where a feed keeps what must not be lost.
///
/// The event log is the truth; everything else a store keeps is a fold over it. Each `commit` is
/// one transaction: when it returns, its effect is durable and whole; when it throws, nothing
/// changed. A store is safe to use from many tasks at once.
public protocol FeedStore: Sendable {
  /// The number of each identifier, in order; made where there is none yet.
  func numbers(for ids: [CardID]) async throws -> [CardNumber]

  /// The identifier of each number, in order; nil where the store handed no such number out.
  func ids(for numbers: [CardNumber]) async throws -> [CardID?]

  /// Adds the cards, or replaces those with the same identity. Where the payload is another one
  /// than before, the card has changed at `time`, or at the time that is kept if that is later; a
  /// card that is new or stays the same has not.
  ///
  /// - Returns: Each card as it is kept, with its number, in order.
  func put(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard]

  /// Replaces what is kept of cards, and leaves each withdrawn or not, as it is here; whoever else
  /// withdraws or brings back a card at the same time is not undone. New cards are added; what
  /// `isWithdrawn` says of a given card is not asked.
  ///
  /// A card with a number is that person's: if the number has been erased, or belongs to another
  /// identity, nothing of the card is kept, and no new number is made for it. Changes count as in
  /// `put`.
  ///
  /// - Returns: Each card with its number, and as withdrawn as it is; nil where nothing was kept.
  func revise(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard?]

  /// Takes cards out of the deck. Their history stays.
  func withdraw(_ cards: [CardNumber]) async throws

  /// Brings withdrawn cards back, with what is kept of them here.
  ///
  /// - Returns: Those of the numbers that are cards, withdrawn before or not, in order: nobody who
  ///   was erased is among them.
  func reinstate(_ cards: [CardNumber]) async throws -> [CardNumber]

  /// The next cards after `number` in the order of numbers, `limit` at most.
  func cards(after number: CardNumber?, limit: Int) async throws -> [StoredCard]

  /// What is known of a viewer, with at most `swipes` of the latest swipes.
  func viewer(_ number: ViewerNumber, swipes: Int) async throws -> ViewerRecord

  /// What a session in memory begins with. Stores that can answer in one go implement it; the others
  /// are asked for one thing after the other.
  ///
  /// - Parameters:
  ///   - identity: Under which the store knows the viewer; made where it does not.
  ///   - number: The viewer's number where the caller knows it.
  ///   - swipes: How many of the latest swipes are read at most.
  func sessionStart(
    of identity: CardID, number: ViewerNumber?, swipes: Int
  ) async throws -> SessionStart

  /// What others last said of a viewer and stands, newest first, `limit` at most.
  func answersReceived(by viewer: ViewerNumber, limit: Int) async throws -> [ReceivedAnswer]

  /// For each card how many people like it and wait for what it says: their last answer about it is
  /// positive and stands, the card has said nothing of them that stands, and nothing keeps the two
  /// apart. Counted up to `limit`. In order; a card may stand more than once.
  func unansweredLikes(of cards: [CardNumber], limit: Int) async throws -> [Int]
  /// The viewer's swipes of hands that stand and happened at a time or later, in the order of the
  /// log. Asked once after each deal, if answers are counted at all.
  func handAnswers(of viewer: ViewerNumber, since time: Timestamp) async throws -> [DatedAnswer]

  /// All answers of a viewer that stand, those recorded from elsewhere among them, in the order of
  /// the log. Asked once for a session, if a strategy needs them at all.
  func answersGiven(by viewer: ViewerNumber) async throws -> [GivenAnswer]

  /// What clients showed the viewer, in the order of the log; by default read from `events`. Asked
  /// once for a session, if a strategy needs it at all.
  func impressions(of viewer: ViewerNumber) async throws -> [Impression]

  /// Every card that must not meet the viewer, in both directions, with the reason.
  func unsafe(for viewer: ViewerNumber) async throws -> [CardNumber: SafetyStanding]

  /// Makes a deal durable, unless one of its cards was blocked or the hand was moved meanwhile.
  func commit(_ deal: DealCommand) async throws -> DealDecision

  /// Makes swipes durable, all in one transaction, one decision each.
  func commit(_ swipes: [SwipeCommand]) async throws -> [SwipeDecision]

  /// Takes a swipe back.
  func commit(_ rewind: RewindCommand) async throws -> RewindDecision

  /// Keeps two people apart from now on, and ends their match. An `.unmatch` does so only if they
  /// have one.
  func commit(_ block: BlockCommand) async throws -> RecordDecision

  /// Records that a client showed a card. The same event with another duration is a repetition:
  /// what was recorded first stays.
  ///
  /// - Parameters:
  ///   - viewer: Who was shown it.
  ///   - card: The card.
  ///   - event: The client's identity of the event.
  ///   - time: When it counts.
  ///   - dwell: For how long; nil where it is not known.
  func recordImpression(
    viewer: ViewerNumber, card: CardNumber, event: EventID, time: Timestamp, dwell: Dwell?
  ) async throws -> RecordDecision

  /// Replaces the viewer's stack, after cards were taken out of it, unless the hand was moved
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - stack: The hand without them.
  ///   - viewer: Whose it is.
  ///   - basis: The hand that `stack` was made from; nil replaces whatever is there.
  /// - Returns: Whether it was replaced.
  @discardableResult
  func save(
    _ stack: StoredStack, of viewer: ViewerNumber, basis: HandRevision?
  ) async throws -> Bool

  /// The viewer's matches that stand, oldest first.
  func matches(of viewer: ViewerNumber) async throws -> [StoredMatch]

  /// Events after a place in the log, in order, `limit` at most. Places grow; they may have gaps.
  /// No event appears later at or before the place of one that was returned, so that whoever
  /// follows the log from the last place it has seen misses none.
  func events(after position: LogPosition, limit: Int) async throws -> [LoggedEvent]

  /// Who was kept apart after a place in the log, by a block, a report or the end of a match; by
  /// default read from `events`. Processes that share a store ask for it all the time.
  func partings(after position: LogPosition, limit: Int) async throws -> Partings

  /// Which matches were made and ended after a place in the log, and who was erased; by default read
  /// from `events`. Whoever tells viewers of their matches asks for it all the time.
  func matchChanges(after position: LogPosition, limit: Int) async throws -> MatchChanges

  /// The exposures of a deal, in order.
  func exposures(of deal: LogPosition) async throws -> [Exposure]

  /// The last blob of a learner, or nil when there is none.
  func learnerBlob(_ learner: String) async throws -> LearnerBlob?

  /// Replaces a learner's blob.
  func save(_ blob: LearnerBlob, of learner: String) async throws

  /// What events after a place of the log added for a learner: positive for swipes, and once more,
  /// negated, for rewinds. `limit` at most, in order.
  func learnerDeltas(
    of learner: String, after position: LogPosition, limit: Int
  ) async throws -> [(position: LogPosition, increments: [Increment])]

  /// Stores what a swipe of the log adds for a learner that was not there when it was swiped.
  func save(
    _ deltas: [(position: LogPosition, increments: [Increment])], of learner: String
  ) async throws

  /// The place of the last event.
  func lastPosition() async throws -> LogPosition

  /// Compares what is derived with the event log and looks for damage.
  func check() async throws -> [StoreProblem]

  /// Finishes what runs and lets go of every resource. The store cannot be used after it.
  func close() async throws
}

extension FeedStore {
  /// Records that a client showed a card, without saying for how long.
  public func recordImpression(
    viewer: ViewerNumber, card: CardNumber, event: EventID, time: Timestamp
  ) async throws -> RecordDecision {
    try await recordImpression(viewer: viewer, card: card, event: event, time: time, dwell: nil)
  }

  /// Replaces the viewer's stack, whatever hand is there.
  public func save(_ stack: StoredStack, of viewer: ViewerNumber) async throws {
    try await save(stack, of: viewer, basis: nil)
  }
}
