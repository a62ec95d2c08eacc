/// Why a time zone cannot be had.
public struct ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. More kinds may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// A stable, dashed name.
    public let description: String

    /// The name could lead out of the folder of zones, or no zone can be called so.
    public static let unsafeName = Code(description: "unsafe-name")
    /// No zone has this name.
    public static let unknownName = Code(description: "unknown-name")
    /// The folder of zones, or a file in it, cannot be read.
    public static let unreadable = Code(description: "unreadable")
    /// A file is there, but it does not describe a zone that can be used.
    public static let damaged = Code(description: "damaged")
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was wrong, where, what was found and what is allowed.
  public let message: String
  /// What to do about it.
  public let hint: String

  /// A failure with its explanation.
  public init(_ code: Code, _ message: String, hint: String) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// The message, and the hint after it.
  public var description: String { "\(message); \(hint)" }
}
