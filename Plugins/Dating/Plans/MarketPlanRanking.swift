public import CardFeed
internal import CardFeedCalendar
internal import CardFeedTwoSidedMarket

/// Deals from lists that were made for everybody at once.
///
/// Who is first in many lists cannot answer everybody, and two people match only if both look. So
/// the best order for one viewer depends on all other orders, and a plan makes them together: over
/// all pairs who may meet by the pipeline's own filters, with the pipeline's own match probability.
/// A training makes the plan; `feed.train()` every night, say. In a deal the cards of the viewer's
/// list come first, in its order; all others, and people who came since, follow in the order of
/// another ranking. Filters go on to decide who may be dealt, so what was swiped, blocked or changed
/// since is honoured at once.
///
/// Four strategies are methods of it: `transferable-utility` (Choo & Siow 2006; as lists Tomita,
/// Togashi, Moriwaki, RecSys 2022), `best-response`, `nash-welfare` (Tomita & Yokoyama, RecSys
/// 2024), and `most-compatible`, one stable partner for each on each day of the viewer's zone, whom they
/// meet first, both on the same date (Gale & Shapley 1962; `DailyPairs`). A training within a day keeps
/// the partners of that day; of the days after it makes new ones. The algorithms are those of `CardFeedTwoSidedMarket` in a
/// `MatchingPool`, which takes populations of two sides, of one, and mixed ones.
///
/// When not to use it: where answers matter more than lists. A like that waits for an answer is not
/// in the plan; `likers-first` with a plan as its `then` puts it in front.
///
/// Deliberately absent: numbers that place a newcomer between two trainings. Nobody has looked for
/// their place in anybody's list yet, so they stand where the other ranking puts them.
public struct MarketPlanRanking: RankingStrategy, TrainableStrategy {
  /// The deck of people.
  public typealias D = DatingDeck

  let method: MarketPlanMethod
  private let inner: any RankingStrategy<DatingDeck>
  private let candidates: Int
  private let localDay: LocalDay
  /// Where the current plan lies.
  public let slot: ModelSlot<MarketPlan>

  init(
    _ method: MarketPlanMethod, then inner: any RankingStrategy<DatingDeck>, candidates: Int,
    zone: ZoneRules = .utc, slot: ModelSlot<MarketPlan>
  ) {
    localDay = LocalDay(zone: zone)
    self.method = method
    self.inner = inner
    self.candidates = candidates
    self.slot = slot
  }

  /// What decides what a fit does.
  ///
  /// - Parameters:
  ///   - method: How lists are made.
  ///   - candidates: How many of each person's likeliest matches are looked at.
  ///   - eligibility: Identifies the filters and the match probability of the pipeline.
  static func identity(_ method: MarketPlanMethod, candidates: Int, eligibility: String) -> String {
    "\(method.name)/1 candidates=\(candidates) \(method.settings) eligibility=\(eligibility)"
  }

  /// What the other ranking needs.
  public var needs: ContextNeeds { inner.needs }

  /// Those of the other ranking.
  public var learners: [any Learner<DatingDeck>] { inner.learners }

  /// Itself, and those of the other ranking.
  public var trainables: [any TrainableStrategy<DatingDeck>] { [self] + inner.trainables }

  /// What the other ranking scores.
  public var scored: [String] { inner.scored }

  /// Whom everybody may meet, and how likely matches are.
  public var asksPipeline: Bool { true }

  /// Makes the plan. O(people²) questions about pairs and O(people · candidates) memory, then some
  /// dozen passes over the pairs that are left.
  ///
  /// - Throws: `FeedError.Code.training` without a pipeline to ask; what the pipeline throws.
  public func fit(
    _ history: TrainingHistory<DatingDeck>, progress: TrainingProgress
  ) async throws -> MarketPlan {
    guard let pipeline = history.pipeline else {
      throw FeedError(
        .training, "'\(method.name)' makes a plan for a pipeline, and there is none to ask",
        hint: "train it as part of a feed, with feed.train() or cardfeed train")
    }
    let people = MarketPlanPool(history, pipeline, candidates: candidates)
    var steps = 0
    let pause = {
      steps += 1
      // A method takes as many steps as it needs; the number is a guess.
      try await progress.step(steps, of: max(steps, people.steps + 100))
    }
    let pool = try await people.pool(pause: pause)
    if case .mostCompatible(let preference, let days) = method {
      return try await daily(pool, people.ids, preference, days: days, history, pause)
    }
    let lists = try await method.lists(in: pool, length: candidates, pause: pause)
    return MarketPlan(
      ids: people.ids,
      lists: people.ids.indices.map { person in
        lists[person].map { (member: Int32($0.member), score: $0.score) }
      })
  }

