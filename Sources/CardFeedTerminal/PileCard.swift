/// What is seen of a card: texts, without any knowledge of what kind of card it is.
public struct PileCard: Hashable, Sendable {
  /// What the card is called; never empty.
  public var title: String
  /// A line below it.
  public var subtitle: String
  /// Paragraphs.
  public var body: [String]
  /// Short words.
  public var tags: [String]
  /// What is seen once the card is turned; empty for a card that has no back.
  public var back: [String]

  /// A card as texts.
  ///
  /// - Parameters:
  ///   - title: What the card is called.
  ///   - subtitle: A line below it.
  ///   - body: Paragraphs.
  ///   - tags: Short words.
  ///   - back: Paragraphs that are seen once the card is turned.
  public init(
    title: String, subtitle: String = "", body: [String] = [], tags: [String] = [],
    back: [String] = []
  ) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.tags = tags
    self.back = back
  }
}
