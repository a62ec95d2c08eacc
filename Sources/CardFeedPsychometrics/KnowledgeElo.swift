/// How able a learner is and how hard a question, both moved after every answer: the rating of chess
/// players (Elo 1978) as educational systems use it (Pelánek 2016), with an ability of its own for
/// each skill and steps that become smaller with the number of answers.
public struct KnowledgeElo: Hashable, Sendable {
  /// The greatest step of a learner's ability.
  public var abilityStep: Double
  /// The greatest step of a skill.
  public var skillStep: Double
  /// How fast the steps of a learner become smaller.
  public var learnerDecay: Double
  /// The greatest step of a question's difficulty.
  public var difficultyStep: Double
  /// How fast the steps of a question become smaller.
  public var questionDecay: Double

  /// A model.
  public init(
    abilityStep: Double = 0.4, skillStep: Double = 0.5, learnerDecay: Double = 0.1,
    difficultyStep: Double = 0.6, questionDecay: Double = 0.05
  ) {
    self.abilityStep = abilityStep
    self.skillStep = skillStep
    self.learnerDecay = learnerDecay
    self.difficultyStep = difficultyStep
    self.questionDecay = questionDecay
  }

  /// A number and how many answers have moved it.
  public struct Rating: Hashable, Sendable {
    /// In log-odds.
    public var value: Double
    /// Answers so far.
    public var answers: Int

    /// A rating; new ones have no answers.
    public init(value: Double = 0, answers: Int = 0) {
      self.value = value
      self.answers = answers
    }

    mutating func move(by error: Double, step: Double, decay: Double) {
      value += step / (1 + decay * Double(answers)) * error
      answers += 1
    }
  }

  /// What is known of a learner.
  public struct Learner: Hashable, Sendable {
    /// In everything.
    public var ability = Rating()
    /// Beyond that, in each skill.
    public var skills: [String: Rating] = [:]

    /// A new learner.
    public init() {}
  }

  /// P(right), from the first skill of the question. O(1).
  public func probability(_ learner: Learner, _ question: Rating, skills: [String]) -> Double {
    let skill = skills.first.flatMap { learner.skills[$0] }?.value ?? 0
    return logistic(learner.ability.value + skill - question.value)
  }

  /// Moves learner and question. O(skills).
  public func learn(
    _ learner: inout Learner, _ question: inout Rating, skills: [String], isRight: Bool
  ) {
    let error = (isRight ? 1 : 0) - probability(learner, question, skills: skills)
    learner.ability.move(by: error, step: abilityStep, decay: learnerDecay)
    for skill in skills {
      learner.skills[skill, default: Rating()].move(
        by: error, step: skillStep, decay: learnerDecay)
    }
    question.move(by: -error, step: difficultyStep, decay: questionDecay)
  }
}
