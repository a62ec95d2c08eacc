public import CardFeedLayout

/// The way of a card over time, by the numbers of a layout.
public struct CardMotion: Hashable, Sendable {
  private enum Kind: Hashable {
    case flight(FlyOut)
    case arrival(FlyOut)
    case spring(Displacement, DragRule)
  }

  private let kind: Kind
  private let start: Double
  /// How long it takes, in seconds.
  public let duration: Double

  private init(_ kind: Kind, at start: Double, duration: Double) {
    self.kind = kind
    self.start = start
    self.duration = duration
  }

  /// A card that flies out, as a button sends it.
  ///
  /// - Parameters:
  ///   - direction: Where to.
  ///   - rule: How cards are dragged.
  ///   - size: Of the card, in points.
  ///   - time: When it begins, in seconds.
  public static func flight(
    _ direction: SwipeDirection, _ rule: DragRule, size: CardSize, at time: Double
  ) -> CardMotion? {
    way(direction, rule, size).map { CardMotion(.flight($0), at: time, duration: $0.duration) }
  }

  /// A card that comes back on the way that it went.
  ///
  /// - Parameters:
  ///   - direction: Where it went.
  ///   - rule: How cards are dragged.
  ///   - size: Of the card, in points.
  ///   - time: When it begins, in seconds.
  public static func arrival(
    _ direction: SwipeDirection, _ rule: DragRule, size: CardSize, at time: Double
  ) -> CardMotion? {
    way(direction, rule, size).map { CardMotion(.arrival($0), at: time, duration: $0.duration) }
  }

  /// A card that springs back.
  ///
  /// - Parameters:
  ///   - displacement: Where it is.
  ///   - rule: How cards are dragged.
  ///   - time: When it begins, in seconds.
  public static func spring(
    from displacement: Displacement, _ rule: DragRule, at time: Double
  ) -> CardMotion {
    CardMotion(.spring(displacement, rule), at: time, duration: rule.springDuration)
  }

  private static func way(
    _ direction: SwipeDirection, _ rule: DragRule, _ size: CardSize
  ) -> FlyOut? {
    guard case .swiped(_, let way) = rule.decision(forButton: direction, size: size) else {
      return nil
    }
    return way
  }

  /// How much of it is over, in 0…1.
  public func progress(at time: Double) -> Double {
    duration > 0 ? min(max((time - start) / duration, 0), 1) : 1
  }

  /// Whether it is over.
  public func isOver(at time: Double) -> Bool { progress(at: time) >= 1 }

  /// Where the card is. O(1).
  public func displacement(at time: Double) -> Displacement {
    let progress = progress(at: time)
    switch kind {
    case .flight(let way): return Displacement(way).scaled(by: progress)
    case .arrival(let way): return Displacement(way).scaled(by: 1 - progress)
    case .spring(let from, let rule):
      return from.scaled(by: rule.springRemainder(after: max(0, time - start)))
    }
  }
}

extension Displacement {
  init(_ way: FlyOut) { self.init(x: way.x, y: way.y, rotation: way.rotation) }

  func scaled(by factor: Double) -> Displacement {
    Displacement(x: x * factor, y: y * factor, rotation: rotation * factor)
  }
}
