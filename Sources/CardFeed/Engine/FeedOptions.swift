/// How a feed engine runs, beyond what its pipelines decide.
public struct FeedOptions: Hashable, Sendable {
  /// The seed of everything random.
  public var seed: UInt64
  /// Viewers kept in memory.
  public var sessions: Int
  /// The share of deals whose trace names every candidate, 0 … 1.
  public var traceShare: Double
  /// How many of the latest answers about a viewer strategies get to see.
  public var answersReceivedLimit: Int

  /// How a feed engine runs.
  public init(
    seed: UInt64 = 0, sessions: Int = 10_000, traceShare: Double = 0,
    answersReceivedLimit: Int = 10_000
  ) {
    precondition(sessions > 0, "A feed keeps at least one session; got \(sessions).")
    precondition((0...1).contains(traceShare), "A share is 0 … 1; got \(traceShare).")
    self.seed = seed
    self.sessions = sessions
    self.traceShare = traceShare
    self.answersReceivedLimit = answersReceivedLimit
  }
}
