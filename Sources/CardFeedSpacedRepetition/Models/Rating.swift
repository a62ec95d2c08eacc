/// How well a question was remembered: the four grades of spaced repetition.
public enum Rating: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// Not remembered.
  case again = 1
  /// Remembered with effort.
  case hard = 2
  /// Remembered.
  case good = 3
  /// Remembered at once.
  case easy = 4

  /// Whether the answer was remembered.
  public var isRecall: Bool { self != .again }

  /// Worse before better.
  public static func < (left: Rating, right: Rating) -> Bool { left.rawValue < right.rawValue }
}
