import CardFeedBaselines
import CardFeedTesting
import Testing

@testable import CardFeed

/// Knows by heart what it was told, and says so: 0.99 or 0.01, and 0.5 of everything else. Counts what
/// it could have looked up although it was held out.
private struct Memory: MatchProbabilityStrategy, TrainableStrategy {
  typealias D = ToyDeck

  struct Model: TrainedModel {
    var said: [CardNumber: [CardNumber: Bool]] = [:]

    init() {}
    init(bytes: [UInt8]) throws { throw FeedError(.model, "a memory is not written") }
    var bytes: [UInt8] { [] }
    func forgetting(_ id: CardID) -> Model { self }
  }

  let slot: ModelSlot<Model>
  let asked: Lock<(count: Int, known: Int, given: Int)>

  init(states: LearnerStates, asked: Lock<(count: Int, known: Int, given: Int)>) {
    slot = states.slot(for: "memory/1", of: Model.self)
    self.asked = asked
  }

  func fit(
    _ history: TrainingHistory<ToyDeck>, progress: TrainingProgress
  ) async throws -> Model {
    try await progress.step(1, of: 1)
    var model = Model()
    for answer in history.answers {
      model.said[answer.viewer, default: [:]][answer.card] = answer.meaning == .positive
    }
    return model
  }

  func estimates(for slate: Slate<ToyDeck>) async throws -> MatchEstimates {
    var estimates = MatchEstimates(count: slate.count)
    let said = slot.model?.said ?? [:]
    for (index, card) in slate.numbers.enumerated() {
      let one = said[slate.context.number]?[card]
      let other = said[card]?[slate.context.number]
      let isMatch = one.flatMap { one in other.map { one && $0 } }
      estimates[index] = MatchEstimate(
        match: Probability(isMatch.map { $0 ? 0.99 : 0.01 } ?? 0.5))
      let isSeen =
        slate.context.seen[card] != nil
        || slate.context.answersReceived.contains { $0.from == card }
      asked.withLock {
        $0.count += 1
        $0.known += one != nil || other != nil || isSeen ? 1 : 0
        $0.given += slate.context.seen.count
      }
    }
    return estimates
  }
}

/// Says which share of a thousand answers it has been told.
private struct Counter: MatchProbabilityStrategy, Learner {
  typealias D = ToyDeck

  let identity = "counter/1"
  let numbers: LearnedNumbers
  var learners: [any Learner<ToyDeck>] { [self] }

  init(states: LearnerStates) { numbers = states.numbers(for: identity, stride: 1) }

  func increments(for event: LearningEvent<ToyDeck>) -> [Increment] {
    [Increment(LearnedKey(owner: nil, slot: 0), 1)]
  }

  func estimates(for slate: Slate<ToyDeck>) async throws -> MatchEstimates {
    let count = numbers.read { $0(nil, 0) }
    return MatchEstimates(repeating: Probability(Double(count) / 1000) ?? .zero, count: slate.count)
  }
}

extension Probability {
  fileprivate static var zero: Probability { Probability(0).unsafelyUnwrapped }
}

@Suite struct CalibratedProbabilityTests {
  private static let count = 40

  /// Everybody answers everybody; who has the greater sum of numbers likes less often.
  private func history(
    _ count: Int = count, matches: (Int, Int) -> Bool = { ($0 * 7 + $1 * 7) % 10 < 3 }
  ) -> TrainingHistory<ToyDeck> {
    let slate = toySlate(.numbered(count), viewer: "1")
    var answers: [TrainingAnswer] = []
    for low in 0..<count {
      for high in (low + 1)..<count {
        for (viewer, card) in [(low, high), (high, low)] {
          let isLike = matches(low, high) || viewer == low && (low + high).isMultiple(of: 2)
          answers.append(
            TrainingAnswer(
              viewer: slate.table.number(at: Row(viewer)),
              card: slate.table.number(at: Row(card)), meaning: isLike ? .positive : .negative,
              time: noon, event: LogPosition(Int64(answers.count + 1))))
        }
      }
    }
    return TrainingHistory(answers: answers, table: slate.table, deck: ToyDeck(), now: noon)
  }

  private func calibrated(
    _ method: CalibrationMethod = .isotonic, least: Int? = 100, states: LearnerStates,
    _ make: @escaping CalibratedProbability<ToyDeck>.Maker
  ) throws -> CalibratedProbability<ToyDeck> {
    CalibratedProbability(
      of: try make(states), method: method, least: least,
      slot: states.slot(for: "calibrated/1", of: CalibrationModel.self), make: make)
  }

  @Test func aTrainableStrategyIsAskedOnlyWhatWasHeldOut() async throws {
    let asked = Lock((count: 0, known: 0, given: 0))
    let states = LearnerStates()
    let strategy = try calibrated(states: states) { Memory(states: $0, asked: asked) }
    #expect(strategy.trainables.count == 2)
    let history = history()
    let model = try await strategy.fit(history, progress: TrainingProgress())
    let pairs = Self.count * (Self.count - 1) / 2
    let counts = asked.withLock { $0 }
    #expect(counts.count == pairs && counts.known == 0)
    // The viewer's other answers are there, as in a deal.
    #expect(counts.given > pairs * Self.count / 2)
    #expect(model.answers == pairs)
    // Of strangers it says 0.5; that is the share of matches, and whoever is remembered gets no more.
    let share = Double(model.positives) / Double(pairs)
    #expect(model.probability(of: 0.5)?.value == share)
    #expect(model.probability(of: 0.99)?.value == share)
  }

