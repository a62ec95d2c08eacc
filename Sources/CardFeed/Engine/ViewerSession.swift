internal import CardFeedStack

/// What the engine keeps in memory of one viewer.
final class ViewerSession: @unchecked Sendable {
  let viewer: ViewerID
  let lane = SerialLane()
  /// How often somebody replaced or took back what they had said of the viewer. Raised from outside
  /// of the lane.
  let replacedAnswers = Lock(0)

  // Everything below belongs to the operation that runs in the lane; that is why it is safe to
  // share the object.
  var isLoaded = false
  var number = CardNumber(0)
  var stack = HandStack(capacity: 1, historyLimit: 0)
  var seen: [CardNumber: SeenEntry] = [:]
  var deals: Int64 = 0
  var cursors: [Int: SourceCursor] = [:]
  /// Whether the last pass over the sources ended without cards enough.
  var ranDry = false
  var cursorFingerprint = ""
  var shortfall: Shortfall?
  var degradations: [Degradation] = []
  /// As of when the cards of the hand were judged; nil is not since it was read.
  var check: HandCheck?
  /// Cards of the hand that could not be judged last time: they stay, and are not shown.
  var hidden: Set<CardNumber> = []
  /// Cards that a check took out, and that count as not dealt: they may be dealt when they are fit
  /// again. The latest ones, oldest first.
  var returned: [CardNumber] = []
  /// Cards of the past that may not be shown when their swipe is taken back.
  var unfitPast: Set<CardNumber> = []
  /// Swipes that can be taken back although their card was dealt again since.
  var displaced: [PastSwipe] = []
  /// Cards of the hand that lie there because their swipe was taken back.
  var takenBack: Set<CardNumber> = []
  /// What quotas count; nil as long as nobody asked.
  var spent: SpentAnswers?
  /// Every answer that stands, for strategies that need them; nil as long as none asked.
  var given: [GivenAnswer]?
  /// Every impression, for strategies that need them; nil as long as none asked.
  var shown: [Impression]?

  init(viewer: ViewerID) { self.viewer = viewer }

  /// Keeps nothing of a viewer who was erased; whoever comes next is read anew.
  func forget() {
    isLoaded = false
    seen = [:]
    spent = nil
    given = nil
    shown = nil
    hidden = []
    unfitPast = []
    takenBack = []
    returned = []
    displaced = []
    stack = HandStack(capacity: 1, historyLimit: 0)
  }

  /// Where the hand stands in the store, as far as is known here.
  var revision: HandRevision {
    HandRevision(
      generation: Int64(stack.generation), top: Int64(stack.topPosition.value), deals: deals)
  }

  /// The stack as a store keeps it.
  func storedStack(_ stack: HandStack, returned: [CardNumber]? = nil) -> StoredStack {
    StoredStack(
      generation: Int64(stack.generation), top: Int64(stack.topPosition.value),
      imageStart: Int64(stack.topPosition.value),
      image: HandImage.encode(stack.upcoming, returned: returned ?? self.returned))
  }

  /// The returned cards and some more. So many are kept as fit beside a hand; of older ones the deal
  /// counts.
  func returning(_ cards: [CardNumber]) -> [CardNumber] {
    let kept = returned.filter { !cards.contains($0) }
    return Array((kept + cards).suffix(500))
  }

  /// Sets which cards count as not dealt.
  func setReturned(_ cards: [CardNumber]) {
    returned = cards
    for card in cards {
      seen[card]?.dealtAt = nil
      if seen[card] == SeenEntry() { seen[card] = nil }
    }
  }

  /// Whether a card of the hand was answered after it was dealt: elsewhere, since a swipe would
  /// have taken it out of the hand.
  func isAnswered(_ card: HandCard) -> Bool {
    seen[card.id]?.answer.map { $0.event > card.deal } ?? false
  }

  /// Whether a card was ever dealt to the viewer: it lies in the hand, in its past, or did so before.
  /// A card that a check took out was shown all the same. O(hand + returned cards).
  func wasDealt(_ card: CardNumber) -> Bool {
    seen[card]?.dealtAt != nil || stack.upcoming.contains { $0.id == card }
      || stack.history.contains { $0.card.id == card } || returned.contains(card)
  }

  /// Cards in the hand, by number.
  var inHand: Set<CardNumber> { Set(stack.upcoming.map(\.id)) }
}

/// The sessions in memory: as many as `capacity`, those used least recently leave first. A session
/// in use never leaves.
final class SessionCache: Sendable {
  private struct Entry {
    let session: ViewerSession
    var users: Int
    var lastUse: UInt64
  }

  private struct State {
    var entries: [ViewerID: Entry] = [:]
    var uses: UInt64 = 0
  }

  private let capacity: Int
  private let state = Lock(State())

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { state.withLock { $0.entries.count } }

  /// Whose sessions are in memory at this moment.
  var viewers: [ViewerID] { state.withLock { Array($0.entries.keys) } }

  /// The viewer's session, if it is in memory. Only what is safe outside of its lane may be touched.
  func present(_ viewer: ViewerID) -> ViewerSession? {
    state.withLock { $0.entries[viewer]?.session }
  }

  /// Runs `body` with the viewer's session, alone in its lane.
  func use<Result>(
    _ viewer: ViewerID, _ body: (ViewerSession) async throws -> Result
  ) async rethrows -> Result {
    let session = enter(viewer)
    defer { leave(viewer) }
    return try await session.lane.run { try await body(session) }
  }

  /// Runs `body` with the sessions of several viewers, alone in all their lanes. The lanes are
  /// entered in the order of the identifiers, so that two such calls never wait for each other.
  func useAll<Result>(
    _ viewers: [ViewerID], _ body: ([ViewerID: ViewerSession]) async throws -> Result
  ) async rethrows -> Result {
    let sorted = Set(viewers).sorted()
    let sessions = sorted.map { enter($0) }
    defer { for viewer in sorted { leave(viewer) } }
    for session in sessions { await session.lane.enter() }
    defer { for session in sessions { session.lane.leave() } }
    return try await body(
      Dictionary(uniqueKeysWithValues: zip(sorted, sessions)))
  }

  private func enter(_ viewer: ViewerID) -> ViewerSession {
    state.withLock { state in
      state.uses += 1
      if var entry = state.entries[viewer] {
        entry.users += 1
        entry.lastUse = state.uses
        state.entries[viewer] = entry
        return entry.session
      }
      if state.entries.count >= capacity { evict(from: &state) }
      let session = ViewerSession(viewer: viewer)
      state.entries[viewer] = Entry(session: session, users: 1, lastUse: state.uses)
      return session
    }
  }

  private func leave(_ viewer: ViewerID) {
    state.withLock { state in state.entries[viewer]?.users -= 1 }
  }

  /// Drops the older half of the idle sessions at once, so that the search is paid for by many.
  private func evict(from state: inout State) {
    let idle = state.entries.filter { $0.value.users == 0 }
    let oldest = idle.sorted { $0.value.lastUse < $1.value.lastUse }
    for (viewer, _) in oldest.prefix(max(1, oldest.count / 2)) { state.entries[viewer] = nil }
  }
}
