extension BayesianKnowledgeTracing {
  /// Fits all skills by expectation and maximisation (Baum et al. 1970): first one skill to all
  /// answers, then each skill by itself with the common one as its prior.
  ///
  /// Deterministic. Guess and slip stay below ½, so that knowing a skill never harms.
  ///
  /// - Parameters:
  ///   - students: Each student's answers in order.
  ///   - skillCount: Skills are numbered 0 ..< `skillCount`.
  ///   - strength: As how many students the common skill counts when one is fitted.
  ///   - rounds: Rounds of expectation and maximisation, for the common skill and for each.
  ///   - checkpoint: Called after each round for the common skill and after each skill, with the share
  ///     that is done; throws to stop.
  /// - Complexity: O(rounds · answers · skills of an answer).
  public init(
    fitting students: [[KnowledgeAnswer]], skillCount: Int, strength: Double = 10,
    rounds: Int = 30, checkpoint: (Double) throws -> Void
  ) rethrows {
    var sequences: [[[Bool]]] = Array(repeating: [], count: skillCount)
    for answers in students {
      var own: [Int: [Bool]] = [:]
      for answer in answers {
        for skill in answer.skills where skill >= 0 && skill < skillCount {
          own[skill, default: []].append(answer.isRight)
        }
      }
      for (skill, rights) in own { sequences[skill].append(rights) }
    }
    var common = Skill(known: 0.5, learn: 0.1, forget: 0.02, guess: 0.25, slip: 0.15)
    let weak = Skill.Counts(prior: common, strength: 2)
    for round in 0..<rounds {
      var counts = weak
      for own in sequences { for rights in own { counts.add(rights, common) } }
      common = counts.skill
      try checkpoint(0.5 * Double(round + 1) / Double(rounds))
    }
    var skills: [Skill] = []
    let prior = Skill.Counts(prior: common, strength: strength)
    for (number, own) in sequences.enumerated() {
      var skill = common
      if !own.isEmpty {
        for _ in 0..<rounds {
          var counts = prior
          for rights in own { counts.add(rights, skill) }
          skill = counts.skill
        }
      }
      skills.append(skill)
      try checkpoint(0.5 + 0.5 * Double(number + 1) / Double(skillCount))
    }
    self.init(skills: skills, other: common)
  }

  /// The same, without a way to stop it.
  public init(
    fitting students: [[KnowledgeAnswer]], skillCount: Int, strength: Double = 10,
    rounds: Int = 30
  ) {
    self.init(fitting: students, skillCount: skillCount, strength: strength, rounds: rounds) { _ in
    }
  }
}

extension BayesianKnowledgeTracing.Skill {
  /// Expected events of a skill: how often it was so, and how often it could have been.
  struct Counts {
    private var known = (0.0, 0.0)
    private var learn = (0.0, 0.0)
    private var forget = (0.0, 0.0)
    private var guess = (0.0, 0.0)
    private var slip = (0.0, 0.0)

    /// What is believed beforehand.
    init(prior: BayesianKnowledgeTracing.Skill, strength: Double) {
      known = (prior.known * strength, strength)
      learn = (prior.learn * strength, strength)
      forget = (prior.forget * strength, strength)
      guess = (prior.guess * strength, strength)
      slip = (prior.slip * strength, strength)
    }

    /// The most likely parameters.
    var skill: BayesianKnowledgeTracing.Skill {
      func share(_ count: (Double, Double), below bound: Double) -> Double {
        (count.0 / count.1).clamped(to: 1e-3...bound)
      }
      return BayesianKnowledgeTracing.Skill(
        known: share(known, below: 0.999), learn: share(learn, below: 0.9),
        forget: share(forget, below: 0.5), guess: share(guess, below: 0.49),
        slip: share(slip, below: 0.49))
    }

    /// Adds what one student's answers are expected to have been (forward and backward, Rabiner
    /// 1989, scaled at each answer).
    mutating func add(_ rights: [Bool], _ skill: BayesianKnowledgeTracing.Skill) {
      let count = rights.count
      // Of the state being known: before and after the answer itself is seen.
      var filtered = Array(repeating: 0.0, count: count)
      var predicted = skill.known
      for (index, isRight) in rights.enumerated() {
        let withSkill = predicted * (isRight ? 1 - skill.slip : skill.slip)
        let without = (1 - predicted) * (isRight ? skill.guess : 1 - skill.guess)
        filtered[index] = withSkill / (withSkill + without)
        predicted = filtered[index] * (1 - skill.forget) + (1 - filtered[index]) * skill.learn
      }
      var smoothed = filtered[count - 1]
      observe(smoothed, rights[count - 1], skill)
      for index in stride(from: count - 2, through: 0, by: -1) {
        let now = filtered[index]
        let next = now * (1 - skill.forget) + (1 - now) * skill.learn
        let ifKnown = smoothed / next
        let ifNot = (1 - smoothed) / (1 - next)
        let stays = now * (1 - skill.forget) * ifKnown
        let forgets = now * skill.forget * ifNot
        let learns = (1 - now) * skill.learn * ifKnown
        let stillNot = (1 - now) * (1 - skill.learn) * ifNot
        learn = (learn.0 + learns, learn.1 + learns + stillNot)
        forget = (forget.0 + forgets, forget.1 + forgets + stays)
        smoothed = stays + forgets
        observe(smoothed, rights[index], skill)
      }
      known = (known.0 + smoothed, known.1 + 1)
    }

    private mutating func observe(
      _ known: Double, _ isRight: Bool, _ skill: BayesianKnowledgeTracing.Skill
    ) {
      slip = (slip.0 + (isRight ? 0 : known), slip.1 + known)
      guess = (guess.0 + (isRight ? 1 - known : 0), guess.1 + 1 - known)
    }
  }
}
