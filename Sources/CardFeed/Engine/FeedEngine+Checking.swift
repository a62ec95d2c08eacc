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
  /// Takes out of a hand, and out of its past, what may not be shown any more.
  ///
  /// Cards whose record has changed since the hand was judged last go through the filters again;
  /// all of them do when the viewer's own record has changed, in another quarter of an hour, and
  /// after a restart. Otherwise this compares three numbers, and asks nobody.
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
    let gone = try await unfit(of: session, at: check, now: now, in: table)
    if !gone.isEmpty { try await remove(gone, from: session) }
    session.check = check
    return table
  }

  /// The top of the checked hand, after something that counts whatever is found here: nil where the
  /// hand cannot be checked now.
  func checkedTop(of session: ViewerSession) async -> DealtCard<D.Card>? {
    do {
      if !session.isLoaded { try await load(session) }
      let table = try await checked(session)
      return session.stack.top.flatMap { dealt($0, in: table) }
    } catch {
      return nil
    }
  }

  /// Notes that what was said of a person is not what it was: hands may rest on a standing like.
  func noteReplacedAnswer(about card: CardNumber) {
    let table = catalogue.table
    guard deck.policy.isMutual, let row = table.row(of: card) else { return }
    sessions.present(table.id(at: row))?.replacedAnswers.withLock { $0 += 1 }
  }

  private func unfit(
    of session: ViewerSession, at check: HandCheck, now: Timestamp, in table: CardTable<D>
  ) async throws -> [CardNumber] {
    let last = session.check
    let own = deck.policy.isMutual ? table.row(of: session.number) : nil
    let isAllAsked =
      last.map { last in
        last.quarterHour != check.quarterHour || last.replacedAnswers != check.replacedAnswers
          || own.map { table.hasChanged($0, since: last.version) } ?? deck.policy.isMutual
      } ?? true
    var gone: [CardNumber] = []
    var rows: [Row] = []
    for card in session.stack.upcoming.map(\.id) + session.stack.history.map(\.card.id) {
      guard let row = table.row(of: card), table.isAvailable(row),
        // Who left and came back is dealt anew.
        last.map({ !table.wasWithdrawn(row, since: $0.version) }) ?? true
      else {
        gone.append(card)
        continue
      }
      if isAllAsked || last.map({ table.hasChanged(row, since: $0.version) }) ?? true {
        rows.append(row)
      }
    }
    guard !rows.isEmpty else { return gone }
    let kept = Set(try await fit(rows, for: session, now: now, in: table))
    return gone + rows.filter { !kept.contains($0) }.map { table.number(at: $0) }
  }

  /// Which of some cards of a hand and its past pass the filters that are asked again.
  private func fit(
    _ rows: [Row], for session: ViewerSession, now: Timestamp, in table: CardTable<D>
  ) async throws -> [Row] {
    let pipeline = pipelines.pipeline(for: session.viewer).pipeline
    let filters = pipeline.filters.filter { $0.strategy.revalidates }
    let context = try await context(
      for: session, in: table, needs: filters.reduce(into: []) { $0.formUnion($1.strategy.needs) },
      seen: session.seenWithoutHand, seed: seed(for: session.viewer, deal: session.deals), now: now)
    var rest = rows
    for filter in filters where !rest.isEmpty {
      rest = try await filter.kept(
        of: Slate(table: table, rows: rest, context: context))
    }
    return rest
  }
}

extension ViewerSession {
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
  /// The cards of a slate that may stay in a hand. A soft filter takes out what its last relaxation
  /// would, since a hand may hold what a relaxation has let in.
  fileprivate func kept(of slate: Slate<D>) async throws -> [Row]
  where S == any FilterStrategy<D> {
    let isHard = strategy.kind == .hard
    let verdicts: [FilterVerdict]
    do {
      verdicts = try await strategy.verdicts(
        for: slate, relaxation: isHard ? 0 : strategy.relaxations)
    } catch {
      return isHard ? [] : slate.rows
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
