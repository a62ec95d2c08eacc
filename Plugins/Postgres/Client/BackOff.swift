#if Postgres
  internal import CardFeed

  /// How long to wait before work is done again: doubling from `first` to `cap`, each time a random
  /// part between a half and the whole, so that processes that failed together do not return
  /// together.
  ///
  /// Source: the "equal jitter" of M. Brooker, "Exponential Backoff And Jitter", AWS Architecture
  /// Blog, 2015.
  public struct BackOff: Sendable, Equatable {
    /// The longest first wait, in milliseconds.
    public var firstMilliseconds: Int64
    /// The longest wait, in milliseconds.
    public var capMilliseconds: Int64
    /// How often work is tried altogether, at least once.
    public var attempts: Int
    /// Where the random parts start.
    public var seed: UInt64

    /// Waits of at most `firstMilliseconds`, doubling to at most `capMilliseconds`.
    ///
    /// - Parameters:
    ///   - firstMilliseconds: The longest first wait.
    ///   - capMilliseconds: The longest wait.
    ///   - attempts: How often work is tried altogether.
    ///   - seed: Where the random parts start; give each process another.
    public init(
      firstMilliseconds: Int64 = 20, capMilliseconds: Int64 = 2000, attempts: Int = 8,
      seed: UInt64 = 0
    ) {
      self.firstMilliseconds = max(1, firstMilliseconds)
      self.capMilliseconds = max(1, capMilliseconds)
      self.attempts = max(1, attempts)
      self.seed = seed
    }

    /// The wait after the failure of a number, from 1 on, in milliseconds. O(1).
    func milliseconds(afterFailure failure: Int, _ random: inout SplitMix64) -> Int64 {
      let doubled = firstMilliseconds << Int64(min(failure - 1, 20))
      let longest = max(1, min(doubled, capMilliseconds))
      return longest / 2 + Int64(random.unitInterval() * Double(longest - longest / 2))
    }
  }
#endif
