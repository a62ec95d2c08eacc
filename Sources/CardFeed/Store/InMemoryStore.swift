/// A store in the process' memory: for tests, replays and experiments. Nothing survives the
/// process, and the log grows as long as it lives.
public final class InMemoryStore: TransactionalStore {
  let tables = Lock(InMemoryTransaction())

  /// An empty store.
  public init() {}

  /// Runs `body` with the rows to itself. The rules check before they write, so a transaction
  /// never fails half way and needs no way back.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout InMemoryTransaction) throws -> Result
  ) async throws -> Result {
    try tables.withLock { try body(&$0) }
  }

  func read<Result>(_ body: (InMemoryTransaction) throws -> Result) rethrows -> Result {
    try tables.withLock { try body($0) }
  }

  /// The number of each identifier, in order; made where there is none yet.
  public func numbers(for ids: [CardID]) async throws -> [CardNumber] {
    tables.withLock { tables in ids.map { tables.number(of: $0) } }
  }

  /// The identifier of each number, in order.
  public func ids(for numbers: [CardNumber]) async throws -> [CardID?] {
    read { tables in
      numbers.map { number in
        let index = Int(number.rawValue) - 1
        guard tables.ids.indices.contains(index) else { return nil }
        return tables.ids[index]
      }
    }
  }

  /// Adds or replaces cards.
  public func put(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard] {
    tables.withLock { tables in
      cards.map { card in
        tables.keep(
          card, as: tables.number(of: card.id), isWithdrawn: card.isWithdrawn, at: time)
      }
    }
  }

  /// Replaces cards and leaves them withdrawn or not.
  public func revise(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard?] {
    tables.withLock { tables in
      cards.map { card in
        if let number = card.number, tables.numbers[card.id] != number { return nil }
        let number = tables.number(of: card.id)
        return tables.keep(
          card, as: number, isWithdrawn: tables.cards[number]?.isWithdrawn ?? false, at: time)
      }
    }
  }

  /// Brings withdrawn cards back.
  public func reinstate(_ cards: [CardNumber]) async throws -> [CardNumber] {
    tables.withLock { tables in
      cards.filter { card in
        tables.cards[card]?.isWithdrawn = false
        return tables.cards[card] != nil
      }
    }
  }

  /// Takes cards out of the deck.
  public func withdraw(_ cards: [CardNumber]) async throws {
    tables.withLock { tables in
      for card in cards { tables.cards[card]?.isWithdrawn = true }
    }
  }

  /// The next cards in the order of numbers.
  public func cards(after number: CardNumber?, limit: Int) async throws -> [StoredCard] {
    read { tables in
      let sorted = tables.cardOrder.sorted()
      let rest = sorted.drop { card in number.map { card <= $0 } ?? false }
      return rest.prefix(limit).compactMap { tables.cards[$0] }
    }
  }

  /// What is known of a viewer.
  public func viewer(_ number: ViewerNumber, swipes: Int) async throws -> ViewerRecord {
    read { tables in
      let recent = (tables.swipes[number] ?? []).reversed().lazy.compactMap { position in
        tables.handSwipe(position).flatMap { event in
          event.card.map { card in
            StoredSwipe(
              event: position, card: card, answer: event.answer ?? "", deal: event.about)
          }
        }
      }.prefix(swipes)
      return ViewerRecord(
        seen: tables.folded[number]?.completing(tables.seen[number] ?? [:])
          ?? tables.seen[number] ?? [:],
        stack: tables.stacks[number], recentSwipes: recent.reversed(),
        deals: tables.deals[number] ?? 0)
    }
  }

  /// What others last said of a viewer, newest first.
  public func answersReceived(
    by viewer: ViewerNumber, limit: Int
  ) async throws -> [ReceivedAnswer] {
    read { tables in
      guard let received = tables.received[viewer] else { return [] }
      let newest = received.sorted { $0.value > $1.value }.prefix(limit)
      return newest.compactMap { from, _ in
        tables.seen[from]?[viewer]?.answer.map {
          ReceivedAnswer(from: from, meaning: $0.meaning, time: $0.time)
        }
      }
    }
  }

  /// For each card how many people like it and wait for what it says. O(answers about the cards).
  public func unansweredLikes(of cards: [CardNumber], limit: Int) async throws -> [Int] {
    read { tables in cards.map { tables.unansweredLikes(of: $0, limit: max(0, limit)) } }
  }

  /// The viewer's swipes of hands that stand since a time. O(swipes of the viewer).
  public func handAnswers(
    of viewer: ViewerNumber, since time: Timestamp
  ) async throws -> [DatedAnswer] {
    read { tables in
      (tables.swipes[viewer] ?? []).compactMap { position in
        guard let event = tables.handSwipe(position), event.time >= time else { return nil }
        return DatedAnswer(event: position, answer: event.answer ?? "", time: event.time)
      }
    }
  }

  /// All answers of the viewer that stand. O(swipes of the viewer).
  public func answersGiven(by viewer: ViewerNumber) async throws -> [GivenAnswer] {
    read { tables in
      (tables.swipes[viewer] ?? []).compactMap { position in
        guard let event = tables.stored(position)?.event, let card = event.card,
          let answer = event.answer, let meaning = event.meaning
        else { return nil }
        return GivenAnswer(
          card: card, answer: answer, meaning: meaning, time: event.time, event: position)
      }
    }
  }

  /// Every card that must not meet the viewer.
  public func unsafe(for viewer: ViewerNumber) async throws -> [CardNumber: SafetyStanding] {
    read { $0.standings[viewer] ?? [:] }
  }

  /// The viewer's matches that stand, oldest first.
  public func matches(of viewer: ViewerNumber) async throws -> [StoredMatch] {
    read { tables in
      tables.matches.values.filter { $0.low == viewer || $0.high == viewer }
        .sorted { $0.event < $1.event }
    }
  }

  /// Events after a place in the log.
  public func events(after position: LogPosition, limit: Int) async throws -> [LoggedEvent] {
    read { tables in
      let start = min(Int(position.rawValue), tables.log.count)
      let standing = tables.log[start...].indices.lazy.compactMap { tables.logged(at: $0) }
      return Array(standing.prefix(max(0, limit)))
    }
  }

  /// The exposures of a deal.
  public func exposures(of deal: LogPosition) async throws -> [Exposure] {
    read { $0.exposures[deal] ?? [] }
  }

  /// The last blob of a learner.
  public func learnerBlob(_ learner: String) async throws -> LearnerBlob? {
    read { $0.blobs[learner] }
  }

  /// Replaces a learner's blob.
  public func save(_ blob: LearnerBlob, of learner: String) async throws {
    tables.withLock { $0.blobs[learner] = blob }
  }

  /// What events added for a learner.
  public func learnerDeltas(
    of learner: String, after position: LogPosition, limit: Int
  ) async throws -> [(position: LogPosition, increments: [Increment])] {
    read { tables in
      let rest = tables.deltas.filter { $0.learner == learner && $0.position > position }
      return rest.sorted { $0.position < $1.position }.prefix(limit).map {
        ($0.position, $0.increments)
      }
    }
  }

  /// Stores what swipes of the log add for a learner that was not there.
  public func save(
    _ deltas: [(position: LogPosition, increments: [Increment])], of learner: String
  ) async throws {
    tables.withLock { tables in
      for (position, increments) in deltas {
        tables.insert([LearnerDelta(learner: learner, increments: increments)], of: position)
      }
    }
  }

  /// The place of the last event.
  public func lastPosition() async throws -> LogPosition {
    read { LogPosition(Int64($0.log.count)) }
  }

  /// Compares the pairs' rows with the log.
  public func check() async throws -> [StoreProblem] {
    read { tables in
      var problems: [StoreProblem] = []
      for (viewer, entries) in tables.seen {
        for (card, entry) in entries {
          guard let answer = entry.answer else { continue }
          let swipe = tables.standingSwipe(answer.event)
          if swipe?.viewer != viewer || swipe?.card != card {
            problems.append(
              StoreProblem(part: "seen", description: "an answer has no standing swipe in the log"))
          }
        }
      }
      for match in tables.matches.values where tables.standingSwipe(match.event) == nil {
        problems.append(
          StoreProblem(
            part: "matches", description: "match \(match.event.rawValue) has no standing swipe"))
      }
      return problems
    }
  }

  /// Does nothing: memory needs no closing.
  public func close() async throws {}
}
