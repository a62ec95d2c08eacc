/// How able a student is now, in everything and in each skill, with how sure that is: the model of
/// Rasch with abilities that drift, filtered answer by answer.
///
/// Each ability is normal; an answer moves it by its share of the doubt, as in the extended Kalman
/// filter (Fahrmeir 1992) and Glicko (Glickman 1999). What is sure hardly moves, what is new moves
/// fast. The steps follow from the spreads; nothing is tuned for a student.
public struct KnowledgeFilter: KnowledgeModel {
  /// How abilities spread beforehand and how they drift, as variances in log-odds.
  public struct Drift: Hashable, Sendable {
    /// Of the ability in everything, beforehand.
    public var ability: Double
    /// What each answer adds to it.
    public var abilityDrift: Double
    /// Of the ability in a skill around it, beforehand.
    public var skill: Double
    /// What each answer adds to it.
    public var skillDrift: Double

    /// Variances.
    public init(
      ability: Double = 0.8, abilityDrift: Double = 0.003, skill: Double = 0.3,
      skillDrift: Double = 0.02
    ) {
      self.ability = ability
      self.abilityDrift = abilityDrift
      self.skill = skill
      self.skillDrift = skillDrift
    }
  }

  /// A normal belief about an ability.
  public struct Belief: Hashable, Sendable {
    /// In log-odds.
    public var mean: Double
    /// How unsure it is.
    public var variance: Double

    /// A belief.
    public init(mean: Double = 0, variance: Double) {
      self.mean = mean
      self.variance = variance
    }
  }

  /// What is known of a student.
  public struct State: Hashable, Sendable {
    /// In everything.
    public var ability: Belief
    /// Beyond that in each skill that was asked, by number.
    public var skills: [Int: Belief] = [:]

    /// A student who was not asked anything.
    public init(ability: Belief) { self.ability = ability }
  }

  /// How hard questions are.
  public var difficulties: QuestionDifficulties
  /// How abilities spread and drift.
  public var drift: Drift

  /// A model.
  public init(difficulties: QuestionDifficulties, drift: Drift = Drift()) {
    self.difficulties = difficulties
    self.drift = drift
  }

  /// An able student as all are.
  public var initial: State { State(ability: Belief(variance: drift.ability)) }

  /// The log-odds of a right answer, and how unsure they are, as a variance. O(skills).
  public func logOdds(
    _ state: State, question: Int, skills: [Int]
  ) -> (mean: Double, variance: Double) {
    var mean = state.ability.mean - difficulties.difficulty(of: question, skills: skills)
    var variance = state.ability.variance
    let share = 1 / Double(max(1, skills.count))
    for skill in skills {
      let belief = state.skills[skill] ?? Belief(variance: drift.skill)
      mean += belief.mean * share
      variance += belief.variance * share * share
    }
    return (mean, variance)
  }

  /// The logistic function of the log-odds, drawn to ½ by the doubt (MacKay 1992).
  public func probability(_ state: State, question: Int, skills: [Int]) -> Double {
    let (mean, variance) = logOdds(state, question: question, skills: skills)
    return logistic(mean / (1 + Double.pi / 8 * variance).squareRoot())
      .clamped(to: 1e-6...(1 - 1e-6))
  }

  /// Moves the ability and each skill of the question.
  public func learn(_ state: inout State, _ answer: KnowledgeAnswer) {
    let (_, variance) = logOdds(state, question: answer.question, skills: answer.skills)
    let right = probability(state, question: answer.question, skills: answer.skills)
    let error = (answer.isRight ? 1 : 0) - right
    let spread = right * (1 - right)
    let doubt = 1 + variance * spread
    let share = 1 / Double(max(1, answer.skills.count))
    func moved(_ belief: Belief, lever: Double, most: Double, drift: Double) -> Belief {
      let step = belief.variance * lever / doubt
      let variance = belief.variance - step * spread * lever * belief.variance
      return Belief(mean: belief.mean + step * error, variance: min(most, variance + drift))
    }
    for skill in answer.skills {
      state.skills[skill] = moved(
        state.skills[skill] ?? Belief(variance: drift.skill), lever: share, most: drift.skill,
        drift: drift.skillDrift)
    }
    state.ability = moved(
      state.ability, lever: 1, most: drift.ability, drift: drift.abilityDrift)
  }
}
