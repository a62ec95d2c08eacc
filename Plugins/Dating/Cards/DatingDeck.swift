public import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration

/// People who look at people; a match is a mutual like.
///
/// Its columns, by the names that configurations use: `gender` and `zone` (categories), `seeks`,
/// `intents` and `tags` (tags), `age` (the declared age in years), `birth_day` (days from 1970-01-01
/// to the day of birth), `min_age`, `max_age` (numbers), `max_distance` (metres), `verified` and
/// `wants_verified` (1 is yes, 0 is no), `attributes` and `dealbreakers` (tags, each `name=text`),
/// `attribute_names` and `dealbreaker_names` (tags), `place`, `bio` (text), `daily_cards`
/// (whole number), `traits` (named numbers),
/// `questions` (named numbers, private: see `QuestionColumn`).
public struct DatingDeck: Deck {
  /// A person.
  public typealias Card = Person

  /// What a viewer can say to a person.
  public enum Answer: String, Hashable, Sendable, CaseIterable {
    /// Wants to meet them.
    case like
    /// Does not.
    case pass
    /// Wants to meet them very much; counts as a like.
    case superLike = "super-like"
  }

  /// `dating`.
  public static var name: String { "dating" }

  /// Needs nothing.
  public init() {}

  /// The person's identity.
  public func id(of card: Person) -> CardID { card.id }

  /// What strategies see of a person.
  public var columns: [ColumnDeclaration<Person>] {
    [
      .category("gender") { $0.gender },
      .tags("seeks") { $0.seeks },
      .float("age") { $0.age },
      .integer("birth_day") { $0.birthDate?.daysSinceEpoch },
      .float("min_age") { $0.minimumAge },
      .float("max_age") { $0.maximumAge },
      .place("place") { $0.place },
      .tags("tags") { $0.tags },
      .text("bio") { $0.bio },
      .float("max_distance") { $0.maximumDistance?.metres },
      .tags("intents") { $0.intents },
      .integer("verified") { $0.verified.map { $0 ? 1 : 0 } },
      .integer("wants_verified") { $0.wantsVerified ? 1 : 0 },
      .tags("attributes") { $0.attributes.map { "\($0)=\($1)" } },
      .tags("attribute_names") { Array($0.attributes.keys) },
      .tags("dealbreakers") { person in
        person.dealbreakers.flatMap { name, texts in texts.map { "\(name)=\($0)" } }
      },
      .tags("dealbreaker_names") { Array($0.dealbreakers.keys) },
      .category("zone") { $0.zone },
      .integer("daily_cards") { $0.dailyCards.map { Int64($0) } },
      .numbers("traits") { $0.traits },
      .numbers(QuestionColumn.name, QuestionColumn.entries),
    ]
  }

  /// Likes are positive, a pass is negative.
  public func meaning(of answer: Answer) -> AnswerMeaning {
    switch answer {
    case .like, .superLike: .positive
    case .pass: .negative
    }
  }

  /// Eligibility is mutual, and nobody returns by default.
  public var policy: DeckPolicy { DeckPolicy(isMutual: true) }

  /// The person's record as canonical JSON.
  public func encode(_ card: Person) -> [UInt8] { card.json.canonicalBytes() }

  /// The person of a record. Throws a `JSONSyntaxError` or a `CardProblem`.
  public func decode(_ bytes: [UInt8]) throws -> Person {
    try Person(json: JSONDocument(parsing: bytes).root)
  }
}
