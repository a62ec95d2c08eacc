/// Why an operation of a feed or of its store failed. A failed operation changed nothing.
public struct FeedError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is. More kinds may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// A stable, dashed name.
    public let description: String

    /// The card is not in the deck.
    public static let unknownCard = Code(description: "unknown-card")
    /// The same event id was used for another event before.
    public static let eventConflict = Code(description: "event-conflict")
    /// A strategy broke its contract; the message names it.
    public static let strategyFault = Code(description: "strategy-fault")
    /// A stored image cannot be read.
    public static let storedImage = Code(description: "stored-image")
    /// The store failed.
    public static let store = Code(description: "store")
    /// A value from the caller is out of its range.
    public static let badInput = Code(description: "bad-input")
    /// A strategy could not be fitted; the model it had goes on serving.
    public static let training = Code(description: "training")
    /// The bytes of a model cannot be used: missing, damaged, or another strategy's.
    public static let model = Code(description: "model")
    /// The feed was shut down.
    public static let closed = Code(description: "closed")
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was wrong, where, what was found and what is allowed. Free of private data.
  public let message: String
  /// What to do about it.
  public let hint: String?

  /// A failure with its explanation.
  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// The message, and the hint after it.
  public var description: String { hint.map { "\(message); \($0)" } ?? message }
}
