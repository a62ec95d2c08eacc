/// Candidates in their final order, with how the hand is drawn from it.
struct RankedCandidates {
  /// Indices into the run's candidates, best first.
  var order: [Int]
  /// Scores by index; NaN is unscored.
  var scores: [Double]
  var exploration: Exploration?
  /// Whether the order is by score. Without a ranking it is the order of the sources, which no
  /// penalty may change.
  var isScored = true
}

/// What a round computed for its candidates.
struct ScoredRound {
  /// Indices into the run's candidates, ascending.
  let candidates: [Int]
  let estimates: MatchEstimates
  let scores: SlateScores
  /// Scores by index after the slate rules; NaN is unscored.
  let final: [Double]

  /// The numbers of a candidate, or nil if it was not in this round. O(log n).
  func numbers(of index: Int) -> CandidateNumbers? {
    var low = 0
    var high = candidates.count
    while low < high {
      let middle = (low + high) / 2
      if candidates[middle] < index { low = middle + 1 } else { high = middle }
    }
    guard low < candidates.count, candidates[low] == index else { return nil }
    return scores.numbers(at: low, estimate: estimates[low], score: final[index])
  }
}

/// The one total order: score, then the tie-break, then the identifier.
enum CandidateOrder {
  private struct Key {
    let index: Int
    let place: Int
    let score: Double
    let tie: UInt64
  }

  /// Indices in order. `scores` is by index; `rows` go with `indices`. Identifiers are read only
  /// where scores and tie-breaks are equal.
  static func sorted(
    _ indices: [Int], scores: [Double], rows: [Row], of table: CardTableIndex, tieSeed: UInt64?
  ) -> [Int] {
    let keys = indices.enumerated().map { place, index in
      let number = UInt64(bitPattern: table.numbers[rows[place].index].rawValue)
      let tie = tieSeed.map { SplitMix64.mix($0 ^ SplitMix64.mix(number)) } ?? 0
      let score = scores[index]
      return Key(
        index: index, place: place, score: score.isNaN ? -.infinity : score, tie: tie)
    }
    let ordered = keys.sorted { left, right in
      if left.score != right.score { return left.score > right.score }
      if left.tie != right.tie { return left.tie < right.tie }
      return table.ids[rows[left.place].index] < table.ids[rows[right.place].index]
    }
    return ordered.map { $0.index }
  }
}

extension DealRun {
  /// Estimates, scores and orders candidates, and lets the slate rules change that.
  mutating func rank(_ eligible: [Int]) async throws -> RankedCandidates {
    let slate = slate(eligible)
    let estimates = try await estimates(for: slate)
    var values = Array(repeating: Double.nan, count: candidates.count)
    guard let scores = try await scores(for: slate, estimates: estimates) else {
      var unranked = RankedCandidates(order: eligible, scores: values, isScored: false)
      for rule in pipeline.rules.indices { try await apply(rule, to: &unranked) }
      note(eligible, estimates, SlateScores(values: []), values)
      return unranked
    }
    for (place, index) in eligible.enumerated() where scores.values[place].isFinite {
      values[index] = scores.values[place]
    }
    var scored = eligible
    if pipeline.hand.unscored == .exclude {
      for index in eligible where values[index].isNaN { candidates.fates[index] = .unscored }
      scored.removeAll { values[$0].isNaN }
    }
    var ranked = RankedCandidates(order: sorted(scored, by: values), scores: values)
    for rule in pipeline.rules.indices { try await apply(rule, to: &ranked) }
    note(eligible, estimates, scores, ranked.scores)
    return ranked
  }

  private mutating func estimates(for slate: Slate<D>) async throws -> MatchEstimates {
    let named = pipeline.matchProbability
    if isOutOfTime(before: named.name) { return MatchEstimates(count: slate.count) }
    var stage = DealTrace.Stage(.matchProbability, named.name, entered: slate.count)
    var estimates = MatchEstimates(count: slate.count)
    do {
      estimates = try await named.strategy.estimates(for: slate)
    } catch {
      stage.failure = "the strategy failed"
      degrade(.strategy(name: named.name))
    }
    try checkLength(estimates.count, slate.count, "match probability", named.name)
    stage.unscored = estimates.unknownCount
    stage.note = estimates.note
    plan.trace.stages.append(stage)
    return estimates
  }

  /// Nil when the stage was left out; the candidates then keep the order of their sources.
  private mutating func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores? {
    let named = pipeline.ranking
    if isOutOfTime(before: named.name) { return nil }
    var stage = DealTrace.Stage(.ranking, named.name, entered: slate.count)
    var scores: SlateScores?
    do {
      scores = try await named.strategy.scores(for: slate, estimates: estimates)
    } catch {
      stage.failure = "the strategy failed"
      degrade(.strategy(name: named.name))
    }
    if let scores {
      try checkLength(scores.values.count, slate.count, "ranking", named.name)
      for term in scores.terms {
        try checkLength(term.values.count, slate.count, "ranking", named.name)
      }
      stage.unscored = scores.values.count { !$0.isFinite }
    }
    plan.trace.stages.append(stage)
    return scores
  }

  /// The one total order: score, then the tie-break, then the identifier.
  private func sorted(_ indices: [Int], by values: [Double]) -> [Int] {
    let tieSeed = pipeline.hand.ties == .seeded ? request.tieSeed : nil
    return CandidateOrder.sorted(
      indices, scores: values, rows: candidates.rows(at: indices), of: request.table.index,
      tieSeed: tieSeed)
  }

