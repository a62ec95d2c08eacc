internal import CardFeed
internal import CardFeedTwoSidedMarket

/// One partner for each person on each of some days: stable pairs of a day, made of people who were not
/// paired before where there are such, of others than the day before where there are such, and of the
/// same two again where nobody else is left.
///
/// A list of a plan holds them in the order of the days, and the score of an entry is minus its day, in
/// days from 1970-01-01, so a list is one as of any other method: its scores fall.
struct DailyPairs {
  /// The score of the pair of a day.
  static func score(of day: Int64) -> Double { -Double(day) }

  /// The day of an entry; nil for a score that no day has.
  static func day(ofScore score: Double) -> Int64? { Int64(exactly: -score) }

  private let pool: MatchingPool
  private let pairs: [MatchingPool.Pair]
  private let preference: PoolPairs.Preference

  init(_ pool: MatchingPool, by preference: PoolPairs.Preference) {
    self.pool = pool
    self.preference = preference
    pairs = pool.pairs
  }

  /// Everybody's partners, day after day.
  ///
  /// - Parameters:
  ///   - days: The days, in order.
  ///   - fixed: Of the first of them what an earlier plan said: each person's partner of that day, nil
  ///     for one who may not be met any more. Whoever had a partner gets no other.
  ///   - met: Pairs of earlier days.
  ///   - pause: Called after every day.
  /// - Returns: For each person the partners by falling score.
  /// - Complexity: O(pairs · log pairs) for each day.
  func lists(
    days: Range<Int64>, fixed: [Int64: [Int: Int?]], met: Set<MeetingPair>,
    pause: () async throws -> Void
  ) async throws -> [[(member: Int32, score: Double)]] {
    var lists = Array(repeating: [(member: Int32, score: Double)](), count: pool.count)
    var met = met
    var yesterday: Set<MeetingPair> = []
    let known = Set(pairs.map { MeetingPair($0.first, $0.second) })
    for day in days {
      var partners = Array(repeating: Int?.none, count: pool.count)
      var isFree = Array(repeating: true, count: pool.count)
      for (person, partner) in fixed[day] ?? [:] {
        isFree[person] = false
        if let partner, known.contains(MeetingPair(person, partner)) { partners[person] = partner }
      }
      for avoided in [met, yesterday, []] {
        take(avoiding: avoided, &partners, &isFree)
      }
      yesterday = []
      for (person, partner) in partners.enumerated() {
        guard let partner else { continue }
        lists[person].append((Int32(partner), Self.score(of: day)))
        yesterday.insert(MeetingPair(person, partner))
      }
      met.formUnion(yesterday)
      try await pause()
    }
    return lists
  }

  private func take(
    avoiding avoided: Set<MeetingPair>, _ partners: inout [Int?], _ isFree: inout [Bool]
  ) {
    let left = pairs.filter {
      isFree[$0.first] && isFree[$0.second]
        && !avoided.contains(MeetingPair($0.first, $0.second))
    }
    guard !left.isEmpty else { return }
    let lists = PoolPairs.lists(in: MatchingPool(count: pool.count, pairs: left), by: preference)
    for person in 0..<pool.count {
      guard let partner = lists[person].first?.member else { continue }
      partners[person] = partner
      isFree[person] = false
    }
  }
}

/// Two people, whichever comes first.
struct MeetingPair: Hashable {
  private let low: Int
  private let high: Int

  init(_ one: Int, _ other: Int) {
    low = min(one, other)
    high = max(one, other)
  }
}
