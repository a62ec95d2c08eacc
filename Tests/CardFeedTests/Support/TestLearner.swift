import CardFeed
import CardFeedTesting

/// Rates cards and viewers like chess players: what an event adds depends on the ratings so far,
/// which is what makes exact rewinding hard. Slot 0 is the rating, slot 1 counts events.
struct RatingLearner: Learner {
  typealias D = ToyDeck

  let identity: String
  let numbers: LearnedNumbers

  init(_ identity: String = "rating/1", states: LearnerStates) {
    self.identity = identity
    numbers = states.numbers(for: identity, stride: 2)
  }

  func increments(for event: LearningEvent<ToyDeck>) -> [Increment] {
    guard event.meaning != .neutral else { return [] }
    let (mine, theirs) = numbers.read { ($0(event.viewer, 0), $0(event.card, 0)) }
    let sign: Int64 = event.meaning == .positive ? 1 : -1
    // Any function of the state will do; this one differs for nearly every state.
    let gain = sign * (1000 - (theirs - mine) / 7)
    return [
      Increment(.init(owner: event.card, slot: 0), gain),
      Increment(.init(owner: event.viewer, slot: 0), -gain / 3),
      Increment(.init(owner: event.card, slot: 1), 1),
      Increment(.init(owner: nil, slot: 1), 1),
    ]
  }
}

/// Ranks by the learned rating.
struct RatingRanking: RankingStrategy {
  typealias D = ToyDeck

  let learner: RatingLearner

  var learners: [any Learner<ToyDeck>] { [learner] }

  func scores(
    for slate: Slate<ToyDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let numbers = slate.numbers
    let values = learner.numbers.read { read in numbers.map { Double(read($0, 0)) } }
    return SlateScores(values: values, terms: [.init(name: "rating", values: values)])
  }
}
