internal import CardFeed
package import CardFeedLayout
package import CardFeedTerminal

/// A person who swipes at a terminal: what is shown, and what each key does.
///
/// A state machine without a clock and without input or output. Keys and reports go in, effects come
/// out, and at any time there is a scene. A swipe is asked for when its card begins to leave; the next
/// one waits until it is durable. A refused one springs back.
package struct PlaySession: Sendable {
  /// What stays the same.
  package struct Setting: Sendable {
    /// The deck's name.
    package let deck: String
    /// Whether a match is one of two people, and worth a window.
    package let isMutual: Bool
    /// The answers.
    package let answers: PlayAnswers
    /// Who swipes.
    package let viewer: String
    /// How the pile is drawn.
    package let layout: LayoutPreset
    /// How cards leave: the layout's way, in any direction, since a key can send a card anywhere.
    package let rule: DragRule
    /// Which characters can be shown.
    package let characters: TerminalCharacters
    /// Whether cards move.
    package let isAnimated: Bool

    package init(
      deck: String, isMutual: Bool, answers: PlayAnswers, viewer: String, layout: LayoutPreset,
      characters: TerminalCharacters, isAnimated: Bool
    ) {
      self.deck = deck
      self.isMutual = isMutual
      self.answers = answers
      self.viewer = viewer
      self.layout = layout
      var rule = layout.drag
      rule.directions = Set(SwipeDirection.allCases)
      self.rule = rule
      self.characters = characters
      self.isAnimated = isAnimated
    }
  }

  /// A card on its way out.
  struct Leaving: Sendable {
    let card: PlayCard
    let answer: PlayAnswer
    let number: Int
    let motion: CardMotion?
    var isDurable = false
  }

  package let setting: Setting
  /// How large the screen is.
  package var size: TerminalSize
  /// What happened so far.
  package internal(set) var tally = PlayTally()
  var cards: [PlayCard] = []
  var reasons: [String] = []
  var leaving: Leaving?
  /// How the top card comes back.
  var coming: CardMotion?
  /// A swipe of which nobody knows whether it counts, so that it is sent again under its number.
  var unsure: Leaving?
  var isRewinding = false
  /// Hands that were asked for and are not there.
  var handsAsked = 0
  var isTurned = false
  var notice = ""
  var isFailure = false
  var panel: PileScene.Panel?
  var lastSeen: CardID?
  /// Where the last swiped cards went, the last one last.
  var directions: [SwipeDirection] = []
  private var numbers = 0
  private var stillUntil = -Double.infinity

  /// A session before its first hand.
  package init(_ setting: Setting, size: TerminalSize) {
    self.setting = setting
    self.size = size
  }

  /// Begins: asks for the hand.
  package mutating func begin() -> [PlayEffect] { askForHand() }

  mutating func askForHand() -> [PlayEffect] {
    handsAsked += 1
    return [.hand]
  }

  mutating func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  /// A frame took long to write: for a while nothing moves.
  ///
  /// - Parameters:
  ///   - seconds: How long the terminal took to accept it.
  ///   - time: Now.
  package mutating func noteWrite(took seconds: Double, at time: Double) {
    if seconds > 0.05 { stillUntil = time + 10 }
  }

  func isAnimated(at time: Double) -> Bool { setting.isAnimated && time >= stillUntil }

  /// Whether something moves, so that another frame is due soon.
  package func isMoving(at time: Double) -> Bool {
    let motions = [leaving?.motion, coming].compactMap { $0 }
    return isAnimated(at: time) && motions.contains { !$0.isOver(at: time) }
  }

  /// Whether what is shown will soon be something else without a key: somebody who reads lines waits.
  package func isBusy(at time: Double) -> Bool {
    leaving != nil || isRewinding || cards.isEmpty && handsAsked > 0 || isMoving(at: time)
  }

  func isOver(_ motion: CardMotion?, at time: Double) -> Bool {
    !isAnimated(at: time) || motion?.isOver(at: time) ?? true
  }

  /// Time has passed: what has arrived, has arrived.
  package mutating func advance(at time: Double) -> [PlayEffect] {
    if let leaving, leaving.isDurable, isOver(leaving.motion, at: time) { finishLeaving() }
    if isOver(coming, at: time) { coming = nil }
    return noteSeen()
  }

  mutating func finishLeaving() {
    leaving = nil
    isTurned = false
  }

  private mutating func noteSeen() -> [PlayEffect] {
    guard leaving == nil, let top = cards.first, top.id != lastSeen else { return [] }
    lastSeen = top.id
    return [.seen(top.id)]
  }
}
