/// A probability: a number in 0 … 1 by construction.
public struct Probability: Hashable, Comparable, Sendable {
  /// 0 … 1, never NaN.
  public let value: Double

  /// Nil unless `value` lies in 0 … 1.
  public init?(_ value: Double) {
    guard value >= 0, value <= 1 else { return nil }
    self.value = value
  }

  /// Less probable before more probable.
  public static func < (left: Probability, right: Probability) -> Bool { left.value < right.value }
}

/// What a card is ranked by: a finite number, or nothing.
///
/// Nothing is not zero. NaN and the infinities are nothing, and nothing ranks below every number
/// (xai-org/x-algorithm PR #204 shows what happens otherwise).
public struct Score: Hashable, Comparable, Sendable {
  /// A finite number, or nil when the card is unscored.
  public let value: Double?

  /// Non-finite numbers become `unscored`.
  public init(_ value: Double?) {
    if let value, value.isFinite { self.value = value } else { self.value = nil }
  }

  /// Ranks below every finite score.
  public static let unscored = Score(nil)

  /// Unscored first, then by number: the better score is the greater one.
  public static func < (left: Score, right: Score) -> Bool {
    switch (left.value, right.value) {
    case (nil, nil), (_, nil): false
    case (nil, _): true
    case (let left?, let right?): left < right
    }
  }
}
