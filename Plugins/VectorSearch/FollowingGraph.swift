#if HNSW
  internal import CardFeed
  internal import CardFeedVectorIndex
  internal import Dispatch

  /// A graph that is made beside deals and then follows the index.
  final class FollowingGraph: Sendable {
    private enum Phase {
      case none
      /// With the rows that changed since it was begun.
      case making(changed: Set<Int>)
      case ready(VectorGraph)
      case failed
    }

    private struct State {
      var phase = Phase.none
      /// Tells what is being made from what is not wanted any more.
      var generation = 0
      var making: Task<Void, Never>?
    }

    private let effort: Int
    private let state = Lock(State())

    init(effort: Int) { self.effort = effort }

    /// The graph, or the index as long as there is none.
    func searcher(of index: VectorIndex) -> VectorSearcher {
      switch state.withLock({ $0.phase }) {
      case .none, .making: return VectorSearcher(index: index)
      case .failed: return VectorSearcher(index: index, failure: .failed)
      case .ready(let graph):
        let effort = effort
        return VectorSearcher(index: index) { count, query, kept in
          try graph.nearest(count, to: query, among: kept, effort: max(effort, count))
        }
      }
    }

    /// Takes an index over, one after the other, inside of the lane.
    ///
    /// - Parameters:
    ///   - index: The latest index.
    ///   - changed: The rows that changed since the one before; nil for another index altogether.
    ///   - lane: What the graph enters when it is made.
    ///   - latest: The latest index of that moment.
    func follow(
      _ index: VectorIndex, changed: [Int]?, in lane: SerialLane,
      latest: @escaping @Sendable () -> VectorIndex?
    ) {
      var ready: VectorGraph?
      let begun: Int? = state.withLock { state in
        switch (state.phase, changed) {
        case (.ready(let graph), _?): ready = graph
        case (.making(let earlier), let changed?):
          state.phase = .making(changed: earlier.union(changed))
        case (.failed, _?): break
        default:
          state.phase = .making(changed: [])
          state.generation += 1
          return state.generation
        }
        return nil
      }
      if let ready, !update(ready, to: index, rows: changed ?? []) {
        // Searches go on with the index, and each deal says that the graph is missing.
        state.withLock { $0.phase = .failed }
      }
      guard let begun else { return }
      let task = Task {
        let graph = await Self.graph(of: index)
        await lane.run { self.enter(graph, begun, latest() ?? index) }
      }
      state.withLock { if $0.generation == begun { $0.making = task } }
    }

    /// Waits until what is being made is there.
    func finished() async { await state.withLock { $0.making }?.value }

    /// Minutes of work, so on a thread that serves nobody. Nil without memory.
    private static func graph(of index: VectorIndex) async -> VectorGraph? {
      await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
          continuation.resume(returning: try? VectorGraph(of: index))
        }
      }
    }

    private func enter(_ graph: VectorGraph?, _ generation: Int, _ index: VectorIndex) {
      let changed: Set<Int>? = state.withLock { state in
        guard state.generation == generation, case .making(let changed) = state.phase else {
          return nil
        }
        return changed
      }
      guard let changed else { return }
      let isWhole = graph.map { update($0, to: index, rows: changed.sorted()) } ?? false
      state.withLock { state in
        state.making = nil
        state.phase = isWhole ? graph.map { .ready($0) } ?? .failed : .failed
      }
    }

    /// Whether the graph took the changes.
    private func update(_ graph: VectorGraph, to index: VectorIndex, rows: [Int]) -> Bool {
      do {
        try graph.update(to: index, rows: rows)
        return true
      } catch {
        return false
      }
    }
  }
#endif
