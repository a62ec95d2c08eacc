public import CardFeed

/// What every strategy promises, whatever it computes: one answer for each candidate, in order,
/// depending on the candidate and not on its place, the same whenever asked again.
///
/// Framework-free: each function returns what it found wrong, an empty list when all is well. A
/// strategy whose answer for one card depends on the other cards of the slate (a ranking with
/// slate statistics) still must not depend on their order.
public enum StrategyConformance {
  /// A slate to test strategies with.
  ///
  /// - Parameters:
  ///   - cards: The table, in this order; every card is a candidate unless `candidates` says less.
  ///   - deck: The deck.
  ///   - viewer: Who looks.
  ///   - now: The moment of the deal.
  ///   - seed: The seed of the deal.
  ///   - candidates: Indices into `cards`, all different.
  ///   - seen: What the viewer and cards had to do with each other, by card.
  ///   - received: What others said of the viewer, newest first.
  ///   - changed: When cards last changed; not known of the others.
  ///   - waiting: How many people like each card and wait for what it says; 0 for the others.
  /// - Returns: A slate over a table in which cards and viewer have numbers from 1 upwards.
  public static func slate<D: Deck>(
    of cards: [D.Card], deck: D, viewer: ViewerID,
    now: Timestamp = Timestamp(milliseconds: 1_000_000_000_000), seed: UInt64 = 1,
    candidates: [Int]? = nil, seen: [CardID: SeenEntry] = [:],
    received: [(from: CardID, meaning: AnswerMeaning, time: Timestamp)] = [],
    changed: [CardID: Timestamp] = [:], waiting: [CardID: Int] = [:]
  ) -> Slate<D> {
    let numbered = cards.enumerated().map { (card: $1, number: CardNumber(Int64($0 + 1))) }
    let changes = numbered.compactMap { card, number in
      changed[deck.id(of: card)].map { (number, $0) }
    }
    let table = CardTable<D>.make(
      numbered, changed: Dictionary(changes) { _, last in last }, deck: deck)
    // In a deck of things a viewer with a card's identifier is somebody else.
    let row = deck.policy.isMutual ? table.row(of: viewer) : nil
    func number(_ id: CardID) -> CardNumber? { table.row(of: id).map { table.number(at: $0) } }
    let context = DealContext<D>(
      viewer: viewer,
      number: row.map { table.number(at: $0) } ?? CardNumber(Int64(cards.count + 1)), row: row,
      deck: deck, now: now, seed: seed,
      seen: Dictionary(
        uniqueKeysWithValues: seen.compactMap { id, entry in number(id).map { ($0, entry) } }),
      answersReceived: received.compactMap { answer in
        number(answer.from).map {
          ReceivedAnswer(from: $0, meaning: answer.meaning, time: answer.time)
        }
      },
      unansweredLikes: { cards, limit in
        cards.map { card in
          min(limit, table.row(of: card).flatMap { waiting[table.id(at: $0)] } ?? 0)
        }
      })
    let places = candidates ?? Array(cards.indices)
    return Slate(table: table, rows: places.map { Row($0) }, context: context)
  }

  /// What is wrong with a filter.
  public static func violations<D: Deck>(
    of filter: some FilterStrategy<D>, on slate: Slate<D>
  ) async -> [ConformanceViolation] {
    var found: [ConformanceViolation] = []
    var earlier: [FilterVerdict]?
    for relaxation in 0...filter.relaxations {
      let verdicts: @Sendable (Slate<D>) async throws -> [FilterVerdict] = {
        try await filter.verdicts(for: $0, relaxation: relaxation)
      }
      found += await violations(on: slate, verdicts)
      guard let now = try? await verdicts(slate) else { continue }
      for case .remove(let reason, _) in now where !filter.reasons.indices.contains(reason) {
        found.append(
          .init(
            check: "every removal has a reason that the filter lists",
            finding: "reason \(reason) of \(filter.reasons.count)"))
      }
      if let earlier, zip(earlier, now).contains(where: { $0 == .keep && $1 != .keep }) {
        found.append(
          .init(
            check: "a higher relaxation never removes a card that a lower one kept",
            finding: "relaxation \(relaxation) removed one"))
      }
      earlier = now
    }
    if filter.kind == .hard, filter.relaxations > 0 {
      found.append(
        .init(
          check: "a hard filter is never relaxed",
          finding: "it announces \(filter.relaxations) relaxations"))
    }
    return found
  }

