/// What a person says to one question, and what they hope that others say to it.
///
/// Private: it decides a number about a pair and appears in no reason, term or error text.
public struct QuestionAnswer: Hashable, Sendable {
  /// How much a person cares about what others answer. The points are those of OkCupid's published
  /// match percentage.
  public enum Importance: Int, Hashable, Sendable, CaseIterable {
    /// Any answer will do.
    case irrelevant = 0
    /// A little important.
    case little = 1
    /// Somewhat important.
    case somewhat = 10
    /// Very important.
    case very = 50
    /// Mandatory.
    case mandatory = 250
  }

  /// The person's own answer, one text out of those that the question offers.
  public var answer: String
  /// The answers that the person would like to hear.
  public var accepts: [String]
  /// How much it counts whether others give one of them.
  public var importance: Importance

  /// An answer with what is hoped for.
  public init(answer: String, accepts: [String] = [], importance: Importance = .irrelevant) {
    self.answer = answer
    self.accepts = accepts
    self.importance = importance
  }
}
