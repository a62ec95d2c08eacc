/// Under which identity a store numbers a viewer.
///
/// Viewers and cards share one sequence of numbers. In a deck of people they share identities too;
/// in a deck of things viewer "7" and card "7" have nothing to do with each other and must not get
/// the same number, or the one would be filtered, blocked and matched as the other.
package enum ViewerIdentity {
  /// A byte that no text begins with by accident, then a word for whoever reads the store. No card
  /// of things may begin with it (`FeedEngine.stored(_:number:)`).
  private static let prefix: [UInt8] = [0] + Array("viewer:".utf8)

  /// The identity under which the store knows the viewer.
  package static func stored(_ viewer: ViewerID, isMutual: Bool) -> CardID {
    isMutual ? viewer : CardID(bytes: prefix + viewer.bytes)
  }

  /// Whether a store would take a card with this identity for a viewer.
  package static func isTaken(_ card: CardID, isMutual: Bool) -> Bool {
    !isMutual && card.bytes.starts(with: prefix)
  }

  /// The viewer back from a stored identity.
  package static func viewer(_ stored: CardID, isMutual: Bool) -> ViewerID {
    guard !isMutual, stored.bytes.starts(with: prefix) else { return stored }
    return ViewerID(bytes: Array(stored.bytes.dropFirst(prefix.count)))
  }
}
