/// Candidates in a new order, and the penalties that lead to it.
///
/// Candidates are appended one after the other, whatever their scores; each gets the least penalty
/// that brings its score below all before it. So the new order comes about by lowering alone: who
/// is moved up is moved up by what others lose. Scores may have any sign.
public struct OrderPenalties: Sendable, Equatable {
  /// Scores, best first or in any order; nil is unscored, and comes behind whatever is scored.
  public let scores: [Double?]
  /// Subtracted from the scores; 0 or more, finite.
  public private(set) var penalties: [Double]
  /// How many candidates were appended.
  public private(set) var count = 0
  private var floor = Double.infinity

  /// No order yet.
  public init(scores: [Double?]) {
    self.scores = scores
    penalties = Array(repeating: 0, count: scores.count)
  }

  /// The penalties of an order of some candidates, with all others behind them in the order they
  /// had.
  ///
  /// - Parameters:
  ///   - order: Candidates, each once.
  ///   - scores: Of all candidates.
  /// - Complexity: O(n log n).
  public init(_ order: [Int], scores: [Double?]) {
    self.init(scores: scores)
    var rest = Array(repeating: true, count: scores.count)
    for place in order {
      append(place)
      rest[place] = false
    }
    let behind = scores.indices.filter { rest[$0] && scores[$0] != nil }
      .sorted { left, right in
        let (first, second) = (scores[left] ?? 0, scores[right] ?? 0)
        return first == second ? left < right : first > second
      }
    for place in behind { append(place) }
  }

  /// Puts a candidate behind all that are there, and gives it a penalty at least. An unscored one
  /// is behind them as it is. O(1).
  ///
  /// - Parameters:
  ///   - place: The candidate.
  ///   - penalty: What it loses in any case; 0 or more.
  public mutating func append(_ place: Int, penalty: Double = 0) {
    precondition(penalty >= 0 && penalty.isFinite, "A penalty is finite and never negative.")
    count += 1
    guard let score = scores[place] else { return }
    let step = max(abs(score), floor.isFinite ? abs(floor) : 0, 1) * 1e-9
    penalties[place] = max(0, score - min(score - penalty, floor - step))
    floor = score - penalties[place]
  }
}
