internal import CardFeed

/// The events that were delivered last, in the order of their delivery.
struct ReplayWindow {
  /// An event with what is needed to show it to anybody.
  struct Entry: Sendable {
    let event: OutboxEvent
    let low: CardID?
    let high: CardID?
    /// Whether a client that saw this event has seen everything before it in the window.
    let isResumable: Bool
    /// Whether it stands for an erasure: then both numbers of the event are that person's.
    var isErasure = false
  }

  private let capacity: Int
  /// The entry with number n lies at n modulo the capacity.
  private var entries: [Entry] = []
  private var end = 0
  private var numbers: [LogPosition: Int] = [:]
  private var greatestForgotten = LogPosition.start
  /// Of a window that follows a log: the place up to which it has. Its events come in order.
  private var followed: LogPosition?

  init(capacity: Int) { self.capacity = max(1, capacity) }

  private var start: Int { max(0, end - capacity) }

  /// The place in the log of the last event, from which a client may resume; 0 before the first
  /// event, nil where the last one is no such place.
  var cursor: LogPosition? {
    if let followed { return max(followed, last) }
    guard end > 0 else { return .start }
    let last = entries[(end - 1) % capacity]
    return last.isResumable ? last.event.event : nil
  }

  private var last: LogPosition {
    end > 0 ? entries[(end - 1) % capacity].event.event : .start
  }

  // MARK: Following a log

  /// Nothing before the place is known; from there on every event comes, in order.
  mutating func follow(from place: LogPosition) {
    followed = place
    greatestForgotten = place
  }

  /// The log was followed up to the place.
  mutating func advance(to place: LogPosition) { followed = max(followed ?? place, place) }

  // MARK: Events

  /// Adds an event unless the window holds it.
  ///
  /// An event that is not newer than a forgotten one may have been delivered before and be
  /// forgotten itself. Whoever names it may mean that first delivery, and lack what came between.
  ///
  /// - Returns: The entry; nil for an event that is there.
  mutating func append(
    _ event: OutboxEvent, low: CardID?, high: CardID?, isErasure: Bool = false
  ) -> Entry? {
    if followed != nil, event.event <= max(last, greatestForgotten) { return nil }
    let known = numbers[event.event]
    if let known, entries[known % capacity].event.low == event.low { return nil }
    let entry = Entry(
      event: event, low: low, high: high, isResumable: event.event > greatestForgotten,
      isErasure: isErasure)
    if end < capacity {
      entries.append(entry)
    } else {
      let oldest = entries[end % capacity].event.event
      if numbers[oldest] == end - capacity { numbers[oldest] = nil }
      greatestForgotten = max(greatestForgotten, oldest)
      entries[end % capacity] = entry
    }
    if numbers[event.event] == nil { numbers[event.event] = end }
    end += 1
    return entry
  }

  /// What was delivered after the event at a place of the log, oldest first; nil if that is not
  /// known any more. O(entries).
  func entries(after place: LogPosition) -> [Entry]? {
    if followed != nil {
      guard place >= greatestForgotten, let cursor, place <= cursor else { return nil }
      return range(firstNumber(after: place)..<end)
    }
    if place == .start { return start == 0 ? range(0..<end) : nil }
    guard let number = numbers[place], entries[number % capacity].isResumable else { return nil }
    return range(number + 1..<end)
  }

  /// Of a window whose events are in the order of the log.
  private func firstNumber(after place: LogPosition) -> Int {
    var (low, high) = (start, end)
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle % capacity].event.event > place { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func range(_ numbers: Range<Int>) -> [Entry] {
    numbers.map { entries[$0 % capacity] }
  }
}