  private mutating func apply(_ rule: Int, to ranked: inout RankedCandidates) async throws {
    let named = pipeline.rules[rule]
    if isOutOfTime(before: named.name) { return }
    var stage = DealTrace.Stage(.slateRule, named.name, entered: ranked.order.count)
    defer { plan.trace.stages.append(stage) }
    let adjustment: SlateAdjustment
    do {
      adjustment = try await named.strategy.adjustment(
        for: RankedSlate(
          slate: slate(ranked.order),
          scores: ranked.order.map { Score(ranked.scores[$0]).value },
          wanted: request.wanted - plan.cards.count,
          held: request.inHand.union(plan.cards.map(\.number))))
    } catch {
      stage.failure = "the rule failed"
      return degrade(.strategy(name: named.name))
    }
    if !adjustment.penalties.isEmpty {
      try checkLength(
        adjustment.penalties.count, ranked.order.count, "slate rule", named.name)
      guard adjustment.penalties.allSatisfy({ $0 >= 0 && $0.isFinite }) else {
        throw FeedError(
          .strategyFault, "the slate rule '\(named.name)' gave a penalty below 0 or not finite",
          hint: "a penalty is subtracted from a score and must be 0 or more")
      }
      for (place, index) in ranked.order.enumerated() {
        ranked.scores[index] -= adjustment.penalties[place]
      }
    }
    try check(adjustment.exploration, of: named.name)
    for (place, reason) in adjustment.withheld where ranked.order.indices.contains(place) {
      candidates.fates[ranked.order[place]] = .withheld(rule: rule, reason: reason)
      stage.removed += 1
    }
    ranked.order = ranked.order.enumerated()
      .filter { adjustment.withheld[$0.offset] == nil }.map(\.element)
    if ranked.isScored, !adjustment.penalties.isEmpty {
      ranked.order = sorted(ranked.order, by: ranked.scores)
    }
    stage.kept = ranked.order.count
    ranked.exploration = adjustment.exploration ?? ranked.exploration
  }

  private func check(_ exploration: Exploration?, of rule: String) throws {
    let allowed: String
    switch exploration {
    case nil: return
    case .epsilon(let epsilon):
      if (0...1).contains(epsilon) { return }
      allowed = "epsilon is a probability, 0 … 1"
    case .softmax(let temperature):
      if temperature > 0 { return }
      allowed = "a temperature is greater than 0"
    }
    throw FeedError(
      .strategyFault, "the slate rule '\(rule)' asked for an exploration out of its range",
      hint: allowed)
  }

  /// Keeps what was computed for candidates; their numbers are only put together for those that
  /// somebody asks about.
  private mutating func note(
    _ eligible: [Int], _ estimates: MatchEstimates, _ scores: SlateScores,
    _ final: [Double]
  ) {
    rounds.append(
      ScoredRound(candidates: eligible, estimates: estimates, scores: scores, final: final))
  }

  /// Draws cards until the hand is full or the order is empty. Each draw passes the hard filters
  /// once more; what they take out is made up for from the rest of the order.
  mutating func choose(from ranked: RankedCandidates) async throws {
    var ranked = ranked
    while plan.cards.count < request.wanted, !ranked.order.isEmpty {
      let missing = min(request.wanted - plan.cards.count, ranked.order.count)
      var drawn: [(index: Int, propensity: Double)] = []
      for _ in 0..<missing { drawn.append(draw(from: &ranked)) }
      var survivors = drawn.map(\.index)
      for filter in pipeline.filters.indices where !survivors.isEmpty {
        guard pipeline.filters[filter].strategy.kind == .hard else { continue }
        survivors = try await apply(filter, to: survivors, as: .lateFilter)
      }
      let surviving = Set(survivors)
      for (index, propensity) in drawn where surviving.contains(index) {
        candidates.fates[index] = .dealt(place: plan.cards.count)
        plan.cards.append(
          PlannedCard(
            row: candidates.rows[index], number: request.table.number(at: candidates.rows[index]),
            source: pipeline.sources[candidates.sources[index]].name,
            numbers: numbers(of: index)
              ?? CandidateNumbers(
                estimate: MatchEstimate(match: nil), score: .unscored, terms: []),
            propensity: propensity))
      }
    }
    for (rank, index) in ranked.order.enumerated() {
      candidates.fates[index] = .outranked(rank: plan.cards.count + rank)
    }
  }

  /// Takes one candidate out of the order, with the probability of that choice.
  private mutating func draw(from ranked: inout RankedCandidates) -> (index: Int, Double) {
    let count = ranked.order.count
    switch ranked.exploration {
    case nil: return (ranked.order.removeFirst(), 1)
    case .epsilon(let epsilon):
      let explores = generator.unitInterval() < epsilon
      let place = explores ? generator.index(below: count) : 0
      let greedy = place == 0 ? 1 - epsilon : 0
      return (ranked.order.remove(at: place), greedy + epsilon / Double(count))
    case .softmax(let temperature):
      let scored = ranked.order.prefix { !ranked.scores[$0].isNaN }
      guard let best = scored.first.map({ ranked.scores[$0] }) else {
        return (ranked.order.removeFirst(), 1)
      }
      let weights = scored.map { exponential((ranked.scores[$0] - best) / temperature) }
      let total = weights.reduce(0, +)
      var rest = generator.unitInterval() * total
      var place = 0
      while place < weights.count - 1, rest >= weights[place] {
        rest -= weights[place]
        place += 1
      }
      return (ranked.order.remove(at: place), weights[place] / total)
    }
  }
}
