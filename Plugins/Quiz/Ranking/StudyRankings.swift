internal import CardFeed
internal import CardFeedSpacedRepetition

/// Orders cards by how far their P(recall) has fallen below the desired one.
struct RetrievabilityRanking: RankingStrategy {
  typealias D = QuizDeck

  let memory: any StudyMemory

  var needs: ContextNeeds { .answersGiven }

  /// The desired P(recall) minus the one of now; 0 for a new card, so that what was forgotten comes
  /// before it and what is known well after it. O(n).
  func scores(
    for slate: Slate<QuizDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let moment = memory.moment(of: slate.context)
    let desired = memory.schedule.study.desiredRetention
    let values = slate.numbers.map { number in
      moment.recall(of: number).map { desired - $0 } ?? 0
    }
    return SlateScores(values: values, terms: [SlateScores.Term(name: "forgotten", values: values)])
  }
}

/// Orders cards by how near P(a right answer) is to a wanted one: neither dull nor out of reach.
struct TargetDifficultyRanking: RankingStrategy {
  typealias D = QuizDeck

  let target: Double

  /// Minus the distance to the target; unscored without an estimate. O(n).
  func scores(
    for slate: Slate<QuizDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let values = (0..<slate.count).map { index in
      estimates[index].match.map { -abs($0.value - target) } ?? .nan
    }
    return SlateScores(
      values: values, terms: [SlateScores.Term(name: "off target", values: values)])
  }
}

/// Orders cards by what a second of study gains: the P(recall) that asking now adds, some days
/// later, for the seconds that an answer takes.
///
/// The gain is E[R(later) | asked now] − R(later | left alone), with the answers `good` and `again`
/// as likely as the model says.
struct StudyGainRanking: RankingStrategy {
  typealias D = QuizDeck

  let memory: any StudyMemory
  /// When the gain is looked at, in days.
  let horizon: Double
  /// What an answer takes, in seconds.
  let secondsWhenRight: Double
  let secondsWhenWrong: Double
  /// The gain of a new card, as P(recall) at the horizon after it is learned.
  let newGain: Double

  var needs: ContextNeeds { .answersGiven }

  /// P(recall) gained per minute. O(n).
  func scores(
    for slate: Slate<QuizDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let moment = memory.moment(of: slate.context)
    let values = slate.numbers.map { number in
      guard let prospects = moment.prospects(of: number, afterDays: horizon) else {
        return newGain / secondsWhenWrong * 60
      }
      let seconds =
        prospects.now * secondsWhenRight + (1 - prospects.now) * secondsWhenWrong
      return (prospects.asked - prospects.leftAlone) / seconds * 60
    }
    return SlateScores(
      values: values, terms: [SlateScores.Term(name: "gain per minute", values: values)])
  }
}
