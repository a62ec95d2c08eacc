internal import CardFeedStack

/// As of when the cards of a hand were judged last.
struct HandCheck: Equatable {
  /// The version of the table.
  let version: UInt64
  /// Midnight of every zone in use is a whole quarter of an hour of UTC: ages change there.
  let quarterHour: Int64
  /// How often others had replaced or taken back what they said of the viewer.
  let replacedAnswers: Int

  init(version: UInt64, now: Timestamp, replacedAnswers: Int) {
    self.version = version
    quarterHour = now.milliseconds / Self.quarter
    self.replacedAnswers = replacedAnswers
  }

  private static let quarter: Int64 = 15 * 60 * 1000
}

extension FeedEngine {
  /// Takes out of a hand what may not be shown any more, and notes of its past what a rewind may not
  /// show: the swipe can be taken back all the same.
  ///
  /// Cards whose record has changed since the hand was judged last go through the filters again;
  /// all of them do when the viewer's own record has changed, in another quarter of an hour, and
  /// after a restart. Otherwise this compares three numbers, and asks nobody. Where a hard filter
  /// fails, what it should have judged stays and is hidden, until the next such moment, which is the
  /// next operation. A card that is taken out counts as not dealt.
  ///
  /// - Returns: The table by which the hand was judged: what is shown has to be read from it.
  /// - Throws: What the store throws, and a filter's breach of contract. Nothing may be shown then.
  @discardableResult
  func checked(_ session: ViewerSession) async throws -> CardTable<D> {
    let table = catalogue.table
    let now = clock.now
    let check = HandCheck(
      version: table.version, now: now,
      replacedAnswers: session.replacedAnswers.withLock { $0 })
    if session.check == check { return table }
    var found = try await judged(session, at: check, now: now, in: table)
    var past = session.past
    var attempts = 0
    while case let gone = found.gone.subtracting(past), !gone.isEmpty,
      try await !remove(gone.sorted(), from: session, isReturn: true)
    {
      attempts += 1
      guard attempts < 4 else { throw Self.movingHand }
      found = try await judged(session, at: check, now: now, in: table)
      past = session.past
    }
    session.unfitPast.subtract(found.kept)
    session.unfitPast.formUnion(found.gone)
    session.unfitPast.formIntersection(past)
    session.hidden = found.hidden
    // What could not be judged is asked about again.
    if found.hidden.isEmpty { session.check = check }
    return table
  }

  /// The top of the checked hand, after something that counts whatever is found here: nil where the
  /// hand cannot be checked now.
  func checkedTop(of session: ViewerSession) async -> DealtCard<D.Card>? {
    do {
      if !session.isLoaded { try await load(session) }
      let table = try await checked(session)
      return session.stack.top.flatMap { top in
        session.hidden.contains(top.id) ? nil : dealt(top, in: table)
      }
    } catch {
      return nil
    }
  }

  /// Notes that what was said of a person is not what it was, so that their hand is judged anew.
  ///
  /// A card may lie there for a like alone: its own preferences moved since, and neither card changes
  /// when the like is taken back. A hand holds nothing that a hard filter removes, and without this it
  /// would until the next quarter of an hour. A first answer only ever lets more cards in.
  func noteReplacedAnswer(about card: CardNumber) {
    let table = catalogue.table
    guard deck.policy.isMutual, let row = table.row(of: card) else { return }
    sessions.present(table.id(at: row))?.replacedAnswers.withLock { $0 += 1 }
  }

