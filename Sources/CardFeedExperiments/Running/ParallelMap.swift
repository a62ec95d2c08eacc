internal import CardFeed

/// Computes `count` values, some at a time; the result does not depend on how many.
///
/// - Parameters:
///   - count: How many values.
///   - threads: How many are computed at a time.
///   - finished: Called after each value, from any task.
///   - body: Computes the value of an index. The first error ends the whole.
func parallelMap<Value: Sendable>(
  _ count: Int, threads: Int, finished: @escaping @Sendable () -> Void,
  _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
  let next = Lock(0)
  let results = try await withThrowingTaskGroup(of: [(Int, Value)].self) { group in
    for _ in 0..<max(1, min(threads, count)) {
      group.addTask {
        var own: [(Int, Value)] = []
        while true {
          let index = next.withLock { next in
            next += 1
            return next - 1
          }
          guard index < count else { return own }
          own.append((index, try await body(index)))
          finished()
          try Task.checkCancellation()
        }
      }
    }
    var all: [(Int, Value)] = []
    for try await own in group { all.append(contentsOf: own) }
    return all
  }
  return results.sorted { $0.0 < $1.0 }.map(\.1)
}
