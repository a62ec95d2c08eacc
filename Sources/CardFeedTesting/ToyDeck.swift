public import CardFeed

/// A card of the toy deck: an identity and a few values that strategies can look at.
public struct ToyCard: Hashable, Sendable {
  /// The identity.
  public var id: CardID
  /// The category column `group`.
  public var group: String?
  /// The float column `weight`.
  public var weight: Double?
  /// The tags column `tags`.
  public var tags: [String]

  /// A card.
  public init(_ id: CardID, group: String? = nil, weight: Double? = nil, tags: [String] = []) {
    self.id = id
    self.group = group
    self.weight = weight
    self.tags = tags
  }

  /// Cards "1" … "count", each with its number as weight.
  public static func numbered(_ count: Int) -> [ToyCard] {
    (0..<count).map { ToyCard(CardID("\($0 + 1)"), weight: Double($0 + 1)) }
  }
}

/// What can be said to a toy card.
public enum ToyAnswer: String, Hashable, Sendable, CaseIterable {
  /// Wanted.
  case like
  /// Not wanted.
  case pass
  /// No opinion.
  case skip
}

/// The smallest deck with everything a test needs: of people (`isMutual`) or of things.
public struct ToyDeck: Deck {
  /// What the deck is called.
  public static let name = "toy"

  /// Whether eligibility is mutual, and when a seen card may return.
  public let policy: DeckPolicy

  /// A deck of people when `isMutual`, else of things.
  public init(
    isMutual: Bool = true, negativeReturnsAfter: Int64? = nil, neutralReturnsAfter: Int64? = nil
  ) {
    policy = DeckPolicy(
      isMutual: isMutual, negativeReturnsAfter: negativeReturnsAfter,
      neutralReturnsAfter: neutralReturnsAfter)
  }

  /// The card's identity.
  public func id(of card: ToyCard) -> CardID { card.id }

  /// `group`, `weight` and `tags`.
  public var columns: [ColumnDeclaration<ToyCard>] {
    [
      .category("group") { $0.group }, .float("weight") { $0.weight }, .tags("tags") { $0.tags },
    ]
  }

  /// A like is positive, a pass negative, a skip neither.
  public func meaning(of answer: ToyAnswer) -> AnswerMeaning {
    switch answer {
    case .like: .positive
    case .pass: .negative
    case .skip: .neutral
    }
  }

  /// The bytes of a card.
  public func encode(_ card: ToyCard) -> [UInt8] {
    var writer = ByteWriter()
    writer.blob(card.id.bytes)
    writer.text(card.group ?? "")
    writer.optionalDouble(card.weight)
    writer.count(card.tags.count)
    for tag in card.tags { writer.text(tag) }
    return writer.bytes
  }

  /// The card back from its bytes.
  public func decode(_ bytes: [UInt8]) throws -> ToyCard {
    var reader = ByteReader(bytes)
    let id = CardID(bytes: try reader.blob())
    let group = try reader.text()
    let weight = try reader.optionalDouble()
    var tags: [String] = []
    for _ in 0..<(try reader.count()) { tags.append(try reader.text()) }
    return ToyCard(id, group: group.isEmpty ? nil : group, weight: weight, tags: tags)
  }
}

/// A match is a like of both.
public struct BothLikeRule: MatchRule {
  /// Needs nothing.
  public init() {}

  /// Whether both answers are positive.
  public func isMatch(_ circumstances: MatchCircumstances) -> Bool {
    circumstances.meaning == .positive && circumstances.reverse == .positive
  }
}

/// A match is a like.
public struct LikeRule: MatchRule {
  /// Needs nothing.
  public init() {}

  /// Whether the answer is positive.
  public func isMatch(_ circumstances: MatchCircumstances) -> Bool {
    circumstances.meaning == .positive
  }
}
