// README begin
import CardFeedLayout
import CardFeedStack

/// The pile of one screen: what to draw, and what becomes of a drag, a button or a key.
struct Pile {
  let layout: LayoutPreset
  let line: CardLine
  private var gate: DecisionGate
  private var slots: ViewSlots

  /// - Parameter mayLeave: The client's own rule: why a card may not leave; nil if it may.
  init(
    _ layout: LayoutPreset, cards: Int, width: Double,
    mayLeave: @escaping @Sendable (DecisionRequest) -> String? = { _ in nil }
  ) {
    self.layout = layout
    line = CardLine(count: cards, policy: layout.policy, pitch: width)
    gate = DecisionGate(top: StackPosition(0), veto: mayLeave)
    slots = ViewSlots(size: layout.slots)
  }

  /// Each visible card with its view and its layer, while the top one is dragged.
  mutating func picture(draggedBy drag: Drag, size: CardSize) -> [(slot: Int, index: Int, Layer)] {
    let visible = line.visible(around: gate.top, window: layout.window)
    // Views that get another card are emptied first: `.reset` says which.
    _ = slots.show(visible.map(\.position))
    return visible.map { card in
      let layer =
        card.distance == 0
        ? layout.top(draggedBy: drag, size: size)
        : layout.style.layer(at: card.distance, position: card.position.value, drag: drag.x)
      return (slots.slot(of: card.position), card.index, layer)
    }
  }

  /// A card was let go: it flies out as a swipe, or springs back.
  mutating func release(_ drag: Drag, size: CardSize) -> FlyOut? {
    guard case .swiped(let direction, let flight) = layout.drag.decision(for: drag, size: size)
    else { return nil }
    return decide(direction, .gesture) ? flight : nil
  }

  /// A button or a key does what a drag would.
  mutating func press(_ direction: SwipeDirection, _ path: DecisionPath, size: CardSize) -> FlyOut?
  {
    guard case .swiped(_, let flight) = layout.drag.decision(forButton: direction, size: size)
    else { return nil }
    return decide(direction, path) ? flight : nil
  }

  private mutating func decide(_ direction: SwipeDirection, _ path: DecisionPath) -> Bool {
    gate.decide(DecisionRequest(position: gate.top, direction: direction, path: path)) == .passed
  }

  /// The swipe was taken back.
  mutating func rewind() { gate.reset(to: gate.top.advanced(by: -1)) }
}
// README end
