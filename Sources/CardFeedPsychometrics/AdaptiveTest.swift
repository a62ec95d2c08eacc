/// Which question of a test comes next, and when the test is over.
///
/// Source: maximum information (Lord 1980), with a draw among the best few against over-exposure
/// (randomesque; Kingsbury and Zara 1989).
public struct AdaptiveTest: Hashable, Sendable {
  /// How the ability is estimated between questions.
  public var estimator: AbilityEstimator
  /// Among how many of the most informative questions one is drawn; 1 always takes the best.
  public var candidates: Int
  /// The standard error at which the test is over; nil never.
  public var targetError: Double?
  /// Questions after which the test is over; nil when there is none left.
  public var length: Int?

  /// A test.
  public init(
    estimator: AbilityEstimator = .expected, candidates: Int = 1, targetError: Double? = 0.45,
    length: Int? = nil
  ) {
    self.estimator = estimator
    self.candidates = max(1, candidates)
    self.targetError = targetError
    self.length = length
  }

  /// The next question's index; nil when all are used.
  ///
  /// - Parameters:
  ///   - bank: The questions.
  ///   - ability: The present estimate.
  ///   - used: Those that have been asked.
  ///   - draw: Uniform in 0 ..< 1; decides only where `candidates` is above 1.
  /// - Complexity: O(bank · candidates).
  public func next(
    in bank: [ItemParameters], ability: Double, used: Set<Int>, draw: Double = 0
  ) -> Int? {
    var best: [(index: Int, information: Double)] = []
    for index in bank.indices where !used.contains(index) {
      let information = bank[index].information(at: ability)
      if best.count == candidates, let last = best.last, last.information >= information {
        continue
      }
      let place = best.firstIndex { $0.information < information } ?? best.count
      best.insert((index, information), at: place)
      if best.count > candidates { best.removeLast() }
    }
    guard !best.isEmpty else { return nil }
    return best[min(Int(draw * Double(best.count)), best.count - 1)].index
  }

  /// Whether the test is over.
  public func isOver(_ estimate: AbilityEstimate, asked: Int) -> Bool {
    if let length, asked >= length { return true }
    if let targetError, asked > 0, estimate.error <= targetError { return true }
    return false
  }
}
