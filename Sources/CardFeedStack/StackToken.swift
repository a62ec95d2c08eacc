/// Names the card a viewer is deciding on, so that a late decision can be told from a current one.
///
/// Take it from ``CardStack/token`` when the card is shown and hand it back with the answer.
public struct StackToken<ID: Hashable> {
  /// The card the decision is about.
  public let id: ID

  /// The generation of the stack that showed the card.
  public let generation: Int

  /// Where the card lay, or nil to accept it at any position. In a looping stack a token without
  /// a position cannot tell one lap from the next.
  public let position: StackPosition?

  /// Creates a token, usually from what a client sent back.
  ///
  /// - Parameters:
  ///   - id: The card the decision is about.
  ///   - generation: The generation of the stack that showed the card.
  ///   - position: Where the card lay; nil accepts any position.
  @inlinable
  public init(id: ID, generation: Int, position: StackPosition? = nil) {
    self.id = id
    self.generation = generation
    self.position = position
  }
}

extension StackToken: Equatable, Hashable {}
extension StackToken: Sendable where ID: Sendable {}
