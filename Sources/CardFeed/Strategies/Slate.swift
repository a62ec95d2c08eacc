/// A batch of candidates inside the pipeline: what strategies work on.
///
/// A strategy gets a slate and answers with one value for each candidate, in the same order. It
/// cannot move, drop or add a card.
public struct Slate<D: Deck>: Sendable {
  /// The cards, as columns.
  public let table: CardTable<D>
  /// The candidates' rows, all different.
  public let rows: [Row]
  /// Who looks, when, and what is known of them.
  public let context: DealContext<D>

  package init(table: CardTable<D>, rows: [Row], context: DealContext<D>) {
    self.table = table
    self.rows = rows
    self.context = context
  }

  /// How many candidates there are.
  public var count: Int { rows.count }

  /// The numbers of the candidates, in their order. O(n).
  public var numbers: [CardNumber] { table.numbers(at: rows) }

  func selecting(_ indices: [Int]) -> Slate {
    Slate(table: table, rows: indices.map { rows[$0] }, context: context)
  }
}

/// What a viewer and a card had to do with each other so far.
public struct SeenEntry: Hashable, Sendable {
  /// When the card was last dealt to the viewer by this feed.
  public var dealtAt: Timestamp?
  /// The viewer's last answer that stands.
  public var answer: Answered?

  /// An answer and its moment.
  public struct Answered: Hashable, Sendable {
    /// The raw value of the deck's answer.
    public var answer: String
    /// What it says.
    public var meaning: AnswerMeaning
    /// When the client swiped, never after the feed took the answer.
    public var time: Timestamp
    /// The event that holds it.
    public var event: LogPosition

    /// An answer and its moment.
    public init(answer: String, meaning: AnswerMeaning, time: Timestamp, event: LogPosition) {
      self.answer = answer
      self.meaning = meaning
      self.time = time
      self.event = event
    }
  }

  /// What a viewer and a card had to do with each other.
  public init(dealtAt: Timestamp? = nil, answer: Answered? = nil) {
    self.dealtAt = dealtAt
    self.answer = answer
  }
}

/// What another person said of the viewer.
public struct ReceivedAnswer: Hashable, Sendable {
  /// Who said it.
  public let from: CardNumber
  /// What it says.
  public let meaning: AnswerMeaning
  /// When; never after the feed took the answer.
  public let time: Timestamp

  /// What another person said of the viewer.
  public init(from: CardNumber, meaning: AnswerMeaning, time: Timestamp) {
    self.from = from
    self.meaning = meaning
    self.time = time
  }
}

/// Who a deal is for, when it happens, and what is known of the viewer: the same for every
/// strategy of the deal.
public struct DealContext<D: Deck>: Sendable {
  /// The viewer.
  public let viewer: ViewerID
  /// The viewer's number.
  public let number: ViewerNumber
  /// The viewer's own row, in a deck where viewers are cards.
  public let row: Row?
  /// The deck.
  public let deck: D
  /// The moment of the deal.
  public let now: Timestamp
  /// The seed of everything random in this deal; the same deal has the same seed.
  public let seed: UInt64
  /// What the viewer and each card had to do with each other. Cards that are absent are new.
  public let seen: [CardNumber: SeenEntry]
  /// The latest answers of others about the viewer, newest first. Filled only when a strategy of
  /// the pipeline asks for `ContextNeeds.answersReceived`.
  public let answersReceived: [ReceivedAnswer]
  /// Every answer of the viewer that stands, in the order of the log: the whole of what `seen` has
  /// the end of. Filled only when a strategy of the pipeline asks for `ContextNeeds.answersGiven`.
  public let answersGiven: [GivenAnswer]
  /// What clients showed the viewer, in the order of the log, answered or not. Filled only when a
  /// strategy of the pipeline asks for `ContextNeeds.impressions`.
  public let impressions: [Impression]
  private let likeCounts: LikeCounts

  package typealias LikeCounts =
    @Sendable (_ cards: [CardNumber], _ limit: Int) async throws -> [Int]

  package init(
    viewer: ViewerID, number: ViewerNumber, row: Row?, deck: D, now: Timestamp, seed: UInt64,
    seen: [CardNumber: SeenEntry], answersReceived: [ReceivedAnswer],
    answersGiven: [GivenAnswer] = [], impressions: [Impression] = [],
    unansweredLikes: @escaping LikeCounts
  ) {
    self.viewer = viewer
    self.number = number
    self.row = row
    self.deck = deck
    self.now = now
    self.seed = seed
    self.seen = seen
    self.answersReceived = answersReceived
    self.answersGiven = answersGiven
    self.impressions = impressions
    likeCounts = unansweredLikes
  }

  /// How many people like each of these cards and wait for what it says. The store is asked when
  /// this is called, and never otherwise.
  ///
  /// The numbers tell what other people did: a term of a score that is made of them is private.
  ///
  /// - Parameters:
  ///   - cards: The cards, in any order.
  ///   - limit: The number up to which is counted.
  /// - Returns: One number for each card, in their order.
  /// - Throws: What the store throws.
  public func unansweredLikes(of cards: [CardNumber], limit: Int) async throws -> [Int] {
    let counts = try await likeCounts(cards, limit)
    guard counts.count == cards.count else {
      throw FeedError(
        .strategyFault,
        "a store answered with \(counts.count) numbers of unanswered likes for \(cards.count) cards",
        hint: "unansweredLikes(of:limit:) returns one number for each card, in their order")
    }
    return counts
  }

  /// A seed for one purpose of this deal, independent of the seeds for other purposes.
  public func seed(for purpose: String) -> UInt64 {
    var hash = StableHash()
    hash.combine(seed)
    hash.combine(purpose)
    return hash.value
  }
}

/// What a strategy needs in the context beyond what every deal has.
public struct ContextNeeds: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Wraps bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// What others said of the viewer.
  public static let answersReceived = ContextNeeds(rawValue: 1)
  /// Every answer of the viewer, not only the last one of each card.
  public static let answersGiven = ContextNeeds(rawValue: 2)
  /// What clients showed the viewer.
  public static let impressions = ContextNeeds(rawValue: 4)
}
