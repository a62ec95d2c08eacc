/// What a deal is asked for.
struct DealRequest<D: Deck>: Sendable {
  let pipeline: Pipeline<D>
  let variant: String?
  let table: CardTable<D>
  let context: DealContext<D>
  /// Orders equal scores; the viewer's own, the same for every deal.
  let tieSeed: UInt64
  /// Cards to deal.
  let wanted: Int
  /// Cards that lie in the hand already.
  let inHand: Set<CardNumber>
  /// Where each source goes on, by its place in the pipeline.
  let cursors: [Int: SourceCursor]
  /// Whether the last pass over the sources ended without cards enough. Then a deal may relax what
  /// it has when it has asked often enough; it could never ask to the end.
  let ranDry: Bool
  /// Whether the trace shall name every candidate.
  let namesCandidates: Bool
}

/// A card that a deal has chosen.
struct PlannedCard: Sendable {
  let row: Row
  let number: CardNumber
  let source: String
  let numbers: CandidateNumbers
  let propensity: Double
}

/// What a deal has come to, before it is made durable.
struct DealPlan: Sendable {
  var cards: [PlannedCard] = []
  var shortfall: Shortfall?
  var degradations: [Degradation] = []
  var trace: DealTrace
  /// Where sources go on next time, if the deal stopped with pages left.
  var cursors: [Int: SourceCursor] = [:]
  /// Whether the strict filters left too few cards.
  var ranDry = false
}

/// One run of a pipeline: gathers candidates, filters, scores, chooses; only here do cards move.
///
/// Rounds of (gather, rank, choose) go on until the hand is full or nothing is left, so a card that
/// a late filter takes out is always made up for. Every candidate ends with exactly one fate.
struct DealRun<D: Deck, Clock: FeedClock, Generator: SeededGenerator> {
  let request: DealRequest<D>
  let clock: Clock
  let deadline: UInt64?

  var candidates: CandidateList
  var rounds: [ScoredRound] = []
  var inHandCount = 0
  var proposedCount = 0
  var nextPages: [SourceCursor?]
  var relaxation: [Int]
  var generator: Generator
  var plan: DealPlan

  init(_ request: DealRequest<D>, clock: Clock) {
    self.request = request
    self.clock = clock
    candidates = CandidateList(tableCount: request.table.count)
    deadline = request.pipeline.hand.timeBudget.map {
      clock.uptimeNanoseconds + UInt64($0) * 1_000_000
    }
    nextPages = request.pipeline.sources.indices.map { request.cursors[$0] ?? .start }
    relaxation = Array(repeating: 0, count: request.pipeline.filters.count)
    generator = Generator(seed: request.context.seed(for: "choice"))
    plan = DealPlan(
      trace: DealTrace(
        viewer: request.context.viewer, fingerprint: request.pipeline.fingerprint,
        variant: request.variant))
  }

  var pipeline: Pipeline<D> { request.pipeline }

  /// Runs the deal. Throws only when a strategy breaks its contract.
  mutating func run() async throws -> DealPlan {
    while plan.cards.count < request.wanted {
      try await gather(request.wanted - plan.cards.count)
      let eligible = candidates.eligible
      if eligible.isEmpty { break }
      try await choose(from: try await rank(eligible))
    }
    finish()
    return plan
  }

  /// Whether the time budget is used up; notes the stage that is left out because of it.
  mutating func isOutOfTime(before stage: String) -> Bool {
    guard let deadline, clock.uptimeNanoseconds >= deadline else { return false }
    degrade(.timeBudget(stage: stage))
    return true
  }

  mutating func degrade(_ degradation: Degradation) {
    if !plan.degradations.contains(degradation) { plan.degradations.append(degradation) }
  }

  func slate(_ indices: [Int]) -> Slate<D> {
    Slate(table: request.table, rows: candidates.rows(at: indices), context: request.context)
  }

  func checkLength(_ found: Int, _ expected: Int, _ kind: String, _ name: String) throws {
    guard found == expected else {
      throw FeedError(
        .strategyFault,
        "the \(kind) '\(name)' answered with \(found) values for a slate of \(expected) cards",
        hint: "a strategy returns one value for each candidate, in the order of the slate")
    }
  }

