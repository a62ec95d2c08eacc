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
  }

  private let capacity: Int
  /// The entry with number n lies at n modulo the capacity.
  private var entries: [Entry] = []
  private var end = 0
  private var numbers: [LogPosition: Int] = [:]
  private var greatestForgotten = LogPosition.start

  init(capacity: Int) { self.capacity = max(1, capacity) }

  private var start: Int { max(0, end - capacity) }

  /// The place in the log of the last event, from which a client may resume; 0 before the first
  /// event, nil where the last one is no such place.
  var cursor: LogPosition? {
    guard end > 0 else { return .start }
    let last = entries[(end - 1) % capacity]
    return last.isResumable ? last.event.event : nil
  }

  /// Adds an event unless the window holds it.
  ///
  /// An event that is not newer than a forgotten one may have been delivered before and be
  /// forgotten itself. Whoever names it may mean that first delivery, and lack what came between.
  ///
  /// - Returns: The entry; nil for an event that is there.
  mutating func append(_ event: OutboxEvent, low: CardID?, high: CardID?) -> Entry? {
    let known = numbers[event.event]
    if let known, entries[known % capacity].event.low == event.low { return nil }
    let entry = Entry(
      event: event, low: low, high: high, isResumable: event.event > greatestForgotten)
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
    if place == .start { return start == 0 ? range(0..<end) : nil }
    guard let number = numbers[place], entries[number % capacity].isResumable else { return nil }
    return range(number + 1..<end)
  }

  private func range(_ numbers: Range<Int>) -> [Entry] {
    numbers.map { entries[$0 % capacity] }
  }
}
