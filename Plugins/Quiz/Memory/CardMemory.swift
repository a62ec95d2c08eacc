internal import CardFeed
internal import CardFeedSpacedRepetition

/// What is known of one learner and one card.
struct CardMemory<State: Hashable & Sendable>: Hashable, Sendable {
  /// The model's state; nil until the first answer that says something of knowledge.
  var state: State?
  var phase: LearningPhase = .learning(step: 0)
  /// When the card is due. Whole days end at the beginning of the learner's day.
  var due: Timestamp
  /// The day on which it is due, where it waits for whole days.
  var dueDay: Int64?
  /// The last answer of any kind.
  var last: Timestamp
  /// The last answer that says something of knowledge.
  var lastReview: Timestamp
  /// The learner's day of it.
  var lastReviewDay: Int64 = 0
  /// The day of the first answer that says something of knowledge.
  var firstDay: Int64?
  var reviews = 0
  var lapses = 0
  var isSuspended = false
  var isLeech = false
  /// The day until whose end the learner buried it.
  var buriedDay: Int64?

  init(at time: Timestamp) {
    due = time
    last = time
    lastReview = time
  }
}
