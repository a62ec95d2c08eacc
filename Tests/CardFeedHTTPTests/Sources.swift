import CardFeedHTTP
import Synchronization

/// A body source of a closure.
struct Endless: HTTPBodySource {
  let make: @Sendable () async throws -> [UInt8]?

  init(_ make: @escaping @Sendable () async throws -> [UInt8]?) { self.make = make }

  func next() async throws -> [UInt8]? { try await make() }
}

/// Some pieces, one after the other.
actor Pieces {
  private var pieces: [String]
  private(set) var asked = 0

  init(_ pieces: [String]) { self.pieces = pieces }

  func next() -> [UInt8]? {
    asked += 1
    return pieces.isEmpty ? nil : Array(pieces.removeFirst().utf8)
  }
}

/// So many bytes, one at a time.
final class Countdown: Sendable {
  private let left: Atomic<Int>

  init(_ count: Int) { left = Atomic(count) }

  func next() -> [UInt8]? {
    left.subtract(1, ordering: .relaxed).newValue >= 0 ? [1] : nil
  }
}
