internal import CardFeed

/// An experiment on what students know and remember.
///
/// It has the format of other experiments, with one of four splits, and arms that name a model instead
/// of a feed. The models are those that a quiz deck asks; they see recorded answers in the order in
/// which they were given.
public struct QuizExperiment: Sendable {
  /// Which answers.
  public enum Data: Sendable, Hashable {
    /// Students, from `SET_train_events.csv` and `SET_test_events.csv`.
    case students(set: String)
    /// Tests that were taken once, from `irt_SET.csv` and `irt_SET_holdout.csv`.
    case tests(sets: [String])
    /// One learner's reviews, from `josh_items.csv`.
    case reviews

    /// The name in results.
    var name: String {
      switch self {
      case .students(let set): set
      case .tests(let sets): sets.joined(separator: ", ")
      case .reviews: "josh-reviews"
      }
    }

    /// Whose data they are.
    public var citation: String {
      switch self {
      case .students(set: "statics"):
        "Statics2011, PSLC DataShop (Koedinger et al. 2010), as split by the AKT project"
      case .students:
        "ASSISTments 2009–2010 (Feng, Heffernan, Koedinger 2009), as split by the AKT project"
      case .tests(sets: ["SAT12"]): "SAT12 of mirt (Chalmers 2012)"
      case .tests: "SAT12 of mirt (Chalmers 2012); fraction subtraction and ECPE of CDM"
      case .reviews: "the review log of py-fsrs (MIT), one learner"
      }
    }
  }

  /// What is predicted from what.
  public enum Split: Sendable, Hashable {
    /// Each answer of students nobody has learned from, from their own earlier answers. Students
    /// who also stand among the known under another number are left out there, or kept.
    case unseenStudents(leavesTwinsOut: Bool)
    /// Answers of a test that were taken out, from the others.
    case heldOutAnswers
    /// A test in which each question follows from the answers before.
    case adaptiveTest(length: Int, targetError: Double)
    /// Each fold of reviews from those before; of later days only, or all.
    case laterReviews(isOfLaterDays: Bool, folds: Set<Int>?)
  }

  /// A model that is compared.
  public struct Arm: Sendable {
    /// Its name in the table.
    public let name: String
    /// What predicts, or asks.
    public let model: QuizModel
    /// Of the model: 16 hexadecimal digits.
    public let fingerprint: String
  }

  /// The name of the experiment.
  public let name: String
  /// What it shows, as a sentence.
  public let summary: String
  /// The answers.
  public let data: Data
  /// What is predicted from what.
  public let split: Split
  /// What is counted.
  public let metrics: [MetricName]
  /// The seed of everything random.
  public let seed: UInt64
  /// The models.
  public let arms: [Arm]
  /// The name of the arm that all others are compared with; nil for none.
  public let baseline: String?
  /// How often students, or cards, are drawn for an interval.
  public let resamples: Int
  /// Of everything that decides the figures: 16 hexadecimal digits.
  public let fingerprint: String

  /// What is drawn for intervals, in a report.
  public var clusters: String {
    if case .laterReviews = split { return "cards" }
    return "students"
  }
}

/// What predicts an answer, or chooses a question.
public enum QuizModel: Sendable, Hashable {
  /// The share of right answers.
  case mean
  /// Ratings of learners, skills and questions.
  case elo
  /// Skills that are known or not.
  case bayesianKnowledgeTracing
  /// Abilities that drift.
  case abilityFilter
  /// Logistic regression.
  case logisticKnowledgeTracing
  /// The stacked blend.
  case blend
  /// Each item's share of right answers.
  case itemMean
  /// One-parameter items.
  case onePL
  /// Two-parameter items.
  case twoPL
  /// The most informative question, or one of the best few.
  case information(candidates: Int)
  /// The most informative question under a bound of exposure in tests of a length.
  case sympsonHetter(target: Double, length: Int)
  /// Any question.
  case randomQuestion
  /// The easiest question first.
  case easiest
  /// A memory model, how it is fitted, and to how many answers at most.
  case memory(Memory, Fit, known: Int?)

  /// A memory model.
  public enum Memory: String, Sendable, Hashable, CaseIterable {
    case fsrs6 = "fsrs-6"
    case fsrs7 = "fsrs-7"
    case sm2 = "sm-2"
  }

  /// How parameters are come by.
  public enum Fit: String, Sendable, Hashable, CaseIterable {
    case defaults
    case map
    case heldOut = "held-out"
  }
}
