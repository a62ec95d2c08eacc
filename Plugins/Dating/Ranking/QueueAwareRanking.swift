public import CardFeed

/// Orders by the match that a card can still bring today: who is waited for by more people than
/// they have cards left is not worth a like now.
///
/// A person v who has said nothing of the viewer u scores
///
///     P(match) · √(max(0, left(v) − queue(v)) / left(v))
///
/// where queue(v) are the people who like v and of whom v has said nothing, and left(v) is what v
/// has left of the day's cards: `daily_cards` of the person, or `cardsPerDay`, minus the answers v
/// gave today (UTC). With nothing left, or as many waiting as are left, the score is 0. Who likes the
/// viewer scores P(viewer likes), since the match is made at once and waits for nobody; who passed on
/// the viewer scores 0. Without the two sides of an estimate, P(match) stands for both.
///
/// The queue is read from the store in each deal; the answers of a day are learned.
///
/// Congestion in two-sided dating markets, and limits in what a person can answer: Su, Bayoumi and
/// Joachims 2022 (arXiv 2106.01941); Sekiya, Otani et al. 2026 (arXiv 2602.19689). The square root,
/// softer than the share itself, is this package's own.
///
/// When not to use it: where most people see all cards within a day anyway, nothing is scarce, and
/// `likers-first` costs less. The terms tell what other people did, so they are private.
public struct QueueAwareRanking: RankingStrategy {
  /// The deck of people.
  public typealias D = DatingDeck

  private let cardsPerDay: Int
  private let optimism: Double
  private let answers: DailyAnswers

  /// A ranking by what a card can still bring.
  ///
  /// - Parameters:
  ///   - cardsPerDay: The cards a day of people whose record says nothing, above 0.
  ///   - optimism: Standard errors that are added to an estimate: who is little known is tried
  ///     sooner. Finite and not negative.
  ///   - states: Where the answers of a day are counted.
  public init(cardsPerDay: Int, optimism: Double = 0, states: LearnerStates) {
    precondition(
      cardsPerDay > 0 && optimism >= 0 && optimism.isFinite,
      "Cards a day are above 0 and optimism is finite and not negative; got \(cardsPerDay), "
        + "\(optimism).")
    self.cardsPerDay = cardsPerDay
    self.optimism = optimism
    answers = DailyAnswers(states: states)
  }

  /// What others said of the viewer.
  public var needs: ContextNeeds { .answersReceived }

  /// The answers of a day.
  public var learners: [any Learner<DatingDeck>] { [answers] }

  /// One score for each candidate; NaN where the estimate does not know. O(n + answers received), and
  /// one question to the store about the candidates who have said nothing of the viewer.
  public func scores(
    for slate: Slate<DatingDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let numbers = slate.numbers
    let received = slate.context.latestReceived
    let base = numbers.indices.map { index -> Double in
      switch received[numbers[index]] {
      case .negative: 0
      case .positive: hopeful(estimates[index], \.forward)
      case .neutral, nil: hopeful(estimates[index], \.match)
      }
    }
    let waited = numbers.indices.filter { index in
      received[numbers[index]] == nil && base[index] > 0
    }
    let left = left(waited.map { slate.rows[$0] }, in: slate)
    let queues = try await slate.context.unansweredLikes(
      of: waited.map { numbers[$0] }, limit: left.max() ?? 0)
    var scores = base
    for (place, index) in waited.enumerated() {
      scores[index] *= Self.share(left: left[place], queue: queues[place])
    }
    return SlateScores(
      values: scores,
      terms: [
        SlateScores.Term(name: "answer-probability", values: base, isPrivate: true),
        SlateScores.Term(
          name: "queue", values: zip(scores, base).map { $0 - $1 }, isPrivate: true),
      ])
  }

  /// √(max(0, left − queue) / left), 0 with nothing left.
  static func share(left: Int, queue: Int) -> Double {
    guard left > 0, queue < left else { return 0 }
    return (Double(left - queue) / Double(left)).squareRoot()
  }

  /// A probability, raised by what is not known of it; NaN where it is not known.
  private func hopeful(
    _ estimate: MatchEstimate, _ side: KeyPath<MatchEstimate, Probability?>
  ) -> Double {
    guard let probability = estimate[keyPath: side] ?? estimate.match else { return .nan }
    return min(1, probability.value + optimism * (estimate.standardError ?? 0))
  }

  /// What people have left of the day's cards.
  private func left(_ rows: [Row], in slate: Slate<DatingDeck>) -> [Int] {
    let given = answers.answersToday(of: slate.table.numbers(at: rows), now: slate.context.now)
    let cards: [Int] =
      if case .integer(let column)? = slate.table.column("daily_cards") {
        rows.map { row in
          let own = column[row.index]
          return own == .min ? cardsPerDay : Int(clamping: own)
        }
      } else {
        rows.map { _ in cardsPerDay }
      }
    return zip(cards, given).map { max(0, $0 - $1) }
  }
}
