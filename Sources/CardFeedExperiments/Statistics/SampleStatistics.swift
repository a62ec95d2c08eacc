/// Plain descriptive statistics. An undefined value is `nil`, never NaN.
public enum SampleStatistics {
  /// Arithmetic mean; `nil` for an empty sample.
  ///
  /// - Parameter values: the sample.
  /// - Complexity: O(n).
  public static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// Sample standard deviation, with n − 1 in the denominator; `nil` for fewer than two values.
  ///
  /// - Parameter values: the sample.
  /// - Complexity: O(n).
  public static func standardDeviation(_ values: [Double]) -> Double? {
    guard values.count >= 2, let squares = squaredDeviations(values) else { return nil }
    return (squares / Double(values.count - 1)).squareRoot()
  }

  /// Population standard deviation, with n in the denominator (numpy's default); `nil` for an empty
  /// sample.
  ///
  /// - Parameter values: the sample.
  /// - Complexity: O(n).
  public static func populationStandardDeviation(_ values: [Double]) -> Double? {
    guard let squares = squaredDeviations(values) else { return nil }
    return (squares / Double(values.count)).squareRoot()
  }

  /// Quantile with linear interpolation between the two neighbouring order statistics (type 7 of
  /// Hyndman & Fan 1996, numpy's default); `nil` for an empty sample.
  ///
  /// - Parameters:
  ///   - values: the sample in any order, finite.
  ///   - probability: which quantile, 0…1; 0.5 is the median.
  /// - Complexity: O(n log n).
  public static func quantile(_ values: [Double], _ probability: Double) -> Double? {
    quantile(ascending: values.sorted(), probability)
  }

  /// ``quantile(_:_:)`` of a sample that is in ascending order already.
  ///
  /// - Parameters:
  ///   - ascending: the sample in ascending order, finite.
  ///   - probability: which quantile, 0…1.
  /// - Complexity: O(1).
  public static func quantile(ascending: [Double], _ probability: Double) -> Double? {
    precondition(probability >= 0 && probability <= 1, "a quantile's probability lies in 0…1")
    guard let last = ascending.last else { return nil }
    let position = probability * Double(ascending.count - 1)
    let lower = Int(position)
    guard lower + 1 < ascending.count else { return last }
    let weight = position - Double(lower)
    let low = ascending[lower]
    let high = ascending[lower + 1]
    // From the nearer end: the result then never passes either neighbour.
    return weight < 0.5 ? low + (high - low) * weight : high - (high - low) * (1 - weight)
  }

  private static func squaredDeviations(_ values: [Double]) -> Double? {
    guard let mean = mean(values) else { return nil }
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}
