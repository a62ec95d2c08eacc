public import CardFeed

/// Deals a random candidate instead of the best one with probability ε for each place of the hand.
///
/// ε-greedy, as in Sutton and Barto, "Reinforcement Learning", 2nd edition 2018, section 2.2. The
/// pipeline draws, and stores the probability of each choice.
public struct EpsilonRule<D: Deck>: SlateRule {
  private let epsilon: Double

  /// Explores with probability `epsilon`.
  public init(epsilon: Probability) { self.epsilon = epsilon.value }

  /// Asks for the exploration. O(1).
  public func adjustment(for ranked: RankedSlate<D>) async throws -> SlateAdjustment {
    SlateAdjustment(exploration: .epsilon(epsilon))
  }
}

/// Draws each place of the hand with probability proportional to exp(score / temperature).
///
/// The Plackett–Luce model (Luce 1959, Plackett 1975). The temperature has the unit of the scores:
/// near 0 the best card nearly always wins; far above the scores' spread all are alike. Scores of
/// `likers-first` lie apart by tiers, so a temperature below 0.1 keeps its tiers.
public struct SoftmaxRule<D: Deck>: SlateRule {
  private let temperature: Double

  /// Draws at `temperature`, finite and above 0.
  public init(temperature: Double) {
    precondition(
      temperature > 0 && temperature.isFinite,
      "A temperature is finite and above 0; got \(temperature).")
    self.temperature = temperature
  }

  /// Asks for the exploration. O(1).
  public func adjustment(for ranked: RankedSlate<D>) async throws -> SlateAdjustment {
    SlateAdjustment(exploration: .softmax(temperature: temperature))
  }
}
