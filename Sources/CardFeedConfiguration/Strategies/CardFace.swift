/// What a viewer sees of a card, as texts.
///
/// The deck writes it, since only the deck knows which of its card's fields are for everybody: no
/// exact place, no day of birth, nothing of what a person looks for.
public struct CardFace: Hashable, Sendable {
  /// What the card is called.
  public var title: String
  /// A line below it; empty for none.
  public var subtitle: String
  /// Paragraphs.
  public var body: [String]
  /// Short words.
  public var tags: [String]
  /// Paragraphs that are seen once the viewer turns the card; empty for a card without a back.
  public var back: [String]

  /// A card's face.
  ///
  /// - Parameters:
  ///   - title: What the card is called.
  ///   - subtitle: A line below it.
  ///   - body: Paragraphs.
  ///   - tags: Short words.
  ///   - back: Paragraphs that are seen once the viewer turns the card.
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
