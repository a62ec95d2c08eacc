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
  /// After how many learned events the learners are saved by themselves, so that a feed that was
  /// killed has no more of them to go through when it opens. They are saved on closing, too.
  public var learnerSaveInterval: Int

  /// How a feed engine runs.
  public init(
    seed: UInt64 = 0, sessions: Int = 10_000, traceShare: Double = 0,
    answersReceivedLimit: Int = 10_000, learnerSaveInterval: Int = 250_000
  ) {
    precondition(
      learnerSaveInterval > 0,
      "Learners are saved after 1 event or more; got \(learnerSaveInterval).")
    precondition(sessions > 0, "A feed keeps at least one session; got \(sessions).")
    precondition((0...1).contains(traceShare), "A share is 0 … 1; got \(traceShare).")
    self.seed = seed
    self.sessions = sessions
    self.traceShare = traceShare
    self.answersReceivedLimit = answersReceivedLimit
    self.learnerSaveInterval = learnerSaveInterval
  }
}
