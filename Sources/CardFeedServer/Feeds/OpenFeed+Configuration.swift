internal import CardFeed
internal import CardFeedConfiguration

extension OpenFeed {
  func check(_ text: [UInt8], file: String) throws(ConfigurationError) -> FeedConfiguration {
    let configuration = try FeedConfiguration(parsing: text, file: file, plugins: plugins)
    var problems = configuration.buildingProblems(plugins: plugins, models: models)
    let open = self.configuration
    func keep(_ key: String, _ isKept: Bool) {
      guard !isKept else { return }
      problems.append(
        ConfigurationProblem(
          path: JSONPath([.key(key)]), location: nil,
          message: "it cannot change while the feed is open",
          found: "another value than the feed was opened with",
          allowed: "the value that it was opened with, or a new start of the service"))
    }
    keep("deck", configuration.deck == open.deck)
    keep("store", configuration.store.effective == open.store.effective)
    keep("seed", configuration.options.seed == open.options.seed)
    keep("sessions", configuration.options.sessions == open.options.sessions)
    keep("trace", configuration.options.traceShare == open.options.traceShare)
    if !problems.isEmpty { throw ConfigurationError(file: file, problems: problems) }
    return configuration
  }

  func reload(_ configuration: FeedConfiguration) async throws {
    try await FeedBuilder.reload(
      feed, with: configuration, deck: deck, plugins: plugins, models: models)
    current.withLock { $0 = configuration }
  }

  var strategies: [StrategyDescription] {
    plugins.descriptions(for: deck) + plugins.stores.map(\.description)
  }
}
