/// Each skill is known or not, and every answer says something of which: a hidden Markov model with
/// two states for each skill.
///
/// P(right) = P(known) · (1 − slip) + (1 − P(known)) · guess; after the answer the student may learn or
/// forget the skill. Source: Corbett and Anderson, Knowledge tracing (User Modeling 4, 1995), with
/// forgetting. It does not know how hard a question is, and is a baseline where questions of a skill
/// differ; it says of a student and a skill whether it is mastered, which the others don't.
public struct BayesianKnowledgeTracing: KnowledgeModel {
  /// The parameters of one skill; all are probabilities.
  public struct Skill: Hashable, Sendable {
    /// That a student knows it beforehand.
    public var known: Double
    /// That a student who doesn't know it learns it with an answer.
    public var learn: Double
    /// That a student who knows it forgets it with an answer.
    public var forget: Double
    /// That a student who doesn't know it answers right.
    public var guess: Double
    /// That a student who knows it answers wrong.
    public var slip: Double

    /// A skill.
    public init(known: Double, learn: Double, forget: Double, guess: Double, slip: Double) {
      self.known = known
      self.learn = learn
      self.forget = forget
      self.guess = guess
      self.slip = slip
    }

    /// P(right) where the skill is known with some probability. O(1).
    @inline(__always)
    public func probability(_ known: Double) -> Double {
      known * (1 - slip) + (1 - known) * guess
    }

    /// P(known) after an answer. O(1).
    @inline(__always)
    public func known(after isRight: Bool, _ known: Double) -> Double {
      let withSkill = known * (isRight ? 1 - slip : slip)
      let without = (1 - known) * (isRight ? guess : 1 - guess)
      let sum = withSkill + without
      let now = sum > 0 ? withSkill / sum : known
      return now * (1 - forget) + (1 - now) * learn
    }
  }

  /// What is known of a student: P(known) of each skill that was asked.
  public struct State: Hashable, Sendable {
    /// By the skill's number.
    public var known: [Int: Double] = [:]

    /// A student who was not asked anything.
    public init() {}
  }

  /// By number.
  public var skills: [Skill]
  /// What holds where nothing was fitted.
  public var other: Skill

  /// A model with parameters that are known.
  public init(skills: [Skill], other: Skill) {
    self.skills = skills
    self.other = other
  }

  /// Nothing is known yet.
  public var initial: State { State() }

  /// The mean over the question's skills; `question` is ignored.
  public func probability(_ state: State, question: Int, skills: [Int]) -> Double {
    guard !skills.isEmpty else { return other.probability(other.known) }
    var sum = 0.0
    for number in skills {
      let skill = skill(number)
      sum += skill.probability(state.known[number] ?? skill.known)
    }
    return (sum / Double(skills.count)).clamped(to: 1e-6...(1 - 1e-6))
  }

  /// Moves each skill of the question.
  public func learn(_ state: inout State, _ answer: KnowledgeAnswer) {
    for number in answer.skills {
      let skill = skill(number)
      state.known[number] = skill.known(
        after: answer.isRight, state.known[number] ?? skill.known)
    }
  }

  @inline(__always)
  private func skill(_ number: Int) -> Skill {
    skills.indices.contains(number) ? skills[number] : other
  }
}
