import CardFeedConfiguration
import Testing

@testable import CardFeedQuiz

@Suite("Simulated study")
struct StudySimulationTests {
  private let small = StudySimulation(
    learners: 2, cards: 60, minutesADay: 3, days: 6, newPerDay: 8, spread: 0.3, seed: 4)

  @Test(arguments: StudySimulation.Order.allCases)
  func aRunKeepsToItsBudgetAndIsRepeated(order: StudySimulation.Order) async throws {
    let outcome = try await small.run(order)
    #expect(try await small.run(order) == outcome)
    let answered = Double(outcome.answers)
    #expect(outcome.answers > 0)
    // A question that was begun is finished.
    #expect(outcome.minutes <= 2 * 6 * (3 + StudySimulation.secondsWhenWrong / 60))
    #expect(outcome.minutes * 60 >= answered * StudySimulation.secondsWhenRight - 1e-6)
    #expect(outcome.minutes * 60 <= answered * StudySimulation.secondsWhenWrong + 1e-6)
    // No more cards than the limit of new ones lets in.
    #expect(outcome.begun > 0 && outcome.begun <= 2 * 6 * 8)
    #expect(outcome.recalled > 0 && outcome.recalled <= Double(outcome.begun))
  }

  @Test func ordersAndSeedsAndLearnersMakeADifference() async throws {
    // More falls due than three minutes can hold.
    var busy = small
    busy.days = 20
    busy.cards = 120
    busy.minutesADay = 2
    busy.newPerDay = 3
    let outcomes = [
      try await busy.run(.due), try await busy.run(.bestKnown), try await busy.run(.random),
      try await busy.run(.studyGain),
    ]
    #expect(Set(outcomes).count == 4)
    var other = busy
    other.seed = 5
    #expect(try await other.run(.due) != outcomes[0])
    other = busy
    other.spread = 0
    #expect(try await other.run(.due) != outcomes[0])
  }

  /// Else an order would look good that begins more.
  @Test func allOrdersBeginTheSameCards() async throws {
    var busy = small
    busy.newPerDay = 3
    busy.days = 12
    var begun: Set<Int> = []
    for order in StudySimulation.Order.allCases {
      begun.insert(try await busy.run(order).begun)
    }
    #expect(begun == [2 * 3 * 12])
  }

  @Test func intervalsAreOverLearners() throws {
    let outcome = StudySimulation.Outcome(
      learners: [1.0, 2, 4].map { .init(recalled: $0, minutes: 2) })
    #expect(outcome.perMinute([0, 1, 2]) == 7.0 / 6)
    #expect(outcome.perMinute([2, 2]) == 2)
    #expect(outcome.perMinute([]) == nil)
    let interval = try #require(StudySimulation.interval(learners: 3, outcome.perMinute))
    #expect(interval.lowerBound >= 0.5 && interval.upperBound <= 2)
    #expect(interval.lowerBound < 7.0 / 6 && interval.upperBound > 7.0 / 6)
    #expect(StudySimulation.interval(learners: 1, outcome.perMinute) == nil)
  }

  @Test func theBenchmarkTellsOfEveryOrderAndThatItIsASimulation() async throws {
    let benchmark = try #require(QuizPlugin().benchmarks.first { $0.name == "study" })
    let report = try await benchmark.run(
      Parameters([
        "learners": .integer(1), "cards": .integer(20), "minutes": .integer(1),
        "days": .integer(2), "new": .integer(5), "spread": .integer(30), "seed": .integer(1),
      ])
    ) { _, _, _ in }
    for order in StudySimulation.Order.allCases {
      let figure = report.figures.first { $0.name.hasPrefix("\(order.rawValue): ") }
      #expect(try #require(figure?.value) > 0)
    }
    #expect(report.notes.contains { $0.hasPrefix("A simulation") })
  }
}
