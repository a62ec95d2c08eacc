internal import CardFeed
internal import CardFeedTwoSidedMarket

/// How everybody's lists are made of the pairs that may meet.
enum MarketPlanMethod: Hashable, Sendable {
  /// By the masses of the equilibrium.
  case transferableUtility(TransferableUtility)
  /// By taking turns, from the lists of an equilibrium.
  case bestResponse(from: TransferableUtility)
  /// By steps that raise the product of everybody's expected matches.
  case nashWelfare(FairLists)
  /// One stable partner for each on each of so many days.
  case mostCompatible(PoolPairs.Preference, days: Int = 7)

  /// The name that configurations use.
  var name: String {
    switch self {
    case .transferableUtility: "transferable-utility"
    case .bestResponse: "best-response"
    case .nashWelfare: "nash-welfare"
    case .mostCompatible: "most-compatible"
    }
  }

  /// The settings, as an identity says them.
  var settings: String {
    switch self {
    case .transferableUtility(let utility), .bestResponse(let utility):
      "beta=\(utility.beta) utility=\(utility.joint.rawValue)"
    case .nashWelfare(let settings): "stepSize=\(settings.stepSize)"
    case .mostCompatible(let preference, let days): "by=\(preference.rawValue) days=\(days)"
    }
  }

  /// Everybody's lists; of a method by days those of one day.
  ///
  /// - Parameters:
  ///   - pool: The pairs that may meet.
  ///   - length: The greatest length of a list.
  ///   - pause: Called after every sweep, turn or step.
  /// - Complexity: O(pairs · log pairs of a person) for each of some dozen steps.
  func lists(
    in pool: MatchingPool, length: Int, pause: () async throws -> Void
  ) async throws -> PoolLists {
    switch self {
    case .transferableUtility(let utility):
      return try await Self.equilibrium(in: pool, utility, pause).lists(length: length)
    case .bestResponse(let utility):
      let equilibrium = try await Self.equilibrium(in: pool, utility, pause)
      var responses = PoolResponses(from: equilibrium, of: pool)
      while responses.turn() { try await pause() }
      return responses.lists(length: length)
    case .nashWelfare(let settings):
      var lottery = PoolLottery(pool, settings)
      while lottery.step() { try await pause() }
      return lottery.lists(length: length)
    case .mostCompatible(let preference, _):
      return PoolPairs.lists(in: pool, by: preference)
    }
  }

  private static func equilibrium(
    in pool: MatchingPool, _ utility: TransferableUtility, _ pause: () async throws -> Void
  ) async throws -> PoolEquilibrium {
    var equilibrium = PoolEquilibrium(pool, utility)
    while equilibrium.sweep() { try await pause() }
    return equilibrium
  }
}
