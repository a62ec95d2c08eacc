internal import CardFeed
internal import CardFeedConfiguration

extension Tool {
  var storeCommand: Command {
    Command(
      name: "store", summary: "Looks after the store of a configuration.",
      subcommands: [
        storeCheckCommand, storeMigrateCommand, storeBackupCommand, storeExportCommand,
        storeEraseCommand, storePruneCommand, storeAgeOutCommand,
      ])
  }

  private var storeCheckCommand: Command {
    Command(
      name: "check", summary: "Looks for damage and compares what is derived with the log.",
      discussion: """
        Nothing is made, changed or migrated; servers may go on meanwhile. The exit status is 1 if \
        anything is wrong.
        """,
      options: [Self.configuration, Self.textOrJSON]
    ) { arguments, context in
      let (maintenance, parameters) = try closedStore(arguments)
      let (events, problems) = try await maintenance.check(parameters)
      if arguments.value("format") == "json" {
        try context.write([
          "events": JSONValue(events),
          "problems": JSONValue(
            problems.map {
              ["part": JSONValue($0.part), "description": JSONValue($0.description)]
            }),
        ])
      } else {
        for problem in problems { try context.print("\(problem.part): \(problem.description)") }
        try context.print("\(events) events, \(problems.count) problems")
      }
      return problems.isEmpty ? .fine : .negativeResult
    }
  }

  private var storeMigrateCommand: Command {
    Command(
      name: "migrate", summary: "Brings an older store up to date and keeps a copy of it.",
      discussion: """
        Stop the servers that use the store before. The copy lies beside it and is called \
        PATH.before-vN, N being the new version. Of a database no copy is made. Other commands \
        refuse an older store and say so.
        """, options: [Self.configuration]
    ) { arguments, context in
      let (maintenance, parameters) = try closedStore(arguments)
      let done = try await maintenance.migrate(parameters)
      try context.print(done.summary)
      if let copy = done.copy { try context.print("the store as it was: \(copy)") }
      return .fine
    }
  }

  private var storeBackupCommand: Command {
    Command(
      name: "backup", summary: "Copies the store into a new file while servers use it.",
      discussion: "The file appears under its name only when it is complete and on the disk.",
      options: [
        Self.configuration,
        .value("to", "PATH", "The file to make; it must not exist.", isRequired: true),
      ]
    ) { arguments, context in
      let (maintenance, parameters) = try closedStore(arguments)
      let path = arguments.value("to") ?? ""
      try await maintenance.backup(parameters, path)
      context.note("a copy in \(path)")
      return .fine
    }
  }

  private var storeExportCommand: Command {
    Command(
      name: "export", summary: "Prints everything that is kept of one person, as JSON.",
      discussion: "Of the answers that others gave only the numbers are printed, not whose.",
      options: [
        Self.configuration, .value("viewer", "ID", "Whose data.", isRequired: true),
      ]
    ) { arguments, context in
      try await withFeed(
        readConfiguration(arguments.value("config") ?? ""),
        PersonExporting(viewer: ViewerID(arguments.value("viewer") ?? ""), context: context))
    }
  }

  private var storeEraseCommand: Command {
    Command(
      name: "erase", summary: "Removes everything that is kept of one person.",
      discussion: """
        Identifier, card, events by and about them, matches, hand and learned numbers are gone for \
        good. Copies made before still hold them. Stop the servers that use the store before: they \
        keep hands and cards in memory. Servers that share a store and follow its cards may go on. \
        A server erases by itself with FeedEngine.erase.
        """,
      options: [
        Self.configuration, .value("viewer", "ID", "Who is erased.", isRequired: true),
        .flag("yes", "Really erase; without it nothing is done."),
      ]
    ) { arguments, context in
      guard arguments.flag("yes") else {
        throw arguments.error(
          "erasing cannot be undone", hint: "add --yes, after a look at 'cardfeed store export'")
      }
      return try await withFeed(
        readConfiguration(arguments.value("config") ?? ""),
        PersonErasure(viewer: ViewerID(arguments.value("viewer") ?? ""), context: context))
    }
  }

