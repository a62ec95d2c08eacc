/// Where a card can be sent.
public enum SwipeDirection: String, Hashable, Sendable, CaseIterable, Codable {
  /// To the left.
  case left
  /// To the right.
  case right
  /// Upwards.
  case up
  /// Downwards.
  case down

  /// Whether it lies on the horizontal axis.
  public var isHorizontal: Bool { self == .left || self == .right }

  /// The sign of its coordinate: right and down are positive.
  var sign: Double { self == .right || self == .down ? 1 : -1 }
}

/// A finger's or a pointer's movement so far.
public struct Drag: Hashable, Sendable {
  /// To the right of where it began, in points.
  public var x: Double
  /// Below where it began, in points.
  public var y: Double
  /// The speed to the right, in points a second.
  public var velocityX: Double
  /// The speed downwards, in points a second.
  public var velocityY: Double

  /// A movement; what is not finite counts as 0.
  ///
  /// - Parameters:
  ///   - x: To the right, in points.
  ///   - y: Downwards, in points.
  ///   - velocityX: To the right, in points a second.
  ///   - velocityY: Downwards, in points a second.
  public init(x: Double, y: Double = 0, velocityX: Double = 0, velocityY: Double = 0) {
    func finite(_ value: Double) -> Double { value.isFinite ? value : 0 }
    self.x = finite(x)
    self.y = finite(y)
    self.velocityX = finite(velocityX)
    self.velocityY = finite(velocityY)
  }

  /// How far it went in a direction, in points; negative if it went the other way.
  func distance(towards direction: SwipeDirection) -> Double {
    (direction.isHorizontal ? x : y) * direction.sign
  }

  /// How fast it goes in a direction, in points a second.
  func speed(towards direction: SwipeDirection) -> Double {
    (direction.isHorizontal ? velocityX : velocityY) * direction.sign
  }
}

/// The size of a card on the screen, in points.
public struct CardSize: Hashable, Sendable {
  /// How wide, greater than 0.
  public var width: Double
  /// How high, greater than 0.
  public var height: Double

  /// A size; each length is at least one point.
  ///
  /// - Parameters:
  ///   - width: In points.
  ///   - height: In points.
  public init(width: Double, height: Double) {
    self.width = width > 1 ? width : 1
    self.height = height > 1 ? height : 1
  }
}
