internal import CardFeed
internal import CardFeedPsychometrics
internal import CardFeedSpacedRepetition

extension QuizExperiment.Data {
  /// Reads the files of `DIR/quiz`.
  ///
  /// - Parameter directory: The folder that holds `quiz/`.
  /// - Throws: ``DataProblems`` with every fault: a field that is no allowed value, answers out of
  ///   order, a held-out answer that is not in the test.
  /// - Complexity: O(bytes).
  public func load(directory: String) throws(DataProblems) -> QuizData {
    var loader = QuizDataLoader(folder: directory + "/quiz/")
    let content: QuizData.Content
    do throws(DataProblem) {
      content =
        switch self {
        case .students(let set):
          .students(
            known: try loader.students(set + "_train_events.csv"),
            asked: try loader.students(set + "_test_events.csv"))
        case .tests(let sets):
          .tests(try loader.tests(sets))
        case .reviews: .reviews(try loader.reviews("josh_items.csv"))
        }
    } catch {
      loader.problems.add(error)
      throw loader.problems
    }
    guard loader.problems.isEmpty else { throw loader.problems }
    return QuizData(name: name, content: content, checksum: loader.checksum)
  }
}

/// Reads tables and collects what is wrong with them.
private struct QuizDataLoader {
  let folder: String
  var problems = DataProblems()
  private var digests: [String] = []

  init(folder: String) { self.folder = folder }

  /// Of one file its own, of several that of all.
  var checksum: String {
    digests.count == 1 ? digests[0] : SHA256.hexadecimal(Array(digests.joined().utf8))
  }

  private mutating func eachRow(
    _ file: String, _ columns: [String], _ body: (inout CSVFields) -> Void
  ) throws(DataProblem) {
    let read = try SpeedDatingLoader.eachRow(folder + file, columns, &problems, body)
    digests.append(read.sha256)
  }

  mutating func students(_ file: String) throws(DataProblem) -> [QuizData.Student] {
    var students: [QuizData.Student] = []
    var seen = Set<String>()
    try eachRow(file, ["student", "seq", "problem", "skills", "correct"]) { fields in
      let id = fields.text("student")
      let number = fields.integer("seq", in: 0...Int.max)
      let question = fields.integer("problem", in: 0...10_000_000)
      let isRight = fields.flag("correct")
      let written = fields.text("skills").split(separator: ";", omittingEmptySubsequences: false)
      let skills = written.compactMap { Int($0) }.filter { (0...10_000_000).contains($0) }
      if skills.count != written.count {
        fields.note(
          "skills", "the field is not a list of skills", "something else",
          "whole numbers with ; between them")
      }
      if students.last?.id != id {
        if id.isEmpty || !seen.insert(id).inserted {
          fields.note(
            "student", "a student stands in two places", id.isEmpty ? "nothing" : "one again",
            "the answers of a student in one block")
        }
        students.append(QuizData.Student(id: id, answers: []))
      }
      let place = students[students.count - 1].answers.count
      if number != place {
        fields.note("seq", "answers are not in their order", "\(number)", "\(place) here")
      }
      students[students.count - 1].answers.append(
        KnowledgeAnswer(question: question, skills: skills, isRight: isRight))
    }
    return students
  }

  mutating func tests(_ sets: [String]) throws(DataProblem) -> [QuizData.TestAnswers] {
    var tests: [QuizData.TestAnswers] = []
    for set in sets { tests.append(try test(set)) }
    return tests
  }

  private mutating func test(_ set: String) throws(DataProblem) -> QuizData.TestAnswers {
    var rights: [[Bool]] = []
    try eachRow("irt_\(set).csv", ["i0"]) { fields in
      rights.append(fields.header.columns.map { fields.flag($0) })
    }
    let people = max(0, rights.count - 1)
    let items = max(0, (rights.first?.count ?? 0) - 1)
    var heldOut: [[QuizData.Cell]] = []
    try eachRow("irt_\(set)_holdout.csv", ["fold", "person", "item"]) { fields in
      let fold = fields.integer("fold", in: 0...99)
      let cell = QuizData.Cell(
        person: fields.integer("person", in: 0...people),
        item: fields.integer("item", in: 0...items))
      while heldOut.count <= fold { heldOut.append([]) }
      heldOut[fold].append(cell)
    }
    var examinees: [Int] = []
    // Not every test has been taken adaptively.
    let file = "irt_\(set)_cat_test_persons.csv"
    if (try? ByteFile(path: folder + file)) != nil {
      try eachRow(file, ["person"]) { fields in
        examinees.append(fields.integer("person", in: 0...people))
      }
    }
    return QuizData.TestAnswers(
      name: set, rights: rights, heldOut: heldOut, examinees: examinees)
  }

  mutating func reviews(_ file: String) throws(DataProblem) -> [QuizData.Review] {
    var reviews: [QuizData.Review] = []
    var cards: [String: Int] = [:]
    var counts: [Int] = []
    let columns = [
      "card_id", "ts", "i", "elapsed_days", "elapsed_secs", "rating", "fold_nosame", "fold_same",
    ]
    try eachRow(file, columns) { fields in
      let id = fields.text("card_id")
      let card = cards[id] ?? counts.count
      if card == counts.count {
        cards[id] = card
        counts.append(0)
      }
      counts[card] += 1
      let number = fields.integer("i", in: 1...Int.max)
      if number != counts[card] {
        fields.note("i", "answers are not in their order", "\(number)", "\(counts[card]) here")
      }
      let time = Double(fields.integer("ts", in: 0...Int.max)) / 86_400_000
      if let last = reviews.last, time < last.time {
        fields.note("ts", "an answer is earlier than the one before", "less", "ascending times")
      }
      reviews.append(
        QuizData.Review(
          card: card, number: number, days: fields.integer("elapsed_days", in: -1...Int.max),
          seconds: fields.number("elapsed_secs") ?? -1,
          rating: Rating(rawValue: fields.integer("rating", in: 1...4)) ?? .again, time: time,
          laterFold: fields.integer("fold_nosame", in: -2...99),
          everyFold: fields.integer("fold_same", in: -2...99)))
    }
    return reviews
  }
}
