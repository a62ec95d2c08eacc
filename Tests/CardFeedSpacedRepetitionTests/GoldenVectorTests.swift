import Foundation
import Testing

@testable import CardFeedSpacedRepetition

/// States, recall and intervals against those that other implementations printed, where they are at
/// hand; and the progression that the source of FSRS-7 publishes, always.
@Suite struct GoldenVectorTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/quiz")

  private static let isThere = FileManager.default.fileExists(atPath: folder.path)

  private func document(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: Self.folder.appending(path: name))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func expectClose(
    _ found: Double, _ expected: Double, within tolerance: Double = 1e-6, _ what: Comment
  ) {
    #expect(abs(found - expected) <= tolerance * max(abs(expected), 1e-300), what)
  }

  private struct Vector {
    let id: String
    let parameters: [Double]
    let reviews: [[String: Any]]
    let fields: [String: Any]

    init(_ vector: [String: Any], sets: [String: [Double]]) throws {
      id = try #require(vector["id"] as? String)
      let set = try #require(vector["params"] as? String)
      parameters = try #require(sets[set])
      reviews = try #require(vector["reviews"] as? [[String: Any]])
      fields = vector
    }
  }

  private func vectors(of document: [String: Any]) throws -> [Vector] {
    let sets = try #require(document["parameter_sets"] as? [String: [Double]])
    return try #require(document["vectors"] as? [[String: Any]]).map {
      try Vector($0, sets: sets)
    }
  }

  private func number(_ review: [String: Any], _ key: String) throws -> Double {
    try #require(review[key] as? Double)
  }

  @Test(.enabled(if: isThere, "skipped: no ../shared"))
  func sixthVersion() throws {
    let vectors = try vectors(of: try document("fsrs_vectors.json"))
    #expect(vectors.count == 50)
    for vector in vectors { try check(vector) }
  }

  @Test("Scenario 9: steps are those of Anki", .enabled(if: isThere, "skipped: no ../shared"))
  func steps() throws {
    let names = Set((37...43).map { "v\($0)" })
    let vectors = try vectors(of: try document("fsrs_vectors.json")).filter {
      names.contains($0.id)
    }
    #expect(vectors.count == names.count)
    for vector in vectors { try check(vector) }
  }

  private func check(_ vector: Vector) throws {
    let model = try FSRS6(parameters: vector.parameters)
    let steps = { (key: String) -> LearningSteps in
      LearningSteps(seconds: vector.fields[key] as? [Double] ?? [])
    }
    let schedule = StudySchedule(
      desiredRetention: try #require(vector.fields["desired_retention"] as? Double),
      learningSteps: steps("learning_steps_seconds"),
      relearningSteps: steps("relearning_steps_seconds"),
      maximumInterval: try #require(vector.fields["maximum_interval"] as? Int))
    var state: FSRS6.State?
    var phase: LearningPhase?
    for review in vector.reviews {
      let grade = try #require(review["rating"] as? Int)
      let rating = try #require(Rating(rawValue: grade))
      let days = review["elapsed_days_floor"] as? Double ?? 0
      if let before = state {
        expectClose(
          model.retrievability(before, after: days), try number(review, "retrievability_before"),
          "\(vector.id)")
      }
      let next = state.map { model.next($0, after: days, rating) } ?? model.initial(rating)
      state = next
      expectClose(next.stability, try number(review, "stability"), "\(vector.id) stability")
      expectClose(next.difficulty, try number(review, "difficulty"), "\(vector.id) difficulty")
      let later = try #require(review["retrievability_after"] as? [String: Double])
      for (days, recall) in later {
        let days = try #require(Double(days))
        expectClose(model.retrievability(next, after: days), recall, "\(vector.id) \(days)")
      }
      let interval = model.interval(next, retention: schedule.desiredRetention)
      let (after, wait) = schedule.next(phase, rating, interval: interval)
      phase = after
      expectClose(wait.seconds, try number(review, "interval_seconds"), "\(vector.id) wait")
      let name = try #require(review["state"] as? String)
      let step = review["step"] as? Int
      let expected: LearningPhase =
        switch name {
        case "Learning": .learning(step: step ?? 0)
        case "Relearning": .relearning(step: step ?? 0)
        default: .review
        }
      #expect(after == expected, "\(vector.id)")
    }
  }

  @Test(.enabled(if: isThere, "skipped: no ../shared"))
  func tablesOfTheSixthVersion() throws {
    let document = try document("fsrs_vectors.json")
    let tables = try #require(document["tables"] as? [String: [[String: Double]]])
    func model(_ row: [String: Double]) throws -> FSRS6 {
      var parameters = FSRS6.defaults
      parameters[20] = try #require(row["decay"])
      return try FSRS6(parameters: parameters)
    }
    for row in try #require(tables["retrievability"]) {
      let state = FSRS6.State(stability: try #require(row["S"]), difficulty: 5)
      let recall = try model(row).retrievability(state, after: try #require(row["t"]))
      expectClose(recall, try #require(row["R"]), "\(row)")
    }
    for row in try #require(tables["interval"]) {
      let state = FSRS6.State(stability: try #require(row["S"]), difficulty: 5)
      let retention = try #require(row["desired_retention"])
      expectClose(
        try model(row).interval(state, retention: retention), try #require(row["I"]), "\(row)")
    }
    for row in try #require(tables["fuzz_bounds"]) {
      let range = IntervalFuzz.range(around: try #require(row["interval"]), maximum: 36_500)
      #expect(range.lowerBound == row["lo"].map { Int($0) }, "\(row)")
      #expect(range.upperBound == row["hi"].map { Int($0) }, "\(row)")
    }
  }

  @Test(.enabled(if: isThere, "skipped: no ../shared"))
  func seventhVersion() throws {
    let document = try document("fsrs7_vectors.json")
    let vectors = try vectors(of: document)
    #expect(vectors.count == 20)
    for vector in vectors {
      let model = try FSRS7(parameters: vector.parameters)
      var state: FSRS7.State?
      for review in vector.reviews {
        let grade = try #require(review["rating"] as? Int)
        let rating = try #require(Rating(rawValue: grade))
        let days = try number(review, "elapsed_days")
        if let before = state {
          expectClose(
            model.retrievability(before, after: days), try number(review, "retrievability_before"),
            "\(vector.id)")
        }
        let next = state.map { model.next($0, after: days, rating) } ?? model.initial(rating)
        state = next
        expectClose(next.stability, try number(review, "stability"), "\(vector.id) slow")
        expectClose(next.fastStability, try number(review, "stability_fast"), "\(vector.id) fast")
        expectClose(next.difficulty, try number(review, "difficulty"), "\(vector.id) difficulty")
        for (retention, days) in try #require(review["interval"] as? [String: Double]) {
          let retention = try #require(Double(retention))
          expectClose(model.interval(next, retention: retention), days, "\(vector.id) interval")
        }
      }
    }
  }

  /// Again and five times good, after 0, 1, 3, 8 and 21 days.
  @Test func publishedProgressionOfTheSeventhVersion() {
    let model = FSRS7()
    var state = model.initial(.again)
    for days in [0, 1, 3, 8, 21] { state = model.next(state, after: Double(days), .good) }
    #expect((state.stability * 1e4).rounded() / 1e4 == 25.9857)
    #expect((state.fastStability * 1e4).rounded() / 1e4 == 700.5589)
    #expect((state.difficulty * 1e4).rounded() / 1e4 == 5.8775)
  }
}
