/// The dense number that stands for a `CardID` inside the engine.
///
/// A store hands numbers out from 1 upwards, one for each identifier, and never uses one again.
/// Strategies and tables work with numbers and rows; identifiers are for the border.
public struct CardNumber: Hashable, Comparable, Sendable {
  /// 1 or more.
  public let rawValue: Int64

  /// Wraps a number that a store handed out.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// The order in which the store handed the numbers out.
  public static func < (left: CardNumber, right: CardNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The number of a viewer; viewers and cards share one sequence of numbers.
public typealias ViewerNumber = CardNumber

/// The place of an event in the log. 1 is the first event; 0 is before every event.
public struct LogPosition: Hashable, Comparable, Sendable {
  /// 0 or more.
  public let rawValue: Int64

  /// Wraps a position that a store handed out.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// Before the first event.
  public static let start = LogPosition(0)

  /// The order of the log.
  public static func < (left: LogPosition, right: LogPosition) -> Bool {
    left.rawValue < right.rawValue
  }
}
