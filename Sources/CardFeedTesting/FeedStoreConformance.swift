public import CardFeed

/// What every `FeedStore` promises, as checks that know no test framework.
///
/// This module is for the tests of whoever writes a store, a strategy or a deck: conformance suites
/// (`FeedStoreConformance`, `StrategyConformance`), a toy deck with strategies that do as they are
/// told, a clock that stands still, a store that can be made to fail. It imports the engine only,
/// and never a test framework, Foundation or a plugin.
///
/// Run `FeedStoreConformance.all` one by one, or everything with `violations(makeStore:reopen:)`.
/// Each check makes fresh stores of its own; when its body is done, every store it made must find
/// nothing wrong with itself (`check()`), and is closed.
public enum FeedStoreConformance {
  /// Makes an empty store.
  public typealias MakeStore = @Sendable () async throws -> any FeedStore
  /// Opens what a closed store left behind.
  public typealias Reopen = @Sendable (any FeedStore) async throws -> any FeedStore

  /// One promise.
  public struct Check: Sendable, CustomStringConvertible {
    /// A sentence of what must hold.
    public let name: String
    private let body: @Sendable (StoreBench) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (StoreBench) async throws -> Void) {
      self.name = name
      self.body = body
    }

    /// The name.
    public var description: String { name }

    /// Runs the check on a new store.
    ///
    /// - Parameters:
    ///   - makeStore: Makes an empty store.
    ///   - reopen: Opens what a closed store left behind; nil for a store that is not durable,
    ///     which then goes on unclosed.
    /// - Throws: `ConformanceFailure` with what was found wrong, or what the store throws.
    public func run(makeStore: MakeStore, reopen: Reopen? = nil) async throws {
      let bench = StoreBench(store: try await makeStore(), reopen: reopen)
      do {
        try await body(bench)
        let problems = try await bench.store.check()
        try require(problems.isEmpty, "afterwards the store's own check() finds \(problems)")
      } catch {
        try? await bench.store.close()
        throw error
      }
      try await bench.store.close()
    }
  }

  /// Every check.
  public static let all: [Check] =
    numberChecks + cardChecks + dealChecks + handChecks + swipeChecks + quotaChecks + matchChecks
    + rewindChecks
    + safetyChecks + unmatchChecks + matchChangeChecks + queueChecks + learnerChecks + logChecks

  /// Runs every check and returns what is broken; empty when the store keeps all promises.
  public static func violations(
    makeStore: MakeStore, reopen: Reopen? = nil
  ) async -> [ConformanceViolation] {
    var found: [ConformanceViolation] = []
    for check in all {
      do { try await check.run(makeStore: makeStore, reopen: reopen) } catch {
        found.append(ConformanceViolation(check: check.name, finding: "\(error)"))
      }
    }
    return found
  }
}
