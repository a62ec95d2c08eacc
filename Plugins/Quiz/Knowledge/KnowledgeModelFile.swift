internal import CardFeed
internal import CardFeedPsychometrics

/// A model of knowledge that is fitted to a log and kept in a file.
protocol FittedKnowledgeModel: KnowledgeModel {
  /// Fits. Deterministic; `checkpoint` throws to stop.
  static func fitted(
    to students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int,
    checkpoint: () throws -> Void
  ) throws -> Self

  /// Everything that was fitted.
  func write(to writer: inout ByteWriter)

  /// Reads what was written, for a number of questions and skills. Throws for anything else.
  init(from reader: inout ByteReader, questionCount: Int, skillCount: Int) throws

  /// Without what is known of one question, whose number those after it move up to.
  func removing(question: Int) -> Self
}

/// Which numbers questions and skills have in a model.
struct KnowledgeNumbers: Sendable {
  /// By number.
  let questions: [CardID]
  /// By number.
  let skills: [String]
  private let questionNumbers: [CardID: Int]
  private let skillNumbers: [String: Int]

  init(questions: [CardID], skills: [String]) {
    self.questions = questions
    self.skills = skills
    questionNumbers = Dictionary(zip(questions, 0...), uniquingKeysWith: { first, _ in first })
    skillNumbers = Dictionary(zip(skills, 0...), uniquingKeysWith: { first, _ in first })
  }

  /// The questions that were answered and their skills, in the order of their names.
  init(of log: [TrainingAnswer], in table: CardTable<QuizDeck>) {
    let asked = Set(log.filter { $0.meaning != .neutral }.map(\.card))
    let rows = asked.compactMap { table.row(of: $0) }
    self.init(
      questions: rows.map { table.id(at: $0) }.sorted(),
      skills: Set(rows.flatMap { table.card(at: $0).skills }).sorted())
  }

  /// The number of a question; one below 0 of its own where the model does not know it.
  func question(at row: Row, in table: CardTable<QuizDeck>) -> Int {
    questionNumbers[table.id(at: row)] ?? -1 - Int(table.number(at: row).rawValue)
  }

  /// The numbers of a question's skills, the leading one first. Skills that the model does not know
  /// have numbers behind those that it does.
  func skills(at row: Row, in table: CardTable<QuizDeck>) -> [Int] {
    table.card(at: row).skills.map { name in
      if let known = skillNumbers[name] { return known }
      var hash = StableHash()
      hash.combine(name)
      return skills.count + Int(hash.value >> 32)
    }
  }

  /// An answer as a model reads it; nil for one that says nothing of knowledge, and for one about a
  /// card that is gone.
  func answer(
    about card: CardNumber, _ meaning: AnswerMeaning, in table: CardTable<QuizDeck>
  ) -> KnowledgeAnswer? {
    guard meaning != .neutral, let row = table.row(of: card) else { return nil }
    return KnowledgeAnswer(
      question: question(at: row, in: table), skills: skills(at: row, in: table),
      isRight: meaning == .positive)
  }

  /// Without a question; nil where it is not among them.
  func removing(_ id: CardID) -> (number: Int, left: KnowledgeNumbers)? {
    guard let number = questionNumbers[id] else { return nil }
    var left = questions
    left.remove(at: number)
    return (number, KnowledgeNumbers(questions: left, skills: skills))
  }
}

/// A fitted model of knowledge, with the questions and skills that its numbers stand for. It says
/// nothing of any learner.
struct KnowledgeModelFile<Model: FittedKnowledgeModel>: TrainedModel {
  private static var version: UInt64 { 1 }

  let numbers: KnowledgeNumbers
  let model: Model

  /// Fits to the answers of all learners, each learner's in the order of their times, of equal times
  /// in that of the log.
  init(
    fitting history: TrainingHistory<QuizDeck>, checkpoint: () throws -> Void
  ) throws {
    let numbers = KnowledgeNumbers(of: history.log, in: history.table)
    let learners = Dictionary(grouping: history.log, by: \.viewer)
      .compactMap { viewer, answers in history.viewers[viewer].map { ($0, answers) } }
      .sorted { $0.0 < $1.0 }
    let students = learners.map { _, answers in
      answers.sorted { ($0.time, $0.event) < ($1.time, $1.event) }.compactMap { answer in
        numbers.answer(about: answer.card, answer.meaning, in: history.table)
      }
    }
    self.numbers = numbers
    model = try .fitted(
      to: students.filter { !$0.isEmpty }, questionCount: numbers.questions.count,
      skillCount: numbers.skills.count, checkpoint: checkpoint)
  }

  private init(numbers: KnowledgeNumbers, model: Model) {
    self.numbers = numbers
    self.model = model
  }

  init(bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    try reader.modelVersion(Self.version, of: "a model of knowledge")
    var questions: [CardID] = []
    for _ in 0..<(try reader.count()) { questions.append(CardID(bytes: try reader.blob())) }
    var skills: [String] = []
    for _ in 0..<(try reader.count()) { skills.append(try reader.text()) }
    numbers = KnowledgeNumbers(questions: questions, skills: skills)
    model = try Model(
      from: &reader, questionCount: questions.count, skillCount: skills.count)
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(Self.version)
    writer.count(numbers.questions.count)
    for question in numbers.questions { writer.blob(question.bytes) }
    writer.count(numbers.skills.count)
    for skill in numbers.skills { writer.text(skill) }
    model.write(to: &writer)
    return writer.bytes
  }

  func forgetting(_ id: CardID) -> Self {
    guard let (number, left) = numbers.removing(id) else { return self }
    return Self(numbers: left, model: model.removing(question: number))
  }

  var scored: [String] { ["skills"] }
}
