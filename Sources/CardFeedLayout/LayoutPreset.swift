public import CardFeedStack

/// What a card of a pile is there for.
public enum LayerRole: String, Hashable, Sendable, Codable, CaseIterable {
  /// It takes gestures, and a screen reader reads it.
  case interactive
  /// It is drawn and rises while the top card is dragged; nothing touches it.
  case rising
  /// It is laid out and its pictures are loaded, hardly seen.
  case waiting
}

/// A whole way to draw and to move a pile of cards.
///
/// Clients call it, on any platform: it is values and pure functions, without a clock, a screen or a
/// gesture recogniser. It must never import the engine, Foundation or a framework of a platform; the
/// positions of `CardFeedStack` are all it shares with a server.
public struct LayoutPreset: Hashable, Sendable {
  /// Its name in configurations: lower case, dashed.
  public let name: String
  /// What it looks like, in one sentence.
  public let summary: String
  /// Whether the deck ends or begins again.
  public let policy: StackPolicy
  /// Which cards are laid out, as distances from the top one.
  public let window: ClosedRange<Int>
  /// How many views there are.
  public let slots: Int
  /// How many cards below the top one rise; those below them wait.
  public let risingCount: Int
  /// How layers are drawn.
  public let style: LayerStyle
  /// How the top card is dragged.
  public let drag: DragRule

  /// What the card at a distance is there for. O(1).
  ///
  /// - Parameter distance: From the top card, in cards.
  public func role(at distance: Int) -> LayerRole {
    distance == 0 ? .interactive : (1...max(risingCount, 1)).contains(distance) ? .rising : .waiting
  }

  /// The picture of the top card while it is dragged. O(1).
  ///
  /// - Parameters:
  ///   - drag: The movement so far.
  ///   - size: Of the card.
  public func top(draggedBy drag: Drag, size: CardSize) -> Layer {
    var layer = style.layer(at: 0)
    layer.offsetX += drag.x
    layer.offsetY += drag.y
    layer.rotation += self.drag.rotation.rotation(x: drag.x, width: size.width)
    return layer
  }

  /// The preset of a name, byte for byte; nil if there is none.
  public static func named(_ name: String) -> LayoutPreset? {
    all.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