  /// Partners from the earliest day that it is for anybody, and for `days` days from the latest one on.
  /// What people have been told stays: days that have begun for anybody are the earlier plan's.
  private func daily(
    _ pool: MatchingPool, _ ids: [CardID], _ preference: PoolPairs.Preference, days: Int,
    _ history: TrainingHistory<DatingDeck>, _ pause: () async throws -> Void
  ) async throws -> MarketPlan {
    let table = history.table
    let begun = ids.compactMap { table.row(of: $0) }
      .map { localDay.number(of: $0, in: table, at: history.now) }
    let today = begun.max() ?? DayCounts.day(of: history.now)
    let range = (begun.min() ?? today)..<today + Int64(days)
    let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    var fixed: [Int64: [Int: Int?]] = [:]
    var met: Set<MeetingPair> = []
    for (person, id) in ids.enumerated() {
      for entry in slot.model?.list(of: id) ?? [] {
        guard let day = DailyPairs.day(ofScore: entry.score) else { continue }
        let partner = places[entry.id]
        if day <= today { fixed[day, default: [:]][person] = .some(partner) }
        if day < range.lowerBound, let partner { met.insert(MeetingPair(person, partner)) }
      }
    }
    let lists = try await DailyPairs(pool, by: preference).lists(
      days: range, fixed: fixed, met: met, pause: pause)
    return MarketPlan(ids: ids, lists: lists)
  }

  /// Whom the plan has for a viewer at a moment, best first; nil if it does not know them.
  func list(
    of viewer: Row, in table: CardTable<DatingDeck>, at now: Timestamp
  ) -> [MarketPlan.Entry]? {
    guard let list = slot.model?.list(of: table.id(at: viewer)) else { return nil }
    guard case .mostCompatible = method else { return list }
    let score = DailyPairs.score(of: localDay.number(of: viewer, in: table, at: now))
    return list.filter { $0.score == score }
  }

  /// The scores of the plan, and below them those of the other ranking. Without a plan for the
  /// viewer the other ranking's. O(n + candidates), and the other ranking.
  public func scores(
    for slate: Slate<DatingDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let scores = try await inner.scores(inside: method.name, for: slate, estimates: estimates)
    guard let planned = planned(slate) else { return scores }
    return Self.combined(scores, rows: slate.rows, planned: planned)
  }

  /// What the plan scores for the viewer.
  private func planned(_ slate: Slate<DatingDeck>) -> [Row: Double]? {
    guard let viewer = slate.context.row,
      let list = list(of: viewer, in: slate.table, at: slate.context.now), !list.isEmpty
    else { return nil }
    return list.reduce(into: [:]) { planned, entry in
      if let row = slate.table.row(of: entry.id) { planned[row] = entry.score }
    }
  }

  private static func combined(
    _ scores: SlateScores, rows: [Row], planned: [Row: Double]
  ) -> SlateScores {
    func bounded(_ score: Double) -> Double { min(max(score, -0x1p1000), 0x1p1000) }
    let least = planned.values.min() ?? 0
    let greatest = scores.values.filter { $0.isFinite }.map(bounded).map(abs).max() ?? 1
    // A power of two, so that few bits of the other scores are lost. The plan's scores are not
    // moved: they may lie closer together than any greater number could tell apart.
    let distance = max(1, greatest, abs(least)).binade * 4
    var result = scores
    var plan = Array(repeating: Double.nan, count: rows.count)
    for (index, row) in rows.enumerated() {
      if let score = planned[row] {
        let other = result.values[index]
        result.values[index] = score
        // So that the terms still add up.
        plan[index] = other.isFinite ? score - other : score
      } else if result.values[index].isFinite {
        plan[index] = -distance
        result.values[index] = bounded(result.values[index]) - distance
      }
    }
    // Whether somebody is in the list depends on what they answered. The other terms stay for all, or
    // who lacks them would be known to be planned.
    result.terms.append(SlateScores.Term(name: "plan", values: plan, isPrivate: true))
    return result
  }
}
