import CardFeedHTTP

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
