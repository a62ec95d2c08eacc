internal import CardFeed
internal import CardFeedLayout
package import CardFeedTerminal

extension PlaySession {
  /// What is shown at a time. O(cards).
  package func scene(at time: Double) -> PileScene {
    var scene = PileScene(layout: setting.layout, characters: setting.characters)
    let separator = setting.characters == .unicode ? " · " : " - "
    scene.header = ["cardfeed", setting.deck, setting.viewer].joined(separator: separator)
    scene.status = [
      "\(tally.swipes) swiped", tally.matches == 1 ? "1 match" : "\(tally.matches) matches",
    ].joined(separator: separator)
    scene.hints = hints
    scene.notice = notice
    scene.isFailure = isFailure
    scene.panel = panel
    scene.isTurned = isTurned
    scene.cards = ([leaving?.card].compactMap { $0 } + cards).map(\.face)
    scene.displacement = displacement(at: time)
    if let leaving { scene.stamp = stamp(leaving, scene.displacement, at: time) }
    if scene.cards.isEmpty { scene.empty = empty }
    if let leaving, !leaving.isDurable, isOver(leaving.motion, at: time), notice.isEmpty {
      scene.notice = "saving"
    }
    return scene
  }

  /// The top card, in the layout's points.
  var cardSize: CardSize {
    var scene = PileScene(layout: setting.layout, characters: setting.characters)
    scene.hints = hints
    return scene.geometry(size: size).cardSize
  }

  private func displacement(at time: Double) -> Displacement {
    guard isAnimated(at: time) else { return .none }
    let motion = leaving == nil ? coming : leaving?.motion
    return motion?.displacement(at: time) ?? .none
  }

  private func stamp(
    _ leaving: Leaving, _ displacement: Displacement, at time: Double
  ) -> PileScene.Stamp {
    let colour: TerminalColour =
      switch leaving.answer.meaning {
      case .positive: .green
      case .negative: .red
      case .neutral: .yellow
      }
    let isMoving = isAnimated(at: time) && leaving.motion != nil
    let drag = Drag(x: displacement.x, y: displacement.y)
    let opacity = isMoving ? setting.rule.overlayOpacity(of: drag, size: cardSize) : 1
    return PileScene.Stamp(text: leaving.answer.name, colour: colour, opacity: opacity)
  }

  private var empty: PileScene.Panel {
    if handsAsked > 0 { return PileScene.Panel(title: "Dealing", paragraphs: []) }
    return PileScene.Panel(
      title: "No more cards",
      paragraphs: (reasons.isEmpty ? [] : reasons) + ["Space looks again."])
  }

  private var hints: [PileScene.Hint] {
    let isUnicode = setting.characters == .unicode
    let arrows: [SwipeDirection: String] =
      isUnicode
      ? [.left: "←", .right: "→", .up: "↑", .down: "↓"]
      : [.left: "<-", .right: "->", .up: "up", .down: "down"]
    let answers = setting.answers.all.map { answer in
      PileScene.Hint(
        key: answer.hasArrow
          ? arrows[answer.direction] ?? "" : answer.letter.map { String(Character($0)) } ?? "",
        action: answer.name)
    }
    let others = [("z", "rewind"), ("?", "why"), ("m", "matches"), ("q", "quit")].map {
      PileScene.Hint(key: $0.0, action: $0.1)
    }
    let arrowCount = setting.answers.all.count { $0.hasArrow }
    return answers.prefix(arrowCount) + others
      + answers.dropFirst(arrowCount).filter { !$0.key.isEmpty }
  }
}
