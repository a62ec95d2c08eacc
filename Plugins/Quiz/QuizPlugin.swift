public import CardFeed
public import CardFeedConfiguration

/// Brings the quiz deck.
public struct QuizPlugin: Plugin {
  private let zones: LearnerZones

  /// The plugin.
  ///
  /// - Parameter zones: The zones of learners who do not live in that of the configuration.
  public init(zones: LearnerZones = LearnerZones()) { self.zones = zones }

  /// `quiz`.
  public var name: String { "quiz" }

  /// The quiz deck.
  public var decks: [any DeckPlugin] { [QuizDeckPlugin(zones: zones)] }

  /// How fast memory models are, and what orders of questions teach simulated learners.
  public var benchmarks: [Benchmark] { [MemoryBenchmark.description, StudySimulation.description] }
}

/// The quiz deck with its strategies, its defaults and its JSON.
public struct QuizDeckPlugin: DeckPlugin {
  private let zones: LearnerZones

  /// The deck with its strategies.
  ///
  /// - Parameter zones: The zones of learners who do not live in that of the configuration.
  public init(zones: LearnerZones = LearnerZones()) { self.zones = zones }

  /// The deck.
  public var deck: QuizDeck { QuizDeck(zones: zones) }

  /// What the deck is.
  public var summary: String {
    "Questions that come back when they are due; a match is a right answer."
  }

  /// What is being learned, what is due, what is new, and last what will be due in a few minutes;
  /// within the limits of the day.
  public var defaults: JSONValue {
    [
      "sources": [
        ["use": "relearning", "next": false], ["use": "due"], ["use": "new"],
        ["use": "relearning", "aheadMinutes": 20],
      ],
      "filters": [["use": "study-schedule", "aheadMinutes": 20]],
      "matchProbability": ["use": "fsrs-7"],
      "ranking": ["use": "source-order"],
      "slate": [["use": "study-limits"]],
      "match": ["use": "right-answer"],
    ]
  }

  /// Registers the strategies of questions.
  public func register(in registry: inout StrategyRegistry<QuizDeck>) {
    let shelf = MemoryShelf()
    Self.registerMemories(in: &registry, shelf: shelf)
    Self.registerStudy(in: &registry)
    Self.registerExamination(in: &registry)
    Self.registerPractice(in: &registry)
    Self.registerKnowledge(in: &registry)
    registry.register(
      matchRule: StrategyDescription(
        "right-answer", .matchRule, summary: "A match is made when the answer is right.")
    ) { _, _ in RightAnswerRule() }
  }

  /// Reads one question. Throws a `CardProblem`.
  public func card(from json: JSONValue) throws -> QuizCard { try QuizCard(json: json) }

  /// Writes one question.
  public func json(of card: QuizCard) -> JSONValue { card.json }

  /// The question, and its answer on the back.
  public func face(of card: QuizCard, at now: Timestamp) -> CardFace {
    CardFace(
      title: card.prompt, tags: card.skills + card.tags,
      back: [card.answer] + [card.remark].compactMap { $0 })
  }
}

/// A match is made when the answer is right.
struct RightAnswerRule: MatchRule {
  func isMatch(_ circumstances: MatchCircumstances) -> Bool {
    circumstances.meaning == .positive
  }
}
