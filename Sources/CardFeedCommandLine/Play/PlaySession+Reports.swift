internal import CardFeed
internal import CardFeedLayout
internal import CardFeedTerminal

extension PlaySession {
  /// An effect came to something.
  ///
  /// - Parameters:
  ///   - report: What became of it.
  ///   - time: Now, in seconds.
  package mutating func take(_ report: PlayReport, at time: Double) -> [PlayEffect] {
    var effects: [PlayEffect] = []
    tally.count(report)
    switch report {
    case .hand(let hand, let reasons): take(hand, reasons)
    case .swiped(let isMatch): effects = noteSwiped(isMatch: isMatch)
    case .refused(let reason, let isStale):
      bringBack(at: time)
      say(reason, isFailure: true)
      if isStale { effects = askForHand() }
    case .rewound(let card, let endedMatch):
      effects = noteRewound(card, endedMatch: endedMatch, at: time)
    case .notRewound(let reason):
      isRewinding = false
      say(reason, isFailure: true)
    case .seen: break
    case .explained(let title, let paragraphs):
      panel = PileScene.Panel(title: title, paragraphs: paragraphs)
    case .matches(let matches):
      panel = PileScene.Panel(
        title: matches.count == 1 ? "1 match" : "\(matches.count) matches",
        paragraphs: matches.isEmpty ? ["None yet."] : matches)
    case .failed(let effect, let reason): noteFailure(of: effect, reason, at: time)
    }
    return effects + advance(at: time)
  }

  private mutating func say(_ text: String, isFailure: Bool = false) {
    notice = text
    self.isFailure = isFailure
  }

  private mutating func take(_ hand: [PlayCard], _ reasons: [String]) {
    handsAsked -= 1
    let top = cards.first?.id
    cards = hand
    // It was dealt before the swipe that is on its way.
    if let leaving, !leaving.isDurable { cards.removeAll { $0.id == leaving.card.id } }
    self.reasons = reasons
    guard cards.first?.id != top else { return }
    coming = nil
    if leaving == nil { isTurned = false }
  }

  private mutating func noteSwiped(isMatch: Bool) -> [PlayEffect] {
    guard var leaving else { return [] }
    leaving.isDurable = true
    self.leaving = leaving
    directions.append(leaving.answer.direction)
    if directions.count > 1000 { directions.removeFirst(500) }
    if isMatch {
      if setting.isMutual {
        panel = PileScene.Panel(
          title: "It's a match!", paragraphs: [leaving.card.face.title], isFestive: true)
      } else {
        say("a match: \(leaving.answer.name)")
      }
    }
    return askForHand()
  }

  /// A refused card springs back from where it is.
  private mutating func bringBack(at time: Double) {
    guard let leaving else { return }
    self.leaving = nil
    cards.insert(leaving.card, at: 0)
    guard isAnimated(at: time), let motion = leaving.motion else { return }
    coming = .spring(
      from: motion.displacement(at: time), setting.rule, at: time)
  }

  private mutating func noteRewound(
    _ card: PlayCard?, endedMatch: Bool, at time: Double
  ) -> [PlayEffect] {
    isRewinding = false
    let direction = directions.popLast()
    isTurned = false
    if let card {
      cards.removeAll { $0.id == card.id }
      cards.insert(card, at: 0)
      if isAnimated(at: time), let direction {
        coming = .arrival(direction, setting.rule, size: cardSize, at: time)
      }
      say(endedMatch ? "taken back, and the match with it" : "taken back")
    } else {
      say("taken back; the card may not be shown any more")
    }
    return askForHand()
  }

  private mutating func noteFailure(of effect: PlayEffect, _ reason: String, at time: Double) {
    switch effect {
    case .hand:
      handsAsked -= 1
      reasons = [reason]
    case .swipe:
      unsure = leaving
      bringBack(at: time)
    case .rewind: isRewinding = false
    default: break
    }
    say(reason, isFailure: true)
  }
}
