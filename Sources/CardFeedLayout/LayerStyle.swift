/// How one card of a pile is drawn. It is scaled and turned about the middle of its upper edge
/// (``LayoutDocument/anchor``): about its centre, the layers that look out above the top card would
/// shrink behind it.
public struct Layer: Hashable, Sendable, Codable {
  /// How large, 1 being its own size.
  public var scale: Double
  /// How far it is moved to the right, in points.
  public var offsetX: Double
  /// How far it is moved down, in points.
  public var offsetY: Double
  /// How far it is turned clockwise, in degrees.
  public var rotation: Double
  /// How opaque, in 0…1.
  public var alpha: Double
  /// Its depth: what has more lies in front.
  public var z: Double
}

/// How the cards of a pile follow from their distance to the top.
public struct LayerStyle: Hashable, Sendable {
  /// How many cards are drawn at once, the top one included, 1 or more.
  public var layers: Int
  /// The size by distance, 1 being a card's own.
  public var scale: DepthCurve
  /// How far down by distance, in points.
  public var offsetY: DepthCurve
  /// How opaque by distance, in 0…1.
  public var alpha: DepthCurve
  /// The depth by distance.
  public var z: DepthCurve
  /// How cards below the top are turned.
  public var jitter: SineJitter
  /// How far the top one is dragged until the others have reached the place above theirs, in points.
  public var risingDistance: Double

  /// The card at a distance from the top while the top one is dragged. O(1).
  ///
  /// - Parameters:
  ///   - distance: In cards, 0 for the top one; those that went look like those that come.
  ///   - position: Of the card on its line, which its jitter follows.
  ///   - drag: How far the top card is dragged sideways, in points, either way.
  /// - Returns: The layer without the drag's own movement, which ``DragRule`` knows.
  public func layer(at distance: Int, position: Int = 0, drag: Double = 0) -> Layer {
    let depth = Double(abs(distance)) - (distance > 0 ? progress(ofDrag: drag) : 0)
    return layer(atDepth: depth, position: position)
  }

  /// The layer at any depth; without a position it is not turned.
  func layer(atDepth depth: Double, position: Int?) -> Layer {
    let turned = position.map { min(depth, 1) * jitter.rotation(at: $0) } ?? 0
    return Layer(
      scale: scale.value(at: depth), offsetX: 0, offsetY: offsetY.value(at: depth),
      rotation: turned, alpha: min(max(alpha.value(at: depth), 0), 1), z: z.value(at: depth))
  }

  /// How much of the way up the other cards have come, in 0…1. O(1).
  ///
  /// - Parameter drag: How far the top card is dragged sideways, in points, either way.
  public func progress(ofDrag drag: Double) -> Double {
    let share = abs(drag) / risingDistance
    return share < 1 ? share : (share.isNaN ? 0 : 1)
  }
}
