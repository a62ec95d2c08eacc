internal import CardFeedConfiguration

extension StudySimulation {
  /// `cardfeed bench study`.
  static var description: Benchmark {
    Benchmark(
      name: "study", summary: "Simulates learners who study under each order of questions.",
      discussion: "Simulated learners, no people: their memory follows FSRS-7 with parameters that "
        + "are drawn for each, and the orders know only the defaults. Learners, the seed of their "
        + "answers and the budget are the same for every order, and so are the new cards of each "
        + "day, which come before what is due: orders differ in what is repeated when. Intervals "
        + "are of 95 %, over learners drawn 1000 times; differences are of the same learners. What "
        + "is right for people who forget otherwise it does not say.",
      parameters: [
        ParameterDescription(
          "learners", .integer(1...10_000), default: 30, help: "Simulated learners."),
        ParameterDescription(
          "cards", .integer(1...100_000), default: 400, help: "Questions that there are."),
        ParameterDescription(
          "minutes", .integer(1...600), default: 10, help: "Minutes of study a day."),
        ParameterDescription(
          "days", .integer(1...3650), default: 60, help: "Days of study; recall counts after them."),
        ParameterDescription(
          "new", .integer(0...10_000), default: 15, help: "New cards a day at most."),
        ParameterDescription(
          "spread", .integer(0...200), default: 30,
          help: "How much learners differ: the deviation of the logarithm of each parameter, in "
            + "percent."),
        ParameterDescription(
          "seed", .integer(0...1_000_000_000), default: 1, help: "The seed of everything drawn."),
      ]
    ) { parameters, progress in
      let simulation = StudySimulation(
        learners: parameters.integer("learners"), cards: parameters.integer("cards"),
        minutesADay: parameters.integer("minutes"), days: parameters.integer("days"),
        newPerDay: parameters.integer("new"), spread: Double(parameters.integer("spread")) / 100,
        seed: UInt64(parameters.integer("seed")))
      var report = Benchmark.Report()
      var outcomes: [(order: Order, outcome: Outcome)] = []
      for order in Order.allCases {
        let outcome = try await simulation.run(order) { done in
          progress(order.rawValue, done, simulation.learners)
        }
        outcomes.append((order, outcome))
      }
      let random = outcomes.first { $0.order == .random }?.outcome
      for (order, outcome) in outcomes {
        report.figures += figures(
          order, outcome, against: order == .random ? nil : random,
          learners: simulation.learners)
      }
      report.notes.append(
        "A simulation: learners forget as FSRS-7 says, with parameters of their own.")
      return report
    }
  }

  private static func figures(
    _ order: Order, _ outcome: Outcome, against random: Outcome?, learners: Int
  ) -> [Benchmark.Figure] {
    func bounds(_ name: String, _ statistic: ([Int]) -> Double?) -> [Benchmark.Figure] {
      let interval = interval(learners: learners, statistic)
      return [
        Benchmark.Figure("  \(name), from", interval?.lowerBound, decimals: 3, unit: "cards"),
        Benchmark.Figure("  \(name), to", interval?.upperBound, decimals: 3, unit: "cards"),
      ]
    }
    func gain(_ drawn: [Int]) -> Double? {
      outcome.perMinute(drawn).flatMap { own in random?.perMinute(drawn).map { own - $0 } }
    }
    let perMinute = outcome.minutes > 0 ? outcome.recalled / outcome.minutes : nil
    return [
      Benchmark.Figure(
        "\(order.rawValue): recalled at the end per minute of study", perMinute, decimals: 3,
        unit: "cards")
    ]
      + bounds("95 %", outcome.perMinute)
      + (random == nil ? [] : bounds("more than random, 95 %", gain)) + [
        Benchmark.Figure(
          "  recalled at the end", outcome.recalled / Double(learners), decimals: 1, unit: "cards"),
        Benchmark.Figure("  of cards begun", Double(outcome.begun) / Double(learners), decimals: 1),
        Benchmark.Figure("  minutes of study", outcome.minutes / Double(learners), decimals: 1),
        Benchmark.Figure("  answers", Double(outcome.answers) / Double(learners), decimals: 1),
      ]
  }
}
