internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedDiversity
internal import CardFeedOnlineLearning

/// What forecasts a purchase, chooses an arm, or orders a list.
enum OnlineModel: Sendable {
  /// The share of yes.
  case mean
  /// (events + strength · prior) / (chances + strength); without a prior the share of yes.
  case frequency(events: String, chances: Chances, prior: Double?, strength: Double)
  /// Logistic regression on columns and on logarithms of columns.
  case logistic(plain: [String], logarithms: [String], ridge: Double)
  /// FTRL-proximal on bins and their crosses.
  case ftrl(FeatureRecipe, FTRLProximal.Settings)
  /// Any arm.
  case anyArm
  /// Rates of arms.
  case counts(CountBandit.Settings)
  /// Rewards that depend on a context.
  case linear(BanditPolicy, GaussianArms.Settings)
  /// The order that is there.
  case unchanged
  /// Marginal relevance, and whether the chosen cards come by score.
  case marginal(MarginalRelevance, byScore: Bool)
  /// A determinantal process, likewise.
  case determinantal(DeterminantalProcess, byScore: Bool)
  /// Categories in the proportions that the viewer likes.
  case calibrated(CalibratedCategories, byScore: Bool)
  /// Categories in turn.
  case turns

  /// How often something could have happened.
  enum Chances: Sendable, Hashable {
    case column(String)
    case fixed(Double)
  }

  /// What arms of a split can be.
  static func descriptions(of split: OnlineExperiment.Split?) -> [StrategyDescription] {
    switch split {
    case .onePass: forecasts
    case .rounds: bandits
    case .reranked: orders
    case nil: forecasts + bandits + orders
    }
  }

  private static let forecasts = [
    describe("mean", "The share of yes in the training part."),
    describe(
      "frequency", "A smoothed rate of two columns, or of one column over a fixed number.",
      ParameterDescription("events", .text, help: "The column that counts what happened."),
      ParameterDescription(
        "chances", .text, default: .null, help: "The column that counts when it could have."),
      ParameterDescription(
        "of", .number(0.001...1e9), default: .null, help: "How often it could have, for all rows."),
      ParameterDescription(
        "prior", .number(.share), default: .null,
        help: "The rate that is assumed; the training part's without."),
      ParameterDescription(
        "strength", .number(0.001...1e9), default: 20, help: "How many chances the prior is worth.")
    ),
    describe(
      "logistic", "Logistic regression, fitted to all rows at once.",
      ParameterDescription("plain", .names, default: [], help: "Columns as they are."),
      ParameterDescription(
        "logarithms", .names, default: [],
        help: "Columns of which the logarithm of 1 + x is taken, x at least 0."),
      ParameterDescription(
        "ridge", .number(1e-6...1e6), default: 1, help: "The precision of the prior.")),
    describe(
      "ftrl", "FTRL-proximal on hashed bins and their crosses, one pass.",
      ParameterDescription("columns", .names, help: "Columns with their bins: \"n: 1 2 5\"."),
      ParameterDescription("features", .names, help: "Columns and crosses: \"n * kind\"."),
      ParameterDescription(
        "bits", .integer(1...28), default: 18, help: "The table has 2 to this power places."),
      ParameterDescription(
        "alpha", .number(1e-6...100), default: 0.05, help: "The learning rate."),
      ParameterDescription("beta", .number(0...1e6), default: 1, help: "Keeps first steps small."),
      ParameterDescription(
        "lambda1", .number(0...1e6), default: 0.5, help: "Makes weights zero."),
      ParameterDescription(
        "lambda2", .number(0.000001...1e6), default: 1, help: "Makes weights small.")),
  ]

  private static let policies: [ParameterDescription] = [
    ParameterDescription(
      "policy", .choice(["epsilon-greedy", "upper-bound", "thompson", "softmax"]),
      help: "How it explores."),
    ParameterDescription(
      "epsilon", .number(.share), default: 0, help: "How often any arm is taken."),
    ParameterDescription(
      "width", .number(0...1000), default: 1, help: "How many deviations a bound or a sample has."),
    ParameterDescription(
      "temperature", .number(1e-6...1e6), default: 0.1, help: "Of a softmax over means."),
  ]

  private static let bandits = [
    describe("random", "Any arm."),
    StrategyDescription(
      "counts", .matchProbability, summary: "Rates of arms, whatever the context.",
      parameters: policies + [
        ParameterDescription("a", .number(1e-6...1e6), default: 1, help: "The prior's yes."),
        ParameterDescription("b", .number(1e-6...1e6), default: 1, help: "The prior's no."),
        ParameterDescription(
          "keep", .number(0.5...1), default: 1, help: "What a round leaves of those before."),
      ]),
    StrategyDescription(
      "linear", .matchProbability, summary: "Rewards that are linear, or logistic, in the context.",
      parameters: policies + [
        ParameterDescription(
          "link", .choice(GaussianArms.Link.allCases.map(\.rawValue)), default: "linear",
          help: "How weights become a reward."),
        ParameterDescription(
          "weightVariance", .number(1e-6...1e6), default: 1, help: "Of a weight at first."),
        ParameterDescription(
          "interceptMean", .number(-100...100), default: 0, help: "Of the constant."),
        ParameterDescription(
          "interceptVariance", .number(1e-6...1e6), default: 1, help: "Of the constant."),
        ParameterDescription(
          "weightDrift", .number(0...1), default: 0,
          help: "What a weight's variance gains each round."),
        ParameterDescription(
          "interceptDrift", .number(0...1), default: 0, help: "The same of the constant."),
        ParameterDescription(
          "noise", .number(1e-6...1e6), default: 1, help: "The variance of a linear reward."),
      ]),
  ]

