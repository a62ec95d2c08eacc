/// Why columns handed to a metric cannot be measured.
///
/// Thrown instead of letting a bad value travel into an average: one NaN prediction would otherwise
/// turn a whole report into NaN, or worse, compare as equal and pass unnoticed.
public struct MetricInputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was wrong, where, what was found and what is allowed, in one sentence.
  public let description: String

  init(_ description: String) { self.description = description }

  static func lengths(_ name: String, _ found: Int, expected: Int) -> MetricInputError {
    MetricInputError(
      "\(name) has \(found) values, the outcomes have \(expected); "
        + "allowed: equal lengths, one value per outcome")
  }

  static func notFinite(_ name: String, index: Int) -> MetricInputError {
    MetricInputError(
      "\(name)[\(index)] is not a finite number; "
        + "allowed: finite numbers; leave unscored cards out before measuring")
  }
}

/// Throws the first fault of a column: a length other than `count`, or a value that is not finite.
func requireFinite(
  _ values: [Double], named name: String, count: Int
) throws(MetricInputError) {
  guard values.count == count else {
    throw .lengths(name, values.count, expected: count)
  }
  if let index = values.firstIndex(where: { !$0.isFinite }) {
    throw .notFinite(name, index: index)
  }
}
