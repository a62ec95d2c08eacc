internal import CardFeedStack

/// A swipe that can be taken back.
typealias PastSwipe = SwipeRecord<HandCard, RecordedAnswer>

/// A card lies once in a stack: one that is dealt again while its swipe can still be taken back leaves
/// the past. The swipe is kept beside the stack, so that a rewind takes back the last one all the same.
extension ViewerSession {
  /// Keeps the swipes of cards that are about to be dealt again, before the stack loses them.
  func displace(_ cards: Set<CardNumber>) {
    displaced += stack.history.filter { cards.contains($0.card.id) }
    trimDisplaced()
  }

  /// Keeps as many swipes, with those of the stack, as a rewind reaches, the latest ones. O(limit · log
  /// limit).
  func trimDisplaced() {
    guard displaced.count + stack.historyCount > stack.historyLimit else { return }
    let events = (displaced + stack.history).map(\.answer.event).sorted()
    let reach = events.suffix(stack.historyLimit).first
    displaced.removeAll { swipe in reach.map { swipe.answer.event < $0 } ?? true }
  }

  /// The viewer's last swipe, if it is one of those beside the stack.
  var lastDisplaced: PastSwipe? {
    guard let last = displaced.max(by: { $0.answer.event < $1.answer.event }) else { return nil }
    let top = stack.history.last?.answer.event
    return top.map { $0 < last.answer.event } ?? true ? last : nil
  }

  /// Forgets the swipes of cards whose standing answer was given elsewhere.
  func forgetReplaced() {
    let events = Set((displaced + stack.history).map(\.answer.event))
    displaced.removeAll { swipe in
      seen[swipe.card.id]?.answer.map { !events.contains($0.event) } ?? true
    }
  }
}

extension HandStack {
  /// The stack after a swipe was taken back whose card was dealt again since: the card is on top, and
  /// not where it waited.
  func takingBack(_ swipe: PastSwipe) throws(StackRestorationError) -> HandStack {
    let cards = [swipe.card] + upcoming.filter { $0.id != swipe.card.id }
    return try HandStack(
      restoring: Array(history), upcoming: cards, topPosition: topPosition.advanced(by: -1),
      generation: generation, capacity: Swift.max(capacity, cards.count),
      historyLimit: historyLimit)
  }
}
