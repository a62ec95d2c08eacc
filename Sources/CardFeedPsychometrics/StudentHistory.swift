/// What a student has answered, as sums that each answer moves: what the features of a logistic model
/// are made of.
public struct StudentHistory: Hashable, Sendable {
  /// The last few answers as bits, the newest lowest.
  struct Recent: Hashable, Sendable {
    private(set) var bits = 0
    private(set) var count = 0

    mutating func append(_ isRight: Bool, keeping most: Int) {
      bits = (bits << 1 | (isRight ? 1 : 0)) & (1 << most - 1)
      count = min(most, count + 1)
    }

    /// A number for each pattern of each length: 0 ..< 2^(most + 1) − 1.
    var index: Int { (1 << count) - 1 + bits }
  }

  /// A mean in which what is older counts less.
  struct Fading: Hashable, Sendable {
    var sum = 0.0
    var weight = 0.0

    mutating func append(_ value: Double, decay: Double) {
      sum = sum * decay + value
      weight = weight * decay + 1
    }

    func mean(prior: Double, weight strength: Double) -> Double {
      (sum + prior * strength) / (weight + strength)
    }
  }

  /// Answers in a skill, or all.
  struct Tally: Hashable, Sendable {
    var right = 0
    var wrong = 0
    var recent = Recent()
    var short = Fading()
    var long = Fading()
    /// Of what was answered better or worse than was expected.
    var surprise = Fading()
    /// The number of the last answer.
    var last = 0
  }

  /// Answers to one question.
  struct Repeats: Hashable, Sendable {
    var right = 0
    var wrong = 0
    var wasRight = false
    var last = 0
  }

  /// How able the student is.
  var abilities: KnowledgeFilter.State
  var all = Tally()
  var skills: [Int: Tally] = [:]
  var questions: [Int: Repeats] = [:]
  var lastSkill: Int?
  /// Answers in the leading skill in a row.
  var run = 0

  /// A student who was not asked anything.
  init(abilities: KnowledgeFilter.State) { self.abilities = abilities }

  static let allLength = 3
  static let skillLength = 4

  mutating func append(_ answer: KnowledgeAnswer, filter: KnowledgeFilter) {
    let expected = filter.probability(
      abilities, question: answer.question, skills: answer.skills)
    let surprise = (answer.isRight ? 1 : 0) - expected
    filter.learn(&abilities, answer)
    all.append(answer.isRight, surprise, keeping: Self.allLength, number: 0)
    let number = all.right + all.wrong
    all.last = number
    for skill in answer.skills {
      skills[skill, default: Tally()].append(
        answer.isRight, surprise, keeping: Self.skillLength, number: number)
    }
    var own = questions[answer.question] ?? Repeats()
    if answer.isRight { own.right += 1 } else { own.wrong += 1 }
    own.wasRight = answer.isRight
    own.last = number
    questions[answer.question] = own
    run = answer.skills.first == lastSkill ? run + 1 : 1
    lastSkill = answer.skills.first
  }
}

extension StudentHistory.Tally {
  mutating func append(_ isRight: Bool, _ surprise: Double, keeping most: Int, number: Int) {
    if isRight { right += 1 } else { wrong += 1 }
    recent.append(isRight, keeping: most)
    short.append(isRight ? 1 : 0, decay: 0.6)
    long.append(isRight ? 1 : 0, decay: 0.9)
    self.surprise.append(surprise, decay: 0.85)
    last = number
  }
}