  private func judged(
    _ session: ViewerSession, at check: HandCheck, now: Timestamp, in table: CardTable<D>
  ) async throws -> Judged {
    let last = session.check
    let own = deck.policy.isMutual ? table.row(of: session.number) : nil
    let isAllAsked =
      last.map { last in
        last.quarterHour != check.quarterHour || last.replacedAnswers != check.replacedAnswers
          || own.map { table.hasChanged($0, since: last.version) } ?? deck.policy.isMutual
      } ?? true
    var found = Judged()
    var rows: [Row] = []
    let past = session.past
    let held = session.stack.upcoming + session.stack.history.map(\.card)
    for (card, deal) in held.map({ ($0.id, $0.deal) }) {
      let isPast = past.contains(card)
      guard let row = table.row(of: card), table.isAvailable(row),
        // Who left and came back is dealt anew.
        isPast || last.map({ !table.wasWithdrawn(row, since: $0.version) }) ?? true,
        isPast || session.takenBack.contains(card)
          || table.returned(row).map({ deal > $0 }) ?? true
      else {
        found.gone.insert(card)
        continue
      }
      if isAllAsked || session.unfitPast.contains(card)
        || last.map({ table.hasChanged(row, since: $0.version) }) ?? true
      {
        rows.append(row)
      }
    }
    guard !rows.isEmpty else { return found }
    let pipeline = pipelines.pipeline(for: session.viewer).pipeline
    let asked = try await asked(
      pipeline.filters.filter { $0.strategy.revalidates }, about: rows, for: session,
      seen: session.seenWithoutHand, now: now, in: table)
    found.kept = Set(asked.kept.map { table.number(at: $0) })
    found.hidden = Set(asked.unjudged.map { table.number(at: $0) })
    found.gone.formUnion(
      rows.map { table.number(at: $0) }.filter {
        !found.kept.contains($0) && !found.hidden.contains($0)
      })
    return found
  }

  /// Which of some cards pass some filters, and which a hard one failed to judge.
  func asked(
    _ filters: [Pipeline<D>.Named<any FilterStrategy<D>>], about rows: [Row],
    for session: ViewerSession, seen: [CardNumber: SeenEntry], now: Timestamp,
    in table: CardTable<D>
  ) async throws -> (kept: [Row], unjudged: [Row]) {
    let context = try await context(
      for: session, in: table, needs: filters.reduce(into: []) { $0.formUnion($1.strategy.needs) },
      seen: seen, seed: seed(for: session.viewer, deal: session.deals), now: now)
    var rest = rows
    var unjudged: [Row] = []
    for filter in filters where !rest.isEmpty {
      let slate = Slate(table: table, rows: rest, context: context)
      guard let kept = try await filter.kept(of: slate) else {
        unjudged = rest
        rest = []
        break
      }
      rest = kept
    }
    return (rest, unjudged)
  }
}

/// What became of the cards that were judged again. The three have no card in common.
private struct Judged {
  var kept: Set<CardNumber> = []
  var gone: Set<CardNumber> = []
  var hidden: Set<CardNumber> = []
}

extension ViewerSession {
  /// The cards whose swipes can be taken back.
  fileprivate var past: Set<CardNumber> { Set(stack.history.map(\.card.id)) }

  /// What the viewer and each card had to do with each other, as if the cards of the hand and of its
  /// past were not dealt yet: a card is judged as when it was dealt, and a swiped one as it would
  /// lie there after a rewind. O(cards seen).
  fileprivate var seenWithoutHand: [CardNumber: SeenEntry] {
    var seen = seen
    for card in stack.upcoming { seen[card.id]?.dealtAt = nil }
    for record in stack.history { seen[record.card.id] = nil }
    return seen
  }
}

extension Pipeline.Named {
  /// The cards of a slate that may stay in a hand; nil where a hard filter fails. A soft filter takes
  /// out what its last relaxation would, since a hand may hold what a relaxation has let in.
  fileprivate func kept(of slate: Slate<D>) async throws -> [Row]?
  where S == any FilterStrategy<D> {
    let isHard = strategy.kind == .hard
    let verdicts: [FilterVerdict]
    do {
      verdicts = try await strategy.verdicts(
        for: slate, relaxation: isHard ? 0 : strategy.relaxations)
    } catch {
      return isHard ? nil : slate.rows
    }
    guard verdicts.count == slate.count else {
      throw FeedError(
        .strategyFault,
        "the filter '\(name)' answered with \(verdicts.count) values for a slate of "
          + "\(slate.count) cards",
        hint: "a strategy returns one value for each candidate, in the order of the slate")
    }
    return zip(slate.rows, verdicts).compactMap { row, verdict in
      switch verdict {
      case .keep: row
      case .remove: nil
      case .unavailable: isHard ? nil : row
      }
    }
  }
}