  /// What was computed for a candidate in the last round that it was in.
  func numbers(of index: Int) -> CandidateNumbers? {
    for round in rounds.reversed() {
      if let numbers = round.numbers(of: index) { return numbers }
    }
    return nil
  }

  private mutating func finish() {
    if plan.cards.count < request.wanted {
      let stoppedEarly = plan.degradations.contains { degradation in
        switch degradation {
        case .timeBudget, .batchLimit: true
        case .source, .strategy: false
        }
      }
      // A deal that goes on where another stopped saw the rest of the cards only: what soft filters
      // removed before it, the next pass may relax.
      let sawTheRestOnly =
        !request.cursors.isEmpty && !request.ranDry
        && pipeline.filters.contains {
          $0.strategy.kind == .soft && $0.strategy.relaxations > 0
        }
      plan.shortfall =
        stoppedEarly || sawTheRestOnly
        ? .degraded
        : proposedCount == 0 && request.cursors.isEmpty ? .starved : .exhausted(exhaustion())
    }
    // A deal that stopped in front of further pages lets the next one go on there; otherwise cards
    // behind the limit would never come.
    if plan.cards.count < request.wanted {
      for (index, cursor) in nextPages.enumerated() { plan.cursors[index] = cursor }
    }
    if request.namesCandidates { plan.trace.candidates = candidates.fates.indices.map(describe) }
  }

  private func exhaustion() -> Exhaustion {
    var counts: [Exhaustion.Removal.Key: Int] = [:]
    var nextDue: Timestamp?
    for fate in candidates.fates {
      switch fate {
      case .removed(let filter, let reason, let due):
        let strategy = pipeline.filters[filter]
        counts[.init(strategy.name, text(strategy.strategy.reasons, reason)), default: 0] += 1
        if let due { nextDue = min(nextDue ?? due, due) }
      case .unavailable(let filter):
        counts[.init(pipeline.filters[filter].name, "data unavailable"), default: 0] += 1
      case .withheld(let rule, let reason):
        counts[.init(pipeline.rules[rule].name, reason), default: 0] += 1
      case .unscored: counts[.init("ranking", "unscored"), default: 0] += 1
      case .eligible, .outranked, .dealt: break
      }
    }
    if inHandCount > 0 { counts[.init("hand", "already in the hand")] = inHandCount }
    let removals = counts.map { key, count in
      Exhaustion.Removal(filter: key.filter, reason: key.reason, count: count)
    }
    let sorted = removals.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      if left.filter != right.filter { return left.filter < right.filter }
      return left.reason < right.reason
    }
    return Exhaustion(removed: sorted, nextDue: nextDue)
  }

  private func text(_ reasons: [String], _ index: Int) -> String {
    reasons.indices.contains(index) ? reasons[index] : "reason \(index)"
  }

  private func describe(_ index: Int) -> DealTrace.Candidate {
    let fate: CandidateFate =
      switch candidates.fates[index] {
      case .eligible: .notReached
      case .removed(let filter, let reason, let due):
        .removed(
          filter: pipeline.filters[filter].name,
          reason: text(pipeline.filters[filter].strategy.reasons, reason), due: due)
      case .unavailable(let filter): .unavailable(filter: pipeline.filters[filter].name)
      case .withheld(let rule, let reason):
        .withheld(rule: pipeline.rules[rule].name, reason: reason)
      case .unscored: .unscored
      case .outranked(let rank): .outranked(rank: rank)
      case .dealt(let place): .dealt(place: place)
      }
    return DealTrace.Candidate(
      id: request.table.id(at: candidates.rows[index]),
      source: pipeline.sources[candidates.sources[index]].name,
      fate: fate, numbers: numbers(of: index))
  }
}

extension Exhaustion.Removal {
  fileprivate struct Key: Hashable {
    let filter: String
    let reason: String

    init(_ filter: String, _ reason: String) {
      self.filter = filter
      self.reason = reason
    }
  }
}
