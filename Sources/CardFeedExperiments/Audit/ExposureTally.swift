internal import CardFeed

/// What the log says of each card in a window of time.
struct ExposureTally {
  /// Of one person.
  struct Person: Equatable {
    var isPresent = true
    /// How often they were shown.
    var shown = 0
    /// Answers about them that stand.
    var answers = 0
    /// Those of them that are positive.
    var likes = 0
    /// Matches that stand and were made in the window.
    var matches = 0
  }

  /// By row.
  private(set) var people: [Person]

  private let counting: ExposureAudit.Counting
  private let since: Timestamp?
  private let until: Timestamp
  private let numbers: [CardNumber]
  private let rows: [CardNumber: Int]

  private static let pageSize = 10_000

  init<D: Deck>(
    _ table: CardTable<D>, counting: ExposureAudit.Counting, since: Timestamp?, until: Timestamp
  ) {
    people = (0..<table.count).map { Person(isPresent: table.isAvailable(Row($0))) }
    numbers = (0..<table.count).map { table.number(at: Row($0)) }
    rows = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
    self.counting = counting
    self.since = since
    self.until = until
  }

  mutating func read(
    _ store: some FeedStore, progress: @Sendable (_ done: Int, _ total: Int) -> Void
  ) async throws {
    let end = try await store.lastPosition()
    var position = LogPosition.start
    while position < end {
      try Task.checkCancellation()
      let page = try await store.events(after: position, limit: Self.pageSize)
      guard let last = page.last?.position else { break }
      for event in page where event.position <= end && isInside(event.time) {
        try await count(event, store)
      }
      position = last
      progress(Int(min(position, end).rawValue), Int(end.rawValue))
    }
    for row in people.indices where people[row].isPresent {
      let matches = try await store.matches(of: numbers[row])
      people[row].matches = matches.count { isInside($0.time) }
    }
  }

  private func isInside(_ time: Timestamp) -> Bool {
    time <= until && since.map { time > $0 } ?? true
  }

  private mutating func count(_ event: LoggedEvent, _ store: some FeedStore) async throws {
    switch event.kind {
    case .impression where counting == .impressions:
      if let row = event.card.flatMap({ rows[$0] }) { people[row].shown += 1 }
    case .deal where counting == .deals:
      for exposure in try await store.exposures(of: event.position) {
        if let row = rows[exposure.card] { people[row].shown += 1 }
      }
    case .swipe:
      guard !event.isRewound, let row = event.card.flatMap({ rows[$0] }) else { return }
      people[row].answers += 1
      if event.meaning == .positive { people[row].likes += 1 }
      if counting == .answers { people[row].shown += 1 }
    default: return
    }
  }
}
