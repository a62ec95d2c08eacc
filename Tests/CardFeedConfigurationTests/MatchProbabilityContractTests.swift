import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedStandardPlugins
import CardFeedTesting
import Testing

/// What every registered match probability promises of its numbers, their errors and their reasons.
@Suite struct MatchProbabilityContractTests {
  private static let people =
    (0..<8).map { person("w\($0)", "woman", $0) } + (0..<8).map { person("m\($0)", "man", $0) }

  private static func person(_ id: String, _ gender: String, _ place: Int) -> Person {
    var person = Person(
      id: id, age: 25 + Double(place), gender: gender,
      traits: ["fun": Double(place % 4), "tall": Double(place % 5)])
    for question in 0..<8 {
      person.questions["q\(question)"] = QuestionAnswer(
        answer: (place + question) % 3 == 0 ? "no" : "yes", accepts: ["yes"], importance: .somewhat)
    }
    return person
  }

  private static let strategies = PluginSet.standard.descriptions(for: DatingDeckPlugin())
    .filter { $0.kind == .matchProbability }.map(\.use)

  /// A strategy with its defaults, and one around each that wraps another.
  private static let configurations: [JSONValue] = strategies.flatMap { use -> [JSONValue] in
    guard use == "calibrated" else { return [minimal(use)] }
    return strategies.filter { $0 != "calibrated" }.map { inner in
      ["use": "calibrated", "of": minimal(inner), "least": 20, "method": "platt"]
    }
  }

  /// The strategy with as little as it can be asked for.
  private static func minimal(_ use: String) -> JSONValue {
    use == "ftrl"
      ? ["use": "ftrl", "columns": ["gender"], "features": ["gender"]] : ["use": JSONValue(use)]
  }

  private func feed(
    _ strategy: JSONValue
  ) async throws -> FeedEngine<DatingDeck, InMemoryStore, ManualClock, SplitMix64> {
    let configuration = try FeedConfiguration(
      JSONValue(
        ["version": 1, "deck": "dating", "filters": [], "matchProbability": strategy] as JSONObject),
      file: "test.json", plugins: .standard)
    let feed = try await FeedBuilder.open(
      configuration, deck: DatingDeckPlugin(), store: InMemoryStore(), plugins: .standard,
      clock: ManualClock())
    try await feed.put(Self.people)
    var random = SplitMix64(seed: 3)
    for woman in Self.people[..<8] {
      for man in Self.people[8...] {
        for (viewer, card) in [(woman, man), (man, woman)] {
          let isLike = random.unitInterval() < 0.55
          let swipe = Swipe(
            viewer: ViewerID("\(viewer.id)"), card: card.id,
            answer: isLike ? DatingDeck.Answer.like : .pass,
            event: EventID("\(viewer.id) \(card.id)"))
          _ = try await feed.record([RecordedSwipe(swipe)])
        }
      }
    }
    return feed
  }

  private func strategy(_ json: JSONValue) throws -> any MatchProbabilityStrategy<DatingDeck> {
    let configuration = try FeedConfiguration(
      JSONValue(["version": 1, "deck": "dating", "matchProbability": json] as JSONObject),
      file: "test.json", plugins: .standard)
    let context = BuildContext(
      deck: DatingDeck(), states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
      registry: PluginSet.standard.registry(for: DatingDeckPlugin()))
    return try configuration.pipelines(context).base.matchProbability.strategy
  }

  @Test(arguments: configurations)
  func numbersErrorsAndReasons(json: JSONValue) async throws {
    let uncertainty = try strategy(json).uncertainty
    let feed = try await feed(json)
    try await feed.train()
    let cards = Self.people[8...].map(\.id)
    let numbers = try await feed.appraise(cards, for: "w0")
    for estimate in numbers.map(\.estimate) {
      switch uncertainty {
      case .standardError(let covers):
        #expect(!covers.isEmpty)
        let error = try #require(estimate.standardError, "no error of \(json)")
        #expect(error > 0 && error <= 0.5)
        #expect(estimate.match != nil)
      case .unknown(let reason):
        #expect(reason != "the strategy does not say", "it has to say why")
        #expect(estimate.standardError == nil && estimate.match != nil)
      case .noProbability:
        #expect(estimate.match == nil && estimate.standardError == nil)
        #expect(estimate.uncalibrated != nil)
      }
      // Either both sides or none; a match takes both.
      #expect((estimate.forward == nil) == (estimate.backward == nil))
      for probability in [estimate.match, estimate.forward, estimate.backward] {
        #expect(probability.map { (0...1).contains($0.value) } ?? true)
      }
    }
    let names = numbers[0].reasons.map(\.name)
    #expect(!names.isEmpty && Set(names).count == names.count, "\(json)")
    for one in numbers {
      #expect(one.reasons.map(\.name) == names)
      #expect(one.reasons.allSatisfy { $0.isPrivate && $0.value != nil })
    }
    // Nothing of it is kept with a card in a hand.
    let hand = try await feed.hand(for: "w0")
    #expect(hand.cards.allSatisfy { $0.reason.forViewer.estimate == MatchEstimate(match: nil) })
  }

  /// Where a strategy knows its error, more answers make it smaller.
  @Test(arguments: [["use": "elo-two-scale"]] as [JSONValue])
  func theErrorFallsWithAnswers(json: JSONValue) async throws {
    let feed = try await feed(json)
    try await feed.put([Self.person("m99", "man", 3)])
    let estimates = try await feed.estimates(for: "w0", cards: ["m99", "m3"])
    let (stranger, known) = (estimates[0], estimates[1])
    let strangers = try #require(stranger.standardError) / #require(stranger.match).value
    let knowns = try #require(known.standardError) / #require(known.match).value
    #expect(knowns < strangers)
  }
}
