import CardFeed

/// The fold of the events of one unordered pair: what its rows must be. Apart from the rules that
/// write these rows, so that each checks the other.
struct PairHistory {
  let low: CardNumber
  let high: CardNumber
  private(set) var forward: Seen
  private(set) var backward: Seen
  private(set) var match: StoredMatch?
  private(set) var standing = SafetyStanding.clear
  private(set) var lastEvent = LogPosition.start
  /// The first swipe that remembers something else than what was before it.
  private(set) var forgetfulSwipe: LogPosition?
  /// What each swipe of the pair remembers.
  private var before: [LogPosition: SeenEntry] = [:]

  /// - Parameters:
  ///   - horizon: Exposures of deals before it were pruned.
  ///   - isFolded: Whether a viewer's answer to a card was folded. Asked seldom.
  init(
    low: CardNumber, high: CardNumber, horizon: Timestamp?,
    isFolded: @escaping (_ viewer: CardNumber, _ card: CardNumber) -> Bool
  ) {
    self.low = low
    self.high = high
    forward = Seen(horizon: horizon) { isFolded(low, high) }
    backward = Seen(horizon: horizon) { isFolded(high, low) }
  }

  /// What one side saw of the other.
  struct Seen {
    var entry: SeenEntry?
    let horizon: Timestamp?
    let isFolded: () -> Bool

    init(horizon: Timestamp?, isFolded: @escaping () -> Bool) {
      self.horizon = horizon
      self.isFolded = isFolded
    }

    /// Where something was removed from the log, the rows know better: of pruned deals they know the
    /// cards, and with a folded answer the memory of the deals before it went.
    func agrees(with held: SeenEntry?) -> Bool {
      if held == entry { return true }
      guard held?.answer == entry?.answer else { return false }
      if held?.dealtAt == nil, isFolded() { return true }
      // Clocks may go back, so a later deal may have been pruned before an earlier one.
      guard let horizon, let dealtAt = held?.dealtAt else { return false }
      return dealtAt < horizon
    }
  }

  struct PairEvent {
    let position: LogPosition
    let kind: EventKind
    let viewer: CardNumber
    let card: CardNumber
    let time: Timestamp
    let answer: String?
    let meaning: AnswerMeaning?
    let about: LogPosition?
    let before: SeenEntry?
  }

  mutating func apply(_ event: PairEvent) {
    lastEvent = event.position
    switch event.kind {
    case .deal:
      update(event) { $0 = SeenEntry(dealtAt: event.time, answer: $0?.answer) }
    case .swipe:
      guard let answer = event.answer, let meaning = event.meaning else { return }
      before[event.position] = event.before
      if !(event.viewer == low ? forward : backward).agrees(with: event.before) {
        forgetfulSwipe = forgetfulSwipe ?? event.position
      }
      update(event) { entry in
        entry = SeenEntry(
          dealtAt: event.before?.dealtAt,
          answer: SeenEntry.Answered(
            answer: answer, meaning: meaning, time: event.time, event: event.position))
      }
    case .rewind:
      guard let swipe = event.about else { return }
      let restored = before[swipe]
      update(event) { $0 = restored }
      if match?.event == swipe || restored?.answer?.meaning != .positive { match = nil }
    case .match:
      guard let swipe = event.about else { return }
      match = StoredMatch(event: swipe, between: low, and: high, time: event.time)
    case .block, .report:
      standing = event.kind == .block ? .blocked : .reported
      match = nil
    case .unmatch:
      standing = .unmatched
      match = nil
    case .erasure:
      standing = .unknown
    case .impression, .ageOut:
      break
    }
  }

  private mutating func update(_ event: PairEvent, _ change: (inout SeenEntry?) -> Void) {
    if event.viewer == low { change(&forward.entry) } else { change(&backward.entry) }
  }
}
