public import CardFeed

/// Orders pairs by how far each side's answers are those that the other hopes for.
///
/// Over the questions that both answered, the satisfaction of a with b is the share of a's points
/// (0, 1, 10, 50 or 250 a question, by its importance to a) that b's answers earn. The percentage is
/// √(satisfaction of a · satisfaction of b) − 1 / common questions, at least 0. It is symmetric.
///
/// It is not a probability, though it looks like one: nobody has compared it with what people decide.
/// So it is the estimate's `uncalibrated` number, by which rankings order and which is shown to
/// nobody; the strategy `calibrated` turns it into P(match). With fewer than `least` common
/// questions, or where one of the two finds all of them irrelevant, there is no number at all.
///
/// Source: the match percentage that OkCupid publishes (importance points, geometric mean, margin
/// 1/n); C. Rudder, "Inside OKCupid: the math behind online dating", TED-Ed, 2013; M. Malysz,
/// American Mathematical Society, Graduate Student Blog, 8 June 2016.
///
/// Privacy: the number is about all answers together. Neither reasons nor terms nor error texts
/// hold an answer. It could still be used to guess answers by changing one's own, one at a time, so
/// it must not be told to viewers in any other way either.
///
/// When not to use it: where people decide by pictures; on the decisions of one evening profiles say
/// little (`hybrid` learns how much).
public struct QuestionPercentage: MatchProbabilityStrategy {
  /// The deck with the column `questions`.
  public typealias D = DatingDeck

  private let least: Int
  private let columns = TableMemo<DatingDeck, QuestionColumn?>()

  /// Compares answers.
  ///
  /// - Parameter least: How many questions both must have answered, above 0.
  public init(least: Int = 5) {
    precondition(least > 0, "There is no percentage without common questions; least is \(least).")
    self.least = least
  }

  /// The column.
  public var scored: [String] { ["questions"] }

  /// One number for each candidate. O(texts of all questions + entries of the candidates).
  public func estimates(for slate: Slate<DatingDeck>) async throws -> MatchEstimates {
    var estimates = MatchEstimates(count: slate.count)
    guard let viewer = slate.context.row,
      let column = columns.value(of: slate.table, QuestionColumn.init)
    else { return estimates }
    let comparison = QuestionComparison(column, of: viewer)
    for (index, row) in slate.rows.enumerated() {
      let percentage = comparison.agreement(with: row).percentage(least: least)
      estimates[index] = MatchEstimate(match: nil, uncalibrated: percentage)
    }
    return estimates
  }

  /// There is no P(match), only a number that orders; its margin 1 / n is part of it.
  public var uncertainty: MatchUncertainty { .noProbability }

  /// How many questions both answered. O(entries of the candidates).
  public func reasons(for slate: Slate<DatingDeck>) async throws -> [EstimatePart] {
    guard let viewer = slate.context.row,
      let column = columns.value(of: slate.table, QuestionColumn.init)
    else { return [] }
    let comparison = QuestionComparison(column, of: viewer)
    return [
      EstimatePart(
        name: "common-questions",
        values: slate.rows.map { Double(comparison.agreement(with: $0).common) })
    ]
  }
}
