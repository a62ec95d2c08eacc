#if XGBoost
  import CardFeedBaselines
  import CardFeedConfiguration
  import CardFeedDating
  import CardFeedTesting
  import Testing

  @testable import CardFeed
  @testable import CardFeedGradientBoosting

  private let plugins = PluginSet([
    BaselinesPlugin(), GradientBoostingPlugin(), DatingPlugin(),
  ])

  /// Women and men who all answer each other: who is sportier is liked more, and likes less.
  private struct Evening {
    let people: [Person]
    var answers: [(viewer: Int, card: Int, liked: Bool)] = []

    init(side: Int, seed: UInt64 = 1) {
      var generator = SplitMix64(seed: seed)
      people = (0..<2 * side).map { index in
        Person(
          id: "p\(index)", age: index == 3 ? nil : Double(20 + generator.index(below: 20)),
          gender: index < side ? "woman" : "man",
          traits: [
            "sports": generator.unitInterval(), "race_code": Double(generator.index(below: 3)),
          ], questions: ["secret": QuestionAnswer(answer: "yes")])
      }
      for low in 0..<side {
        for high in side..<2 * side {
          for (viewer, card) in [(low, high), (high, low)] {
            let own = people[viewer].traits["sports"] ?? 0
            let other = people[card].traits["sports"] ?? 0
            answers.append(
              (viewer, card, generator.unitInterval() < logistic(6 * other - 3 * own - 1.5)))
          }
        }
      }
    }

    var table: CardTable<DatingDeck> {
      CardTable<DatingDeck>.make(
        people.enumerated().map { (card: $1, number: CardNumber(Int64($0 + 1))) },
        deck: DatingDeck())
    }

    func history(_ places: [Int]? = nil) -> TrainingHistory<DatingDeck> {
      let places = places ?? Array(answers.indices)
      return TrainingHistory(
        answers: places.map { place in
          TrainingAnswer(
            viewer: CardNumber(Int64(answers[place].viewer + 1)),
            card: CardNumber(Int64(answers[place].card + 1)),
            meaning: answers[place].liked ? .positive : .negative,
            time: Timestamp(milliseconds: 0), event: LogPosition(Int64(place + 1)))
        }, table: table, deck: DatingDeck(), now: Timestamp(milliseconds: 0))
    }
  }

  @Suite struct GradientBoostingTests {
    private func strategy(
      _ states: LearnerStates = LearnerStates(),
      _ change: (inout GradientBoostingSettings) -> Void = { _ in }
    ) -> GradientBoostingProbability<DatingDeck> {
      var settings = GradientBoostingSettings()
      settings.rounds = 40
      change(&settings)
      return GradientBoostingProbability(
        settings, slot: states.slot(for: settings.identity, of: GradientBoostingModel.self),
        states: states)
    }

    private func feed(
      _ evening: Evening, _ of: JSONObject = ["rounds": 30]
    ) async throws -> FeedEngine<DatingDeck, InMemoryStore, ManualClock, SplitMix64> {
      var probability: JSONObject = ["use": "gradient-boosting"]
      for member in of.members { probability[member.key] = member.value }
      let configuration = try FeedConfiguration(
        [
          "version": 1, "deck": "dating", "filters": [["use": "already-swiped"]],
          "matchProbability": JSONValue(probability), "ranking": ["use": "match-probability"],
        ], file: "test.json", plugins: plugins)
      let feed = try await FeedBuilder.open(
        configuration, deck: DatingDeckPlugin(), store: InMemoryStore(), plugins: plugins,
        clock: ManualClock())
      try await feed.put(evening.people)
      return feed
    }

    private func record(
      _ evening: Evening,
      in feed: FeedEngine<DatingDeck, InMemoryStore, ManualClock, SplitMix64>
    ) async throws {
      _ = try await feed.record(
        evening.answers.map { answer in
          RecordedSwipe(
            Swipe(
              viewer: evening.people[answer.viewer].id, card: evening.people[answer.card].id,
              answer: answer.liked ? DatingDeck.Answer.like : .pass,
              event: EventID("\(answer.viewer)-\(answer.card)")))
        })
    }

    @Test func aPairNeverCountsForItself() throws {
      let evening = Evening(side: 4)
      let data = DecisionData(evening.history())
      let features = DecisionFeature.Rate.allCases.map(DecisionFeature.rate)
      let rows = data.rows(
        { _ in true }, known: { _ in true }, features: features, column: "traits")
      let (matrix, outcomes) = (rows.matrix, rows.outcomes)
      #expect(outcomes.count == 32 && matrix.rows == 32)
      for (place, decision) in data.decisions.enumerated() {
        let (own, other) = (decision.own.index, decision.other.index)
        let rest = evening.answers.filter {
          Set([$0.viewer, $0.card]) != Set([own, other])
        }
        func numbers(_ answers: [(viewer: Int, card: Int, liked: Bool)]) -> [Float] {
          [Float((Double(answers.count { $0.liked }) + 1) / (Double(answers.count) + 2))]
            + [Float(answers.count)]
        }
        let expected =
          numbers(rest.filter { $0.viewer == own }) + numbers(rest.filter { $0.card == own })
          + numbers(rest.filter { $0.viewer == other })
          + numbers(rest.filter { $0.card == other })
        #expect(Array(matrix.values[place * 8..<place * 8 + 8]) == expected)
      }
    }

    @Test func aTrainingCountsTheOtherFoldsOnly() throws {
      let data = DecisionData(Evening(side: 8).history())
      let folds = Array(1..<DecisionData<DatingDeck>.folds)
      let made = data.rowsOfFolds(
        folds, features: [.rate(.ownGivenCount), .rate(.otherReceivedCount)], column: "traits")
      let (matrix, outcomes) = (made.matrix, made.outcomes)
      let rows = folds.flatMap { fold in data.decisions.filter { $0.fold == fold } }
      #expect(outcomes == rows.map(\.liked) && matrix.rows == rows.count)
      #expect(rows.count < data.decisions.count)
      for (place, row) in rows.enumerated() {
        let others = rows.filter { $0.fold != row.fold }
        let expected = [
          Float(others.count { $0.own == row.own }), Float(others.count { $0.other == row.other }),
        ]
        #expect(Array(matrix.values[place * 2..<place * 2 + 2]) == expected)
      }
    }

    @Test func aDealLeavesThePairOutAsTheTrainingDoes() async throws {
      let evening = Evening(side: 12)
      let feed = try await feed(evening)
      try await record(evening, in: feed)
      try await feed.train()
      // The pair's own answers are in neither of the two sides: turned around, they change nothing.
      var turned = evening
      for place in turned.answers.indices
      where Set([turned.answers[place].viewer, turned.answers[place].card]) == [0, 12] {
        turned.answers[place].liked.toggle()
      }
      let other = try await self.feed(turned)
      try await record(turned, in: other)
      let file = try await feed.train().file
      #expect(try other.install(file) == 1)
      let cards = [evening.people[12].id]
      let before = try await feed.estimates(for: evening.people[0].id, cards: cards)
      let after = try await other.estimates(for: evening.people[0].id, cards: cards)
      #expect(before == after && before[0].match != nil)
      // For anybody else they count.
      let others = evening.people[13...].map(\.id)
      let changed = try await other.estimates(for: evening.people[0].id, cards: others)
      #expect(try await feed.estimates(for: evening.people[0].id, cards: others) != changed)
    }

    @Test func whatIsSensitiveOrPrivateIsFittedOnlyByName() async throws {
      let evening = Evening(side: 6)
      func scored(
        _ change: (inout GradientBoostingSettings) -> Void = { _ in }
      ) async throws -> [String] {
        try await strategy(LearnerStates(), change)
          .fit(evening.history(), progress: TrainingProgress()).scored
      }
      let all = try await scored()
      for name in ["own(sports)", "other(age)", "difference(sports)", "own(gender=man)"] {
        #expect(all.contains(name))
      }
      #expect(all.contains("other-likes-received"))
      #expect(!all.contains { $0.hasSuffix("(race_code)") || $0.utf8.starts(with: "secret".utf8) })
      #expect(!all.contains("own(secret=yes)") && !all.contains("own(questions)"))
      let few = try await scored {
        $0.own = ["race_code", "*", "-sports", "nobody has this"]
        $0.other = []
        $0.difference = ["age"]
        $0.categories = []
        $0.hasRates = false
      }
      #expect(few.prefix(2) == ["own(race_code)", "own(age)"])
      #expect(few.last == "difference(age)" && !few.contains("own(sports)"))
    }

    @Test func findsWhatTheEveningWasMadeOf() async throws {
      let evening = Evening(side: 30)
      let states = LearnerStates()
      let strategy = strategy(states) { $0.rounds = nil }
      let model = try await strategy.fit(evening.history(), progress: TrainingProgress())
      strategy.slot.replace(with: model)
      // Strangers: another evening, of whom no answer is known.
      let strangers = Evening(side: 30, seed: 2)
      var truths: [(p: Double, liked: Bool)] = []
      for viewer in 0..<30 {
        let slate = StrategyConformance.slate(
          of: strangers.people, deck: DatingDeck(), viewer: strangers.people[viewer].id)
        let estimates = try await strategy.estimates(for: slate)
        for answer in strangers.answers where answer.viewer == viewer {
          let forward = try #require(estimates[answer.card].forward)
          let backward = try #require(estimates[answer.card].backward)
          #expect(estimates[answer.card].match?.value == forward.value * backward.value)
          truths.append((forward.value, answer.liked))
        }
      }
      let share = Double(truths.count { $0.liked }) / Double(truths.count)
      func loss(_ p: (Double) -> Double) -> Double {
        truths.map { -naturalLogarithm($0.liked ? p($0.p) : 1 - p($0.p)) }.reduce(0, +)
          / Double(truths.count)
      }
      #expect(loss { $0 } < loss { _ in share } - 0.05)
      let slate = StrategyConformance.slate(
        of: evening.people, deck: DatingDeck(), viewer: evening.people[0].id)
      #expect(await StrategyConformance.violations(of: strategy, on: slate).isEmpty)
      let nobody = StrategyConformance.slate(
        of: evening.people, deck: DatingDeck(), viewer: "nobody")
      #expect(try await strategy.estimates(for: nobody)[0].match == nil)
    }

    @Test func equalLogsGiveEqualBytesWhateverTheOrderOfThePeople() async throws {
      let evening = Evening(side: 8)
      let strategy = strategy()
      let model = try await strategy.fit(evening.history(), progress: TrainingProgress())
      let places = Array(evening.answers.indices.reversed())
      let again = try await strategy.fit(evening.history(places), progress: TrainingProgress())
      #expect(again.bytes == model.bytes)
      let read = try GradientBoostingModel(bytes: model.bytes)
      #expect(read.bytes == model.bytes && read.features == model.features)
      let without = try await strategy.fit(evening.history([]), progress: TrainingProgress())
      #expect(without.trees == nil)
      #expect(try GradientBoostingModel(bytes: without.bytes).bytes == without.bytes)
    }

    @Test func damagedBytesThrow() async throws {
      let bytes = try await strategy(LearnerStates()) { $0.rounds = 2 }
        .fit(Evening(side: 4).history(), progress: TrainingProgress()).bytes
      for length in stride(from: 0, to: bytes.count, by: 7) {
        #expect(throws: FeedError.self) {
          try GradientBoostingModel(bytes: Array(bytes[..<length]))
        }
      }
      #expect(throws: FeedError.self) { try GradientBoostingModel(bytes: bytes + [0]) }
      var generator = SplitMix64(seed: 3)
      for _ in 0..<1000 {
        var damaged = bytes
        let place = generator.index(below: bytes.count)
        damaged[place] ^= UInt8(1 + generator.index(below: 255))
        // The name of a feature may have changed; the library never sees a damaged tree.
        _ = try? GradientBoostingModel(bytes: damaged)
      }
    }

    @Test func aCancelledFitEndsBetweenTwoTrees() async throws {
      let evening = Evening(side: 6)
      let steps = Lock(0)
      let task = Task {
        try await strategy(LearnerStates()) { $0.rounds = 100_000 }.fit(
          evening.history(),
          progress: TrainingProgress { _ in
            if steps.withLock({
              $0 += 1
              return $0 == 5
            }) {
              withUnsafeCurrentTask { $0?.cancel() }
            }
          })
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(steps.withLock { $0 } == 5)
    }

    @Test func aSwipeCountsAtOnceAndARewindTakesItBack() async throws {
      let evening = Evening(side: 10)
      let feed = try await feed(evening)
      try await record(evening, in: feed)
      let newcomer = Person(id: "new", age: 25, gender: "man", traits: ["sports": 0.5])
      try await feed.put([newcomer])
      let report = try await feed.train()
      #expect(report.scored.first?.contains("own-likes-given") == true)
      let cards = evening.people[2..<8].map(\.id)
      let before = try await feed.estimates(for: "new", cards: cards)
      let top = try #require(try await feed.hand(for: "new").cards.first)
      _ = try await feed.swipe(
        Swipe(viewer: "new", card: top.id, answer: .like, event: EventID("e")))
      let after = try await feed.estimates(for: "new", cards: cards)
      #expect(after != before)
      _ = try await feed.rewind(for: "new", event: EventID("r"))
      #expect(try await feed.estimates(for: "new", cards: cards) == before)
    }
  }
#endif
