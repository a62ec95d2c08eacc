/// Who asks for a quota, and when.
public struct QuotaContext<D: Deck>: Sendable {
  /// The viewer.
  public let viewer: ViewerID
  /// The viewer's own row, in a deck where viewers are cards.
  public let row: Row?
  /// The cards, as columns.
  public let table: CardTable<D>
  /// The moment, on the feed's clock.
  public let now: Timestamp

  package init(viewer: ViewerID, row: Row?, table: CardTable<D>, now: Timestamp) {
    self.viewer = viewer
    self.row = row
    self.table = table
    self.now = now
  }
}

/// How many answers a viewer may give in a span of time.
public struct QuotaLimit: Hashable, Sendable {
  /// The raw values of the answers that count, together.
  public let answers: [String]
  /// How many of them, 0 or more.
  public let most: Int
  /// When they count; holds the moment that was asked about. Spans of a viewer do not overlap.
  public let span: Range<Timestamp>

  /// How many answers a viewer may give in a span of time.
  public init(answers: [String], most: Int, span: Range<Timestamp>) {
    precondition(most >= 0, "A quota is 0 answers or more; got \(most).")
    precondition(!span.isEmpty, "The span of a quota must not be empty.")
    self.answers = answers
    self.most = most
    self.span = span
  }
}

/// Says how many answers of which kind a viewer may give, and within which span of time. It does not
/// count: the feed does, exactly, on its own clock.
///
/// Counted are the swipes of hands that stand: a rewind gives back what its swipe took. Swipes that
/// happened elsewhere and are recorded are neither counted nor refused.
public protocol QuotaStrategy<D>: Strategy {
  /// What holds for a viewer at a moment; nil is no limit. Called once or a few times for a swipe:
  /// it must be pure and quick, and where it cannot find something out, it must have an answer.
  func limit(for context: QuotaContext<D>) -> QuotaLimit?
}

/// What is left of a quota.
public struct Allowance: Hashable, Sendable {
  /// The quota's name in the configuration.
  public let quota: String
  /// The raw values of the answers that count, together.
  public let answers: [String]
  /// How many of them in the span.
  public let limit: Int
  /// How many of them were given.
  public let used: Int
  /// When the span began.
  public let start: Timestamp
  /// When it ends and the next one begins.
  public let end: Timestamp

  /// How many answers are left.
  public var remaining: Int { max(0, limit - used) }

  init(_ limit: QuotaLimit, of quota: String, used: Int) {
    self.quota = quota
    answers = limit.answers
    self.limit = limit.most
    self.used = used
    start = limit.span.lowerBound
    end = limit.span.upperBound
  }
}
