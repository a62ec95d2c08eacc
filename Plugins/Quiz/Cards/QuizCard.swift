public import CardFeed

/// A question with its answer.
///
/// What it says of the viewer's knowledge lies in the log; the card itself never changes by being
/// answered.
public struct QuizCard: Hashable, Sendable {
  /// The card's identity.
  public var id: CardID
  /// What is asked.
  public var prompt: String
  /// What is right.
  public var answer: String
  /// The note that the card was made of; cards of one note are siblings, which are not asked on one
  /// day. Nil for a card without siblings.
  public var note: String?
  /// What one has to know to answer it.
  public var skills: [String]
  /// Anything else to sort it by.
  public var tags: [String]
  /// Its place among new cards, the smallest first; those without one come last, in the order in
  /// which they came.
  public var order: Int64?
  /// How hard it is, on the scale of a test: the ability at which half of the answers are right.
  public var difficulty: Double?
  /// How well it tells able learners from others, above 0; 1 where it is not known.
  public var discrimination: Double?
  /// Something for people, such as where the card comes from.
  public var remark: String?

  /// A question.
  public init(
    id: CardID, prompt: String, answer: String, note: String? = nil, skills: [String] = [],
    tags: [String] = [], order: Int64? = nil, difficulty: Double? = nil,
    discrimination: Double? = nil, remark: String? = nil
  ) {
    self.id = id
    self.prompt = prompt
    self.answer = answer
    self.note = note
    self.skills = skills
    self.tags = tags
    self.order = order
    self.difficulty = difficulty
    self.discrimination = discrimination
    self.remark = remark
  }
}
