extension SQLiteStore {
  /// When a commit counts as durable.
  public enum Synchronous: String, Sendable, Hashable, CaseIterable {
    /// On the disk: it survives a power failure.
    case full
    /// With the operating system: it survives a crash or a kill of the process. A power failure
    /// leaves the store whole, but may take the last commits.
    case normal
  }

  /// How a store works.
  public struct Options: Sendable, Hashable {
    /// When a commit counts as durable.
    public var synchronous = Synchronous.full
    /// Connections for reading, 1 or more; so many reads run at once.
    public var readers = 2
    /// How long a lock that another process holds is waited for, in milliseconds, 0 or more.
    public var busyTimeoutMilliseconds = 5_000
    /// The most commands that share one commit, 1 or more. A group is what has arrived while the one
    /// before it was committed. After a group of several, its callers get a moment to come back, at
    /// most a fourth of what their commit took and half a millisecond; a command alone never waits.
    public var groupSize = 256
    /// Whether opening brings an older file up to date. It does so without a copy, so
    /// ``SQLiteStore/migrate(path:options:)`` is the better way; without either, opening an older file
    /// throws `olderSchema` and leaves it as it is. A new file always gets its tables.
    public var migrates = false
    /// The layer below SQLite, by the name it is registered under; nil for the machine's. For tests
    /// of failing disks.
    var fileSystem: String?

    /// The defaults: every commit on the disk, two readers, five seconds, groups of 256, no
    /// migration.
    public init() {}

    var connection: Connection.Options {
      var options = Connection.Options()
      options.synchronous =
        switch synchronous {
        case .full: .full
        case .normal: .normal
        }
      options.fileSystem = fileSystem
      options.busyTimeoutMilliseconds = Int32(clamping: max(0, busyTimeoutMilliseconds))
      return options
    }
  }
}
