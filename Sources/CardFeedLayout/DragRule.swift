/// How far a card has to be dragged to be swiped.
public enum DragThreshold: Hashable, Sendable {
  /// The same on every screen, in points.
  case points(Double)
  /// A share of the card's width, or of its height for up and down.
  case share(Double)

  /// The distance for one card and direction, in points. O(1).
  public func distance(for size: CardSize, _ direction: SwipeDirection) -> Double {
    switch self {
    case .points(let points): points
    case .share(let share): share * (direction.isHorizontal ? size.width : size.height)
    }
  }
}

/// How a dragged card turns.
public enum DragRotation: Hashable, Sendable {
  /// One degree for so many points.
  case pointsPerDegree(Double)
  /// In proportion, up to so many degrees when it is dragged by half its width.
  case bounded(degrees: Double)

  /// The rotation clockwise, in degrees. O(1).
  ///
  /// - Parameters:
  ///   - x: How far it is dragged to the right, in points.
  ///   - width: Of the card, in points.
  public func rotation(x: Double, width: Double) -> Double {
    switch self {
    case .pointsPerDegree(let points): x / points
    case .bounded(let degrees): degrees * min(max(2 * x / width, -1), 1)
    }
  }
}

/// What a release of a drag, or a button, comes to.
public enum DragDecision: Hashable, Sendable {
  /// The card is swiped and flies out.
  case swiped(SwipeDirection, FlyOut)
  /// The card springs back.
  case sprungBack
}

/// How a card leaves.
public struct FlyOut: Hashable, Sendable {
  /// Where it ends, to the right of its place, in points.
  public var x: Double
  /// Where it ends, below its place, in points.
  public var y: Double
  /// Its rotation there, in degrees clockwise.
  public var rotation: Double
  /// How long it takes, in seconds.
  public var duration: Double
}

/// Turns drags, and buttons in their place, into decisions; and the way there into a picture.
public struct DragRule: Hashable, Sendable {
  /// The directions in which a card can be sent.
  public var directions: Set<SwipeDirection>
  /// How far it has to be dragged.
  public var threshold: DragThreshold
  /// A release at this speed swipes a card before the threshold, in points a second.
  public var releaseSpeed: Double
  /// How a dragged card turns.
  public var rotation: DragRotation
  /// How far beyond its place a card flies, in widths or heights of the card.
  public var flyOutShare: Double
  /// The shortest and the longest flight, in seconds.
  public var flyOutDuration: ClosedRange<Double>
  /// How fast a card flies that was not thrown, in points a second.
  public var flyOutSpeed: Double
  /// How long a card takes to spring back, in seconds.
  public var springDuration: Double

  /// Where a drag points: the allowed direction in which it went furthest; nil if it went nowhere
  /// allowed. O(directions).
  public func direction(of drag: Drag) -> SwipeDirection? {
    SwipeDirection.allCases.filter { directions.contains($0) && drag.distance(towards: $0) > 0 }
      .max { drag.distance(towards: $0) < drag.distance(towards: $1) }
  }

  /// How opaque the sign of the coming answer is, in 0…1: 1 at the threshold. O(directions).
  public func overlayOpacity(of drag: Drag, size: CardSize) -> Double {
    guard let direction = direction(of: drag) else { return 0 }
    return min(drag.distance(towards: direction) / threshold.distance(for: size, direction), 1)
  }

  /// What releasing the card now comes to. O(directions).
  ///
  /// It is swiped if it lies beyond the threshold, unless it is thrown back at the release speed, and
  /// if it is thrown at that speed the way it already lies.
  public func decision(for drag: Drag, size: CardSize) -> DragDecision {
    guard let direction = direction(of: drag) else { return .sprungBack }
    let speed = drag.speed(towards: direction)
    let isBeyond = drag.distance(towards: direction) >= threshold.distance(for: size, direction)
    guard speed >= releaseSpeed || (isBeyond && speed > -releaseSpeed) else { return .sprungBack }
    return .swiped(direction, flyOut(direction, from: drag, size: size))
  }

  /// What a button or a key comes to: the decision of a drag that ended just at the threshold.
  ///
  /// - Returns: `sprungBack` for a direction that is not allowed.
  public func decision(forButton direction: SwipeDirection, size: CardSize) -> DragDecision {
    let distance = threshold.distance(for: size, direction) * direction.sign
    let drag = direction.isHorizontal ? Drag(x: distance) : Drag(x: 0, y: distance)
    return decision(for: drag, size: size)
  }

  /// How a card flies out: along the line of its drag, at the speed it was thrown with.
  func flyOut(_ direction: SwipeDirection, from drag: Drag, size: CardSize) -> FlyOut {
    let isHorizontal = direction.isHorizontal
    let extent = isHorizontal ? size.width : size.height
    let target = flyOutShare * extent * direction.sign
    let along = isHorizontal ? drag.x : drag.y
    let across = isHorizontal ? drag.y : drag.x
    // The slope of the drag, never steeper than 45°: the card has to leave by its own side.
    let slope = along == 0 ? 0 : min(max(across / along, -1), 1)
    let x = isHorizontal ? target : target * slope
    let y = isHorizontal ? target * slope : target
    let way = max(abs(target) - abs(along), 0)
    let seconds = way / max(drag.speed(towards: direction), flyOutSpeed)
    return FlyOut(
      x: x, y: y, rotation: rotation.rotation(x: x, width: size.width),
      duration: min(max(seconds, flyOutDuration.lowerBound), flyOutDuration.upperBound))
  }

  /// How much of a released drag is left a while later: 1 at once, 0 from ``springDuration`` on, and
  /// never beyond its place: a critically damped spring (x'' = −2ωx' − ω²x), cut at 1 %. O(1).
  ///
  /// - Parameter time: Since the release, in seconds.
  public func springRemainder(after time: Double) -> Double {
    guard time > 0 else { return 1 }
    guard time < springDuration else { return 0 }
    // (1 + ωt) e^(−ωt) is 0.01 at ωt = 6.638.
    let angle = 6.638352067993813 * time / springDuration
    return (1 + angle) * (-angle).exponential()
  }
}
