/// What a conformance check found wrong.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The broken promise, with what was found.
  public let description: String

  /// A broken promise.
  public init(_ description: String) { self.description = description }
}

/// A check that failed.
public struct ConformanceViolation: Hashable, Sendable, CustomStringConvertible {
  /// The check's name, a sentence of what must hold.
  public let check: String
  /// What was found instead.
  public let finding: String

  /// The name and the finding.
  public var description: String { "\(check): \(finding)" }
}

/// Throws a `ConformanceFailure` unless the condition holds.
func require(
  _ condition: Bool, _ finding: @autoclosure () -> String
) throws(ConformanceFailure) {
  if !condition { throw ConformanceFailure(finding()) }
}

/// Throws a `ConformanceFailure` unless both are equal.
func requireEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ what: @autoclosure () -> String
) throws(ConformanceFailure) {
  if found != expected {
    throw ConformanceFailure("\(what()): expected \(expected), found \(found)")
  }
}
