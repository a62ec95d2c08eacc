public import CardFeed

/// Lowers the scores of people who have not been active for long: who does not come back does not
/// answer.
///
/// The factor is floor + (1 − floor) · 2^(−t / halfLife), where t is the time since the person's
/// latest answer. It stands for P(login): a half-life since the last sign of life, not a probability
/// that was fitted to logins, of which a feed knows nothing. People who never answered anything fade
/// from the moment on when somebody first answered about them, since they were among those who are
/// shown by then; a newcomer whom nobody has answered about keeps the score, and so does somebody
/// whose first answer was taken back, until the next one. Another ranking's
/// score s becomes s − (1 − factor) · |s|: a positive score is multiplied by the factor, and a
/// negative one is lowered as much, so nobody is ever raised. What rankings with a login probability
/// do: Sekiya, Otani et al. 2026 (arXiv 2602.19689), P(login) · P(like) · P(reciprocate).
public struct ActivityRanking: RankingStrategy {
  /// The deck of people.
  public typealias D = DatingDeck

  private let inner: any RankingStrategy<DatingDeck>
  private let halfLife: Double
  private let floor: Double
  private let numbers: ExposureNumbers

  /// A ranking that fades.
  ///
  /// - Parameters:
  ///   - inner: The ranking whose scores are lowered.
  ///   - halfLife: Days after which half of what is above the floor is left, finite and above 0.
  ///   - floor: The factor of people who are long gone.
  ///   - states: Where activity is counted.
  public init(
    _ inner: any RankingStrategy<DatingDeck>, halfLife: Double, floor: Probability,
    states: LearnerStates
  ) {
    precondition(
      halfLife > 0 && halfLife.isFinite, "A half-life is finite and above 0; got \(halfLife).")
    self.inner = inner
    self.halfLife = halfLife
    self.floor = floor.value
    numbers = ExposureNumbers(states: states)
  }

  /// What the other ranking needs.
  public var needs: ContextNeeds { inner.needs }

  /// The counts, and those of the other ranking.
  public var learners: [any Learner<DatingDeck>] { [numbers] + inner.learners }

  /// Those of the other ranking.
  public var trainables: [any TrainableStrategy<DatingDeck>] { inner.trainables }

  /// What the other ranking scores.
  public var scored: [String] { inner.scored }

  /// The other ranking's scores, lowered. O(n), and the other ranking.
  public func scores(
    for slate: Slate<DatingDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    var scores = try await inner.scores(inside: "activity", for: slate, estimates: estimates)
    var moves = Array(repeating: 0.0, count: slate.count)
    for (index, person) in numbers.people(of: slate).enumerated() {
      guard let latest = person.latestActivity ?? person.firstShown,
        scores.values[index].isFinite
      else { continue }
      let away = slate.context.now.milliseconds - latest.milliseconds
      let days = Double(max(0, away)) / Double(Timestamp.day)
      let factor = floor + (1 - floor) * exponential(-days / halfLife * 0.6931471805599453)
      moves[index] = -(1 - factor) * abs(scores.values[index])
      scores.values[index] += moves[index]
    }
    // When somebody was last here is theirs to tell.
    scores.terms.append(SlateScores.Term(name: "activity", values: moves, isPrivate: true))
    return scores
  }
}
