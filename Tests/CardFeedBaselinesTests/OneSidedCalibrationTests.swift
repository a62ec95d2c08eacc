import CardFeedBaselines
import CardFeedTesting
import Testing

@testable import CardFeed

/// Notes what it is asked and what it knows then; always says 0.9. Learns, is trained, or neither.
private struct Witness: MatchProbabilityStrategy {
  typealias D = ToyDeck

  enum Kind: CaseIterable { case neither, learner, trainable, both }

  struct Asked {
    let viewer: ViewerNumber
    let card: CardNumber
    let context: DealContext<ToyDeck>
    let counted: Int64
    let remembered: Set<LogPosition>?
  }

  let kind: Kind
  let counts: Counts
  let memory: Memory
  let asked: Lock<[Asked]>

  init(_ kind: Kind, _ states: LearnerStates, _ asked: Lock<[Asked]>) {
    self.kind = kind
    counts = Counts(numbers: states.numbers(for: "counts/1", stride: 1))
    memory = Memory(slot: states.slot(for: "memory/1", of: Memory.Model.self))
    self.asked = asked
  }

  var needs: ContextNeeds { .answersGiven }
  var learners: [any Learner<ToyDeck>] { kind == .learner || kind == .both ? [counts] : [] }
  var trainables: [any TrainableStrategy<ToyDeck>] {
    kind == .trainable || kind == .both ? [memory] : []
  }

  func estimates(for slate: Slate<ToyDeck>) async throws -> MatchEstimates {
    let counted = counts.numbers.read { $0(nil, 0) }
    for card in slate.numbers {
      asked.withLock {
        $0.append(
          Asked(
            viewer: slate.context.number, card: card, context: slate.context, counted: counted,
            remembered: memory.slot.model?.events))
      }
    }
    var estimates = MatchEstimates(count: slate.count)
    for index in 0..<slate.count {
      estimates[index] = MatchEstimate(match: Probability(0.9), forward: Probability(0.9))
    }
    return estimates
  }

  struct Counts: Learner {
    let identity = "counts/1"
    let numbers: LearnedNumbers

    func increments(for event: LearningEvent<ToyDeck>) -> [Increment] {
      [Increment(LearnedKey(owner: nil, slot: 0), 1)]
    }
  }

  struct Memory: TrainableStrategy {
    typealias D = ToyDeck

    struct Model: TrainedModel {
      var events: Set<LogPosition> = []

      init(events: Set<LogPosition>) { self.events = events }
      init(bytes: [UInt8]) throws { throw FeedError(.model, "a memory is not written") }
      var bytes: [UInt8] { [] }
      func forgetting(_ id: CardID) -> Model { self }
    }

    let slot: ModelSlot<Model>

    func fit(
      _ history: TrainingHistory<ToyDeck>, progress: TrainingProgress
    ) async throws -> Model {
      #expect(Set(history.answers.map(\.event)).isSubset(of: history.log.map(\.event)))
      return Model(events: Set(history.log.map(\.event)))
    }
  }
}

@Suite struct OneSidedCalibrationTests {
  private static let deck = ToyDeck(isMutual: false)

  /// Viewers who are no cards and come back to the same twelve cards; one answer of ten is a like, and
  /// some say nothing.
  private func history(_ count: Int = 1500) -> TrainingHistory<ToyDeck> {
    var generator = SplitMix64(seed: 5)
    let table = toySlate(.numbered(12), deck: Self.deck).table
    let log = (0..<count).map { place -> TrainingAnswer in
      let viewer = CardNumber(Int64(100 + generator.index(below: 20)))
      let card = CardNumber(Int64(1 + generator.index(below: 12)))
      let isLike = generator.index(below: 10) == 0
      let meaning: AnswerMeaning =
        place.isMultiple(of: 7) ? .neutral : isLike ? .positive : .negative
      return TrainingAnswer(
        viewer: viewer, card: card, answer: "answer \(place)", meaning: meaning,
        time: noon.advanced(byMilliseconds: Int64(place)), event: LogPosition(Int64(place + 1)))
    }
    var last: [[CardNumber]: LogPosition] = [:]
    for answer in log { last[[answer.viewer, answer.card]] = answer.event }
    return TrainingHistory(
      answers: log.filter { last[[$0.viewer, $0.card]] == $0.event }, log: log,
      viewers: [CardNumber(100): ViewerIdentity.stored("ann", isMutual: false)], table: table,
      deck: Self.deck, now: noon.advanced(byMilliseconds: Timestamp.day))
  }

  private func calibrated(
    _ kind: Witness.Kind, _ asked: Lock<[Witness.Asked]>, method: CalibrationMethod = .isotonic,
    states: LearnerStates = LearnerStates()
  ) -> CalibratedProbability<ToyDeck> {
    CalibratedProbability(
      of: Witness(kind, states, asked), method: method, least: 100,
      slot: states.slot(for: "calibrated/1", of: CalibrationModel.self)
    ) { Witness(kind, $0, asked) }
  }

