internal import CardFeedConfiguration

extension QuizModel {
  /// What arms of a split can be, for decoding and error texts.
  static func descriptions(of split: QuizExperiment.Split?) -> [StrategyDescription] {
    switch split {
    case .unseenStudents: students
    case .heldOutAnswers: tests
    case .adaptiveTest: adaptive
    case .laterReviews: reviews
    case nil: students + tests + adaptive + reviews
    }
  }

  private static let students = [
    describe("mean", "The share of right answers of the known students."),
    describe("elo", "Ratings of learners, skills and questions."),
    describe("bayesian-knowledge-tracing", "Skills that are known or not."),
    describe("ability-filter", "Drifting abilities over fitted difficulties."),
    describe("logistic-knowledge-tracing", "Logistic regression on what was answered."),
    describe("knowledge-blend", "The stacked blend of tracing, filter and regression."),
  ]

  private static let tests = [
    describe("item-mean", "Each item's share of right answers."),
    describe("1pl", "Difficulties and one discrimination."),
    describe("2pl", "Difficulties and discriminations."),
  ]

  private static let adaptive = [
    describe(
      "maximum-information", "The most informative question, or one of the best few.",
      ParameterDescription(
        "candidates", .integer(1...100), default: 1, help: "Among how many one is drawn.")),
    describe(
      "sympson-hetter", "The most informative question under a bound of exposure.",
      ParameterDescription(
        "target", .number(0.05...1), default: 0.5,
        help: "The greatest share of people who may get a question."),
      ParameterDescription(
        "length", .integer(1...1_000), unit: "questions", default: 10,
        help: "The length of test that the bound is made for.")),
    describe("random", "Any question."),
    describe("easiest", "The easiest question first."),
  ]

  private static let known = ParameterDescription(
    "known", .integer(1...1_000_000), default: .null,
    help: "To how many answers at most it is fitted.")
  private static let fit = ParameterDescription(
    "fit", .choice(Fit.allCases.map(\.rawValue)), default: "defaults",
    help: "How its parameters are come by.")

  private static let reviews = [
    describe("mean", "The share of answers that were remembered."),
    describe("fsrs-6", "FSRS with 21 parameters.", fit, known),
    describe("fsrs-7", "FSRS with 34 parameters.", fit, known),
    describe("sm-2", "Easiness and whole intervals."),
  ]

  private static func describe(
    _ use: String, _ summary: String, _ parameters: ParameterDescription...
  ) -> StrategyDescription {
    StrategyDescription(use, .matchProbability, summary: summary, parameters: parameters)
  }

  init(_ specification: StrategySpecification) {
    let parameters = specification.parameters
    switch specification.use {
    case "mean": self = .mean
    case "elo": self = .elo
    case "bayesian-knowledge-tracing": self = .bayesianKnowledgeTracing
    case "ability-filter": self = .abilityFilter
    case "logistic-knowledge-tracing": self = .logisticKnowledgeTracing
    case "knowledge-blend": self = .blend
    case "item-mean": self = .itemMean
    case "1pl": self = .onePL
    case "2pl": self = .twoPL
    case "maximum-information":
      self = .information(candidates: parameters.integer("candidates"))
    case "sympson-hetter":
      self = .sympsonHetter(
        target: parameters.number("target"), length: parameters.integer("length"))
    case "random": self = .randomQuestion
    case "easiest": self = .easiest
    case "sm-2": self = .memory(.sm2, .defaults, known: nil)
    default:
      guard let memory = Memory(rawValue: specification.use),
        let fit = Fit(rawValue: parameters.text("fit"))
      else {
        preconditionFailure("The model '\(specification.use)' is described and not made.")
      }
      self = .memory(memory, fit, known: parameters.optionalInteger("known"))
    }
  }
}
