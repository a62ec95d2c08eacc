internal import CardFeed

/// The cards with the smallest values, of equal ones those with the smallest numbers: a heap with
/// the greatest on top.
struct SmallestValues {
  private struct Entry: Comparable {
    let value: Double
    let number: CardNumber

    static func < (left: Entry, right: Entry) -> Bool {
      (left.value, left.number) < (right.value, right.number)
    }
  }

  private let limit: Int
  private var heap: [Entry] = []

  /// What a value must be below to get in; nil while every value does. O(1).
  var bound: Double? { heap.count < limit ? nil : heap.first?.value ?? -.infinity }

  init(limit: Int) { self.limit = max(0, limit) }

  /// O(log limit), O(1) for one that is too great.
  mutating func insert(_ number: CardNumber, _ value: Double) {
    let entry = Entry(value: value, number: number)
    if heap.count < limit {
      heap.append(entry)
      var child = heap.count - 1
      while child > 0, heap[(child - 1) / 2] < heap[child] {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    } else if let greatest = heap.first, entry < greatest {
      heap[0] = entry
      sink()
    }
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var greatest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[greatest] < heap[child] {
        greatest = child
      }
      if greatest == parent { return }
      heap.swapAt(parent, greatest)
      parent = greatest
    }
  }

  /// Ascending.
  var sorted: [CardNumber] { heap.sorted().map(\.number) }
}
