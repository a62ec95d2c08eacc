/// Which users a ranking average is taken over.
public enum RankingUserPolicy: String, CaseIterable, Equatable, Sendable {
  /// Only users who have at least one relevant item: for the others no order is better than another.
  case withRelevantItem = "with-relevant-item"
  /// Every user; one with nothing relevant counts 0. The average then also falls with the share of
  /// users whom nothing could please.
  case all
}

/// Averages of the ranking measures over users, and over how many users they speak.
public struct RankingSummary: Equatable, Sendable {
  /// The policy that chose the users.
  public let policy: RankingUserPolicy
  /// Last place that counts for ``ndcg``.
  public let cutoff: Int
  /// Last place that counts for ``hitRate``.
  public let hitCutoff: Int
  /// Mean NDCG at ``cutoff``; `nil` when no user was averaged.
  public let ndcg: Double?
  /// Share of averaged users with a relevant item at or above ``hitCutoff``.
  public let hitRate: Double?
  /// Mean of the average precisions (MAP).
  public let meanAveragePrecision: Double?
  /// Mean of the reciprocal ranks (MRR).
  public let meanReciprocalRank: Double?
  /// Users handed in.
  public let users: Int
  /// Users who have at least one relevant item.
  public let usersWithRelevantItem: Int
  /// Users whose list is not empty.
  public let usersWithList: Int
  /// Users over whom the averages were taken.
  public let usersAveraged: Int

  /// Share of all users whose list is not empty; `nil` without a user. Empty lists score 0 in the
  /// averages, this says how often.
  public var coverage: Double? { users == 0 ? nil : Double(usersWithList) / Double(users) }

  /// Averages the measures of several users.
  ///
  /// - Parameters:
  ///   - lists: one list per user; an empty list is a user who was shown nothing.
  ///   - policy: which of them are averaged.
  ///   - cutoff: last place for NDCG, at least 1.
  ///   - hitCutoff: last place for the hit rate, at least 1.
  /// - Complexity: O(length of all lists).
  public init(
    lists: [RankedList], policy: RankingUserPolicy = .withRelevantItem, cutoff: Int = 5,
    hitCutoff: Int = 1
  ) {
    let averaged = policy == .all ? lists : lists.filter { $0.relevantCount > 0 }
    func mean(_ measure: (RankedList) -> Double?) -> Double? {
      SampleStatistics.mean(averaged.map { measure($0) ?? 0 })
    }
    self.policy = policy
    self.cutoff = cutoff
    self.hitCutoff = hitCutoff
    ndcg = mean { $0.ndcg(at: cutoff) }
    hitRate = mean { $0.hit(at: hitCutoff) }
    meanAveragePrecision = mean { $0.averagePrecision }
    meanReciprocalRank = mean { $0.reciprocalRank }
    users = lists.count
    usersWithRelevantItem = lists.count { $0.relevantCount > 0 }
    usersWithList = lists.count { !$0.hits.isEmpty }
    usersAveraged = averaged.count
  }
}
