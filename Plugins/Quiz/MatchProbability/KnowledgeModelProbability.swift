internal import CardFeed
internal import CardFeedPsychometrics

/// P(a right answer) by a model of knowledge that was fitted to the answers of all learners, from the
/// viewer's own answers in the order of their times.
///
/// The fit has what learners have in common: how hard questions are, how fast skills are learned. What
/// is known of the viewer is a fold over their log, made anew in each deal, so a rewind and an answer
/// that comes late are exact. Without a model nothing is known, and P(right) is absent.
///
/// When not to use it: it knows no forgetting over days; the order of answers counts and not the time
/// between them. The models themselves say what each is for.
struct KnowledgeModelProbability<Fitted: FittedKnowledgeModel>: TrainableStrategy,
  MatchProbabilityStrategy
{
  typealias D = QuizDeck

  let slot: ModelSlot<KnowledgeModelFile<Fitted>>

  var needs: ContextNeeds { .answersGiven }

  var scored: [String] { ["skills"] }

  /// Fits to the answers of all learners.
  func fit(
    _ history: TrainingHistory<QuizDeck>, progress: TrainingProgress
  ) async throws -> KnowledgeModelFile<Fitted> {
    try await progress.step(0, of: 1)
    let file = try KnowledgeModelFile<Fitted>(fitting: history) {
      try Task.checkCancellation()
    }
    guard !file.numbers.questions.isEmpty else {
      throw FeedError(
        .training, "no answers to questions of the deck are there to fit a model of knowledge to",
        hint: "train when learners have answered, or name a trained \"model\"")
    }
    try await progress.step(1, of: 1)
    return file
  }

  /// O(answers of the viewer · log + n).
  func estimates(for slate: Slate<QuizDeck>) async throws -> MatchEstimates {
    var estimates = MatchEstimates(count: slate.count)
    guard let file = slot.model else { return estimates }
    let table = slate.table
    var state = file.model.initial
    let given = slate.context.answersGiven.sorted { ($0.time, $0.event) < ($1.time, $1.event) }
    for given in given {
      if let answer = file.numbers.answer(about: given.card, given.meaning, in: table) {
        file.model.learn(&state, answer)
      }
    }
    for (index, row) in slate.rows.enumerated() {
      let right = Probability(
        file.model.probability(
          state, question: file.numbers.question(at: row, in: table),
          skills: file.numbers.skills(at: row, in: table)))
      estimates[index] = MatchEstimate(match: right, forward: right)
    }
    return estimates
  }

  /// The models have states without an error.
  var uncertainty: MatchUncertainty {
    .unknown(reason: "a model of knowledge does not say how well its state is known")
  }
}
