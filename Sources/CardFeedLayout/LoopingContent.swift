/// The finite content of a scroll view that shows a deck without end, and its jumps that nobody sees.
///
/// The deck is laid out several times in a row. Before an end comes into view the offset is moved by
/// whole laps, to the same cards in the middle of the content: the picture does not change.
public struct LoopingContent: Hashable, Sendable {
  /// How long one lap is, in points.
  public let lap: Double
  /// How many laps the content has, 3 or more.
  public let laps: Int
  /// How much is seen at once, in points.
  public let viewport: Double

  /// Content of a number of laps.
  ///
  /// - Parameters:
  ///   - count: How many cards the deck has, 1 or more.
  ///   - pitch: From one card to the next, in points, greater than 0.
  ///   - viewport: How much is seen at once, in points, 0 or more.
  public init(count: Int, pitch: Double, viewport: Double) {
    precondition(
      count > 0 && pitch.isFinite && pitch > 0 && viewport.isFinite && viewport >= 0,
      "Looping content needs at least one card and lengths that are finite and positive, not "
        + "\(count) cards of \(pitch) points in a viewport of \(viewport).")
    lap = Double(count) * pitch
    // A lap on each side of the middle one, and as many more as the viewport reaches over.
    laps = 3 + 2 * Int((viewport / lap).rounded(.up))
    self.viewport = viewport
  }

  /// How long the content is, in points.
  public var length: Double { lap * Double(laps) }

  /// Where a client begins: the first card of the middle lap, in points.
  public var start: Double { lap * Double(laps / 2) }

  /// Which end will come into view if the line keeps its speed, before it does. O(1).
  ///
  /// - Parameters:
  ///   - offset: Of the viewport's beginning, in points.
  ///   - velocity: In points a second, with the sign of the offset's change.
  ///   - time: How far to look ahead, in seconds.
  public func boundary(from offset: Double, velocity: Double, within time: Double) -> LoopEnd? {
    let ahead = offset + velocity * max(0, time)
    if min(offset, ahead) < lap / 2 { return .beginning }
    if max(offset, ahead) + viewport > length - lap / 2 { return .end }
    return nil
  }

  /// The offset in the middle of the content that shows the same picture. O(1).
  ///
  /// - Parameter offset: In points; what is not finite becomes the start.
  public func rebased(_ offset: Double) -> Double {
    guard offset.isFinite else { return start }
    let laps = ((offset - start) / lap).rounded(.down)
    return offset - laps * lap
  }
}

/// An end of the content of a looping scroll view.
public enum LoopEnd: String, Hashable, Sendable {
  /// Where the offset is 0.
  case beginning
  /// Where the offset is greatest.
  case end
}
