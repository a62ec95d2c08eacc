import CardFeed
import CardFeedConfiguration
import CardFeedExperiments
import CardFeedPsychometrics
import CardFeedSpacedRepetition
import Foundation
import Testing

/// Experiments on answers to questions: what is decoded, what is refused, and figures of small
/// invented data whose answers are known.
@Suite struct QuizExperimentTests {
  private static let students = #"{ "use": "student-answers", "set": "invented" }"#
  private static let unseen = #"{ "use": "unseen-students" }"#
  private static let metrics = #"["log-loss", "calibration", "auc"]"#

  private func text(
    data: String = students, split: String = unseen, metrics: String = metrics,
    arms: String = #"[{ "name": "a", "model": { "use": "mean" } }]"#, more: String = ""
  ) -> [UInt8] {
    Array(
      """
      { "version": 1, "name": "test", "data": \(data), "split": \(split), "metrics": \(metrics),
        "resamples": 100, \(more) "arms": \(arms) }
      """.utf8)
  }

  @Test func aSplitTellsTheKindOfExperiment() {
    #expect(QuizExperiment.isDescribed(by: text()))
    #expect(!QuizExperiment.isDescribed(by: Array(#"{ "split": { "use": "lists" } }"#.utf8)))
    #expect(!QuizExperiment.isDescribed(by: Array("{".utf8)))
  }

  struct Mistake: CustomTestStringConvertible {
    var data = QuizExperimentTests.students
    var split = QuizExperimentTests.unseen
    var metrics = QuizExperimentTests.metrics
    var arms = #"[{ "name": "a", "model": { "use": "mean" } }]"#
    var more = ""
    let problem: String
    var testDescription: String { problem }
  }

