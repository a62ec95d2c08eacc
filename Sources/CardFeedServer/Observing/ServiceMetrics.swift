internal import CardFeed
internal import CardFeedHTTP
internal import Synchronization

/// Counts of a service, written without locks and read now and then.
final class ServiceMetrics: Sendable {
  final class Counter: Sendable {
    private let number = Atomic<UInt64>(0)
    var value: UInt64 { number.load(ordering: .relaxed) }
    func add(_ amount: UInt64 = 1) { number.wrappingAdd(amount, ordering: .relaxed) }
  }

  /// Requests of one route.
  final class RouteCounts: Sendable {
    let name: String
    let method: String
    /// By status; the last one is for every other status.
    let statuses: [(status: Int, count: Counter)]
    /// One more than bounds, for what took longer.
    let buckets: [Counter]
    let nanoseconds = Counter()

    init(name: String, method: String, statuses: [Int]) {
      self.name = name
      self.method = method
      self.statuses = (statuses + [0]).map { ($0, Counter()) }
      buckets = (0...ServiceMetrics.bounds.count).map { _ in Counter() }
    }

    func count(status: Int, nanoseconds took: UInt64) {
      let known = statuses.first { $0.status == status } ?? statuses.last
      known?.count.add()
      let bucket = ServiceMetrics.bounds.firstIndex { took <= $0 } ?? ServiceMetrics.bounds.count
      buckets[bucket].add()
      nanoseconds.add(took)
    }
  }

  /// The upper bounds of the histogram's buckets, in nanoseconds.
  static let bounds: [UInt64] = [
    50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
    100_000_000, 1_000_000_000, 10_000_000_000,
  ]

  /// In the order of the table.
  let routes: [RouteCounts]
  /// Requests that found no route.
  let unrouted: RouteCounts
  let hands = Counter()
  let swipes = Counter()
  let repeatedSwipes = Counter()
  let staleSwipes = Counter()
  let matches = Counter()
  let rewinds = Counter()
  let storedCards = Counter()
  let failures = Counter()
  let start = SystemClock().now

  init(_ routes: [Route]) {
    self.routes = routes.map { route in
      let statuses = Set(route.answers.map(\.status) + route.allProblems.map(\.status))
      return RouteCounts(
        name: route.path, method: route.method.rawValue, statuses: statuses.sorted())
    }
    unrouted = RouteCounts(name: "none", method: "none", statuses: [400, 404, 405, 403, 401])
  }
}
