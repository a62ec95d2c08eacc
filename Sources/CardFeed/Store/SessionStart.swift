/// What a store knows of a viewer when a session begins.
public struct SessionStart: Sendable {
  /// The viewer's number.
  public var number: ViewerNumber
  /// What was dealt and answered.
  public var record: ViewerRecord
  /// The cards that must not meet the viewer.
  public var unsafe: Set<CardNumber>

  /// What a session begins with.
  ///
  /// - Parameters:
  ///   - number: The viewer's number.
  ///   - record: What was dealt and answered.
  ///   - unsafe: The cards that must not meet the viewer. Read after the record or together with it,
  ///     so that nobody is missing who was kept apart before the record was read.
  public init(number: ViewerNumber, record: ViewerRecord, unsafe: Set<CardNumber>) {
    self.number = number
    self.record = record
    self.unsafe = unsafe
  }
}

extension FeedStore {
  /// Asks for the number, the record and the unsafe cards, one after the other.
  public func sessionStart(
    of identity: CardID, number: ViewerNumber?, swipes: Int
  ) async throws -> SessionStart {
    var known = number
    if known == nil { known = try await numbers(for: [identity]).first }
    guard let known else { throw FeedError(.store, "the store gave no number for a viewer") }
    let record = try await viewer(known, swipes: swipes)
    return SessionStart(
      number: known, record: record, unsafe: Set(try await unsafe(for: known).keys))
  }
}
