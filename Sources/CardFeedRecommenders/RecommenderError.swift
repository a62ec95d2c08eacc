/// Why a model could not be fitted, written or read.
public struct RecommenderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name.
    public let rawValue: String

    /// A kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// More entries, rows or columns than a matrix may have.
    public static let tooLarge = Code(rawValue: "too-large")
    /// Input that no model can be made of.
    public static let badInput = Code(rawValue: "bad-input")
    /// A fit that ran away, or whose numbers are not finite.
    public static let diverged = Code(rawValue: "diverged")
    /// A model file that is not what it says.
    public static let damagedFile = Code(rawValue: "damaged-file")
    /// A file that cannot be opened, read or written.
    public static let fileAccess = Code(rawValue: "file-access")
    /// A model whose library this build does not have.
    public static let unavailable = Code(rawValue: "unavailable")
  }

  /// What kind of failure.
  public let code: Code
  /// What was wrong, what was found, what is allowed.
  public let description: String

  /// A failure.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
