// The module imports nothing, not even Foundation: everything above it may use it, and it knows
// neither viewers nor decks, stores or clocks.

/// The circular buffer that holds one viewer's hand and the recent past.
///
/// One ring and one position: `[… past | top | upcoming …]`. A swipe moves the top one position
/// forward, a rewind one back; no card moves in memory, and neither allocates. The card at position
/// p lies in the slot `floorMod(p, capacity + historyLimit)` of the ring, for negative p as well.
///
/// Every operation either does all it says or throws and changes nothing. There is no busy state:
/// outcomes are returned after the commit, so any operation may follow any other at once. A stack is
/// a value; two copies never influence each other. Give it one owner, an actor for instance, when
/// several tasks use it. Holding a copy or a view of it while changing it costs one copy of the
/// storage.
///
/// The id of a card must not change while the stack holds it. The stack knows a seen card only as
/// long as its record is in the history; remembering all answers for ever is a store's task, and
/// observers, animations and persistence are deliberately absent.
public struct CardStack<Card: Identifiable, Answer> {
  /// Decides whether an answer to a card may be recorded; nil lets it through.
  public typealias Gate = @Sendable (_ card: Card, _ answer: Answer) -> Refusal?

  @usableFromInline typealias Entry = StackEntry<Card, Answer>

  /// What makes up the state of a stack besides its cards.
  @usableFromInline
  struct State: Hashable, Sendable {
    @usableFromInline var topPosition = StackPosition(0)
    @usableFromInline var historyCount = 0
    @usableFromInline var generation = 0
    @usableFromInline var nextSequence = 0

    @inlinable
    init() {}
  }

  /// The most cards that can be upcoming by `append`, `replaceUpcoming` and `reset`. Rewinding may
  /// exceed it: a card that comes back always has room.
  public let capacity: Int

  /// The number of swipes that can be rewound. Older ones are evicted.
  public let historyLimit: Int

  /// What happens to a card after it was swiped.
  public let policy: StackPolicy

  /// Consulted by every swipe that is not forced, whichever way it comes. Part of the stack's
  /// behaviour, not of its state: equality and hash ignore it.
  public var gate: Gate?

  // Past entries first: the offset of the top is the length of the history.
  @usableFromInline var ring: RingBuffer<Entry>
  @usableFromInline var index: CardIndex<Card.ID>
  @usableFromInline var state = State()
  @usableFromInline var storedCounts = StackCounts()

  /// Creates an empty stack with its top at position 0; the only allocations of its life.
  ///
  /// - Parameters:
  ///   - capacity: The most upcoming cards, 0 or more.
  ///   - historyLimit: The number of swipes that can be rewound, 0 or more.
  ///   - policy: What happens to a card after it was swiped.
  ///   - gate: Consulted by every swipe that is not forced.
  /// - Complexity: O(capacity + historyLimit) time and memory.
  @inlinable
  public init(
    capacity: Int, historyLimit: Int, policy: StackPolicy = .stop, gate: Gate? = nil
  ) {
    self.init(
      capacity: capacity, historyLimit: historyLimit, policy: policy, gate: gate,
      firstPosition: StackPosition(0))
  }

  @inlinable
  init(
    capacity: Int, historyLimit: Int, policy: StackPolicy, gate: Gate?,
    firstPosition: StackPosition
  ) {
    precondition(
      capacity >= 0 && capacity <= Int(Int32.max),
      "The capacity of a CardStack must be in 0...\(Int32.max). Pass the most upcoming cards.")
    precondition(
      historyLimit >= 0 && historyLimit <= Int(Int32.max),
      "The historyLimit of a CardStack must be in 0...\(Int32.max). Pass 0 for no rewind.")
    self.capacity = capacity
    self.historyLimit = historyLimit
    self.policy = policy
    self.gate = gate
    let slots = capacity + historyLimit
    ring = RingBuffer(capacity: slots, startingAt: firstPosition.value)
    index = CardIndex(capacity: slots)
  }
}

extension CardStack: Sendable where Card: Sendable, Card.ID: Sendable, Answer: Sendable {}

extension CardStack: Equatable where Card: Equatable, Answer: Equatable {
  /// Whether two stacks hold the same cards and swipes at the same positions, in the same
  /// generation and with the same limits. ``counts`` and ``gate`` are not compared, so a restored
  /// stack equals the one that was saved.
  ///
  /// - Complexity: O(upcoming + history).
  public static func == (left: CardStack, right: CardStack) -> Bool {
    left.state == right.state && left.capacity == right.capacity
      && left.historyLimit == right.historyLimit && left.policy == right.policy
      && left.ring == right.ring
  }
}

extension CardStack: Hashable where Card: Hashable, Answer: Hashable {
  /// Feeds what `==` compares.
  ///
  /// - Complexity: O(upcoming + history).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(state)
    hasher.combine(capacity)
    hasher.combine(historyLimit)
    hasher.combine(policy)
    hasher.combine(ring)
  }
}
