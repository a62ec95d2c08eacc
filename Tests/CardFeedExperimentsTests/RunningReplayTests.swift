import CardFeed
import CardFeedConfiguration
import CardFeedExperiments
import CardFeedStandardPlugins
import Testing

/// Evenings dealt card by card through the feed, against values computed otherwise.
@Suite struct RunningReplayTests {
  private let runner = ExperimentRunner(plugins: .standard, threads: 2)

  private static let metrics = ["matches", "gini", "matched-people"]

  private func specification(
    budgets: [Double], metrics: [String], arms: [(name: String, seeds: Int, feed: String)]
  ) throws -> ExperimentSpecification {
    let list = budgets.map { "\($0)" }.joined(separator: ", ")
    return try ExperimentSpecification(
      ExperimentSpecification.text(
        split: #"{ "use": "deck-replay", "budgets": [\#(list)] }"#, metrics: metrics, arms: arms))
  }

  private static let simulated = DeckSimulator.Policy.allCases.map {
    ($0.rawValue, 1, ExperimentSpecification.ranking($0.rawValue))
  }

  /// Worked out with pencil and paper: three women, three men, four matches.
  @Test func anEveningOfThreeAndThree() async throws {
    let data = try SpeedDatingData.evening(
      women: [[false, true, false], [true, true, false], [false, true, true]],
      men: [[false, true, true], [true, true, false], [true, false, true]])
    let specification = try specification(
      budgets: [0.3, 0.5, 1],
      metrics: [0.3, 0.5, 1].flatMap { budget in
        Self.metrics.map { "\($0)@\(budget)" }
      } + ["mean-matches"],
      arms: Self.simulated.filter { $0.0 != "queue-aware" })
    let result = try await runner.run(specification, data: data)
    let expected: [(arm: String, values: [Double])] = [
      ("source-order", [0, 6.0 / 9, 0, 3.0 / 4, 3.0 / 9, 4, 1, 0, 6, 7.0 / 12]),
      ("popularity", [1.0 / 4, 4.0 / 9, 2, 1.0 / 4, 2.0 / 9, 2, 1, 0, 6, 6.0 / 12]),
      ("oracle", [3.0 / 4, 0, 6, 1, 2.0 / 9, 6, 1, 0, 6, 11.0 / 12]),
    ]
    #expect(result.arms.map(\.name) == expected.map(\.arm))
    for (arm, values) in zip(result.arms, expected.map(\.values)) {
      #expect(arm.figures.count == values.count)
      for ((metric, figure), value) in zip(arm.figures, values) {
        let found = try #require(figure.value)
        #expect(abs(found - value) <= 1e-12, "\(arm.name) \(metric): \(found), not \(value)")
      }
    }
    #expect((result.people, result.pairs, result.matches) == (6, 9, 4))
    #expect(result.predictions.isEmpty)
  }

  @Test(arguments: [1, 2, 3])
  func aGeneratedPopulationAsTheSimulator(_ seed: UInt64) async throws {
    var parameters = GeneratedDating.Parameters()
    parameters.waves = 5
    parameters.womenPerWave = 4 + Int(seed)
    parameters.menPerWave = 7 - Int(seed)
    var generator = SplitMix64(seed: seed)
    let data = try GeneratedDating(parameters, using: &generator).data
    let budgets = [0.1, 0.25, 0.6]
    let specification = try specification(
      budgets: budgets,
      metrics: budgets.flatMap { budget in Self.metrics.map { "\($0)@\(budget)" } },
      arms: Self.simulated)
    let result = try await runner.run(specification, data: data)
    let simulator = DeckSimulator(data)
    for policy in DeckSimulator.Policy.allCases {
      for budget in budgets {
        for (metric, expected) in simulator.figures(policy, budget: budget) {
          let found = try #require(result.value(metric, of: policy.rawValue))
          #expect(
            abs(found - expected) <= 1e-12,
            "\(policy) \(metric): \(found), the simulator says \(expected)")
        }
      }
    }
  }

  @Test func anArmAgainstItselfIsTheSameAndEveryFigureAShare() async throws {
    var parameters = GeneratedDating.Parameters()
    parameters.waves = 5
    parameters.womenPerWave = 4
    parameters.menPerWave = 4
    var generator = SplitMix64(seed: 5)
    let data = try GeneratedDating(parameters, using: &generator).data
    let random = ExperimentSpecification.ranking("random")
    let specification = try specification(
      budgets: [0.25, 0.5], metrics: ["matches@0.25", "mean-matches", "gini@0.5"],
      arms: [
        ("a", 2, random), ("b", 2, random),
        ("oracle", 1, ExperimentSpecification.ranking("oracle")),
      ])
    let progress = Lock<[[Int]]>([])
    let result = try await runner.run(specification, data: data) { done, total in
      progress.withLock { $0.append([done, total]) }
    }
    #expect(result.arms[0].figures.map(\.figure) == result.arms[1].figures.map(\.figure))
    #expect(result.arms[0].fingerprint == result.arms[1].fingerprint)
    for arm in result.arms {
      for (metric, figure) in arm.figures {
        let value = try #require(figure.value)
        #expect((0...1).contains(value), "\(arm.name) \(metric)")
        let interval = try #require(figure.interval)
        #expect(interval.lowerBound >= 0 && interval.upperBound <= 1)
        #expect(interval.contains(value))
      }
    }
    // The better arm is the better one.
    let oracle = try #require(result.value("matches@0.25", of: "oracle"))
    #expect(oracle > (try #require(result.value("matches@0.25", of: "a"))))

    // (2 + 2 + 1) seeds of 5 evenings.
    #expect(progress.withLock { $0 } == (1...25).map { [$0, 25] })
    let one = ExperimentRunner(plugins: .standard, threads: 1)
    #expect(try await one.run(specification, data: data) == result)
    #expect(try await runner.run(specification, data: data) == result)
  }

  @Test func eveningsWithoutAMatchHaveNoShare() async throws {
    let nobody = Array(repeating: [false, false], count: 2)
    let data = try SpeedDatingData.evening(women: nobody, men: nobody)
    let result = try await runner.run(
      specification(
        budgets: [0.25, 0.5],
        metrics: ["matches@0.5", "mean-matches", "gini@0.5", "matched-people@0.5"],
        arms: [("oracle", 1, ExperimentSpecification.ranking("oracle"))]), data: data)
    #expect(result.value("matches@0.5", of: "oracle") == nil)
    #expect(result.value("mean-matches", of: "oracle") == nil)
    #expect(result.value("matched-people@0.5", of: "oracle") == 0)
    #expect(result.value("gini@0.5", of: "oracle") != nil)
    let json = ExperimentReport(result).json.description
    #expect(json.contains(#""matches@0.5":{"value":null,"interval":null}"#))
    #expect(!json.contains("nan"))
  }

  @Test func anArmThatDealsPeopleOfTheSameSideFailsWithAHint() async throws {
    let data = try SpeedDatingData.evening(
      women: [[true, true], [true, true]], men: [[true, true], [true, true]])
    let specification = try specification(
      budgets: [0.5], metrics: ["matches@0.5"], arms: [("all", 1, #""filters": []"#)])
    let error = await #expect(throws: FeedError.self) {
      try await runner.run(specification, data: data)
    }
    #expect(
      error?.description == "a card was dealt whose answer is not recorded; the arm needs the "
        + "filter 'mutual-preferences'")
  }
}
