public import CardFeed

/// Removes pairs that have met: the viewer has answered the card, or its person has answered the
/// viewer. Who of the two was first makes no difference.
///
/// `already-swiped` looks in the viewer's direction only: a person who has passed on the viewer may
/// still be dealt to them. Where the two were brought together, as in a round of conversations, or
/// where an exposure to somebody who has passed would be wasted, this filter takes both directions.
///
/// There is one reason for both directions, and the time after which a pair may meet again is told
/// only where it follows from the viewer's own answer, so that nobody learns what others said.
public struct MetBeforeFilter<D: Deck>: FilterStrategy {
  private let wait: Int64?
  private let received: Set<AnswerMeaning>

  /// Keeps pairs apart that have met.
  ///
  /// - Parameters:
  ///   - milliseconds: For how long, 0 or more; nil is for ever.
  ///   - received: Which answers of others to the viewer count as a meeting. The viewer's own
  ///     answers always do.
  public init(
    forMilliseconds milliseconds: Int64? = nil, received: Set<AnswerMeaning> = [.negative]
  ) {
    precondition(
      milliseconds.map { $0 >= 0 } ?? true, "A pair stays apart for 0 milliseconds or more.")
    wait = milliseconds
    self.received = received
  }

  /// What others said of the viewer.
  public var needs: ContextNeeds { .answersReceived }

  /// Why it removes cards; the same for both directions.
  public var reasons: [String] { ["the two have met before"] }

  /// No: a card that left the hand would show what its person has just said.
  public var revalidates: Bool { false }

  /// Looks each candidate up in both directions. O(n + answers received).
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    let context = slate.context
    var last: [CardNumber: ReceivedAnswer] = [:]
    for answer in context.answersReceived where last[answer.from] == nil {
      last[answer.from] = answer
    }
    func end(_ time: Timestamp) -> Timestamp? {
      wait.map { time.saturatingAdvance(byMilliseconds: $0) }
    }
    func isApart(since time: Timestamp) -> Bool { end(time).map { context.now < $0 } ?? true }
    return slate.numbers.map { number in
      if let own = context.seen[number]?.answer, isApart(since: own.time) {
        return .remove(due: end(own.time))
      }
      guard let answer = last[number], received.contains(answer.meaning),
        isApart(since: answer.time)
      else { return .keep }
      return .remove()
    }
  }
}
