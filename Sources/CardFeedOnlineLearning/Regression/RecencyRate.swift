/// How often something happens, with what is long ago counting less.
///
/// Events and chances for one are counted with the weight 2^(−age / half-life); the rate is their
/// quotient, drawn towards a prior while there are few: (Σ wy + s·p₀) / (Σ w + s). With an infinite
/// half-life it is the smoothed frequency. The sums are kept for the time of the last observation.
public struct RecencyRate: Sendable, Hashable {
  /// What does not change.
  public struct Settings: Sendable, Hashable {
    /// After how much time a chance counts half; above 0, infinite for never.
    public var halfLife: Double
    /// The rate that is assumed of what nothing is known of, 0 … 1.
    public var prior: Double
    /// How many chances the prior counts as, above 0.
    public var strength: Double

    /// Settings.
    public init(halfLife: Double, prior: Double, strength: Double) {
      precondition(
        halfLife > 0 && (0...1).contains(prior) && strength > 0 && strength.isFinite,
        "A half-life and a strength are above 0, and a prior is within 0 … 1.")
      self.halfLife = halfLife
      self.prior = prior
      self.strength = strength
    }
  }

  /// Chances, weighted for the time of the last one.
  public private(set) var chances = 0.0
  /// Those that were a yes.
  public private(set) var events = 0.0
  /// The time of the last observation; nil for none.
  public private(set) var last: Double?

  /// Nothing observed.
  public init() {}

  /// Counts chances, and the events among them. O(1).
  ///
  /// - Parameters:
  ///   - events: How many were a yes, 0 … `chances`.
  ///   - chances: How many there were.
  ///   - time: When, in the unit of the half-life. One before the last counts with its age.
  ///   - settings: What does not change.
  public mutating func observe(
    events: Double, of chances: Double = 1, at time: Double, _ settings: Settings
  ) {
    precondition(
      events >= 0 && events <= chances && chances.isFinite && time.isFinite,
      "Events are 0 … the number of chances, and the time is finite.")
    let latest = max(time, last ?? time)
    let kept = Self.weight(latest - (last ?? latest), settings)
    let new = Self.weight(latest - time, settings)
    self.chances = self.chances * kept + chances * new
    self.events = self.events * kept + events * new
    last = latest
  }

  /// The rate at a time, not before the last observation. O(1).
  public func probability(at time: Double, _ settings: Settings) -> Double {
    let kept = Self.weight(max(0, time - (last ?? time)), settings)
    return (events * kept + settings.strength * settings.prior)
      / (chances * kept + settings.strength)
  }

  private static func weight(_ age: Double, _ settings: Settings) -> Double {
    age == 0 || settings.halfLife.isInfinite ? 1 : 2.0.raised(to: -age / settings.halfLife)
  }
}
