internal import CardFeedStack

extension LayoutPreset {
  /// Every preset, in the order of their names' first mention in the documentation.
  public static let all: [LayoutPreset] = [stackOfThree, pair, layered, poolOfSeven]

  /// Three cards, the two lower ones smaller, higher and paler by a table.
  public static let stackOfThree = LayoutPreset(
    name: "stack-of-three",
    summary: "Three cards of a deck that ends; the lower ones look out above the top one.",
    policy: .stop, window: 0...2, slots: 5, risingCount: 2,
    style: LayerStyle(
      layers: 3, scale: .table([1, 0.95, 0.9]), offsetY: .table([0, -8, -16]),
      alpha: .table([1, 0.8, 0.6]), z: .table([2, 1, 0]), jitter: SineJitter(amplitude: 0, step: 0),
      risingDistance: 300),
    drag: DragRule(
      directions: [.left, .right, .up], threshold: .points(120), releaseSpeed: 1000,
      rotation: .pointsPerDegree(20), flyOutShare: 1.5, flyOutDuration: 0.15...0.4,
      flyOutSpeed: 1200, springDuration: 0.35))

  /// Two live cards of a deck without end.
  public static let pair = LayoutPreset(
    name: "pair",
    summary: "Two live cards of a deck that begins again; the lower one grows as the top leaves.",
    policy: .loop, window: 0...1, slots: 2, risingCount: 1,
    style: LayerStyle(
      layers: 2, scale: .table([1, 0.95]), offsetY: .constant(0), alpha: .constant(1),
      z: .table([1, 0]), jitter: SineJitter(amplitude: 0, step: 0), risingDistance: 300),
    drag: DragRule(
      directions: [.left, .right], threshold: .points(80), releaseSpeed: 1000,
      rotation: .pointsPerDegree(10), flyOutShare: 1.5, flyOutDuration: 0.15...0.4,
      flyOutSpeed: 1200, springDuration: 0.3))

  /// Five visible cards in three layers of responsibility.
  public static let layered = LayoutPreset(
    name: "layered",
    summary: "Five cards: one takes gestures, two rise behind it, two wait and fade.",
    policy: .stop, window: 0...4, slots: 5, risingCount: 2,
    style: LayerStyle(
      layers: 5, scale: .exponential(base: 0.75, depth: 0.25, ratio: 0.8, reach: 1.2),
      offsetY: .exponential(base: -60, depth: 60, ratio: 0.8, reach: 1.2),
      alpha: .cubicEaseOut(floor: 0.05, reach: 6),
      z: .exponential(base: 0, depth: 5, ratio: 0.8, reach: 1.2),
      jitter: SineJitter(amplitude: 2, step: 2.399963229728653), risingDistance: 300),
    drag: DragRule(
      directions: Set(SwipeDirection.allCases), threshold: .share(0.5), releaseSpeed: 1000,
      rotation: .bounded(degrees: 12), flyOutShare: 1.5, flyOutDuration: 0.15...0.4,
      flyOutSpeed: 1200, springDuration: 0.35))

  /// A carousel: cards that went and cards that come, over a pool of seven views.
  ///
  /// Where a card lies is a matter of its place on the ``CardLine``, so its layer has no offset. A client
  /// that draws piles shows the current card alone.
  public static let poolOfSeven = LayoutPreset(
    name: "pool-of-seven",
    summary: "A line of cards to scroll, over seven views: two that went and two that come lie "
      + "beside the current one, a card's width apart.",
    policy: .loop, window: -2...2, slots: 7, risingCount: 2,
    style: LayerStyle(
      layers: 5, scale: .linear(base: 1, fall: 0.15, reach: 1.2), offsetY: .constant(0),
      alpha: .cubicEaseOut(floor: 0.05, reach: 4), z: .linear(base: 4, fall: 4, reach: 4),
      jitter: SineJitter(amplitude: 0, step: 0), risingDistance: 300),
    drag: DragRule(
      directions: [.left, .right], threshold: .points(80), releaseSpeed: 1000,
      rotation: .bounded(degrees: 12), flyOutShare: 1.5, flyOutDuration: 0.15...0.4,
      flyOutSpeed: 1200, springDuration: 0.35))
}
