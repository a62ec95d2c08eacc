/// Outcomes beside the scores that were given to them before they were known.
///
/// Only the order of the scores counts here, so any finite scale will do (Elo points, logits,
/// probabilities). For measures that need probabilities use ``ProbabilityForecasts``.
public struct ScoredOutcomes: Equatable, Sendable {
  /// What happened: `true` for a positive outcome (a like, a match).
  public let outcomes: [Bool]
  /// One finite score per outcome; a higher score says that a positive outcome is more likely.
  public let scores: [Double]

  /// Joins outcomes and scores, row by row.
  ///
  /// - Parameters:
  ///   - outcomes: what happened, one value per row.
  ///   - scores: finite scores, one per row.
  /// - Throws: ``MetricInputError`` when the lengths differ or a score is not finite.
  /// - Complexity: O(n).
  public init(outcomes: [Bool], scores: [Double]) throws(MetricInputError) {
    try requireFinite(scores, named: "scores", count: outcomes.count)
    self.outcomes = outcomes
    self.scores = scores
  }

  /// Area under the receiver operating characteristic: the probability that a positive row has a
  /// higher score than a negative one, a tie counting one half (Mann-Whitney U divided by the
  /// number of such couples). In 0…1; `nil` when there is no positive or no negative row.
  ///
  /// - Complexity: O(n log n).
  public var auc: Double? {
    concordance(of: Array(outcomes.indices)).auc
  }

  /// AUC inside groups, averaged over the groups with weight positives × negatives, so that a
  /// difference of level between groups (evenings, folds) earns nothing. `nil` when no group has
  /// both a positive and a negative row.
  ///
  /// - Parameter groups: the group of each row.
  /// - Throws: ``MetricInputError`` when the lengths differ.
  /// - Complexity: O(n log n).
  public func withinGroupAUC<Group: Hashable>(
    groups: [Group]
  ) throws(MetricInputError) -> Double? {
    var total = Concordance()
    for (_, cell) in try concordanceByGroup(groups) { total += cell }
    return total.auc
  }

  /// The counts behind ``withinGroupAUC(groups:)`` for each group that has a row: what a cluster
  /// bootstrap of the within-group AUC adds up.
  ///
  /// - Parameter groups: the group of each row.
  /// - Throws: ``MetricInputError`` when the lengths differ.
  /// - Complexity: O(n log n).
  public func concordanceByGroup<Group: Hashable>(
    _ groups: [Group]
  ) throws(MetricInputError) -> [Group: Concordance] {
    guard groups.count == outcomes.count else {
      throw .lengths("groups", groups.count, expected: outcomes.count)
    }
    let rows = Dictionary(grouping: outcomes.indices, by: { groups[$0] })
    return rows.mapValues { concordance(of: $0) }
  }

  private func concordance(of rows: [Int]) -> Concordance {
    let order = rows.sorted { scores[$0] < scores[$1] }
    var negativesBelow = 0
    var positives = 0
    var doubledWins = 0
    var start = 0
    while start < order.count {
      let score = scores[order[start]]
      var tiedPositives = 0
      var end = start
      while end < order.count, scores[order[end]] == score {
        if outcomes[order[end]] { tiedPositives += 1 }
        end += 1
      }
      let tiedNegatives = end - start - tiedPositives
      doubledWins += tiedPositives * (2 * negativesBelow + tiedNegatives)
      positives += tiedPositives
      negativesBelow += tiedNegatives
      start = end
    }
    return Concordance(doubledWins: doubledWins, couples: positives * negativesBelow)
  }
}

/// How often a positive row was scored above a negative one, as whole numbers.
///
/// Whole numbers add up exactly, so a sum over groups does not depend on their order.
public struct Concordance: Equatable, Sendable {
  /// Twice the couples that were ordered rightly plus the couples that were tied.
  public var doubledWins: Int
  /// Couples of one positive and one negative row.
  public var couples: Int

  /// Counts; without arguments, nothing counted yet.
  ///
  /// - Parameters:
  ///   - doubledWins: twice the rightly ordered couples plus the tied ones.
  ///   - couples: all couples of one positive and one negative row.
  public init(doubledWins: Int = 0, couples: Int = 0) {
    self.doubledWins = doubledWins
    self.couples = couples
  }

  /// Share of couples ordered rightly, ties one half; `nil` without a couple.
  public var auc: Double? {
    couples == 0 ? nil : Double(doubledWins) / (2 * Double(couples))
  }

  /// Adds the counts of another group.
  public static func += (left: inout Concordance, right: Concordance) {
    left.doubledWins += right.doubledWins
    left.couples += right.couples
  }
}