  private var storePruneCommand: Command {
    Command(
      name: "prune", summary: "Removes old exposures: scores and propensities of past deals.",
      discussion: "The cards stay dealt; only how they came is gone.",
      options: [
        Self.configuration,
        .value("days", "DAYS", "Keep the deals of so many days.", isRequired: true),
      ]
    ) { arguments, context in
      let days = try arguments.integer("days", in: 0...Self.manyDays) ?? 0
      return try await withMaintainableStore(arguments) { store in
        let removed = try await store.prune(exposuresBefore: Self.time(before: days))
        try context.print("\(removed) exposures removed")
        return .fine
      }
    }
  }

  private var storeAgeOutCommand: Command {
    Command(
      name: "age-out", summary: "Folds old passes and expired likes into one small set a viewer.",
      discussion: """
        The cards stay seen. A folded answer cannot be taken back, its event is gone, and a like \
        that was never answered is no like received any more. A running server does the same with \
        FeedEngine.ageOut.
        """,
      options: [
        Self.configuration,
        .value("passes", "DAYS", "Fold negative answers older than this; none without."),
        .value("likes", "DAYS", "Let unanswered likes older than this expire; none without."),
      ]
    ) { arguments, context in
      let passes = try arguments.integer("passes", in: 0...Self.manyDays)
      let likes = try arguments.integer("likes", in: 0...Self.manyDays)
      guard passes != nil || likes != nil else {
        throw arguments.error("there is nothing to fold", hint: "give --passes, --likes or both")
      }
      return try await withMaintainableStore(arguments) { store in
        let report = try await store.ageOut(
          negativesBefore: passes.map(Self.time), unansweredLikesBefore: likes.map(Self.time))
        try context.print(
          "\(report.negatives) passes and \(report.likes) likes of \(report.viewers) viewers "
            + "folded into \(report.bytes) bytes, \(report.events) events removed")
        return .fine
      }
    }
  }

  private static var manyDays: Int { 100_000 }

  private static func time(before days: Int) -> Timestamp {
    Timestamp(milliseconds: SystemClock().now.milliseconds - Int64(days) * 86_400_000)
  }

  /// What can be done to the store without a feed.
  private func closedStore(
    _ arguments: ParsedArguments
  ) throws -> (StoreMaintenance, Parameters) {
    let configuration = try readConfiguration(arguments.value("config") ?? "")
    let description = plugins.stores.first { $0.description.use == configuration.store.use }
    guard let maintenance = description?.maintenance else {
      throw Self.unable(configuration.store.use)
    }
    return (maintenance, configuration.store.parameters)
  }

  private func withMaintainableStore<Outcome>(
    _ arguments: ParsedArguments, _ body: (any MaintainableStore) async throws -> Outcome
  ) async throws -> Outcome {
    let configuration = try readConfiguration(arguments.value("config") ?? "")
    let opened = try await configuration.openStore(plugins: plugins)
    do {
      guard let store = opened as? any MaintainableStore else {
        throw Self.unable(configuration.store.use)
      }
      let outcome = try await body(store)
      try await store.close()
      return outcome
    } catch {
      // The first error is the one to tell; the store is closed either way.
      try? await opened.close()
      throw error
    }
  }

  private static func unable(_ use: String) -> FeedError {
    FeedError(
      .store, "the store '\(use)' has nothing that could be looked after",
      hint: "name a store that lasts in the configuration, such as sqlite")
  }
}

private struct PersonExporting: FeedTask {
  typealias Outcome = ExitStatus

  let viewer: ViewerID
  let context: CommandContext

  func run<P: DeckPlugin, Store: FeedStore>(
    _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
  ) async throws -> ExitStatus {
    try context.write(await PersonJSON.value(of: viewer, in: feed, deck: deck))
    return .fine
  }
}

private struct PersonErasure: FeedTask {
  typealias Outcome = ExitStatus

  let viewer: ViewerID
  let context: CommandContext

  func run<P: DeckPlugin, Store: FeedStore>(
    _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
  ) async throws -> ExitStatus {
    let report = try await feed.erase(viewer)
    try context.print("\(report.events) events and \(report.exposures) exposures removed")
    return .fine
  }
}
