public import CardFeed

/// What can be done to a store that is not opened by a feed. Every closure gets the parameters that
/// the store would be opened with.
public struct StoreMaintenance: Sendable {
  /// What a migration did.
  public struct Migration: Hashable, Sendable {
    /// What was done, as one sentence.
    public let summary: String
    /// Where the store as it was before is kept; nil if nothing was done, or no
    /// copy is kept.
    public let copy: String?

    /// What a migration did.
    public init(summary: String, copy: String?) {
      self.summary = summary
      self.copy = copy
    }
  }

  /// Brings an older store up to date and keeps a copy of it, if it lies in files.
  public let migrate: @Sendable (Parameters) async throws -> Migration
  /// Copies the store into a new file while others use it.
  public let backup: @Sendable (Parameters, _ path: String) async throws -> Void
  /// Checks the store without changing anything: how many events there are, and what is wrong.
  public let check: @Sendable (Parameters) async throws -> (events: Int64, problems: [StoreProblem])
  /// Measures what storing costs; nil for a store that cannot say.
  public let measure: (@Sendable (CostMeasurement) async throws -> StoreCosts)?

  /// What shall be measured.
  public struct CostMeasurement: Hashable, Sendable {
    /// An empty folder on the disk that is meant; the files stay there.
    public var folder: String
    /// How many swipe at once, 1 or more.
    public var viewers: Int
    /// Swipes of each of them, 1 or more.
    public var swipes: Int
    /// By how many microseconds longer every sync of the disk shall take: what a slower disk does,
    /// on any machine.
    public var syncDelayMicroseconds: UInt32

    /// What shall be measured.
    public init(folder: String, viewers: Int, swipes: Int, syncDelayMicroseconds: UInt32 = 0) {
      self.folder = folder
      self.viewers = viewers
      self.swipes = swipes
      self.syncDelayMicroseconds = syncDelayMicroseconds
    }
  }

  /// What can be done to a store that is not opened by a feed.
  public init(
    migrate: @escaping @Sendable (Parameters) async throws -> Migration,
    backup: @escaping @Sendable (Parameters, _ path: String) async throws -> Void,
    check:
      @escaping @Sendable (Parameters) async throws -> (
        events: Int64, problems: [StoreProblem]
      ),
    measure: (@Sendable (CostMeasurement) async throws -> StoreCosts)? = nil
  ) {
    self.migrate = migrate
    self.backup = backup
    self.check = check
    self.measure = measure
  }
}