  @Test func aLearnerIsAskedAboutTheLastThird() async throws {
    let strategy = try calibrated(states: LearnerStates()) { Counter(states: $0) }
    let history = history(30)
    let model = try await strategy.fit(history, progress: TrainingProgress())
    let known = history.answers.count * 2 / 3
    #expect(model.answers == (history.answers.count - known) / 2)
    guard case .isotonic(let regression) = model.state else {
      Issue.record("there is no function: \(model.shortage ?? "")")
      return
    }
    #expect(regression.blocks.map(\.low) == [Double(known) / 1000])
  }

  @Test(arguments: CalibrationMethod.allCases)
  func aScoreThatWasNeverAProbabilityBecomesOne(method: CalibrationMethod) async throws {
    // Pairs by the distance of their numbers; the nearer, the more matches.
    var generator = SplitMix64(seed: 8)
    let draws = (0..<Self.count).map { _ in (0..<Self.count).map { _ in generator.unitInterval() } }
    let history = history { low, high in draws[low][high] < 0.8 - Double(high - low) / 50 }
    let states = LearnerStates()
    let strategy = try calibrated(method, states: states) { _ in
      ClosureProbabilities<ToyDeck> { slate in
        var estimates = MatchEstimates(count: slate.count)
        let own = slate.context.number.rawValue
        for (index, card) in slate.numbers.enumerated() {
          // Further down than any probability reaches.
          estimates[index] = MatchEstimate(
            match: nil, forward: Probability(0.25), uncalibrated: -Double(abs(card.rawValue - own)))
        }
        return estimates
      }
    }
    let slate = toySlate(.numbered(Self.count), viewer: "1")
    let before = try await strategy.estimates(for: slate)
    #expect(before.note == "not calibrated: there was no training yet")
    #expect(before[3].match == nil && before[3].uncalibrated != nil)
    let model = try await strategy.fit(history, progress: TrainingProgress())
    strategy.slot.replace(with: model)
    let after = try await strategy.estimates(for: slate)
    #expect(after.note == nil)
    let values = (1..<Self.count).compactMap { after[$0].match?.value }
    #expect(values.count == Self.count - 1)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(values[0] > 0.6 && values[38] < 0.2)
    #expect(after[3].uncalibrated == nil && after[3].forward?.value == 0.25)
    #expect(await StrategyConformance.violations(of: strategy, on: slate).isEmpty)
    // Not the order of the log but the people decide.
    let mixed = TrainingHistory(
      answers: history.answers.reversed(), table: history.table, deck: history.deck, now: noon)
    #expect(
      try await strategy.fit(mixed, progress: TrainingProgress()).positives == model.positives)
  }

  @Test func tooFewPairsLeaveEstimatesAsTheyAre() async throws {
    let states = LearnerStates()
    let strategy = try calibrated(least: nil, states: states) { _ in
      FixedProbabilities(["1": 0.3, "2": 0.6])
    }
    let model = try await strategy.fit(history(20), progress: TrainingProgress())
    strategy.slot.replace(with: model)
    let slate = toySlate(.numbered(4), viewer: "1")
    let estimates = try await strategy.estimates(for: slate)
    #expect(
      estimates.note
        == "not calibrated: not enough data: 190 pairs with a known outcome, 1000 needed")
    #expect((0..<4).map { estimates[$0].match?.value } == [0.3, 0.6, nil, nil])
  }

  @Test func pairsThatOneAnsweredOrLeftOpenDoNotCount() async throws {
    let all = history(30)
    let answers = all.answers.enumerated().compactMap { place, answer -> TrainingAnswer? in
      if place.isMultiple(of: 10) { return nil }
      guard place % 10 == 3 else { return answer }
      return TrainingAnswer(
        viewer: answer.viewer, card: answer.card, meaning: .neutral, time: answer.time,
        event: answer.event)
    }
    let strategy = try calibrated(states: LearnerStates()) { _ in FixedProbabilities() }
    let partial = TrainingHistory(
      answers: answers, table: all.table, deck: all.deck, now: all.now)
    let pairs = all.answers.count / 2
    let model = try await strategy.fit(partial, progress: TrainingProgress())
    // Nobody has an estimate, so nothing was predicted.
    #expect(model.answers == 0 && model.shortage != nil)
    let known = try calibrated(least: 20, states: LearnerStates()) { _ in
      ConstantMatchProbability(.zero)
    }
    #expect(
      try await known.fit(partial, progress: TrainingProgress()).answers == pairs - pairs / 5 * 2)
  }

  @Test func partsOfATrainingCountOnwards() async throws {
    let steps = Lock([TrainingStep]())
    let progress = TrainingProgress(strategy: "s/1") { step in steps.withLock { $0.append(step) } }
    for part in 0..<3 { try await progress.part(part, of: 3).step(2, of: 4) }
    #expect(steps.withLock { $0.map(\.done) } == [2, 6, 10])
    #expect(steps.withLock { $0.map(\.total) } == [12, 12, 12])
    #expect(steps.withLock { $0.allSatisfy { $0.strategy == "s/1" } })
  }
}
