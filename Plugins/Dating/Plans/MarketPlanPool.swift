internal import CardFeed
internal import CardFeedTwoSidedMarket

/// Gathers the pairs of people who may meet, with what the pipeline thinks of them.
///
/// A pair is in the plan if each of the two passes every filter for the other, neither has answered
/// the other, and P(match) is known and above 0. Of each person the likeliest `candidates` are
/// looked at; a pair stays if either of its two keeps it. P is what the pipeline tells the one with
/// the smaller identifier, so that a pair has one P.
///
/// The first pass asks about every pair once, from the side of the smaller identifier. The second
/// asks about the pairs that are left from the other side, too. A filter that lets only one of two
/// people see the other therefore takes its pairs out after the choice of candidates.
struct MarketPlanPool {
  private let pipeline: TrainingPipeline<DatingDeck>
  private let rows: [Row]
  /// The place of each row among the people; −1 for nobody.
  private let people: [Int32]
  /// Of each person those who have answered them or whom they have answered.
  private let answered: [[Int32]]
  private let candidates: Int

  /// The people, in the order of the pool's numbers: ascending.
  let ids: [CardID]

  init(
    _ history: TrainingHistory<DatingDeck>, _ pipeline: TrainingPipeline<DatingDeck>,
    candidates: Int
  ) {
    let table = history.table
    // By identifiers, since rows and numbers belong to one store.
    let sorted = (0..<table.count).map { Row($0) }.filter { table.isAvailable($0) }
      .map { (id: table.id(at: $0), row: $0) }.sorted { $0.id < $1.id }
    rows = sorted.map(\.row)
    ids = sorted.map(\.id)
    var people = Array(repeating: Int32(-1), count: table.count)
    for (person, row) in rows.enumerated() { people[row.index] = Int32(person) }
    var answered = Array(repeating: [Int32](), count: rows.count)
    for answer in history.answers {
      guard let viewer = table.row(of: answer.viewer), let card = table.row(of: answer.card)
      else { continue }
      let (one, other) = (people[viewer.index], people[card.index])
      guard one >= 0, other >= 0 else { continue }
      // The first pass asks from the side of the smaller one only.
      answered[Int(min(one, other))].append(max(one, other))
    }
    self.people = people
    self.answered = answered
    self.pipeline = pipeline
    self.candidates = candidates
  }

  /// How often `pause` is called.
  var steps: Int { 2 * rows.count }

  /// The pool. O(people²) questions about pairs, O(people · candidates) memory.
  func pool(pause: () async throws -> Void) async throws -> MatchingPool {
    let pairs = try await likeliest(pause: pause)
    var kept = Array(repeating: MatchingPool.Pair?.none, count: pairs.count)
    var earlier = Array(repeating: [Int32](), count: rows.count)
    for (place, pair) in pairs.enumerated() { earlier[pair.second].append(Int32(place)) }
    var start = 0
    for person in rows.indices {
      let end = pairs[start...].firstIndex { $0.first != person } ?? pairs.count
      if end > start || !earlier[person].isEmpty {
        let viewer = try await pipeline.viewer(rows[person])
        let own = try await viewer.estimates(of: pairs[start..<end].map { rows[$0.second] })
        for place in start..<end {
          kept[place] = Self.pair(person, pairs[place].second, own[place - start])
        }
        let asked = earlier[person].map { rows[pairs[Int($0)].first] }
        let seen = Set(try await viewer.eligible(among: asked))
        for (place, row) in zip(earlier[person], asked) where !seen.contains(row) {
          kept[Int(place)] = nil
        }
      }
      start = end
      try await pause()
    }
    return MatchingPool(count: rows.count, pairs: kept.compactMap { $0 })
  }

  private static func pair(
    _ first: Int, _ second: Int, _ estimate: MatchEstimate
  ) -> MatchingPool.Pair? {
    guard let match = estimate.match?.value, match > 0 else { return nil }
    // A probability without sides counts as two equal ones.
    let side = match.squareRoot()
    return MatchingPool.Pair(
      first, second, likes: estimate.forward?.value ?? side,
      likesBack: estimate.backward?.value ?? side, match: match)
  }

  private func likeliest(
    pause: () async throws -> Void
  ) async throws -> [(first: Int, second: Int)] {
    var likeliest = PoolCandidates(count: rows.count, length: candidates)
    for person in rows.indices {
      let answered = Set(answered[person])
      let others = rows.indices.dropFirst(person + 1)
        .filter { answered.isEmpty || !answered.contains(Int32($0)) }.map { rows[$0] }
      let viewer = try await pipeline.viewer(rows[person])
      let eligible = try await viewer.eligible(among: others)
      let estimates = try await viewer.estimates(of: eligible)
      for (place, row) in eligible.enumerated() {
        guard let match = estimates[place].match?.value, match > 0 else { continue }
        likeliest.offer(person, Int(people[row.index]), match: match)
      }
      try await pause()
    }
    return likeliest.pairs()
  }
}
