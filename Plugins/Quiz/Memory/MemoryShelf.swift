internal import CardFeed

/// The memories of the strategies that are in use, so that all parts of a pipeline that ask for the
/// same one share it, and with it what is kept of each viewer.
final class MemoryShelf: Sendable {
  /// What makes two memories the same.
  struct Key: Hashable, Sendable {
    let name: String
    let schedule: MemorySchedule
    /// Whose models it goes by.
    let states: ObjectIdentifier
    let path: String?
  }

  private struct Kept: Sendable {
    weak var memory: (any StudyMemory & AnyObject)?
  }

  private let kept = Lock<[Key: Kept]>([:])

  /// The memory of a key, made where nobody uses one.
  func memory<M: StudyMemory & AnyObject>(for key: Key, make: () throws -> M) rethrows -> M {
    try kept.withLock { kept in
      if let memory = kept[key]?.memory as? M { return memory }
      let memory = try make()
      kept = kept.filter { $0.value.memory != nil }
      kept[key] = Kept(memory: memory)
      return memory
    }
  }
}
