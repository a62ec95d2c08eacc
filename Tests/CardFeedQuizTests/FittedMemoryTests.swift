import CardFeed
import CardFeedCalendar
import CardFeedSpacedRepetition
import CardFeedTesting
import Testing

@testable import CardFeedQuiz

@Suite("Parameters of each learner's own")
struct FittedMemoryTests {
  private static let start: Int64 = 1_700_000_000_000

  /// Answers of a learner with other parameters than the defaults, day after day.
  private func answers(
    of viewer: Int64, cards: Int, rounds: Int, parameters: [Double]
  ) throws -> [TrainingAnswer] {
    let model = try FSRS6(parameters: parameters)
    var random = SplitMix64(seed: UInt64(viewer))
    var answers: [TrainingAnswer] = []
    for card in 0..<cards {
      // Questions are begun over weeks, so that later answers are of all kinds.
      var time = Self.start + Int64(card) * 8 * hour
      var state: FSRS6.State?
      for round in 0..<rounds {
        let days = Double(1 + (card + round) % 6)
        let rating: Rating
        if let known = state {
          time += Int64(days) * day
          rating =
            Double.random(in: 0..<1, using: &random) < model.retrievability(known, after: days)
            ? .good : .again
          state = model.next(known, after: days, rating)
        } else {
          rating = .good
          state = model.initial(rating)
        }
        answers.append(
          TrainingAnswer(
            viewer: ViewerNumber(viewer), card: CardNumber(Int64(1000 + card)),
            answer: rating.isRecall ? "good" : "again",
            meaning: rating.isRecall ? .positive : .negative,
            time: Timestamp(milliseconds: time), event: .start))
      }
    }
    return answers.sorted { $0.time < $1.time }.enumerated().map { index, answer in
      TrainingAnswer(
        viewer: answer.viewer, card: answer.card, answer: answer.answer, meaning: answer.meaning,
        time: answer.time, event: LogPosition(Int64(index + 1)))
    }
  }

  private func strategy() -> FittedMemoryProbability<FSRS6> {
    FittedMemoryProbability(
      time: .wholeDays, schedule: LearnerRecordTests.schedule, zones: LearnerZones(),
      defaults: FSRS6(),
      slot: LearnerStates().slot(for: "fsrs-6/test", of: MemoryParameters.self))
  }

  private func history(_ answers: [TrainingAnswer]) -> TrainingHistory<QuizDeck> {
    TrainingHistory(
      answers: answers,
      viewers: [
        ViewerNumber(1): ViewerIdentity.stored("forgetful", isMutual: false),
        ViewerNumber(2): ViewerIdentity.stored("new", isMutual: false),
      ], table: CardTable<QuizDeck>.make([], deck: QuizDeck()), deck: QuizDeck(),
      now: Timestamp(milliseconds: Self.start))
  }

  @Test func whoForgetsFasterGetsParametersAndWhoIsNewKeepsTheDefaults() async throws {
    var forgetful = FSRS6.defaults
    for index in 0..<4 { forgetful[index] *= 0.2 }
    forgetful[8] -= 0.6
    let own = try answers(of: 1, cards: 130, rounds: 6, parameters: forgetful)
    let few = try answers(of: 2, cards: 10, rounds: 6, parameters: forgetful)
    let strategy = strategy()
    let model = try await strategy.fit(history(own + few), progress: TrainingProgress())
    #expect(Array(model.parameters.keys) == [ViewerIdentity.stored("forgetful", isMutual: false)])
    let fitted = try #require(model.parameters.values.first)
    // The truth is nearer than where the fit began.
    let days = 3.0
    func recall(_ parameters: [Double]) throws -> Double {
      let model = try FSRS6(parameters: parameters)
      return model.retrievability(model.initial(.good), after: days)
    }
    let truth = try recall(forgetful)
    #expect(abs(try recall(fitted) - truth) < abs(try recall(FSRS6.defaults) - truth) / 2)

    // A deal goes by them, for this viewer only.
    func recallInADeal(_ viewer: ViewerID) async throws -> Double {
      let cards = [QuizCard(id: "c", prompt: "p", answer: "a")]
      let table = CardTable<QuizDeck>.make([(cards[0], CardNumber(1000))], deck: QuizDeck())
      let context = DealContext<QuizDeck>(
        viewer: viewer, number: CardNumber(1), row: nil, deck: QuizDeck(),
        now: Timestamp(milliseconds: Self.start + 5 * day), seed: 1, seen: [:],
        answersReceived: [],
        answersGiven: [
          GivenAnswer(
            card: CardNumber(1000), answer: "good", meaning: .positive,
            time: Timestamp(milliseconds: Self.start), event: LogPosition(1))
        ], unansweredLikes: { cards, _ in cards.map { _ in 0 } })
      let slate = Slate(table: table, rows: [Row(0)], context: context)
      return try #require(try await strategy.estimates(for: slate)[0].match?.value)
    }
    let before = try await recallInADeal("forgetful")
    #expect(before == (try await recallInADeal("new")))
    strategy.slot.replace(with: model)
    #expect(try await recallInADeal("forgetful") < before)
    #expect(try await recallInADeal("new") == before)
    strategy.slot.replace(
      with: model.forgetting(ViewerIdentity.stored("forgetful", isMutual: false)))
    #expect(try await recallInADeal("forgetful") == before)
  }

  @Test func parametersThatTheModelRefusesAreSaidToBe() async throws {
    let strategy = strategy()
    let owner = ViewerIdentity.stored("owner", isMutual: false)
    let other = ViewerIdentity.stored("other", isMutual: false)
    func note() async throws -> String? {
      let slate = StrategyConformance.slate(
        of: [QuizCard(id: "c", prompt: "p", answer: "a")], deck: QuizDeck(), viewer: "owner",
        now: Timestamp(milliseconds: Self.start))
      return try await strategy.estimates(for: slate).note
    }
    #expect(try await note() == nil)
    strategy.slot.replace(with: MemoryParameters(parameters: [owner: FSRS6.defaults]))
    #expect(try await note() == nil)
    strategy.slot.replace(with: MemoryParameters(parameters: [other: [1]]))
    #expect(try await note() == nil)
    strategy.slot.replace(with: MemoryParameters(parameters: [owner: [1, 2]]))
    let refused = try #require(try await note())
    #expect(refused.contains("refused") && refused.contains("found 2"))
  }

  @Test func aModelIsReadBackAndADamagedOneRefused() throws {
    let model = MemoryParameters(parameters: ["a": FSRS6.defaults, "b": [1, 2.5]])
    #expect(try MemoryParameters(bytes: model.bytes) == model)
    #expect(model.forgetting("a").parameters == ["b": [1, 2.5]])
    for count in 0..<model.bytes.count {
      #expect(throws: (any Error).self) {
        _ = try MemoryParameters(bytes: Array(model.bytes[..<count]))
      }
    }
    var newer = model.bytes
    newer[0] += 1
    #expect(throws: FeedError.self) { _ = try MemoryParameters(bytes: newer) }
  }
}
