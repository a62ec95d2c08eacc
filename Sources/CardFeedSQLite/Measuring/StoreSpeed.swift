import CardFeed
import Glibc

/// What storing costs on this machine, measured against the least that it could cost.
///
/// Many viewers swipe at once, each waiting for its commit. A reference loop then writes the same
/// rows over SQLite's C interface, in groups of the same sizes, without asking anything, checking
/// anything or giving anything back. Both wait for the disk at each commit.
package struct StoreSpeed: Sendable {
  /// Viewers that swipe at once.
  package let viewers: Int
  /// Swipes of all of them.
  package let swipes: Int
  /// Commits they shared.
  package var groups = 0
  /// Nanoseconds from the first swipe to the last receipt.
  package var storeNanoseconds: UInt64 = 0
  /// The same of the reference loop.
  package var referenceNanoseconds: UInt64 = 0
  /// The store's swipes a second over the reference's: the median of the turns they took.
  package var ratio = 0.0
  /// From asking to receipt: half of the swipes were quicker, and 99 % of them.
  package var medianNanoseconds: UInt64 = 0
  package var p99Nanoseconds: UInt64 = 0
  /// Writing a group to the log and waiting for the disk: half of the groups were quicker, and 99 %.
  package var commitNanoseconds: UInt64 = 0
  package var commitP99Nanoseconds: UInt64 = 0
  /// Deciding and writing the rows of a group before that, the median.
  package var workNanoseconds: UInt64 = 0
  /// Appending a page to a file and waiting for the disk, the median; and 99 %.
  package var syncNanoseconds: UInt64 = 0
  package var syncP99Nanoseconds: UInt64 = 0
  /// Processor time of the whole process for the swipes.
  package var processorNanoseconds: UInt64 = 0
  /// Bytes of the file for each swipe, with what a learner learned from it and the indexes.
  package var bytesPerSwipe = 0.0
  /// Bytes of the indexes among them; nil where SQLite cannot count pages.
  package var indexBytesPerSwipe: Double?
  /// Bytes of the file for each viewer who holds a hand of five: identifier, hand, count of deals.
  package var bytesPerViewer = 0.0
  /// Bytes of the file for each deal of five cards: event, exposures, what was seen.
  package var bytesPerDeal = 0.0
  /// Bytes of an old pass after its folding.
  package var bytesPerFoldedPass = 0.0
}

extension StoreSpeed {
  /// Measures in an empty folder, which is left with the files.
  ///
  /// - Parameters:
  ///   - folder: Where the files go. It decides which disk is measured.
  ///   - viewers: How many swipe at once, 1 or more.
  ///   - swipes: How many swipes each of them makes, 1 or more.
  ///   - syncDelayMicroseconds: By how much longer every sync of the disk shall take, of the store
  ///     and of the reference loop alike.
  /// - Throws: ``SQLiteError``.
  package static func measure(
    in folder: String, viewers: Int, swipes: Int, syncDelayMicroseconds delay: UInt32 = 0
  ) async throws -> StoreSpeed {
    var speed = StoreSpeed(viewers: viewers, swipes: viewers * swipes)
    var syncs: [UInt64] = []
    var ratios: [Double] = []
    var options = SQLiteStore.Options()
    options.fileSystem = delay == 0 ? nil : SlowDisk.register(delayMicroseconds: delay)
    let fileSystem = options.fileSystem
    let store = try await SQLiteStore.open(path: "\(folder)/store.db", options: options)
    let work = SwipeWork(
      viewers: try await store.numbers(for: (0..<viewers).map { CardID("viewer \($0)") }),
      cards: try await store.numbers(for: (0..<max(swipes, 2_000)).map { CardID("card \($0)") }))
    for viewer in work.viewers { _ = try await store.commit(work.deal(to: viewer)) }
    let reference = try await SQLiteStore.blocking {
      try ReferenceLoop(path: "\(folder)/reference.db", fileSystem: fileSystem, work: work)
    }
    try await store.checkpoint()
    let bytesBefore = try await store.size()
    var times: [UInt64] = []
    var groups: [WriteQueue.Group] = []
    // In turns, because a disk that others use is quick at one moment and slow at the next.
    let slices = min(swipes, 12)
    for slice in 0..<slices {
      let part = swipes * slice / slices..<swipes * (slice + 1) / slices
      syncs += try measureSync(in: folder, delayMicroseconds: delay)
      store.writer.recordGroups()
      let run = try await work.run(part, on: store)
      let sliceGroups = store.writer.recordedGroups
      let sizes = sliceGroups.map(\.size)
      let plain = try await SQLiteStore.blocking { try reference.run(part, groups: sizes) }
      times += run.times
      groups += sliceGroups
      speed.storeNanoseconds += run.nanoseconds
      speed.processorNanoseconds += run.processorNanoseconds
      speed.referenceNanoseconds += plain
      ratios.append(Double(plain) / Double(run.nanoseconds))
    }
    speed.ratio = ratios.sorted()[ratios.count / 2]
    speed.groups = groups.count
    (speed.medianNanoseconds, speed.p99Nanoseconds) = percentiles(times)
    (speed.syncNanoseconds, speed.syncP99Nanoseconds) = percentiles(syncs)
    (speed.commitNanoseconds, speed.commitP99Nanoseconds) = percentiles(
      groups.map(\.commitNanoseconds))
    (speed.workNanoseconds, _) = percentiles(groups.map(\.workNanoseconds))
    try await store.checkpoint()
    let bytes = try await store.size()
    let count = Double(speed.swipes)
    speed.bytesPerSwipe = Double(bytes.all - bytesBefore.all) / count
    if let after = bytes.indexes, let before = bytesBefore.indexes {
      speed.indexBytesPerSwipe = Double(after - before) / count
    }
    try await speed.measureBytes(of: work, in: store)
    try await store.close()
    return speed
  }