  /// What is wrong with an estimator of P(match).
  public static func violations<D: Deck>(
    of strategy: some MatchProbabilityStrategy<D>, on slate: Slate<D>
  ) async -> [ConformanceViolation] {
    await violations(on: slate) { slate in
      let estimates = try await strategy.estimates(for: slate)
      return (0..<estimates.count).map { estimates[$0] }
    }
  }

  /// What is wrong with a ranking. `estimates` are P(match) by index into the slate, or nil for a
  /// slate without estimates.
  public static func violations<D: Deck>(
    of strategy: some RankingStrategy<D>, on slate: Slate<D>, estimates: MatchEstimates? = nil
  ) async -> [ConformanceViolation] {
    let known = Dictionary(
      uniqueKeysWithValues: slate.rows.enumerated().map { index, row in
        (row, estimates?[index] ?? MatchEstimate(match: nil))
      })
    let scores: @Sendable (Slate<D>) async throws -> SlateScores = { slate in
      var estimates = MatchEstimates(count: slate.count)
      for (index, row) in slate.rows.enumerated() {
        estimates[index] = known[row] ?? MatchEstimate(match: nil)
      }
      return try await strategy.scores(for: slate, estimates: estimates)
    }
    var found = await violations(on: slate) { slate in
      // Bit patterns, so that NaN equals NaN and nothing else.
      try await scores(slate).values.map(\.bitPattern)
    }
    guard let all = try? await scores(slate) else { return found }
    if let bad = all.values.first(where: { $0.isInfinite }) {
      found.append(.init(check: "every score is finite or NaN", finding: "\(bad)"))
    }
    for term in all.terms where term.values.count != slate.count {
      found.append(
        .init(
          check: "every term has one value for each candidate",
          finding: "\(term.values.count) values for \(slate.count) candidates"))
    }
    for term in all.terms where term.values.contains(where: \.isInfinite) {
      found.append(
        .init(check: "every term is finite or NaN", finding: "an infinite value in a term"))
    }
    return found
  }

  /// The promises that all kinds share, over one answer for each candidate.
  private static func violations<D: Deck, Answer: Equatable>(
    on slate: Slate<D>, _ answers: @Sendable (Slate<D>) async throws -> [Answer]
  ) async -> [ConformanceViolation] {
    var found: [ConformanceViolation] = []
    func check(_ name: String, _ body: () async throws -> Void) async {
      do { try await body() } catch {
        found.append(ConformanceViolation(check: name, finding: "\(error)"))
      }
    }
    await check("there is one answer for each candidate") {
      for count in Set([0, 1, slate.count / 2, slate.count]).sorted() where count <= slate.count {
        let part = slate.permuted(Array(0..<count))
        try requireEqual(try await answers(part).count, count, "answers")
      }
    }
    await check("asking twice gives the same answers") {
      let first = try await answers(slate)
      try require(try await answers(slate) == first, "the second answer differs")
    }
    await check("permuting a slate permutes its answers") {
      let straight = try await answers(slate)
      guard straight.count == slate.count else { return }
      var generator = SplitMix64(seed: 0x5eed)
      for round in 0..<6 {
        var order = Array(0..<slate.count)
        if round == 0 { order.reverse() } else { order.shuffle(with: &generator) }
        let permuted = try await answers(slate.permuted(order))
        try require(
          permuted == order.map { straight[$0] },
          "the answers do not follow the candidates in permutation \(round)")
      }
    }
    return found
  }
}

extension Slate {
  fileprivate func permuted(_ order: [Int]) -> Slate {
    Slate(table: table, rows: order.map { rows[$0] }, context: context)
  }
}

extension Array {
  /// Fisher–Yates with this package's own draws: the same seed gives the same order everywhere.
  fileprivate mutating func shuffle(with generator: inout SplitMix64) {
    guard count > 1 else { return }
    for last in (1..<count).reversed() { swapAt(last, generator.index(below: last + 1)) }
  }
}
