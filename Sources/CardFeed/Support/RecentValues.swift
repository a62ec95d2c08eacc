/// The values of the keys that were used last, `capacity` of them at most.
///
/// When one too many comes, the older half leaves at once, so that a use costs O(1) on average.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var value: Value
    var lastUse: UInt64
  }

  let capacity: Int
  private var entries: [Key: Entry] = [:]
  private var uses: UInt64 = 0

  package init(capacity: Int) { self.capacity = capacity }

  package var count: Int { entries.count }

  package subscript(key: Key) -> Value? {
    mutating get {
      guard entries[key] != nil else { return nil }
      uses += 1
      entries[key]?.lastUse = uses
      return entries[key]?.value
    }
    set {
      uses += 1
      entries[key] = newValue.map { Entry(value: $0, lastUse: uses) }
      if entries.count > capacity { evict() }
    }
  }

  private mutating func evict() {
    let kept = max(1, capacity / 2)
    let uses = entries.values.map(\.lastUse).sorted(by: >)
    let oldest = uses[kept - 1]
    entries = entries.filter { $0.value.lastUse >= oldest }
  }
}
