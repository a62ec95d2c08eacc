#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One user's list, top first, reduced to what ranking measures need: which places hold a relevant
/// item, and how many relevant items there were to find.
///
/// An item that occurs several times counts once, at its highest place, so that no measure can
/// exceed 1. All measures have binary gain. An empty list scores 0; a user with nothing relevant
/// has no measure (`nil`), see ``RankingUserPolicy`` for what an average makes of that.
public struct RankedList: Equatable, Sendable {
  /// For each place, top first and without repeats: does it hold a relevant item?
  public let hits: [Bool]
  /// How many relevant items exist for the user, in the list or not.
  public let relevantCount: Int

  /// A list in the order it was shown.
  ///
  /// - Parameters:
  ///   - items: the items, top first; repeats are dropped.
  ///   - relevant: every relevant item of the user, also those that the list misses.
  /// - Complexity: O(n).
  public init<Item: Hashable>(items: [Item], relevant: Set<Item>) {
    var met: Set<Item> = []
    hits = items.filter { met.insert($0).inserted }.map { relevant.contains($0) }
    relevantCount = relevant.count
  }

  /// A list made by ordering candidates: higher score first, equal scores by the smaller item.
  ///
  /// - Parameters:
  ///   - items: the candidates in any order; a repeat counts once, at its best score.
  ///   - scores: one finite score per candidate.
  ///   - relevant: one flag per candidate; all relevant items of the user are candidates.
  /// - Throws: ``MetricInputError`` when lengths differ, a score is not finite or a repeated item
  ///   is called both relevant and not.
  /// - Complexity: O(n log n).
  public init<Item: Hashable & Comparable>(
    items: [Item], scores: [Double], relevant: [Bool]
  ) throws(MetricInputError) {
    guard relevant.count == items.count else {
      throw .lengths("relevant", relevant.count, expected: items.count)
    }
    try requireFinite(scores, named: "scores", count: items.count)
    let order = items.indices.sorted {
      scores[$0] == scores[$1] ? items[$0] < items[$1] : scores[$0] > scores[$1]
    }
    var flagOfItem: [Item: Bool] = [:]
    var kept: [Bool] = []
    for row in order {
      if let flag = flagOfItem[items[row]] {
        guard flag == relevant[row] else {
          throw MetricInputError(
            "a repeated item (row \(row)) is called relevant once and not relevant once; "
              + "allowed: one relevance per item")
        }
      } else {
        flagOfItem[items[row]] = relevant[row]
        kept.append(relevant[row])
      }
    }
    hits = kept
    relevantCount = kept.count { $0 }
  }

  /// Normalised discounted cumulative gain: gain 1/log₂(place + 1) of the relevant places up to
  /// `cutoff`, divided by that of the best possible list (Järvelin & Kekäläinen 2002). In 0…1.
  ///
  /// - Parameter cutoff: last place that counts, at least 1.
  public func ndcg(at cutoff: Int) -> Double? {
    precondition(cutoff >= 1, "a cutoff is at least 1")
    guard relevantCount > 0 else { return nil }
    var gain = 0.0
    for (index, hit) in hits.prefix(cutoff).enumerated() where hit { gain += discount(index) }
    var best = 0.0
    for index in 0..<min(cutoff, relevantCount) { best += discount(index) }
    return min(1, gain / best)
  }

  /// 1 when one of the first `cutoff` places is relevant, else 0.
  ///
  /// - Parameter cutoff: last place that counts, at least 1.
  public func hit(at cutoff: Int) -> Double? {
    precondition(cutoff >= 1, "a cutoff is at least 1")
    guard relevantCount > 0 else { return nil }
    return hits.prefix(cutoff).contains(true) ? 1 : 0
  }

  /// Share of the relevant items that stand among the first `cutoff` places. In 0…1.
  ///
  /// - Parameter cutoff: last place that counts, at least 1.
  public func recall(at cutoff: Int) -> Double? {
    precondition(cutoff >= 1, "a cutoff is at least 1")
    guard relevantCount > 0 else { return nil }
    return Double(hits.prefix(cutoff).count { $0 }) / Double(relevantCount)
  }

  /// Mean over the relevant items of the precision at their place, 0 for those that the list
  /// misses. In 0…1.
  public var averagePrecision: Double? {
    guard relevantCount > 0 else { return nil }
    var found = 0
    var sum = 0.0
    for (index, hit) in hits.enumerated() where hit {
      found += 1
      sum += Double(found) / Double(index + 1)
    }
    return min(1, sum / Double(relevantCount))
  }

  /// 1 / place of the first relevant item, 0 without one. In 0…1.
  public var reciprocalRank: Double? {
    guard relevantCount > 0 else { return nil }
    guard let first = hits.firstIndex(of: true) else { return 0 }
    return 1 / Double(first + 1)
  }

  private func discount(_ index: Int) -> Double { 1 / log2(Double(index + 2)) }
}

extension RankedList {
  /// One list per user out of flat columns, users ascending.
  ///
  /// Each user ranks the items of its rows: higher score first, equal scores by the smaller item.
  ///
  /// - Parameters:
  ///   - users: the user of each row.
  ///   - items: the item of each row.
  ///   - scores: one finite score per row.
  ///   - relevant: one flag per row.
  /// - Throws: ``MetricInputError`` when lengths differ, a score is not finite or a repeated item
  ///   of a user is called both relevant and not.
  /// - Complexity: O(n log n).
  public static func perUser<User: Hashable & Comparable, Item: Hashable & Comparable>(
    users: [User], items: [Item], scores: [Double], relevant: [Bool]
  ) throws(MetricInputError) -> [RankedList] {
    guard items.count == users.count else {
      throw .lengths("items", items.count, expected: users.count)
    }
    guard relevant.count == users.count else {
      throw .lengths("relevant", relevant.count, expected: users.count)
    }
    try requireFinite(scores, named: "scores", count: users.count)
    let rows = Dictionary(grouping: users.indices, by: { users[$0] })
    var lists: [RankedList] = []
    lists.reserveCapacity(rows.count)
    for (_, own) in rows.sorted(by: { $0.key < $1.key }) {
      lists.append(
        try RankedList(
          items: own.map { items[$0] }, scores: own.map { scores[$0] },
          relevant: own.map { relevant[$0] }))
    }
    return lists
  }

  /// One list per user, for every user that is to be measured: who got no list has an empty one
  /// instead of vanishing from the average.
  ///
  /// - Parameters:
  ///   - users: every user that counts, each once.
  ///   - shown: what each user was shown, top first.
  ///   - relevant: the relevant items of each user.
  /// - Throws: ``MetricInputError`` when a user is named twice, or a list or a relevance belongs to
  ///   a user who is not among `users`: that part of the input would have no effect.
  /// - Complexity: O(number of users + length of all lists).
  public static func perUser<User: Hashable, Item: Hashable>(
    _ users: [User], shown: [User: [Item]], relevant: [User: Set<Item>]
  ) throws(MetricInputError) -> [RankedList] {
    let known = Set(users)
    guard known.count == users.count else {
      throw MetricInputError(
        "\(users.count - known.count) users are named more than once; allowed: each user once")
    }
    let strangers = Set(shown.keys).union(relevant.keys).subtracting(known).count
    guard strangers == 0 else {
      throw MetricInputError(
        "\(strangers) users have a list or relevant items and are not among the users to measure; "
          + "allowed: lists of the \(users.count) users named")
    }
    return users.map { RankedList(items: shown[$0] ?? [], relevant: relevant[$0] ?? []) }
  }
}