  private static let byScore = ParameterDescription(
    "byScore", .bool, default: false, help: "Whether the chosen cards come in the order of scores.")

  private static let orders = [
    describe("unchanged", "The order that is there."),
    describe(
      "mmr", "Marginal relevance.",
      ParameterDescription(
        "lambda", .number(.share), default: 0.7, help: "The weight of relevance."),
      ParameterDescription(
        "likeness", .choice(MarginalRelevance.Likeness.allCases.map(\.rawValue)),
        default: "greatest", help: "Likeness to several cards."), byScore),
    describe(
      "dpp", "A determinantal process, greedily.",
      ParameterDescription(
        "theta", .number(0...50), default: 3, help: "How much relevance counts."), byScore),
    describe(
      "calibrated-categories", "Categories in the proportions that the viewer likes.",
      ParameterDescription(
        "lambda", .number(.share), default: 0.5, help: "The weight of proportions."), byScore),
    describe("interleave-categories", "Categories in turn, by each card's first."),
  ]

  private static func describe(
    _ use: String, _ summary: String, _ parameters: ParameterDescription...
  ) -> StrategyDescription {
    StrategyDescription(use, .matchProbability, summary: summary, parameters: parameters)
  }

  /// Makes a model of a description.
  ///
  /// - Throws: A text that says what is wrong.
  init(_ specification: StrategySpecification) throws(OnlineModelProblem) {
    let parameters = specification.parameters
    switch specification.use {
    case "mean": self = .mean
    case "frequency":
      let fixed = parameters.optionalNumber("of")
      switch (parameters.optionalText("chances"), fixed) {
      case (let column?, nil):
        self = .frequency(
          events: parameters.text("events"), chances: .column(column),
          prior: parameters.optionalNumber("prior"), strength: parameters.number("strength"))
      case (nil, let number?):
        self = .frequency(
          events: parameters.text("events"), chances: .fixed(number),
          prior: parameters.optionalNumber("prior"), strength: parameters.number("strength"))
      default:
        throw OnlineModelProblem(
          text: "either \"chances\" or \"of\" says how often it could happen")
      }
    case "logistic":
      let (plain, logarithms) = (parameters.texts("plain"), parameters.texts("logarithms"))
      guard !(plain + logarithms).isEmpty else {
        throw OnlineModelProblem(text: "a regression needs a column")
      }
      self = .logistic(
        plain: plain, logarithms: logarithms, ridge: parameters.number("ridge"))
    case "ftrl":
      do {
        self = .ftrl(
          try FeatureRecipe(
            columns: parameters.texts("columns"), features: parameters.texts("features"),
            bits: parameters.integer("bits")),
          FTRLProximal.Settings(
            alpha: parameters.number("alpha"), beta: parameters.number("beta"),
            lambda1: parameters.number("lambda1"), lambda2: parameters.number("lambda2")))
      } catch {
        throw OnlineModelProblem(text: error.description)
      }
    case "random": self = .anyArm
    case "counts":
      self = .counts(
        CountBandit.Settings(
          policy: Self.policy(parameters), a: parameters.number("a"), b: parameters.number("b"),
          keep: parameters.number("keep")))
    case "linear":
      self = .linear(
        Self.policy(parameters),
        GaussianArms.Settings(
          link: GaussianArms.Link(rawValue: parameters.text("link")) ?? .linear,
          weightVariance: parameters.number("weightVariance"),
          interceptMean: parameters.number("interceptMean"),
          interceptVariance: parameters.number("interceptVariance"),
          weightDrift: parameters.number("weightDrift"),
          interceptDrift: parameters.number("interceptDrift"),
          noise: parameters.number("noise")))
    case "unchanged": self = .unchanged
    case "mmr":
      self = .marginal(
        MarginalRelevance(
          lambda: parameters.number("lambda"),
          likeness: .init(rawValue: parameters.text("likeness")) ?? .greatest),
        byScore: parameters.bool("byScore"))
    case "dpp":
      self = .determinantal(
        DeterminantalProcess(theta: parameters.number("theta")),
        byScore: parameters.bool("byScore"))
    case "calibrated-categories":
      self = .calibrated(
        CalibratedCategories(lambda: parameters.number("lambda")),
        byScore: parameters.bool("byScore"))
    case "interleave-categories": self = .turns
    default: preconditionFailure("The model '\(specification.use)' is described and not made.")
    }
  }

  private static func policy(_ parameters: Parameters) -> BanditPolicy {
    let epsilon = parameters.number("epsilon")
    return switch parameters.text("policy") {
    case "epsilon-greedy": .epsilonGreedy(epsilon)
    case "upper-bound": .upperBound(width: parameters.number("width"), epsilon: epsilon)
    case "thompson": .thompson(width: max(parameters.number("width"), 1e-9))
    default: .softmax(temperature: parameters.number("temperature"))
    }
  }
}

/// Why a description is no model.
struct OnlineModelProblem: Error {
  let text: String
}
