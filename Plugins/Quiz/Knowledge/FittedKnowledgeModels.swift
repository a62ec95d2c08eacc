internal import CardFeed
internal import CardFeedPsychometrics

extension BayesianKnowledgeTracing: FittedKnowledgeModel {
  static func fitted(
    to students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int,
    checkpoint: () throws -> Void
  ) throws -> Self {
    try Self(fitting: students, skillCount: skillCount) { _ in try checkpoint() }
  }

  func write(to writer: inout ByteWriter) {
    for skill in skills + [other] {
      for value in [skill.known, skill.learn, skill.forget, skill.guess, skill.slip] {
        writer.double(value)
      }
    }
  }

  init(from reader: inout ByteReader, questionCount: Int, skillCount: Int) throws {
    func skill() throws -> Skill {
      Skill(
        known: try reader.share(), learn: try reader.share(), forget: try reader.share(),
        guess: try reader.share(), slip: try reader.share())
    }
    let skills = try (0..<skillCount).map { _ in try skill() }
    self.init(skills: skills, other: try skill())
  }

  /// It knows nothing of questions.
  func removing(question: Int) -> Self { self }
}

extension LogisticKnowledgeTracing: FittedKnowledgeModel {
  static func fitted(
    to students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int,
    checkpoint: () throws -> Void
  ) throws -> Self {
    try Self(fitting: students, questionCount: questionCount, skillCount: skillCount) { _ in
      try checkpoint()
    }
  }

  func write(to writer: inout ByteWriter) {
    let (difficulties, drift) = (filter.difficulties, filter.drift)
    for value in difficulties.values { writer.double(value) }
    for count in difficulties.answers { writer.count(count) }
    for value in difficulties.skills { writer.double(value) }
    writer.double(difficulties.mean)
    for value in [drift.ability, drift.abilityDrift, drift.skill, drift.skillDrift] {
      writer.double(value)
    }
    for weight in weights { writer.double(weight) }
  }

  init(from reader: inout ByteReader, questionCount: Int, skillCount: Int) throws {
    let values = try (0..<questionCount).map { _ in try reader.finite() }
    let answers = try (0..<questionCount).map { _ in try reader.count() }
    let skills = try (0..<skillCount).map { _ in try reader.finite() }
    let difficulties = QuestionDifficulties(
      values: values, answers: answers, skills: skills, mean: try reader.finite())
    let drift = KnowledgeFilter.Drift(
      ability: try reader.finite(), abilityDrift: try reader.finite(),
      skill: try reader.finite(), skillDrift: try reader.finite())
    self.init(
      filter: KnowledgeFilter(difficulties: difficulties, drift: drift),
      weights: try (0..<Self.weightCount).map { _ in try reader.finite() })
  }

  func removing(question: Int) -> Self {
    let difficulties = filter.difficulties
    var (values, answers) = (difficulties.values, difficulties.answers)
    values.remove(at: question)
    answers.remove(at: question)
    return Self(
      filter: KnowledgeFilter(
        difficulties: QuestionDifficulties(
          values: values, answers: answers, skills: difficulties.skills,
          mean: difficulties.mean),
        drift: filter.drift),
      weights: weights)
  }
}

extension KnowledgeRatings {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.count(questions.count)
    for (number, rating) in questions.sorted(by: { $0.key < $1.key }) {
      writer.count(number)
      writer.double(rating.value)
      writer.count(rating.answers)
    }
    writer.count(skills.count)
    for (number, value) in skills.sorted(by: { $0.key < $1.key }) {
      writer.count(number)
      writer.double(value)
    }
    writer.double(mean)
  }

  fileprivate init(from reader: inout ByteReader) throws {
    var questions: [Int: KnowledgeElo.Rating] = [:]
    for _ in 0..<(try reader.count()) {
      questions[try reader.count()] = KnowledgeElo.Rating(
        value: try reader.finite(), answers: try reader.count())
    }
    var skills: [Int: Double] = [:]
    for _ in 0..<(try reader.count()) { skills[try reader.count()] = try reader.finite() }
    self.init(questions: questions, skills: skills, mean: try reader.finite())
  }

  fileprivate func removing(question: Int) -> Self {
    var left: [Int: KnowledgeElo.Rating] = [:]
    for (number, rating) in questions where number != question {
      left[number < question ? number : number - 1] = rating
    }
    return Self(steps: steps, questions: left, skills: skills, mean: mean)
  }
}

extension KnowledgeBlend: FittedKnowledgeModel {
  static func fitted(
    to students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int,
    checkpoint: () throws -> Void
  ) throws -> Self {
    try Self(fitting: students, questionCount: questionCount, skillCount: skillCount) { _ in
      try checkpoint()
    }
  }

  func write(to writer: inout ByteWriter) {
    tracing.write(to: &writer)
    logistic.write(to: &writer)
    ratings.write(to: &writer)
    for weight in weights { writer.double(weight) }
  }

  init(from reader: inout ByteReader, questionCount: Int, skillCount: Int) throws {
    let tracing = try BayesianKnowledgeTracing(
      from: &reader, questionCount: questionCount, skillCount: skillCount)
    let logistic = try LogisticKnowledgeTracing(
      from: &reader, questionCount: questionCount, skillCount: skillCount)
    let ratings = try KnowledgeRatings(from: &reader)
    self.init(
      tracing: tracing, logistic: logistic, ratings: ratings,
      weights: try (0..<Self.weightCount).map { _ in try reader.finite() })
  }

  func removing(question: Int) -> Self {
    Self(
      tracing: tracing, logistic: logistic.removing(question: question),
      ratings: ratings.removing(question: question), weights: weights)
  }
}

extension ByteReader {
  fileprivate mutating func finite() throws -> Double {
    let value = try double()
    guard value.isFinite else {
      throw FeedError(
        .model, "a model of knowledge has a number that is not finite",
        hint: "train the model again")
    }
    return value
  }

  fileprivate mutating func share() throws -> Double {
    let value = try double()
    guard value >= 0 && value <= 1 else {
      throw FeedError(
        .model, "a model of knowledge has a probability out of range; allowed: 0 … 1",
        hint: "train the model again")
    }
    return value
  }
}
