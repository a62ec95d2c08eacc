extension CardStack {
  /// The card the viewer decides on next; nil when the stack is empty.
  ///
  /// - Complexity: O(1).
  @inlinable public var top: Card? {
    upcomingCount > 0 ? ring[state.historyCount].card : nil
  }

  /// The position of the top, or of the next appended card when the stack is empty. Only swipes
  /// and rewinds move it.
  @inlinable public var topPosition: StackPosition { state.topPosition }

  /// Goes up by one with each reset and each replacement that changed something.
  @inlinable public var generation: Int { state.generation }

  /// The number of upcoming cards, the top included; in a looping stack, of the whole deck.
  @inlinable public var upcomingCount: Int { ring.count - state.historyCount }

  /// The number of swipes that can be rewound now.
  @inlinable public var historyCount: Int { state.historyCount }

  /// The same as ``upcomingCount``.
  @inlinable public var remaining: Int { upcomingCount }

  /// Whether no card is upcoming. A history may exist all the same.
  @inlinable public var isEmpty: Bool { upcomingCount == 0 }

  /// Whether ``rewind()`` would succeed.
  @inlinable public var canRewind: Bool { state.historyCount > 0 }

  /// The number of slots of the ring: `capacity + historyLimit`, for the whole life of the stack.
  @inlinable public var ringCapacity: Int { ring.capacity }

  /// Where all cards went since the last reset.
  @inlinable public var counts: StackCounts { storedCounts }

  /// The sequence number the next swipe will get.
  @inlinable public var nextSequence: Int { state.nextSequence }

  /// Names the top for a decision on it; nil when the stack is empty.
  ///
  /// - Complexity: O(1).
  @inlinable public var token: StackToken<Card.ID>? {
    guard let top else { return nil }
    return StackToken(id: top.id, generation: state.generation, position: state.topPosition)
  }

  /// How far the viewer is: "card k of n".
  ///
  /// - Complexity: O(1).
  @inlinable public var progress: StackProgress {
    switch policy {
    case .stop:
      let swiped = state.historyCount + storedCounts.evicted
      return StackProgress(swiped: swiped, total: swiped + upcomingCount)
    case .loop:
      let swiped = isEmpty ? 0 : state.nextSequence % upcomingCount
      return StackProgress(swiped: swiped, total: upcomingCount)
    }
  }

  /// The next cards, top first: `min(length, upcomingCount)` of them, all distinct.
  ///
  /// Allocates the array it returns; ``upcoming`` reads without.
  ///
  /// - Parameter length: The most cards wanted, 0 or more.
  /// - Complexity: O(length).
  @inlinable
  public func window(_ length: Int) -> [Card] {
    precondition(length >= 0, "The length of a window must be 0 or more.")
    return upcoming.prefix(length).map { $0 }
  }

  /// Whether a card with an id is upcoming.
  ///
  /// - Parameter id: The id to look for.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(upcoming id: Card.ID) -> Bool {
    index.residence(of: id)?.upcoming != nil
  }

  /// Whether a swipe of a card with an id is in the history.
  ///
  /// - Parameter id: The id to look for.
  /// - Complexity: O(1) expected.
  @inlinable
  public func hasSeen(_ id: Card.ID) -> Bool {
    (index.residence(of: id)?.records ?? 0) > 0
  }

  @inlinable var firstPosition: StackPosition {
    state.topPosition.advanced(by: -state.historyCount)
  }
}

extension CardStack {
  /// The upcoming cards, top first. A view: keep it no longer than needed, because changing the
  /// stack while a view of it is alive copies the storage.
  @inlinable public var upcoming: Upcoming {
    Upcoming(ring: ring, firstOffset: state.historyCount)
  }

  /// The swipes that can be rewound, oldest first. A view, to be used like ``upcoming``.
  @inlinable public var history: History {
    History(ring: ring, count: state.historyCount, firstPosition: firstPosition)
  }

  /// The upcoming cards of a stack, top first.
  public struct Upcoming: RandomAccessCollection {
    @usableFromInline let ring: RingBuffer<Entry>
    @usableFromInline let firstOffset: Int

    @inlinable
    init(ring: RingBuffer<Entry>, firstOffset: Int) {
      self.ring = ring
      self.firstOffset = firstOffset
    }

    /// The index of the top: 0.
    @inlinable public var startIndex: Int { 0 }

    /// The number of upcoming cards.
    @inlinable public var endIndex: Int { ring.count - firstOffset }

    /// The card that many places below the top.
    ///
    /// - Parameter offset: In `0..<count`.
    @inlinable
    public subscript(offset: Int) -> Card {
      precondition(offset >= 0, "The offset is outside the upcoming cards. Use one in 0..<count.")
      return ring[firstOffset + offset].card
    }
  }

  /// The swipes a stack can rewind, oldest first.
  public struct History: RandomAccessCollection {
    @usableFromInline let ring: RingBuffer<Entry>
    @usableFromInline let firstPosition: StackPosition

    /// The number of swipes.
    public let endIndex: Int

    @inlinable
    init(ring: RingBuffer<Entry>, count: Int, firstPosition: StackPosition) {
      self.ring = ring
      self.endIndex = count
      self.firstPosition = firstPosition
    }

    /// The index of the oldest swipe: 0.
    @inlinable public var startIndex: Int { 0 }

    /// A swipe, counted from the oldest.
    ///
    /// - Parameter offset: In `0..<count`.
    @inlinable
    public subscript(offset: Int) -> SwipeRecord<Card, Answer> {
      precondition(offset < endIndex, "The offset is outside the history. Use one in 0..<count.")
      return ring[offset].record(at: firstPosition.advanced(by: offset))
    }
  }
}

extension CardStack.Upcoming: Sendable where Card: Sendable, Answer: Sendable {}
extension CardStack.History: Sendable where Card: Sendable, Answer: Sendable {}
