/// Scores of a whole slate, with the terms they are made of.
public struct SlateScores: Sendable {
  /// One score for each candidate, in order. NaN and infinities count as unscored.
  public var values: [Double]
  /// The parts of the scores, by name: what an explanation shows.
  public var terms: [Term]

  /// One part of the score of every candidate.
  public struct Term: Sendable {
    /// What it is called in the explanation.
    public let name: String
    /// What it adds to each score; NaN where it adds nothing.
    public let values: [Double]
    /// Whether the part follows from what other people did, such as P(match) or either side of it;
    /// such a part is for operators only.
    public let isPrivate: Bool

    /// A named part.
    public init(name: String, values: [Double], isPrivate: Bool = false) {
      self.name = name
      self.values = values
      self.isPrivate = isPrivate
    }
  }

  /// Scores and their parts.
  public init(values: [Double], terms: [Term] = []) {
    self.values = values
    self.terms = terms
  }
}

/// Turns probabilities and features into one score for each candidate; the best comes first.
public protocol RankingStrategy<D>: Strategy {
  /// One score for each candidate, in order.
  func scores(for slate: Slate<D>, estimates: MatchEstimates) async throws -> SlateScores
}

extension RankingStrategy {
  /// The scores of a ranking that stands inside another one, which counts them before it moves them.
  ///
  /// - Parameters:
  ///   - outer: The name of the ranking around it, for the error text.
  ///   - slate: The candidates.
  ///   - estimates: One for each.
  /// - Returns: One score for each candidate, in the order of the slate.
  /// - Throws: What the ranking throws; `FeedError.Code.strategyFault` for another number of scores.
  public func scores(
    inside outer: String, for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let scores = try await scores(for: slate, estimates: estimates)
    guard scores.values.count == slate.count else {
      throw FeedError(
        .strategyFault,
        "the ranking inside '\(outer)' answered with \(scores.values.count) scores for a slate of "
          + "\(slate.count) cards",
        hint: "a ranking returns one score for each candidate, in the order of the slate")
    }
    return scores
  }
}
