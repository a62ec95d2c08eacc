/// Why the files of a model cannot be used. Names places, never values: they are about people.
public struct VectorFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public let file: String
  /// What is wrong.
  public let reason: String
  /// What was found.
  public let found: String
  /// What is allowed, or what to do.
  public let allowed: String

  /// What is wrong with a file.
  public init(_ file: String, _ reason: String, found: String, allowed: String) {
    self.file = file
    self.reason = reason
    self.found = found
    self.allowed = allowed
  }

  /// `FILE: REASON; found FOUND; allowed: ALLOWED`.
  public var description: String { "\(file): \(reason); found \(found); allowed: \(allowed)" }
}
