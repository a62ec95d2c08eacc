/// What a constant of a layout is measured in.
public enum LayoutUnit: String, Hashable, Sendable, Codable {
  /// A part of a whole, or of a card's own size.
  case ratio
  /// Points of the screen.
  case points
  /// Degrees, clockwise.
  case degrees
  /// Radians.
  case radians
  /// Points of the screen for one degree.
  case pointsPerDegree = "points per degree"
  /// Points of the screen in a second.
  case pointsPerSecond = "points per second"
  /// Seconds.
  case seconds
  /// Cards.
  case cards
  /// A depth: only its order counts.
  case depth
}

/// A number of a layout, with its unit.
public struct LayoutConstant: Hashable, Sendable, Codable {
  /// What it is, dotted.
  public let name: String
  /// The number.
  public let value: Double
  /// What it is measured in.
  public let unit: LayoutUnit
}

extension LayoutPreset {
  /// Every number of the preset with its unit, in a fixed order: the table that documentation shows
  /// and clients that draw by themselves read. O(numbers).
  public var constants: [LayoutConstant] {
    var table: [LayoutConstant] = []
    func add(_ name: String, _ value: Double, _ unit: LayoutUnit) {
      table.append(LayoutConstant(name: name, value: value, unit: unit))
    }
    func add(_ name: String, _ curve: DepthCurve, _ unit: LayoutUnit) {
      switch curve {
      case .constant(let value):
        add(name, value, unit)
      case .table(let values):
        for (distance, value) in values.enumerated() { add("\(name).\(distance)", value, unit) }
      case .linear(let base, let fall, let reach):
        add("\(name).base", base, unit)
        add("\(name).fall", fall, unit)
        add("\(name).reach", reach, .cards)
      case .exponential(let base, let depth, let ratio, let reach):
        add("\(name).base", base, unit)
        add("\(name).depth", depth, unit)
        add("\(name).ratio", ratio, .ratio)
        add("\(name).reach", reach, .cards)
      case .cubicEaseOut(let floor, let reach):
        add("\(name).floor", floor, unit)
        add("\(name).reach", reach, .cards)
      }
    }
    add("window.first", Double(window.lowerBound), .cards)
    add("window.last", Double(window.upperBound), .cards)
    add("window.hold", CardPlace.holdDistance, .cards)
    add("slots", Double(slots), .cards)
    add("rising", Double(risingCount), .cards)
    add("layers", Double(style.layers), .cards)
    add("scale", style.scale, .ratio)
    add("offset-y", style.offsetY, .points)
    add("alpha", style.alpha, .ratio)
    add("z", style.z, .depth)
    add("jitter.amplitude", style.jitter.amplitude, .degrees)
    add("jitter.step", style.jitter.step, .radians)
    add("rising-distance", style.risingDistance, .points)
    switch drag.threshold {
    case .points(let points): add("threshold", points, .points)
    case .share(let share): add("threshold", share, .ratio)
    }
    add("release-speed", drag.releaseSpeed, .pointsPerSecond)
    switch drag.rotation {
    case .pointsPerDegree(let points): add("rotation", points, .pointsPerDegree)
    case .bounded(let degrees): add("rotation", degrees, .degrees)
    }
    add("fly-out.share", drag.flyOutShare, .ratio)
    add("fly-out.shortest", drag.flyOutDuration.lowerBound, .seconds)
    add("fly-out.longest", drag.flyOutDuration.upperBound, .seconds)
    add("fly-out.speed", drag.flyOutSpeed, .pointsPerSecond)
    add("spring", drag.springDuration, .seconds)
    return table
  }
}
