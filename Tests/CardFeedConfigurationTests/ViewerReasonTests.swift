import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedStandardPlugins
import CardFeedTesting
import Testing

/// What a viewer may see of a card is the same whether or not its person has answered about them.
@Suite struct ViewerReasonTests {
  private typealias DatingFeed = FeedEngine<DatingDeck, InMemoryStore, ManualClock, SplitMix64>

  private static let viewer: ViewerID = "w0"
  private static let card: CardID = "m3"
  private static let people =
    (0..<6).map { person("w\($0)", "woman", "man", $0) }
    + (0..<9).map { person("m\($0)", "man", "woman", $0) }

  private static func person(
    _ id: String, _ gender: String, _ seeks: String, _ place: Int
  ) -> Person {
    Person(
      id: id, age: 25 + Double(place), gender: gender, seeks: [seeks],
      place: Place(latitude: 52 + Double(place) / 100, longitude: 13),
      traits: ["fun": Double(place % 4), "tall": Double(place % 5)])
  }

  /// Answers as they may be anywhere, none of which is the card's about the viewer.
  private static let history: [(viewer: ViewerID, answer: DatingDeck.Answer, card: CardID)] = {
    var random = SplitMix64(seed: 7)
    var history: [(ViewerID, DatingDeck.Answer, CardID)] = []
    for woman in 0..<6 {
      for man in 0..<9 where random.next() % 4 > 0 {
        let answers: [DatingDeck.Answer] = [.like, .pass, .superLike, .pass]
        if woman > 0 {
          history.append(
            (ViewerID("w\(woman)"), answers[Int(random.next() % 4)], CardID("m\(man)")))
        }
        if woman > 0 || man != 3 {
          history.append(
            (ViewerID("m\(man)"), answers[Int(random.next() % 4)], CardID("w\(woman)")))
        }
      }
    }
    return history
  }()

  private static func strategies(_ kind: StrategyKind) -> [StrategyDescription] {
    PluginSet.standard.descriptions(for: DatingDeckPlugin()).filter { $0.kind == kind }
  }

  /// The strategy with its defaults, and something for what has none.
  private static func filled(_ description: StrategyDescription) -> JSONValue {
    var object: JSONObject = ["use": JSONValue(description.use)]
    for parameter in description.parameters where parameter.isRequired {
      switch parameter.kind {
      case .strategy(.matchProbability): object[parameter.name] = ["use": "elo-two-scale"]
      case .strategy: object[parameter.name] = ["use": "match-probability"]
      case .weights where parameter.name == "columns": object[parameter.name] = ["age": 10]
      case .weights: object[parameter.name] = allTerms
      // A folder of models, where there is none yet.
      case .text where parameter.name == "folder": object[parameter.name] = "no-models"
      case _ where description.use == "ftrl": object[parameter.name] = ["gender"]
      default: Issue.record("'\(description.use)' needs a value for '\(parameter.name)'")
      }
    }
    return JSONValue(object)
  }

  private static let allTerms: JSONValue = [
    "match-probability": 1, "forward": 0.5, "backward": 0.5, "random": 0.1, "age": 0.01,
  ]

  /// Everything that the viewer may see of the cards in the hand: before and after a training.
  private static func shown(
    _ answer: DatingDeck.Answer?, matchProbability: JSONValue, ranking: JSONValue
  ) async throws -> [[CardID: DealReason]] {
    let configuration = try FeedConfiguration(
      JSONValue(
        [
          "version": 1, "deck": "dating", "hand": ["size": 9, "refillBelow": 9],
          "matchProbability": matchProbability, "ranking": ranking,
        ] as JSONObject), file: "test.json", plugins: .standard)
    let feed: DatingFeed = try await FeedBuilder.open(
      configuration, deck: DatingDeckPlugin(), store: InMemoryStore(), plugins: .standard,
      clock: ManualClock())
    try await feed.put(people)
    for entry in history { try await record(entry, feed) }
    try await feed.train()
    if let answer { try await record((card, answer, viewer), feed) }
    var hands = [try await feed.hand(for: viewer)]
    try await feed.train()
    hands.append(try await feed.redeal(for: viewer))
    for hand in hands { #expect(hand.cards.count == 9) }
    return hands.map { hand in
      Dictionary(uniqueKeysWithValues: hand.cards.map { ($0.id, $0.reason.forViewer) })
    }
  }

  private static func record(
    _ entry: (viewer: ViewerID, answer: DatingDeck.Answer, card: CardID), _ feed: DatingFeed
  ) async throws {
    let swipe = Swipe(
      viewer: entry.viewer, card: entry.card, answer: entry.answer,
      event: EventID("\(entry.viewer) \(entry.card)"))
    _ = try await feed.record([RecordedSwipe(swipe)])
  }

  private static func check(matchProbability: JSONValue, ranking: JSONValue) async throws {
    let unknown = try await shown(nil, matchProbability: matchProbability, ranking: ranking)
    for answer in [DatingDeck.Answer.like, .superLike, .pass] {
      let known = try await shown(answer, matchProbability: matchProbability, ranking: ranking)
      #expect(known == unknown, "\(answer)")
    }
  }

  @Test(arguments: strategies(.matchProbability).map(\.use))
  func anAnswerDoesNotShowInTheMatchProbability(use: String) async throws {
    let description = try #require(Self.strategies(.matchProbability).first { $0.use == use })
    var strategies = [Self.filled(description)]
    // What tells the answer to operators tells viewers nothing either.
    if description.parameters.contains(where: { $0.name == "knownAnswers" }) {
      strategies.append(["use": JSONValue(use), "knownAnswers": "use"])
    }
    for strategy in strategies {
      try await Self.check(
        matchProbability: strategy, ranking: ["use": "weighted", "terms": Self.allTerms])
    }
  }

  /// The deck of people has no vectors; that similarity is private is tested where it is made. Nobody
  /// in it is taken again and again, so there is no fit of repurchases, whose terms are the same as
  /// those of the other rankings by who liked what.
  private static let rankings = strategies(.ranking).map(\.use).filter {
    !["vector-similarity", "repurchase"].contains($0)
  }

  @Test(arguments: rankings)
  func anAnswerDoesNotShowInTheRanking(use: String) async throws {
    let description = try #require(Self.strategies(.ranking).first { $0.use == use })
    var ranking = Self.filled(description)
    // Terms of a ranking inside are what a plan could hide from some cards only.
    let inner = description.parameters.first { parameter in
      if case .strategy = parameter.kind { ["then", "of"].contains(parameter.name) } else { false }
    }
    if let inner {
      var object = ranking.object ?? [:]
      // A trend raises the scores of a model only.
      object[inner.name] =
        use == "trend"
        ? ["use": "item-neighbours"] : ["use": "weighted", "terms": Self.allTerms]
      ranking = JSONValue(object)
    }
    try await Self.check(matchProbability: ["use": "elo-two-scale"], ranking: ranking)
  }
}