  @Test(arguments: [
    Mistake(
      data: #"{ "use": "reviews" }"#,
      problem: "the data do not belong to the split \"unseen-students\""),
    Mistake(metrics: #"["log-loss", "auc"]"#, problem: "predictions stand without calibration"),
    Mistake(
      data: #"{ "use": "reviews" }"#, split: #"{ "use": "later-reviews" }"#,
      metrics: #"["log-loss", "calibration"]"#,
      problem: "predictions stand without rmse-bins and auc"),
    Mistake(
      metrics: #"["log-loss", "calibration", "auc", "reach"]"#,
      problem: "$.metrics[3]: the metric does not belong to the split; found \"reach\""),
    Mistake(metrics: #"["log-los"]"#, problem: "$.metrics[0]: unknown metric"),
    Mistake(
      arms: #"[{ "name": "a", "model": { "use": "2pl" } }]"#, problem: "2pl"),
    Mistake(arms: #"[{ "name": "a" }]"#, problem: "missing key \"model\""),
    Mistake(
      split: #"{ "use": "unseen-students", "twins": "maybe" }"#, problem: "$.split.twins"),
    Mistake(more: #""baseline": "b","#, problem: "no arm is called \"b\""),
    Mistake(
      data: #"{ "use": "test-answers", "sets": ["t"] }"#, split: #"{ "use": "adaptive-test" }"#,
      metrics: #"["reach"]"#, arms: #"[{ "name": "a", "model": { "use": "random" } }]"#,
      more: #""baseline": "a","#, problem: "decides nothing in adaptive tests"),
    Mistake(more: #""feed": {},"#, problem: "feed"),
  ])
  func mistakesAreReported(_ mistake: Mistake) {
    do {
      _ = try QuizExperiment(
        parsing: text(
          data: mistake.data, split: mistake.split, metrics: mistake.metrics, arms: mistake.arms,
          more: mistake.more), file: "quiz.json")
      Issue.record("the mistake was not seen")
    } catch {
      #expect("\(error)".contains(mistake.problem), "\(error)")
    }
  }

  @Test func otherExperimentsHaveNoMetricsOfAnswers() {
    #expect(MetricName("unasked@10")?.isOfQuiz == true)
    #expect(MetricName("unasked") == nil)
    #expect(MetricName("rmse-bins@3") == nil)
    #expect(MetricName("calibration")?.greaterIsBetter == false)
    #expect(MetricName("test-correlation@5")?.greaterIsBetter == true)
    #expect(MetricName("auc")?.isOfQuiz == false)
  }

  /// Students of two kinds, who are nearly always right or nearly always wrong.
  private func invented(_ count: Int, from first: Int) -> [QuizData.Student] {
    (first..<first + count).map { number in
      QuizData.Student(
        id: "s\(number)",
        answers: (0..<24).map { place in
          let question = (place * 7 + number * 3) % 30
          let isUsual = (place * 5 + number * 11) % 10 != 0
          return KnowledgeAnswer(
            question: question, skills: [question % 3], isRight: (number % 2 == 0) == isUsual)
        })
    }
  }

  private func arms(_ names: [String]) -> String {
    "["
      + names.map { #"{ "name": "\#($0)", "model": { "use": "\#($0)" } }"# }
      .joined(separator: ",") + "]"
  }

  @Test func modelsOfStudentsBeatTheMean() async throws {
    let names = [
      "mean", "elo", "bayesian-knowledge-tracing", "ability-filter", "logistic-knowledge-tracing",
      "knowledge-blend",
    ]
    let experiment = try QuizExperiment(
      parsing: text(
        split: #"{ "use": "unseen-students", "twins": "keep" }"#, arms: arms(names),
        more: #""baseline": "mean","#), file: "quiz.json")
    let data = QuizData(
      name: "invented",
      content: .students(known: invented(30, from: 0), asked: invented(10, from: 30)))
    let result = try await QuizExperimentRunner(threads: 2).run(experiment, data: data)
    #expect(result.arms.map(\.name) == names)
    #expect(result.people == 40 && result.pairs == 960)
    let losses = try result.arms.map { try #require($0.figures[0].figure.value) }
    #expect(abs(losses[0] - 0.693) < 0.01)
    for loss in losses.dropFirst() { #expect(loss < 0.5) }
    #expect(result.arms[0].figures[2].figure.value == 0.5)
    #expect(result.differences.count == 5 * 3)
    for difference in result.differences where difference.metric.description == "log-loss" {
      let interval = try #require(difference.figure.interval)
      #expect(difference.against == "mean" && interval.upperBound < 0)
    }
    let again = try await QuizExperimentRunner(threads: 1).run(experiment, data: data)
    #expect(again == result)
  }

  /// The same answers under another number count neither twice nor as known.
  @Test func whoStandsInTheDataTwiceIsNotLearnedFrom() async throws {
    var known = invented(30, from: 0)
    let asked = invented(4, from: 30)
    known.append(QuizData.Student(id: "again", answers: asked[0].answers.reversed()))
    let data = QuizData(name: "invented", content: .students(known: known, asked: asked))
    func people(_ twins: String) async throws -> Int {
      let split = #"{ "use": "unseen-students", "twins": "\#(twins)" }"#
      let experiment = try QuizExperiment(parsing: text(split: split), file: "quiz.json")
      return try await QuizExperimentRunner(threads: 1).run(experiment, data: data).people
    }
    let kept = try await people("keep")
    #expect(kept == 35)
    #expect(try await people("leave-out") < kept)
  }

  @Test func aStudentOnBothSidesIsRefused() async throws {
    let experiment = try QuizExperiment(parsing: text(), file: "quiz.json")
    let data = QuizData(
      name: "invented",
      content: .students(known: invented(4, from: 0), asked: invented(4, from: 3)))
    await #expect(throws: SplitLeak.self) {
      try await QuizExperimentRunner(threads: 1).run(experiment, data: data)
    }
    let none = QuizData(
      name: "invented", content: .students(known: invented(4, from: 0), asked: []))
    await #expect(throws: SplitLeak.self) {
      try await QuizExperimentRunner(threads: 1).run(experiment, data: none)
    }
  }

  @Test func twoParametersBeatOneWhereQuestionsDiffer() async throws {
    var state: UInt64 = 3
    func draw() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) * 0x1p-53
    }
    let bank = (0..<16).map { index in
      ItemParameters(
        difficulty: Double(index % 8) / 3 - 1.2, discrimination: index < 8 ? 0.3 : 2.5)
    }
    let rights = (0..<400).map { _ -> [Bool] in
      let ability = (0..<12).reduce(-6.0) { sum, _ in sum + draw() }
      return bank.map { draw() < $0.probability(at: ability) }
    }
    var heldOut: [QuizData.Cell] = []
    for person in 0..<400 { heldOut.append(.init(person: person, item: person % 16)) }
    let test = QuizData.TestAnswers(
      name: "t", rights: rights, heldOut: [heldOut], examinees: Array(0..<60))
    let tests = #"{ "use": "test-answers", "sets": ["t"] }"#
    let data = QuizData(name: "t", content: .tests([test]))
    let predicted = try await QuizExperimentRunner(threads: 1).run(
      QuizExperiment(
        parsing: text(
          data: tests, split: #"{ "use": "held-out-answers" }"#,
          arms: arms(["item-mean", "1pl", "2pl"])), file: "quiz.json"), data: data)
    let losses = predicted.arms.compactMap { $0.figures[0].figure.value }
    #expect(losses.count == 3 && losses[0] > losses[1] && losses[1] > losses[2])
    // Adaptive: questions that say much come first, under a bound not always.
    let adaptive = try await QuizExperimentRunner(threads: 1).run(
      QuizExperiment(
        parsing: text(
          data: tests, split: #"{ "use": "adaptive-test", "length": 6, "targetError": 0.5 }"#,
          metrics: #"["test-correlation@4", "reach", "greatest-exposure@4", "median-items"]"#,
          arms: """
            [{ "name": "random", "model": { "use": "random" } },
             { "name": "easiest", "model": { "use": "easiest" } },
             { "name": "best", "model": { "use": "maximum-information" } },
             { "name": "bounded",
               "model": { "use": "sympson-hetter", "target": 0.6, "length": 4 } }]
            """), file: "quiz.json"), data: data)
    let correlation = adaptive.arms.compactMap { $0.figures[0].figure.value }
    #expect(correlation[2] > correlation[0] + 0.05 && correlation[3] > correlation[0])
    let exposure = adaptive.arms.compactMap { $0.figures[2].figure.value }
    #expect(exposure[1] == 1 && exposure[2] == 1)
    #expect(exposure[3] < 0.8)
    let items = adaptive.arms.compactMap { $0.figures[3].figure.value }
    #expect(items[2] < items[0])
  }

  /// A learner who remembers as FSRS-7 says.
  private func reviews(cards: Int) -> [QuizData.Review] {
    let model = FSRS7()
    var state: UInt64 = 9
    func draw() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) * 0x1p-53
    }
    var result: [QuizData.Review] = []
    for card in 0..<cards {
      var memory = model.initial(.good)
      var time = Double(card) / 1_000
      result.append(
        .init(
          card: card, number: 1, days: -1, seconds: -1, rating: .good, time: time, laterFold: -1,
          everyFold: -1))
      for number in 2...8 {
        let days = 1 + Int(draw() * 60)
        time += Double(days)
        let recall = model.retrievability(memory, after: Double(days))
        let rating: Rating = draw() < recall ? .good : .again
        memory = model.next(memory, after: Double(days), rating)
        let fold = number < 5 ? -2 : number == 8 ? 1 : 0
        result.append(
          .init(
            card: card, number: number, days: days, seconds: Double(days) * 86_400,
            rating: rating, time: time, laterFold: fold, everyFold: fold))
      }
    }
    // Folds follow one another in time.
    return result.sorted {
      ($0.laterFold == 1 ? 1 : 0, $0.number, $0.card) < (
        $1.laterFold == 1 ? 1 : 0, $1.number, $1.card
      )
    }
  }

  @Test func predictionsMadeElsewhereAreComparedWith() async throws {
    let reviews = reviews(cards: 60)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func references(_ rows: [Int]) throws -> ReviewReferences {
      let file = folder.appending(path: "later-days__half.csv")
      try Data(("row,p\n" + rows.map { "\($0),0.5\n" }.joined()).utf8).write(to: file)
      return try ReviewReferences(paths: [file.path, folder.path + "/wave5__other.csv"])
    }
    func result(
      _ references: ReviewReferences, _ reviewed: String = "later-days"
    ) async throws -> ExperimentResult {
      try await QuizExperimentRunner(threads: 1).run(
        QuizExperiment(
          parsing: text(
            data: #"{ "use": "reviews" }"#,
            split: #"{ "use": "later-reviews", "reviews": "\#(reviewed)" }"#,
            metrics: #"["log-loss", "rmse-bins", "auc"]"#,
            arms: #"[{ "name": "fsrs-7", "model": { "use": "fsrs-7" } }]"#), file: "quiz.json"),
        data: QuizData(name: "invented", content: .reviews(reviews)), references: references)
    }
    let asked = reviews.indices.filter { reviews[$0].laterFold >= 0 }
    let one = try await result(try references(asked))
    let loss = try #require(one.arms[0].figures[0].figure.value)
    #expect(one.differences.map(\.against) == ["half", "half", "half"])
    let gain = one.differences[0].figure
    #expect(abs(try #require(gain.value) - (loss - 0.693_147_180_559_945)) < 1e-12)
    #expect(try #require(gain.interval).upperBound < 0)
    // Of other reviews than those that are asked nothing is said.
    #expect(try await result(try references(asked), "every").differences.isEmpty)
    // A review that is left out is no review that is right.
    let few = try references(asked.dropLast())
    let error = await #expect(throws: FeedError.self) { try await result(few) }
    #expect(error.map { "\($0)" }?.contains("found predictions of") == true)
  }

  @Test func memoryBeatsTheMeanOfReviews() async throws {
    let data = QuizData(name: "invented", content: .reviews(reviews(cards: 150)))
    func result(_ split: String) async throws -> ExperimentResult {
      try await QuizExperimentRunner(threads: 1).run(
        QuizExperiment(
          parsing: text(
            data: #"{ "use": "reviews" }"#, split: split,
            metrics: #"["log-loss", "rmse-bins", "auc"]"#,
            arms: """
              [{ "name": "mean", "model": { "use": "mean" } },
               { "name": "sm-2", "model": { "use": "sm-2" } },
               { "name": "fsrs-6", "model": { "use": "fsrs-6" } },
               { "name": "fsrs-7", "model": { "use": "fsrs-7" } },
               { "name": "few", "model": { "use": "fsrs-7", "fit": "held-out", "known": 40 } },
               { "name": "map", "model": { "use": "fsrs-7", "fit": "map" } }]
              """, more: #""baseline": "mean","#), file: "quiz.json"), data: data)
    }
    let all = try await result(#"{ "use": "later-reviews" }"#)
    let losses = all.arms.compactMap { $0.figures[0].figure.value }
    #expect(losses.count == 6)
    #expect(losses[3] < losses[0] - 0.01 && losses[3] < losses[1])
    #expect(losses[3] < losses[2] + 0.01)
    // Too little to be fitted to.
    #expect(losses[4] == losses[3])
    #expect(losses[5] != losses[3] && abs(losses[5] - losses[3]) < 0.05)
    let bins = all.arms.compactMap { $0.figures[1].figure.value }
    #expect(bins[3] < bins[1])
    let one = try await result(#"{ "use": "later-reviews", "fold": 1 }"#)
    #expect(one.arms[3].figures[0].figure.value != losses[3])
    #expect(one.arms[3].figures[0].figure.interval != nil)
  }
}
