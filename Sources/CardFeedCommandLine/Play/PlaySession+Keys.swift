internal import CardFeed
internal import CardFeedLayout
internal import CardFeedStack
package import CardFeedTerminal

extension PlaySession {
  /// A key was pressed.
  ///
  /// - Parameters:
  ///   - key: Which.
  ///   - time: When, in seconds of any clock that never goes back.
  package mutating func press(_ key: Key, at time: Double) -> [PlayEffect] {
    switch key {
    case .interrupt, .endOfInput: return [.quit]
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    default: break
    }
    if let panel {
      self.panel = scrolled(panel, key)
      return []
    }
    var effects = advance(at: time)
    notice = ""
    isFailure = false
    effects += action(key, at: time)
    return effects
  }

  private mutating func action(_ key: Key, at time: Double) -> [PlayEffect] {
    switch key {
    case .left: return answer(setting.answers.answer(.left), at: time)
    case .right: return answer(setting.answers.answer(.right), at: time)
    case .up: return answer(setting.answers.answer(.up), at: time)
    case .down: return answer(setting.answers.answer(.down), at: time)
    case .escape, .character("q"), .character("Q"): return [.quit]
    case .character("z"), .character("Z"), .backspace: return rewind()
    case .character("?"): return explain()
    case .character("m"), .character("M"): return [.matches]
    case .character(" "), .enter: return turnOrAsk()
    case .character(let letter): return answer(setting.answers.answer(letter), at: time)
    default: return []
    }
  }

  private func scrolled(_ panel: PileScene.Panel, _ key: Key) -> PileScene.Panel? {
    var panel = panel
    switch key {
    case .down: panel.scroll += 1
    case .up: panel.scroll -= 1
    case .pageDown: panel.scroll += 5
    case .pageUp: panel.scroll -= 5
    case .home: panel.scroll = 0
    default: return nil
    }
    // There is no line without a character, so this is never too little.
    let most = panel.paragraphs.reduce(0) { $0 + $1.count + 1 }
    panel.scroll = min(max(panel.scroll, 0), most)
    return panel
  }

  private mutating func answer(_ answer: PlayAnswer?, at time: Double) -> [PlayEffect] {
    guard let answer, !isRewinding else { return [] }
    if let leaving {
      // One card is decided once. The next one may be decided when it is to be seen.
      let isSeen = leaving.motion.map { $0.progress(at: time) >= 0.5 } ?? true
      guard leaving.isDurable, isSeen else { return [] }
      finishLeaving()
    }
    guard let card = cards.first else { return [] }
    if case .refused(let reason) = decide(answer, about: card) {
      notice = reason
      return []
    }
    coming = nil
    cards.removeFirst()
    let isAgain = unsure?.card.id == card.id && unsure?.answer == answer
    let number = isAgain ? unsure?.number ?? nextNumber() : nextNumber()
    unsure = nil
    leaving = Leaving(
      card: card, answer: answer, number: number,
      motion: isAnimated(at: time)
        ? .flight(answer.direction, setting.rule, size: cardSize, at: time) : nil)
    lastSeen = card.id
    return [.swipe(card: card.id, answer: answer.name, number: number)]
  }

  /// The gate through which every key's decision goes. Who has not seen the back of a card cannot say
  /// whether they knew it; putting it aside says nothing of that.
  private func decide(_ answer: PlayAnswer, about card: PlayCard) -> GateAnswer {
    let isHidden = !card.face.back.isEmpty && !isTurned && answer.meaning != .neutral
    let top = StackPosition(tally.swipes)
    var gate = DecisionGate(top: top) { _ in
      isHidden ? "Show the answer first: space turns the card." : nil
    }
    return gate.decide(
      DecisionRequest(position: top, direction: answer.direction, path: .keyboard))
  }

  private mutating func rewind() -> [PlayEffect] {
    guard !isRewinding else { return [] }
    if let leaving {
      guard leaving.isDurable else { return [] }
      finishLeaving()
    }
    isRewinding = true
    return [.rewind(number: nextNumber())]
  }

  private mutating func explain() -> [PlayEffect] {
    guard leaving == nil, let top = cards.first else { return [] }
    return [.explain(top.id, title: top.face.title)]
  }

  private mutating func turnOrAsk() -> [PlayEffect] {
    guard leaving == nil else { return [] }
    guard let top = cards.first else { return handsAsked == 0 ? askForHand() : [] }
    if !top.face.back.isEmpty { isTurned.toggle() }
    return []
  }
}
