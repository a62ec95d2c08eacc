/// Why a vector was refused. Nothing was changed.
///
/// The texts say where, and how long a vector is, but no component of it: vectors are made of what
/// people did.
public struct VectorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kinds there are.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// It has another number of components than the index.
    case wrongLength = "wrong-length"
    /// A component is NaN or infinite.
    case notFinite = "not-finite"
    /// Its squared length is beyond single precision.
    case tooLong = "too-long"
    /// All components are 0, which is at no angle to anything.
    case noDirection = "no-direction"
  }

  /// What is wrong.
  public let code: Code
  /// A sentence for people.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  static func wrongLength(_ found: Int, expected: Int, of subject: String) -> VectorError {
    VectorError(
      .wrongLength,
      "\(subject) has \(found) components; allowed: \(expected), as many as the index was made for")
  }

  static func notFinite(component: Int, of subject: String) -> VectorError {
    VectorError(
      .notFinite,
      "component \(component) of \(subject) is not finite; allowed: finite numbers; leave the vector "
        + "out where it is not known")
  }

  static func tooLong(_ subject: String) -> VectorError {
    VectorError(
      .tooLong,
      "the squared length of \(subject) is not below 10³⁷; allowed: vectors whose products fit "
        + "into single precision; scale all vectors down by one factor")
  }

  static func noDirection(_ subject: String) -> VectorError {
    VectorError(
      .noDirection,
      "all components of \(subject) are 0; allowed with the metric cosine: vectors with a "
        + "direction; leave the vector out, or choose another metric")
  }
}
