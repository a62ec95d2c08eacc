/// Lets many in at once, or one alone.
///
/// Whoever waits to be alone goes before those who come later, so that it waits for those only who
/// were in before. Uncontended, entering and leaving are two short locks. Not re-entrant, and nobody
/// inside may wait for somebody who waits outside.
final class SharedGate: Sendable {
  fileprivate struct State {
    var inside = 0
    var isAlone = false
    var loners: [CheckedContinuation<Void, Never>] = []
    var others: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// Runs `body` beside others that share the gate.
  func share<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    await enter(alone: false)
    defer { leave() }
    return try await body()
  }

  /// Runs `body` once everybody has left, and lets nobody in meanwhile.
  func close<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    await enter(alone: true)
    defer { leave() }
    return try await body()
  }

  private func enter(alone: Bool) async {
    if state.withLock({ $0.tryToEnter(alone: alone) }) { return }
    await withCheckedContinuation { continuation in
      let runsAtOnce = state.withLock { state in
        if state.tryToEnter(alone: alone) { return true }
        if alone { state.loners.append(continuation) } else { state.others.append(continuation) }
        return false
      }
      if runsAtOnce { continuation.resume() }
    }
  }

  private func leave() {
    let next: [CheckedContinuation<Void, Never>] = state.withLock { state in
      if state.isAlone { state.isAlone = false } else { state.inside -= 1 }
      guard state.inside == 0 else { return [] }
      if !state.loners.isEmpty {
        state.isAlone = true
        return [state.loners.removeFirst()]
      }
      let others = state.others
      state.others = []
      state.inside = others.count
      return others
    }
    for continuation in next { continuation.resume() }
  }
}

extension SharedGate.State {
  fileprivate mutating func tryToEnter(alone: Bool) -> Bool {
    guard !isAlone else { return false }
    if alone {
      guard inside == 0 else { return false }
      isAlone = true
    } else {
      guard loners.isEmpty else { return false }
      inside += 1
    }
    return true
  }
}
