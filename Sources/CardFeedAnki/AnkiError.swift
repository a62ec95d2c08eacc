/// Why a collection, or a file that is to become one, cannot be used. It names places and kinds of
/// values, never what somebody learned or answered.
public struct AnkiError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file as it was named.
  public let file: String
  /// Where in the file; nil for the whole.
  public let place: String?
  /// What is wrong, what was found and what is allowed.
  public let message: String
  /// What to do; nil where nothing more can be said.
  public let hint: String?

  /// An error.
  public init(file: String, place: String? = nil, _ message: String, hint: String? = nil) {
    self.file = file
    self.place = place
    self.message = message
    self.hint = hint
  }

  /// Everything in one line.
  public var description: String {
    let place = place.map { ", \($0)" } ?? ""
    return "\(file)\(place): \(message)" + (hint.map { "; \($0)" } ?? "")
  }
}
