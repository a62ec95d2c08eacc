public import CardFeed

/// Puts the people whose last answer about the viewer is positive before all others, and those
/// whose last answer is negative after all others; another ranking orders each of the three.
///
/// A like that is answered is a match at once, so showing it first finds matches soonest; a pass
/// can make no match any more. The score is the other ranking's, moved up or down by more than its
/// scores lie apart. A candidate about whom nothing is known, neither an answer nor a score of the
/// other ranking, is unscored.
///
/// The term `answer-received` tells what another person did, so it is private.
public struct LikersFirstRanking<D: Deck>: RankingStrategy {
  private let inner: any RankingStrategy<D>

  /// Orders by the answers received, then by `inner`.
  public init(then inner: any RankingStrategy<D>) { self.inner = inner }

  /// What others said of the viewer, and what the other ranking needs.
  public var needs: ContextNeeds { inner.needs.union(.answersReceived) }

  /// Those of the other ranking.
  public var learners: [any Learner<D>] { inner.learners }

  /// Those of the other ranking.
  public var trainables: [any TrainableStrategy<D>] { inner.trainables }

  /// What the other ranking scores.
  public var scored: [String] { inner.scored }

  /// The other ranking's scores, moved by tiers. O(n + answers received), and the other ranking.
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    var scores = try await inner.scores(inside: "likers-first", for: slate, estimates: estimates)
    let tiers = tiers(of: slate)
    let distance = Self.distance(between: scores.values)
    var moves = Array(repeating: Double.nan, count: slate.count)
    for index in 0..<slate.count {
      let own = scores.values[index].isFinite ? Self.bounded(scores.values[index]) : nil
      if tiers[index] == 0 {
        scores.values[index] = own ?? .nan
      } else {
        moves[index] = tiers[index] * distance
        // Without a score of its own the candidate comes last in its tier, not last of all.
        scores.values[index] = (own ?? -distance / 2) + moves[index]
      }
    }
    scores.terms.append(SlateScores.Term(name: "answer-received", values: moves, isPrivate: true))
    return scores
  }

  /// 1 for those who want the viewer, −1 for those who do not, 0 for all others.
  private func tiers(of slate: Slate<D>) -> [Double] {
    var last: [CardNumber: Double] = [:]
    for answer in slate.context.answersReceived where last[answer.from] == nil {
      switch answer.meaning {
      case .positive: last[answer.from] = 1
      case .negative: last[answer.from] = -1
      case .neutral: last[answer.from] = 0
      }
    }
    return slate.numbers.map { last[$0] ?? 0 }
  }

  /// More than twice the greatest magnitude of the scores. A power of two, so that moving a score
  /// loses as few of its bits as can be, and nearly always the same one: 4 for scores within ±1.
  private static func distance(between scores: [Double]) -> Double {
    var greatest = 1.0
    for score in scores where score.isFinite { greatest = max(greatest, abs(bounded(score))) }
    return greatest.binade * 4
  }

  /// Scores so great that tiers above them could not be told from infinity count as the greatest.
  private static func bounded(_ score: Double) -> Double { min(max(score, -0x1p1000), 0x1p1000) }
}
