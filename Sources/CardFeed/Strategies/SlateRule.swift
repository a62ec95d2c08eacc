/// Candidates in the order of their scores, as a slate rule sees them.
public struct RankedSlate<D: Deck>: Sendable {
  /// The candidates, best first.
  public let slate: Slate<D>
  /// Their scores; nil is unscored.
  public let scores: [Double?]
  /// How many cards the hand wants.
  public let wanted: Int
  /// What the hand will hold besides: the cards that lie in it, and those that this deal has chosen
  /// in earlier rounds.
  public let held: Set<CardNumber>

  init(slate: Slate<D>, scores: [Double?], wanted: Int, held: Set<CardNumber> = []) {
    self.slate = slate
    self.scores = scores
    self.wanted = wanted
    self.held = held
  }
}

/// What a slate rule asks for. The pipeline carries it out.
public struct SlateAdjustment: Sendable {
  /// Subtracted from the scores; 0 or more, one for each candidate, or empty for none.
  public var penalties: [Double]
  /// Candidates to keep back, each with a reason; by index into the ranked slate.
  public var withheld: [Int: String]
  /// How the order is randomised, if it is.
  public var exploration: Exploration?

  /// Nothing, unless told otherwise.
  public init(
    penalties: [Double] = [], withheld: [Int: String] = [:], exploration: Exploration? = nil
  ) {
    self.penalties = penalties
    self.withheld = withheld
    self.exploration = exploration
  }
}

/// How a hand departs from the greedy order, so that the feed learns about other cards. The
/// probability of each choice is stored with the card as its propensity.
public enum Exploration: Hashable, Sendable {
  /// Each place of the hand: with probability ε any remaining candidate alike, else the best.
  case epsilon(Double)
  /// Each place of the hand: a remaining candidate with probability proportional to
  /// exp(score / temperature) (Plackett–Luce). Unscored candidates come after all scored ones.
  case softmax(temperature: Double)
}

/// Looks at the whole hand: diversity, caps, exploration.
public protocol SlateRule<D>: Strategy {
  /// What to change.
  func adjustment(for ranked: RankedSlate<D>) async throws -> SlateAdjustment
}
