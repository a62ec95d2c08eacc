public import CardFeedStack

/// How a decision came in.
public enum DecisionPath: String, Hashable, Sendable, CaseIterable {
  /// A card was dragged and released.
  case gesture
  /// A button was pressed.
  case button
  /// A key was pressed.
  case keyboard
  /// A program decided.
  case program
}

/// A decision that asks to pass the gate.
public struct DecisionRequest: Hashable, Sendable {
  /// The card it is about, as the client shows it.
  public var position: StackPosition
  /// Where the card is to go.
  public var direction: SwipeDirection
  /// How the decision came in.
  public var path: DecisionPath

  /// A request.
  ///
  /// - Parameters:
  ///   - position: The card it is about.
  ///   - direction: Where the card is to go.
  ///   - path: How the decision came in.
  public init(position: StackPosition, direction: SwipeDirection, path: DecisionPath) {
    self.position = position
    self.direction = direction
    self.path = path
  }
}

/// What the gate says.
public enum GateAnswer: Hashable, Sendable {
  /// The decision counts; the next card is the top one.
  case passed
  /// The client's own rule forbids it; the card stays, whichever way the decision came.
  case refused(reason: String)
  /// It is about a card that is not on top: a second press, or one that came late.
  case stale(expected: StackPosition)
}

/// The one way by which a client's decisions become swipes.
///
/// Gestures, buttons, keys and programs all ask here, so that none gets round the veto and one card is
/// decided once. It holds one position and does no drawing; the engine's own answer still decides.
public struct DecisionGate: Sendable {
  /// The card that may be decided.
  public private(set) var top: StackPosition
  private let veto: @Sendable (DecisionRequest) -> String?

  /// A gate before the card on top.
  ///
  /// - Parameters:
  ///   - top: The card that may be decided first.
  ///   - veto: Why a decision is not allowed, for a person to read; nil if it is.
  public init(
    top: StackPosition, veto: @escaping @Sendable (DecisionRequest) -> String? = { _ in nil }
  ) {
    self.top = top
    self.veto = veto
  }

  /// Lets a decision pass, or says why not; only one that passes changes anything. O(1).
  public mutating func decide(_ request: DecisionRequest) -> GateAnswer {
    guard request.position == top else { return .stale(expected: top) }
    if let reason = veto(request) { return .refused(reason: reason) }
    top = top.advanced(by: 1)
    return .passed
  }

  /// Goes back to a card that was rewound, or on to one that was reloaded. O(1).
  ///
  /// - Parameter position: The card that is on top now.
  public mutating func reset(to position: StackPosition) { top = position }
}
