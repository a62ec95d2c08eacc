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
          ])
      ) { parameters in
        var options = SQLiteStore.Options()
        options.synchronous = parameters.text("synchronous") == "full" ? .full : .normal
        return try await SQLiteStore.open(path: parameters.text("path"), options: options)
      }
    ]
  }
}
