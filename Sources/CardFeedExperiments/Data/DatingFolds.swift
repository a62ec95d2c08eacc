/// How pairs and decisions are dealt to folds.
///
/// Three splits, for three questions. Whole evenings (`foldWave`, and the split by time): nobody of
/// the measured evening is known. Pairs inside an evening (`foldPair`): both decisions of a pair are
/// hidden. Single decisions (`foldDecision`): the other's answer may be visible.
public enum DatingFolds {
  /// Number of folds.
  public static let count = 5

  /// Folds of evenings: the largest evening first, each to the fold that has the fewest pairs so
  /// far. Ties: the earlier evening, the lower fold. No randomness.
  ///
  /// - Parameter sizes: pairs of each evening.
  /// - Returns: the fold of each evening.
  /// - Complexity: O(n log n).
  public static func waveFolds(sizes: [Int: Int]) -> [Int: Int] {
    var load = [Int](repeating: 0, count: count)
    var folds: [Int: Int] = [:]
    for (wave, size) in sizes.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      var lightest = 0
      for fold in load.indices where load[fold] < load[lightest] { lightest = fold }
      folds[wave] = lightest
      load[lightest] += size
    }
    return folds
  }

  /// The split by time: of the evenings in order of their numbers the first two thirds (rounded
  /// down, at least one) train, the rest test.
  ///
  /// - Parameter waves: the evenings.
  /// - Returns: the part of each evening.
  /// - Complexity: O(n log n).
  public static func timeSplit(waves: some Sequence<Int>) -> [Int: SpeedDatingData.TimeSplit] {
    let ascending = Set(waves).sorted()
    let earlier = max(1, ascending.count * 2 / 3)
    return Dictionary(
      uniqueKeysWithValues: ascending.enumerated().map { ($1, $0 < earlier ? .train : .test) })
  }

  /// Random folds of equal size: the rows in random order, the row at place i to fold i mod 5.
  ///
  /// - Parameters:
  ///   - rows: number of rows.
  ///   - generator: source of randomness; the same bits give the same folds.
  /// - Returns: the fold of each row.
  /// - Complexity: O(n).
  public static func randomFolds<Generator: RandomNumberGenerator>(
    count rows: Int, using generator: inout Generator
  ) -> [Int] {
    var order = Array(0..<rows)
    generator.shuffle(&order)
    var folds = [Int](repeating: 0, count: rows)
    for (place, row) in order.enumerated() { folds[row] = place % count }
    return folds
  }
}