  /// Deals to many viewers, once to make their rows and once more, and folds all passes.
  private mutating func measureBytes(of work: SwipeWork, in store: SQLiteStore) async throws {
    let others = 2_000
    var sizes = [try await store.size().all]
    let numbers = try await store.numbers(
      for: (0..<others).map { CardID("another viewer \($0)") })
    for _ in 0..<2 {
      try await store.write { transaction in
        for (index, viewer) in numbers.enumerated() {
          _ = try transaction.apply(work.deal(to: viewer, from: index * 5))
        }
      }
      try await store.checkpoint()
      sizes.append(try await store.size().all)
    }
    // The second deal replaces the hand and deals the same cards: only event and exposures are new.
    // What was seen is counted with the first.
    let again = Double(sizes[2] - sizes[1]) / Double(others)
    let first = Double(sizes[1] - sizes[0]) / Double(others)
    bytesPerDeal = again
    bytesPerViewer = first - again
    let folded = try await store.ageOut(
      negativesBefore: Timestamp(milliseconds: .max), unansweredLikesBefore: nil)
    bytesPerFoldedPass = Double(folded.bytes) / Double(max(1, folded.negatives))
  }

  private static func percentiles(_ times: [UInt64]) -> (median: UInt64, p99: UInt64) {
    let sorted = times.sorted()
    return (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
  }

  private static func measureSync(
    in folder: String, delayMicroseconds: UInt32
  ) throws -> [UInt64] {
    let path = "\(folder)/sync"
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else {
      throw SQLiteError(
        .cannotOpen, file: path, operation: "measure the disk", found: "errno \(errno)")
    }
    defer {
      Glibc.close(file)
      unlink(path)
    }
    let page = [UInt8](repeating: 7, count: 4_096)
    var times: [UInt64] = []
    for _ in 0..<30 {
      let start = SystemClock().uptimeNanoseconds
      if delayMicroseconds > 0 { usleep(delayMicroseconds) }
      guard Glibc.write(file, page, page.count) == page.count, fdatasync(file) == 0 else {
        throw SQLiteError(
          .ioError, file: path, operation: "measure the disk", found: "errno \(errno)")
      }
      times.append(SystemClock().uptimeNanoseconds - start)
    }
    return times
  }
}

extension SQLiteStore {
  fileprivate func size() async throws -> (all: Int64, indexes: Int64?) {
    try await readers.read { connection in
      let page = try connection.integer("PRAGMA page_size")
      let free = try connection.integer("PRAGMA freelist_count")
      let all = try connection.integer("PRAGMA page_count") - free
      let indexes = try? connection.integer(
        """
        SELECT sum(pgsize) FROM dbstat
        WHERE name IN (SELECT name FROM sqlite_schema WHERE type = 'index')
        """)
      return (all * page, indexes)
    }
  }
}
