import CardFeedExperiments
import CardFeedPsychometrics
import CardFeedSpacedRepetition
import Foundation
import Testing

/// Files of recorded answers, and students who stand in them twice.
@Suite struct QuizDataTests {
  private func folder(_ files: [String: String]) throws -> String {
    let path = NSTemporaryDirectory() + "quiz-data-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path + "/quiz", withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(filePath: path + "/quiz/" + name))
    }
    return path
  }

  private let header = "student,seq,problem,skills,correct\n"

  @Test func studentsAreRead() throws {
    let path = try folder([
      "x_train_events.csv": header + "a,0,7,1;2,1\na,1,8,1,0\nb,0,7,2,1\n",
      "x_test_events.csv": header + "c,0,9,5,0\n",
    ])
    defer { try? FileManager.default.removeItem(atPath: path) }
    let data = try QuizExperiment.Data.students(set: "x").load(directory: path)
    let a = QuizData.Student(
      id: "a",
      answers: [
        .init(question: 7, skills: [1, 2], isRight: true),
        .init(question: 8, skills: [1], isRight: false),
      ])
    let b = QuizData.Student(id: "b", answers: [.init(question: 7, skills: [2], isRight: true)])
    let c = QuizData.Student(id: "c", answers: [.init(question: 9, skills: [5], isRight: false)])
    #expect(data.content == .students(known: [a, b], asked: [c]))
    #expect(data.checksum.utf8.count == 64)
  }

  @Test(arguments: [
    ("a,0,7,1,2\n", "column 5 \"correct\""),
    ("a,0,7,1;x,1\n", "column 4 \"skills\""),
    ("a,1,7,1,1\n", "answers are not in their order"),
    ("a,0,7,1,1\nb,0,7,1,1\na,1,7,1,1\n", "a student stands in two places"),
    ("a,0,-7,1,1\n", "column 3 \"problem\""),
  ])
  func faultsOfStudentsAreNamed(_ rows: String, _ problem: String) throws {
    let path = try folder([
      "x_train_events.csv": header + rows, "x_test_events.csv": header + "c,0,9,5,0\n",
    ])
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      _ = try QuizExperiment.Data.students(set: "x").load(directory: path)
      Issue.record("the fault was not seen")
    } catch {
      #expect("\(error)".contains(problem), "\(error)")
    }
  }

  @Test func testsAndReviewsAreRead() throws {
    let path = try folder([
      "irt_t.csv": "i0,i1\n1,0\n0,0\n1,1\n", "irt_t_holdout.csv": "fold,person,item\n1,2,1\n",
      "irt_t_cat_test_persons.csv": "person\n2\n",
      "josh_items.csv":
        "card_id,ts,i,elapsed_days,elapsed_secs,rating,fold_nosame,fold_same\n"
        + "9,1000,1,-1,-1.0,3,-1,-1\n9,86401000,2,1,86400.0,1,0,0\n",
    ])
    defer { try? FileManager.default.removeItem(atPath: path) }
    let tests = try QuizExperiment.Data.tests(sets: ["t"]).load(directory: path)
    let expected = QuizData.TestAnswers(
      name: "t", rights: [[true, false], [false, false], [true, true]],
      heldOut: [[], [.init(person: 2, item: 1)]], examinees: [2])
    #expect(tests.content == .tests([expected]))
    let reviews = try QuizExperiment.Data.reviews.load(directory: path)
    guard case .reviews(let rows) = reviews.content else {
      Issue.record("the reviews are none")
      return
    }
    #expect(rows.map(\.card) == [0, 0] && rows.map(\.number) == [1, 2])
    #expect(rows[1].days == 1 && rows[1].seconds == 86_400 && rows[1].rating == .again)
    #expect(throws: DataProblems.self) {
      try QuizExperiment.Data.tests(sets: ["none"]).load(directory: path)
    }
  }
}
