/// For how long a viewer looked at a card, as the client measured it.
///
/// That it is not known is nil, never 0. It is a claim like the time of a swipe, and no part of the
/// identity of its event.
public struct Dwell: Hashable, Comparable, Sendable {
  /// Milliseconds, 0 … ``longest``.
  public let milliseconds: Int64

  /// The longest, in milliseconds: a day. Whoever laid the device aside looked at no card.
  public static let longest: Int64 = Timestamp.day

  /// A duration.
  ///
  /// - Parameter milliseconds: 0 … ``longest``.
  /// - Throws: `FeedError.Code.badInput` for any other.
  public init(milliseconds: Int64) throws(FeedError) {
    guard (0...Self.longest).contains(milliseconds) else {
      throw FeedError(
        .badInput,
        "a card was looked at for \(milliseconds) ms; allowed: 0 … \(Self.longest), which is a day",
        hint: "leave the duration out where it is not known")
    }
    self.milliseconds = milliseconds
  }

  /// Shorter before longer.
  public static func < (left: Dwell, right: Dwell) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
