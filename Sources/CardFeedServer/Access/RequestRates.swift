internal import CardFeed

/// How many requests each caller may send: a bucket for each that fills at a steady rate and gives
/// one unit for each request (token bucket, as in RFC 2698 with one rate).
///
/// Bounded memory: buckets that are full again are forgotten, and if that is not enough, all are.
final class RequestRates: Sendable {
  private struct Bucket {
    var level: Double
    var time: UInt64
  }

  private let perSecond: Double
  private let burst: Double
  private let capacity: Int
  private let buckets = Lock<[String: Bucket]>([:])

  init(perSecond: Double, burst: Double, capacity: Int = 10_000) {
    self.perSecond = perSecond
    self.burst = max(1, burst)
    self.capacity = capacity
  }

  /// Counts a request.
  ///
  /// - Returns: Nil if it may be answered; else the seconds after which the next one may.
  func refusal(of key: String, at nanoseconds: UInt64) -> Int64? {
    buckets.withLock { buckets in
      if buckets[key] == nil, buckets.count >= capacity { forget(&buckets, at: nanoseconds) }
      var bucket = buckets[key] ?? Bucket(level: burst, time: nanoseconds)
      bucket.level = level(of: bucket, at: nanoseconds)
      bucket.time = nanoseconds
      let wait: Int64?
      if bucket.level >= 1 {
        bucket.level -= 1
        wait = nil
      } else {
        wait = Int64(min(3600, ((1 - bucket.level) / perSecond).rounded(.up)))
      }
      buckets[key] = bucket
      return wait
    }
  }

  private func level(of bucket: Bucket, at nanoseconds: UInt64) -> Double {
    let passed = nanoseconds > bucket.time ? Double(nanoseconds - bucket.time) / 1e9 : 0
    return min(burst, bucket.level + passed * perSecond)
  }

  private func forget(_ buckets: inout [String: Bucket], at nanoseconds: UInt64) {
    buckets = buckets.filter { level(of: $0.value, at: nanoseconds) < burst }
    if buckets.count >= capacity { buckets = [:] }
  }
}
