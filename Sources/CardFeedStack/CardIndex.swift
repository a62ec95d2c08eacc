/// Where each id of a ``CardStack`` is: upcoming, in the history, or both in a looping stack.
///
/// A hash table with open addressing and linear probing (Knuth, The Art of Computer Programming,
/// volume 3, section 6.4, algorithms L and R) whose size is fixed at `init`. A dictionary would do
/// the same but promises neither that it never grows nor that removal leaves no trace.
@usableFromInline
struct CardIndex<ID: Hashable> {
  @usableFromInline
  struct Residence {
    @usableFromInline let id: ID
    /// Where the upcoming card lies; nil if the id is only in the history.
    @usableFromInline var upcoming: StackPosition?
    /// Set while a removal is under way.
    @usableFromInline var isLeaving = false
    /// The number of history records of the id.
    @usableFromInline var records: Int32 = 0

    @inlinable
    init(id: ID) { self.id = id }
  }

  @usableFromInline var buckets: ContiguousArray<Residence?>
  @usableFromInline var count = 0

  /// - Parameter capacity: The most ids it can hold. At least a third of the buckets stays vacant,
  ///   which bounds the expected length of a probe.
  @inlinable
  init(capacity: Int) {
    var size = 1
    while size < capacity + capacity / 2 + 1 { size *= 2 }
    buckets = ContiguousArray(repeating: nil, count: size)
  }

  /// The bucket of an id, or the vacant one in which it belongs.
  @inlinable
  func bucket(of id: ID) -> Int {
    var bucket = home(of: id)
    while let resident = buckets[bucket], resident.id != id { bucket = next(bucket) }
    return bucket
  }

  @inlinable
  func residence(of id: ID) -> Residence? { buckets[bucket(of: id)] }

  /// Says where the upcoming card of an id lies now, nil if no longer upcoming, and changes the
  /// number of its history records. An id that is nowhere any more is forgotten.
  @inlinable
  mutating func update(_ id: ID, upcoming: StackPosition?, recordsBy change: Int32 = 0) {
    let bucket = bucket(of: id)
    if buckets[bucket] == nil {
      buckets[bucket] = Residence(id: id)
      count += 1
    }
    buckets[bucket]?.upcoming = upcoming
    buckets[bucket]?.records += change
    if upcoming == nil, buckets[bucket]?.records == 0 { vacate(bucket) }
  }

  /// Changes only the number of history records of an id.
  @inlinable
  mutating func update(_ id: ID, recordsBy change: Int32) {
    update(id, upcoming: residence(of: id)?.upcoming, recordsBy: change)
  }

  @inlinable
  mutating func removeAll() {
    for bucket in buckets.indices { buckets[bucket] = nil }
    count = 0
  }

  @inlinable
  func home(of id: ID) -> Int { id.hashValue & (buckets.count - 1) }

  @inlinable
  func next(_ bucket: Int) -> Int { (bucket + 1) & (buckets.count - 1) }

  /// Empties a bucket and moves back every resident behind it that the gap would hide.
  @inlinable
  mutating func vacate(_ bucket: Int) {
    var gap = bucket
    var probe = next(gap)
    buckets[gap] = nil
    count -= 1
    while let resident = buckets[probe] {
      let distanceFromHome = (probe - home(of: resident.id)) & (buckets.count - 1)
      let distanceFromGap = (probe - gap) & (buckets.count - 1)
      if distanceFromHome >= distanceFromGap {
        buckets.swapAt(gap, probe)
        gap = probe
      }
      probe = next(probe)
    }
  }
}

extension CardIndex: Sendable where ID: Sendable {}
extension CardIndex.Residence: Sendable where ID: Sendable {}
