/// Which way a line of cards runs on the screen.
public enum LayoutDirection: String, Hashable, Sendable, CaseIterable, Codable {
  /// The next card lies to the right of the top one.
  case leftToRight
  /// The next card lies to the left of the top one: everything horizontal is mirrored.
  case rightToLeft

  /// What a horizontal length is multiplied with.
  public var sign: Double { self == .leftToRight ? 1 : -1 }
}
