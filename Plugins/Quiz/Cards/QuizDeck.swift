public import CardFeed
internal import CardFeedConfiguration

/// Questions that come back when they are due; a match is a right answer.
///
/// Its columns, by the names that configurations use: `note` (category), `skills` and `tags` (tags),
/// `order` (whole number), `difficulty` and `discrimination` (numbers).
public struct QuizDeck: Deck {
  /// A question.
  public typealias Card = QuizCard

  /// What a viewer can say to a question.
  public enum Answer: String, Hashable, Sendable, CaseIterable {
    /// Forgot it.
    case again
    /// Knew it, with effort.
    case hard
    /// Knew it.
    case good
    /// Knew it at once.
    case easy
    /// Not right, where nobody grades; counts as `again`.
    case wrong
    /// Right, where nobody grades; counts as `good`.
    case right
    /// Does not want to be asked any more, until `resume`.
    case suspend
    /// Wants to be asked again after `suspend`, or after a leech was suspended.
    case resume
    /// Does not want to be asked before the next day.
    case bury
  }

  /// `quiz`.
  public static var name: String { "quiz" }

  /// Whose clock counts for which learner.
  let zones: LearnerZones

  /// A deck.
  ///
  /// - Parameter zones: The zones of learners who do not live in that of the configuration.
  public init(zones: LearnerZones = LearnerZones()) { self.zones = zones }

  /// The question's identity.
  public func id(of card: QuizCard) -> CardID { card.id }

  /// What strategies see of a question.
  public var columns: [ColumnDeclaration<QuizCard>] {
    [
      .category("note") { $0.note },
      .tags("skills") { $0.skills },
      .tags("tags") { $0.tags },
      .integer("order") { $0.order },
      .float("difficulty") { $0.difficulty },
      .float("discrimination") { $0.discrimination },
    ]
  }

  /// What was known is positive, what was not negative; the rest says nothing of knowledge.
  public func meaning(of answer: Answer) -> AnswerMeaning {
    switch answer {
    case .hard, .good, .easy, .right: .positive
    case .again, .wrong: .negative
    case .suspend, .resume, .bury: .neutral
    }
  }

  /// Questions look at nobody. When one comes back is the business of its schedule.
  public var policy: DeckPolicy { DeckPolicy(isMutual: false) }

  /// The question's record as canonical JSON.
  public func encode(_ card: QuizCard) -> [UInt8] { card.json.canonicalBytes() }

  /// The question of a record. Throws a `JSONSyntaxError` or a `CardProblem`.
  public func decode(_ bytes: [UInt8]) throws -> QuizCard {
    try QuizCard(json: JSONDocument(parsing: bytes).root)
  }
}
