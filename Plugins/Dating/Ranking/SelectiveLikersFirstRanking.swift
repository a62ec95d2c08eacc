public import CardFeed

/// Puts the people who like the viewer first, but not those who like nearly everybody.
///
/// The same order as with `likers-first`, in which a like of somebody whose likes say nothing does
/// not count: they stand where the other ranking puts them. Whose likes say nothing is decided by an
/// exact binomial test: the share of likes among their answers is above `ordinary`, and so many
/// likes would come with less than the probability `significance` if it were not.
///
/// The term `answer-received` tells what another person did, so it is private.
public struct SelectiveLikersFirstRanking: RankingStrategy {
  /// The deck of people.
  public typealias D = DatingDeck

  private let inner: any RankingStrategy<DatingDeck>
  private let test: IndiscriminateLikes
  private let numbers: ExposureNumbers

  /// Orders by the answers received that say something, then by `inner`.
  ///
  /// - Parameters:
  ///   - inner: Orders the people of one group.
  ///   - ordinary: The greatest share of likes that is no sign of anything, above 0 and below 1.
  ///   - significance: How improbable the likes have to be, above 0 and below 1.
  ///   - states: Where likes are counted.
  public init(
    then inner: any RankingStrategy<DatingDeck>, ordinary: Double = 0.9,
    significance: Double = 0.01, states: LearnerStates
  ) {
    precondition(
      ordinary > 0 && ordinary < 1 && significance > 0 && significance < 1,
      "The share and the significance lie above 0 and below 1; got \(ordinary), \(significance).")
    self.inner = inner
    test = IndiscriminateLikes(ordinary: ordinary, significance: significance)
    numbers = ExposureNumbers(states: states)
  }

  /// What others said of the viewer, and what the other ranking needs.
  public var needs: ContextNeeds { inner.needs.union(.answersReceived) }

  /// The counts, and those of the other ranking.
  public var learners: [any Learner<DatingDeck>] { [numbers] + inner.learners }

  /// Those of the other ranking.
  public var trainables: [any TrainableStrategy<DatingDeck>] { inner.trainables }

  /// What the other ranking scores.
  public var scored: [String] { inner.scored }

  /// The other ranking's scores, moved by tiers. O(n + answers received), and the other ranking.
  public func scores(
    for slate: Slate<DatingDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    var scores = try await inner.scores(
      inside: "selective-likers-first", for: slate, estimates: estimates)
    let tiers = tiers(of: slate)
    let greatest = scores.values.filter { $0.isFinite }.map(Self.bounded).map(abs).max() ?? 1
    // A power of two above twice the scores, so that tiers never mix and few bits are lost.
    let distance = max(1, greatest).binade * 4
    var moves = Array(repeating: Double.nan, count: slate.count)
    for index in 0..<slate.count {
      let own = scores.values[index].isFinite ? Self.bounded(scores.values[index]) : nil
      if tiers[index] == 0 {
        scores.values[index] = own ?? .nan
      } else {
        moves[index] = tiers[index] * distance
        scores.values[index] = (own ?? -distance / 2) + moves[index]
      }
    }
    scores.terms.append(SlateScores.Term(name: "answer-received", values: moves, isPrivate: true))
    return scores
  }

  /// 1 for those whose like says something, −1 for those who passed, 0 for all others.
  private func tiers(of slate: Slate<DatingDeck>) -> [Double] {
    var last: [CardNumber: Double] = [:]
    for answer in slate.context.answersReceived where last[answer.from] == nil {
      switch answer.meaning {
      case .positive: last[answer.from] = 1
      case .negative: last[answer.from] = -1
      case .neutral: last[answer.from] = 0
      }
    }
    return zip(slate.numbers, numbers.people(of: slate)).map { card, person in
      let tier = last[card] ?? 0
      let isNoise =
        tier > 0
        && test.isIndiscriminate(likes: person.likesGiven, answers: person.answersGiven)
      return isNoise ? 0 : tier
    }
  }

  private static func bounded(_ score: Double) -> Double { min(max(score, -0x1p1000), 0x1p1000) }
}
