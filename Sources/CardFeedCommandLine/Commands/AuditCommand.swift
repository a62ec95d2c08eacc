internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedExperiments

extension Tool {
  var auditCommand: Command {
    Command(
      name: "audit", summary: "Shows who is shown, liked and matched, group by group.",
      discussion: """
        Counts people as cards, in the last days: how often each was shown, what was answered about \
        them, and their matches that stand; with means and 95 % intervals, the Gini coefficient of \
        how often they were shown, and who is starved. Then says what the strategies score beside \
        answers, and whether its name tells that it is sensitive. Only reads; servers may go on. \
        Groups too small to be shown are put together, or left out.
        """,
      options: [
        Self.configuration,
        .value(
          "by", "COLUMN", "The category, or the number, that parts people into groups.",
          isRequired: true),
        .value("bounds", "NUMBERS", "Where groups of numbers part, such as 25,35,45."),
        .value(
          "count", "WHAT", "What counts as having been shown.", default: "impressions",
          allowed: ExposureAudit.Counting.allCases.map(\.rawValue)),
        .value("days", "DAYS", "How far back events count; 0 is the whole log.", default: "7"),
        .value(
          "fewer-than", "TIMES", "Who was shown fewer times is starved.", default: "10"),
        .value(
          "smallest-group", "PEOPLE", "Smaller groups are not shown by themselves.",
          default: "10"),
        .flag("list", "Print the identifiers of starved people, too."),
        Self.textOrJSON,
      ]
    ) { arguments, context in
      let audit = try Self.audit(arguments)
      let configuration = try readConfiguration(arguments.value("config") ?? "")
      guard let deck = plugins.deck(named: configuration.deck) else {
        throw FeedError(.badInput, "no plugin brings the deck '\(configuration.deck)'")
      }
      let store = try await configuration.openStore(plugins: plugins)
      return try await run(
        audit, configuration, deck: deck, store: store, arguments: arguments, context: context)
    }
  }

  private static func audit(_ arguments: ParsedArguments) throws -> ExposureAudit {
    let bounds = try (arguments.value("bounds") ?? "").split(separator: ",").map { part in
      guard let number = Double(part), number.isFinite else {
        throw arguments.error("--bounds has \"\(part)\", which is no number")
      }
      return number
    }
    guard zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw arguments.error("--bounds must ascend", hint: "such as --bounds 25,35,45")
    }
    let days = try arguments.number("days", in: 0...100_000)
    return ExposureAudit(
      by: AuditGrouping(arguments.value("by") ?? "", bounds: bounds),
      counting: ExposureAudit.Counting(rawValue: arguments.value("count") ?? "") ?? .impressions,
      days: days == 0 ? nil : days,
      fewerThan: try arguments.integer("fewer-than", in: 0 ... .max) ?? 10,
      smallestGroup: try arguments.integer("smallest-group", in: 1 ... .max) ?? 10,
      listsStarved: arguments.flag("list"))
  }

  /// Reads the cards and the log without a feed: whoever opens a feed learns, and saves it.
  private func run<P: DeckPlugin, Store: FeedStore>(
    _ audit: ExposureAudit, _ configuration: FeedConfiguration, deck: P, store: Store,
    arguments: ParsedArguments, context: CommandContext
  ) async throws -> ExitStatus {
    do {
      let pipelines = try configuration.pipelines(
        BuildContext(
          deck: deck.deck, states: LearnerStates(), safety: StoreSafety(store),
          registry: plugins.registry(for: deck), models: .filesIfAny))
      let table = try await FeedEngine<P.D, Store, SystemClock, SplitMix64>.readCards(
        of: deck.deck, from: store)
      let progress = ProgressReporter("audit", total: nil, context: context)
      let report = try await audit.report(
        store: store, table: table, deck: deck.deck, now: SystemClock().now
      ) { progress.update(done: $0, total: $1) }
      progress.finish()
      let output = AuditOutput(
        audit: audit, report: report, scored: pipelines.scored, isSensitive: deck.isSensitive)
      if arguments.value("format") == "json" {
        try context.write(output.json)
      } else {
        try output.print(to: context)
      }
      try await store.close()
      return table.count == 0 ? .negativeResult : .fine
    } catch {
      // The first error is the one to tell; the store is closed either way.
      try? await store.close()
      throw error
    }
  }
}
