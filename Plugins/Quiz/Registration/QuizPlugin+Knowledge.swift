internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedPsychometrics

extension QuizDeckPlugin {
  /// Registers the models of knowledge that are fitted to all learners' answers.
  static func registerKnowledge(in registry: inout StrategyRegistry<QuizDeck>) {
    register(
      BayesianKnowledgeTracing.self, "bayesian-knowledge-tracing",
      "Predicts right answers from which skills a viewer has, by a training.",
      "Each skill is known or not, and learned or forgotten with an answer (Corbett and Anderson "
        + "1995). It does not know how hard a question is.", in: &registry)
    register(
      LogisticKnowledgeTracing.self, "logistic-knowledge-tracing",
      "Predicts right answers from difficulties, abilities and what was right lately, by a training.",
      "A logistic regression on the question's difficulty, the viewer's abilities, which drift, and "
        + "counts of right and wrong answers in the skill and to the question.", in: &registry)
    register(
      KnowledgeBlend.self, "knowledge-blend",
      "Predicts right answers by several models of knowledge, weighed on learners held out.",
      "Bayesian knowledge tracing, drifting abilities, logistic knowledge tracing and ratings: "
        + "their log-odds with weights that are fitted to learners whom none of them had seen, so "
        + "that the blend is calibrated for new learners.", in: &registry)
  }

  private static func register<Model: FittedKnowledgeModel>(
    _ model: Model.Type, _ name: String, _ summary: String, _ discussion: String,
    in registry: inout StrategyRegistry<QuizDeck>
  ) {
    registry.register(
      matchProbability: StrategyDescription(
        name, .matchProbability, summary: summary,
        discussion: discussion + " Fitted to the answers of all learners by cardfeed train, or "
          + "feed.train(); the model holds nothing of single learners. What is known of the viewer "
          + "follows from their log, so a rewind is exact. It knows no forgetting over days. The "
          + "time it takes grows with the viewer's answers.",
        parameters: [
          ParameterDescription(
            "model", .text, default: .null, help: "The file of a trained model to begin with.")
        ])
    ) { parameters, context in
      KnowledgeModelProbability<Model>(
        slot: try context.slot(
          for: name + "/1", path: parameters.optionalText("model"),
          of: KnowledgeModelFile<Model>.self))
    }
  }
}