  @Test(arguments: Witness.Kind.allCases)
  private func `each answer is asked about as of its moment`(_ kind: Witness.Kind) async throws {
    let history = history(600)
    let asked = Lock([Witness.Asked]())
    let model = try await calibrated(kind, asked).fit(history, progress: TrainingProgress())
    let first = kind == .learner ? history.log.count * 2 / 3 : 0
    let expected = history.log.dropFirst(first).filter { $0.meaning != .neutral }
    let found = asked.withLock { $0 }.sorted { $0.context.now < $1.context.now }
    #expect(model.answers == expected.count && model.positives > 10)
    #expect(found.map(\.context.now) == expected.map(\.time))
    for (one, answer) in zip(found, expected) {
      let before = history.log.filter { $0.event < answer.event }
      let own = before.filter { $0.viewer == answer.viewer }
      #expect(one.viewer == answer.viewer && one.card == answer.card)
      #expect(one.context.row == nil && one.context.answersReceived.isEmpty)
      #expect(one.context.viewer == (answer.viewer.rawValue == 100 ? "ann" : one.context.viewer))
      #expect(one.context.answersGiven.map(\.event) == own.map(\.event))
      #expect(one.context.seen.count == Set(own.map(\.card)).count)
      let last = own.last { $0.card == answer.card }
      #expect(one.context.seen[answer.card]?.answer?.event == last?.event)
      #expect(one.context.seen[answer.card]?.answer?.answer == last?.answer)
      if !calibrated(kind, asked).learners.isEmpty { #expect(Int(one.counted) == before.count) }
      guard let remembered = one.remembered else { continue }
      let pair = history.log.filter { $0.viewer == answer.viewer && $0.card == answer.card }
      #expect(remembered.isDisjoint(with: pair.map(\.event)) && remembered.count > 400)
    }
    #expect((found.first?.remembered != nil) == (kind == .trainable || kind == .both))
  }

  @Test(arguments: CalibrationMethod.allCases)
  func `nine of ten becomes one of ten, also as what the viewer wants`(
    method: CalibrationMethod
  ) async throws {
    let strategy = calibrated(.both, Lock([]), method: method)
    let slate = toySlate(.numbered(12), deck: Self.deck)
    #expect(
      try await strategy.estimates(for: slate).note == "not calibrated: there was no training yet")
    let model = try await strategy.fit(history(), progress: TrainingProgress())
    strategy.slot.replace(with: try CalibrationModel(bytes: model.bytes))
    #expect(strategy.slot.model == model)
    let estimates = try await strategy.estimates(for: slate)
    #expect(estimates.note == nil)
    let match = try #require(estimates[3].match)
    #expect(abs(match.value - Double(model.positives) / Double(model.answers)) < 0.001)
    #expect(abs(match.value - 0.1) < 0.03)
    #expect(estimates[3].forward == match && estimates[3].backward == nil)
    #expect(await StrategyConformance.violations(of: strategy, on: slate).isEmpty)
  }

  @Test func `too few answers are called answers`() async throws {
    let strategy = calibrated(.neither, Lock([]))
    func note(_ history: TrainingHistory<ToyDeck>) async throws -> String? {
      let model = try await strategy.fit(history, progress: TrainingProgress())
      strategy.slot.replace(with: model)
      let estimates = try await strategy.estimates(for: toySlate(.numbered(2), deck: Self.deck))
      #expect(estimates[0].match?.value == 0.9)
      return estimates.note
    }
    #expect(
      try await note(history(70))
        == "not calibrated: not enough data: 60 answers with a known outcome, 100 needed")
    let all = history(700)
    let negative = TrainingHistory(
      answers: [], log: all.log.filter { $0.meaning != .positive }, table: all.table,
      deck: all.deck, now: all.now)
    let count = negative.log.count { $0.meaning == .negative }
    #expect(
      try await note(negative)
        == "not calibrated: not enough data: 0 matches among \(count) answers, at least 10 of "
        + "either outcome needed")
  }

  @Test func `answers about cards that are gone are told and not asked about`() async throws {
    let all = history()
    let fewer = TrainingHistory(
      answers: all.answers, log: all.log, table: toySlate(.numbered(9), deck: Self.deck).table,
      deck: all.deck, now: all.now)
    let asked = Lock([Witness.Asked]())
    let model = try await calibrated(.both, asked).fit(fewer, progress: TrainingProgress())
    let left = all.log.filter { $0.card.rawValue <= 9 && $0.meaning != .neutral }
    #expect(model.answers == left.count)
    #expect(asked.withLock { $0.allSatisfy { ($0.remembered?.count ?? 0) > 1100 } })
  }
}
