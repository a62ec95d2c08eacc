internal import CardFeed
public import CardFeedConfiguration
internal import CardFeedSQLite

/// Makes the embedded store available to configurations as `{"use": "sqlite", "path": …}`.
public struct SQLitePlugin: Plugin {
  /// The plugin's name.
  public let name = "sqlite"

  /// A plugin without settings.
  public init() {}

  /// The embedded store.
  public var stores: [StoreDescription] {
    [
      StoreDescription(
        StrategyDescription(
          "sqlite", .store, summary: "Keeps everything in one SQLite file (WAL).",
          parameters: [
            ParameterDescription(
              "path", .text, help: "The file; it is made if it does not exist."),
            ParameterDescription(
              "synchronous", .choice(["full", "normal"]), default: "full",
              help: "Whether every commit waits for the disk; 'normal' can lose the last commits "
                + "when the power fails, never when the process dies."),
          ]), maintenance: maintenance
      ) { parameters in
        try await SQLiteStore.open(path: parameters.text("path"), options: Self.options(parameters))
      }
    ]
  }

  private static func options(_ parameters: Parameters) -> SQLiteStore.Options {
    var options = SQLiteStore.Options()
    options.synchronous = parameters.text("synchronous") == "full" ? .full : .normal
    return options
  }

  private var maintenance: StoreMaintenance {
    StoreMaintenance(
      migrate: { parameters in
        let done = try await SQLiteStore.migrate(path: parameters.text("path"))
        let summary =
          done.copy == nil
          ? "schema version \(done.to), nothing to do"
          : "schema version \(done.from) to \(done.to): \(done.applied.joined(separator: ", "))"
        return StoreMaintenance.Migration(summary: summary, copy: done.copy)
      },
      backup: { parameters, path in
        try await SQLiteStore.backup(of: parameters.text("path"), to: path)
      },
      check: { parameters in
        let (last, problems) = try await SQLiteStore.check(path: parameters.text("path"))
        return (last.rawValue, problems)
      },
      measure: Self.costs)
  }

  @Sendable private static func costs(
    _ wanted: StoreMaintenance.CostMeasurement
  ) async throws -> StoreCosts {
    let speed = try await StoreSpeed.measure(
      in: wanted.folder, viewers: wanted.viewers, swipes: wanted.swipes,
      syncDelayMicroseconds: wanted.syncDelayMicroseconds)
    func perSecond(_ nanoseconds: UInt64) -> Double {
      Double(speed.swipes) / (Double(max(1, nanoseconds)) / 1e9)
    }
    var costs = StoreCosts()
    costs.viewers = speed.viewers
    costs.swipes = speed.swipes
    costs.groupSize = Double(speed.swipes) / Double(max(1, speed.groups))
    costs.swipesPerSecond = perSecond(speed.storeNanoseconds)
    costs.referencePerSecond = perSecond(speed.referenceNanoseconds)
    costs.ratio = speed.ratio
    costs.medianNanoseconds = Double(speed.medianNanoseconds)
    costs.p99Nanoseconds = Double(speed.p99Nanoseconds)
    costs.commitNanoseconds = Double(speed.commitNanoseconds)
    costs.commitP99Nanoseconds = Double(speed.commitP99Nanoseconds)
    costs.workNanoseconds = Double(speed.workNanoseconds)
    costs.syncNanoseconds = Double(speed.syncNanoseconds)
    costs.syncP99Nanoseconds = Double(speed.syncP99Nanoseconds)
    costs.processorNanoseconds = Double(speed.processorNanoseconds) / Double(speed.swipes)
    costs.bytesPerSwipe = speed.bytesPerSwipe
    costs.indexBytesPerSwipe = speed.indexBytesPerSwipe
    costs.bytesPerViewer = speed.bytesPerViewer
    costs.bytesPerDeal = speed.bytesPerDeal
    costs.bytesPerFoldedPass = speed.bytesPerFoldedPass
    return costs
  }
}
