/// How hard questions are, where students meet them in any order and each only some.
///
/// The mode of P(right) = σ(ability + ability in the skill − difficulty) over all abilities and
/// difficulties at once (joint maximum a posteriori), abilities normal around 0 and difficulties normal
/// around that of their skill. Source: the one-parameter model of Rasch (1960), with a hierarchical
/// prior; alternating steps of Newton's method.
public struct QuestionDifficulties: Hashable, Sendable {
  /// In log-odds, by the question's number.
  public private(set) var values: [Double]
  /// How many answers each is fitted to.
  public private(set) var answers: [Int]
  /// Of a question of each skill that nobody has answered.
  public private(set) var skills: [Double]
  /// Of a question of an unknown skill.
  public private(set) var mean: Double

  /// How widely abilities and difficulties spread, as standard deviations in log-odds.
  public struct Spread: Hashable, Sendable {
    /// Of abilities.
    public var ability: Double
    /// Of abilities in one skill around the student's own.
    public var skill: Double
    /// Of difficulties within a skill.
    public var difficulty: Double

    /// A spread.
    public init(ability: Double = 1, skill: Double = 0.8, difficulty: Double = 1) {
      self.ability = ability
      self.skill = skill
      self.difficulty = difficulty
    }
  }

  /// Difficulties that were fitted before, such as those of a file.
  ///
  /// - Parameters:
  ///   - values: In log-odds, by the question's number.
  ///   - answers: How many answers each is fitted to; as many as `values`.
  ///   - skills: Of a question of each skill that nobody has answered.
  ///   - mean: Of a question of an unknown skill.
  public init(values: [Double], answers: [Int], skills: [Double], mean: Double) {
    precondition(values.count == answers.count, "Every difficulty has a number of answers.")
    (self.values, self.answers, self.skills, self.mean) = (values, answers, skills, mean)
  }

  /// Fits.
  ///
  /// - Parameters:
  ///   - students: Each student's answers.
  ///   - questionCount: Questions are numbered 0 ..< `questionCount`.
  ///   - skillCount: Skills are numbered 0 ..< `skillCount`.
  ///   - spread: The priors.
  ///   - rounds: Alternating steps.
  ///   - checkpoint: Called after each round with their number; throws to stop.
  /// - Complexity: O(rounds · answers).
  public init(
    fitting students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int,
    spread: Spread = Spread(), rounds: Int = 20, checkpoint: (Int) throws -> Void
  ) rethrows {
    let rows = Rows(students, questionCount: questionCount, skillCount: skillCount)
    let share = rows.share(of: { _ in 0 }, count: 1, prior: 0.5, weight: 2)[0]
    let skillShares = rows.share(
      of: { $0.skill }, count: skillCount, prior: share, weight: 20)
    mean = -logOdds(share)
    skills = skillShares.map { -logOdds($0.clamped(to: 0.02...0.98)) }
    values = Array(repeating: mean, count: questionCount)
    answers = Array(repeating: 0, count: questionCount)
    for row in rows.all {
      answers[row.question] += 1
      values[row.question] = row.skill < 0 ? mean : skills[row.skill]
    }
    let centers = values
    try rows.fit(&values, around: centers, spread: spread, rounds: rounds, checkpoint)
  }

  /// The same, without a way to stop it.
  public init(
    fitting students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int,
    spread: Spread = Spread(), rounds: Int = 20
  ) {
    self.init(
      fitting: students, questionCount: questionCount, skillCount: skillCount, spread: spread,
      rounds: rounds
    ) { _ in }
  }

  /// Of a question, or of its skills where it was not fitted. O(skills).
  public func difficulty(of question: Int, skills own: [Int]) -> Double {
    if answers.indices.contains(question), answers[question] > 0 { return values[question] }
    guard let first = own.first, skills.indices.contains(first) else { return mean }
    return skills[first]
  }

  /// How many answers the question was fitted to. O(1).
  func count(of question: Int) -> Int {
    answers.indices.contains(question) ? answers[question] : 0
  }
}

/// All answers as numbers in a row, for the fit.
private struct Rows {
  struct Row {
    var student: Int
    var question: Int
    /// The leading one; −1 is none.
    var skill: Int
    /// The student's own row of the leading skill.
    var cell: Int
    var outcome: Double
  }

  var all: [Row] = []
  let studentCount: Int
  private var cellCount = 0

  init(_ students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int) {
    studentCount = students.count
    all.reserveCapacity(students.reduce(0) { $0 + $1.count })
    for (student, history) in students.enumerated() {
      var cells: [Int: Int] = [:]
      for answer in history where answer.question >= 0 && answer.question < questionCount {
        let leading = answer.skills.first ?? -1
        let skill = leading < skillCount ? leading : -1
        let cell = cells[skill] ?? cellCount
        if cell == cellCount {
          cells[skill] = cell
          cellCount += 1
        }
        all.append(
          Row(
            student: student, question: answer.question, skill: skill, cell: cell,
            outcome: answer.isRight ? 1 : 0))
      }
    }
  }

  /// The share of right answers in each group, drawn to `prior` as by `weight` answers more.
  func share(
    of group: (Row) -> Int, count: Int, prior: Double, weight: Double
  ) -> [Double] {
    var sums = Array(repeating: (prior * weight, weight), count: count)
    for row in all {
      let index = group(row)
      guard index >= 0 else { continue }
      sums[index].0 += row.outcome
      sums[index].1 += 1
    }
    return sums.map { $0.0 / $0.1 }
  }

  func fit(
    _ difficulties: inout [Double], around centers: [Double],
    spread: QuestionDifficulties.Spread, rounds: Int, _ checkpoint: (Int) throws -> Void
  ) rethrows {
    var abilities = Array(repeating: 0.0, count: studentCount)
    var cells = Array(repeating: 0.0, count: cellCount)
    for round in 0..<rounds {
      step(&abilities, \.student, spread.ability) { row, own in
        own + cells[row.cell] - difficulties[row.question]
      }
      if spread.skill > 0 {
        step(&cells, \.cell, spread.skill) { row, own in
          abilities[row.student] + own - difficulties[row.question]
        }
      }
      for index in difficulties.indices {
        difficulties[index] = centers[index] - difficulties[index]
      }
      step(&difficulties, \.question, spread.difficulty) { row, own in
        abilities[row.student] + cells[row.cell] - centers[row.question] + own
      }
      for index in difficulties.indices {
        difficulties[index] = centers[index] - difficulties[index]
      }
      try checkpoint(round + 1)
    }
  }

  /// One step of Newton's method for many numbers with a normal prior around 0, each of which stands
  /// in its own rows.
  private func step(
    _ numbers: inout [Double], _ key: (Row) -> Int, _ spread: Double,
    _ logOdds: (Row, Double) -> Double
  ) {
    let precision = 1 / (spread * spread)
    var gradients = numbers.map { -$0 * precision }
    var curvatures = Array(repeating: precision, count: numbers.count)
    for row in all {
      let index = key(row)
      let right = logistic(logOdds(row, numbers[index]))
      gradients[index] += row.outcome - right
      curvatures[index] += right * (1 - right)
    }
    for index in numbers.indices {
      numbers[index] += (gradients[index] / curvatures[index]).clamped(to: -1...1)
    }
  }
}
