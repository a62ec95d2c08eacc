import CardFeed

/// The fold of the events of one unordered pair: what its rows must be. Apart from the rules that
/// write these rows, so that each checks the other.
struct PairHistory {
  let low: CardNumber
  let high: CardNumber
  private(set) var forward: SeenEntry?
  private(set) var backward: SeenEntry?
  private(set) var match: StoredMatch?
  private(set) var standing = SafetyStanding.clear
  private(set) var lastEvent = LogPosition.start
  /// The first swipe that remembers something else than what was before it.
  private(set) var forgetfulSwipe: LogPosition?
  /// What each swipe of the pair remembers.
  private var before: [LogPosition: SeenEntry] = [:]

  init(low: CardNumber, high: CardNumber) {
    self.low = low
    self.high = high
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
      if event.before != (event.viewer == low ? forward : backward) {
        forgetfulSwipe = forgetfulSwipe ?? event.position
      }
      update(event) { entry in
        entry = SeenEntry(
          dealtAt: entry?.dealtAt,
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
    case .impression:
      break
    }
  }

  private mutating func update(_ event: PairEvent, _ change: (inout SeenEntry?) -> Void) {
    if event.viewer == low { change(&forward) } else { change(&backward) }
  }
}
