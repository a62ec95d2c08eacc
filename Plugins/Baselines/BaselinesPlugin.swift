public import CardFeed
public import CardFeedConfiguration

/// The strategies that work on every deck.
public struct BaselinesPlugin: Plugin {
  /// Needs nothing.
  public init() {}

  /// `baselines`.
  public var name: String { "baselines" }

  /// Registers every strategy of this module.
  public func register<D: Deck>(in registry: inout StrategyRegistry<D>) {
    Self.registerSources(in: &registry)
    Self.registerFilters(in: &registry)
    Self.registerColumns(in: &registry)
    Self.registerMatchProbabilities(in: &registry)
    Self.registerRankings(in: &registry)
    Self.registerSlateRules(in: &registry)
    Self.registerMatchRules(in: &registry)
    Self.registerPlaces(in: &registry)
    Self.registerMeetings(in: &registry)
    Self.registerReciprocal(in: &registry)
    Self.registerQuotas(in: &registry)
    Self.registerCalibration(in: &registry)
  }
}

extension Parameters {
  /// A number that the parameter's description keeps within 0 … 1.
  func probability(_ name: String) -> Probability {
    guard let probability = Probability(number(name)) else {
      preconditionFailure("The parameter '\(name)' must be described with a range in 0 … 1.")
    }
    return probability
  }
}
