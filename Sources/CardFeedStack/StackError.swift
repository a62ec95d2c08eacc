/// Why a swipe or a rewind was not made. The stack is then exactly as it was before.
///
/// The texts name neither cards nor answers, because those tell who likes whom.
public enum StackError: Error, Hashable, Sendable {
  /// The decision is about a card that is not on top, or about an older generation of the stack.
  ///
  /// Reload the top with ``CardStack/token`` and decide again.
  case staleDecision(StaleDecision)

  /// No swipe was made since the last reset, or all of them were rewound or removed.
  case nothingToRewind

  /// All swipes the history still had were rewound; the `evicted` older ones are forgotten.
  case rewindTooOld(historyLimit: Int, evicted: Int)

  /// The gate refused the swipe.
  case refused(Refusal)
}

/// What a stale decision referred to, and what would have been current.
public struct StaleDecision: Hashable, Sendable {
  /// The position of the card on top; nil when the stack is empty.
  public let topPosition: StackPosition?

  /// The generation of the stack.
  public let generation: Int

  /// The position the decision named, if it named one.
  public let decidedPosition: StackPosition?

  /// The generation the decision named.
  public let decidedGeneration: Int

  @inlinable
  package init(
    topPosition: StackPosition?, generation: Int, decidedPosition: StackPosition?,
    decidedGeneration: Int
  ) {
    self.topPosition = topPosition
    self.generation = generation
    self.decidedPosition = decidedPosition
    self.decidedGeneration = decidedGeneration
  }
}

/// Why a gate does not let a swipe through.
public struct Refusal: Hashable, Sendable {
  /// The reason in words for the viewer or for a log. It must not contain private data.
  public let reason: String

  /// Creates a refusal.
  ///
  /// - Parameter reason: Words for the viewer or for a log, without private data.
  public init(_ reason: String) { self.reason = reason }
}

extension StackError: CustomStringConvertible {
  /// What was wrong, what was found, what is allowed and what to do.
  public var description: String {
    switch self {
    case .staleDecision(let stale):
      let top = stale.topPosition.map { "the top is position \($0)" } ?? "the stack is empty"
      let decided = stale.decidedPosition.map { "position \($0)" } ?? "a card"
      return """
        stale decision: it names \(decided) of generation \(stale.decidedGeneration), but \
        \(top) in generation \(stale.generation); show the current top and decide again
        """
    case .nothingToRewind:
      return "nothing to rewind: no swipe is in the history; check canRewind first"
    case .rewindTooOld(let limit, let evicted):
      return """
        rewind too old: the history keeps \(limit) swipes and \(evicted) older ones were \
        dropped; raise the history limit to rewind further
        """
    case .refused(let refusal):
      return """
        refused: \(refusal.reason); meet the condition first, or pass force to override the gate
        """
    }
  }
}
