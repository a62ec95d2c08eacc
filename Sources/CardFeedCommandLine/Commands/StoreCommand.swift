internal import CardFeed
internal import CardFeedConfiguration

extension Tool {
  var storeCommand: Command {
    Command(
      name: "store", summary: "Looks after the store of a configuration.",
      subcommands: [
        Command(
          name: "check", summary: "Looks for damage and compares what is derived with the log.",
          discussion: "The exit status is 1 if anything is wrong.",
          options: [Self.configuration, Self.textOrJSON]
        ) { arguments, context in
          let configuration = try readConfiguration(arguments.value("config") ?? "")
          let store = try await configuration.openStore(plugins: plugins)
          let problems = try await store.check()
          let events = try await store.lastPosition().rawValue
          try await store.close()
          if arguments.value("format") == "json" {
            try context.write([
              "events": JSONValue(events),
              "problems": JSONValue(
                problems.map {
                  ["part": JSONValue($0.part), "description": JSONValue($0.description)]
                }),
            ])
          } else {
            for problem in problems {
              try context.print("\(problem.part): \(problem.description)")
            }
            try context.print("\(events) events, \(problems.count) problems")
          }
          return problems.isEmpty ? .fine : .negativeResult
        }
      ])
  }
}
