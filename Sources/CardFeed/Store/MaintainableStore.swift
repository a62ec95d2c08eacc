/// A store whose past can be handed out, taken away and made smaller: what privacy laws and growing
/// files ask for. Apart from `FeedStore`, which stays what a feed needs.
///
/// Every operation keeps `check()` clean and may run beside deals and swipes. What it takes out of
/// the log is gone for good: events keep their places, and a place is never used again. What the
/// removed events taught stays in the learners' numbers, because those of other people must not
/// jump; only an erased person's own numbers become zero.
public protocol MaintainableStore: FeedStore {
  /// Everything that is kept of one person, from one consistent state.
  ///
  /// What others did is theirs: of the answers received only the numbers are given, not who gave
  /// them. O(events + what learners learned since their last blob).
  func export(person: CardNumber) async throws -> PersonExport

  /// Removes everything that is kept of one person, in one transaction: identifier, card, the
  /// events by and about them, what they saw and who saw them, standings, matches, hand, exposures,
  /// and their own learned numbers. Their number is never used again, and whatever still comes in
  /// about it is refused as stale. Erasing somebody twice, or nobody, changes nothing. O(store).
  ///
  /// What is left: their number in the hands of others, until those are next asked for, and copies
  /// made before. A learner is expected to teach an event to numbers of the whole deck, of its
  /// viewer and of its card only.
  func erase(person: CardNumber) async throws -> ErasureReport

  /// Removes the exposures of deals before a time. A card stays dealt; its score, its propensity
  /// and its place in the deal are gone. Returns how many were removed. O(deals).
  func prune(exposuresBefore time: Timestamp) async throws -> Int

  /// Folds old answers into one small set of cards for each viewer.
  ///
  /// Negative answers before `negativesBefore` are folded; so are positive ones before
  /// `unansweredLikesBefore` if the card never answered the viewer. Both only where nothing else
  /// rests on them: no match, no block, no deal of the card after the answer.
  ///
  /// To the viewer the card stays seen with the same answer, of a time that is at least its own (the
  /// latest in the set), and the event 0: `SeenEntry.Answered.event` is `.start`. To everybody else
  /// the answer is gone: a like that expired is no like received, and makes no match. It cannot be
  /// taken back any more, and its event id is forgotten. The set is the truth up to the event that
  /// it names; the events it replaces, and what learners keep of them, are removed.
  ///
  /// O(store), in many small transactions; interrupted, it has folded some viewers and not others.
  func ageOut(
    negativesBefore: Timestamp?, unansweredLikesBefore: Timestamp?
  ) async throws -> AgeOutReport
}

/// Everything a store keeps of one person.
public struct PersonExport: Sendable {
  /// The person's number.
  public let number: CardNumber
  /// The identifier; nil if the store handed no such number out, or the person was erased.
  public var id: CardID?
  /// The person's own card, in a deck of people.
  public var card: StoredCard?
  /// What they did, in order.
  public var events: [LoggedEvent] = []
  /// What they were dealt, deal by deal.
  public var exposures: [(deal: LogPosition, exposure: Exposure)] = []
  /// What they and each card had to do with each other.
  public var seen: [CardNumber: SeenEntry] = [:]
  /// How many answers about them stand, by what those say. Not whose.
  public var answersReceived: [AnswerMeaning: Int] = [:]
  /// Their matches that stand, oldest first.
  public var matches: [StoredMatch] = []
  /// Their hand.
  public var stack: StoredStack?
  /// How many deals they have had.
  public var deals: Int64 = 0
  /// Their own numbers of each learner, those that are not zero, in the order of the slots.
  public var learned: [String: [Increment]] = [:]

  /// An export without anything yet.
  public init(number: CardNumber) { self.number = number }
}

/// What an erasure removed.
public struct ErasureReport: Hashable, Sendable {
  /// Events by and about the person.
  public let events: Int
  /// Exposures to and of the person.
  public let exposures: Int

  /// What an erasure removed.
  public init(events: Int, exposures: Int) {
    self.events = events
    self.exposures = exposures
  }
}

/// What an age-out folded.
public struct AgeOutReport: Hashable, Sendable {
  /// Viewers of whom something was folded.
  public var viewers = 0
  /// Negative answers folded.
  public var negatives = 0
  /// Likes that expired.
  public var likes = 0
  /// Events that were removed.
  public var events = 0
  /// The bytes of all sets of the viewers that were touched.
  public var bytes = 0

  /// Nothing folded yet.
  public init() {}
}
