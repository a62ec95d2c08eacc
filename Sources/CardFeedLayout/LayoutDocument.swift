internal import CardFeedStack

/// A preset for a client that cannot call this library: its constants and its curves as samples, between
/// which the client draws straight lines. No formula has to be written twice.
public struct LayoutDocument: Hashable, Sendable, Codable {
  /// A point of a card, in shares of its width and height from the upper left corner.
  public struct Anchor: Hashable, Sendable, Codable {
    /// From the left edge, 0 … 1.
    public let x: Double
    /// From the upper edge, 0 … 1.
    public let y: Double
  }

  /// One layer at each sampled distance.
  public struct Sample: Hashable, Sendable, Codable {
    /// From the top card, in cards.
    public let distance: Double
    /// How the card is drawn there, without jitter.
    public let layer: Layer
  }

  /// The preset's name.
  public let name: String
  /// What it looks like.
  public let summary: String
  /// `stop` or `loop`.
  public let policy: String
  /// The directions in which a card can be sent, in the order of ``SwipeDirection``.
  public let directions: [SwipeDirection]
  /// The point of a card that stays where it is when the card is scaled or turned as a layer.
  public let anchor: Anchor
  /// Every number with its unit.
  public let constants: [LayoutConstant]
  /// The roles of the cards from the top one down.
  public let roles: [LayerRole]
  /// Layers from the top down, in equal steps.
  public let samples: [Sample]
  /// The part of a released drag that is left, at equal steps of the spring's duration, 1 first and 0
  /// last.
  public let spring: [Double]
  /// The rotation of the cards at positions 0, 1, 2, … below the top, in degrees.
  public let jitter: [Double]

  /// The document of a preset. O(samples).
  ///
  /// - Parameters:
  ///   - preset: The preset.
  ///   - samplesPerCard: How many samples lie between two cards, 1 or more.
  public init(_ preset: LayoutPreset, samplesPerCard: Int = 20) {
    let steps = max(1, samplesPerCard)
    let style = preset.style
    name = preset.name
    summary = preset.summary
    policy = preset.policy.rawValue
    directions = SwipeDirection.allCases.filter(preset.drag.directions.contains)
    anchor = Anchor(x: 0.5, y: 0)
    constants = preset.constants
    roles = (0..<style.layers).map(preset.role(at:))
    samples = (0...(style.layers * steps)).map { step in
      let distance = Double(step) / Double(steps)
      return Sample(distance: distance, layer: style.layer(atDepth: distance, position: nil))
    }
    spring = (0...60).map {
      preset.drag.springRemainder(after: preset.drag.springDuration * Double($0) / 60)
    }
    jitter = (0..<64).map(style.jitter.rotation(at:))
  }
}
