internal import CardFeedConfiguration

extension Tool {
  var strategiesCommand: Command {
    Command(
      name: "strategies", summary: "Lists what a configuration can ask for, or explains one.",
      arguments: [
        CommandArgument(
          "NAME", "The strategy to explain; all are listed without.", count: .optional)
      ],
      options: [
        .value("deck", "DECK", "Only what works on this deck."), Self.format,
      ]
    ) { arguments, context in
      let descriptions = try descriptions(deck: arguments.value("deck"), arguments)
      if let name = arguments.argument("NAME") {
        return try explain(name, in: descriptions, arguments, context)
      }
      var table = TextTable(["kind", "name", "summary"])
      for kind in StrategyKind.allCases {
        for description in descriptions where description.kind == kind {
          table.append([
            .text(kind.rawValue), .text(description.use), .text(description.summary),
          ])
        }
      }
      try context.write(table, format: arguments.value("format"))
      return .fine
    }
  }

  private func descriptions(
    deck name: String?, _ arguments: ParsedArguments
  ) throws -> [StrategyDescription] {
    var decks = plugins.decks
    if let name {
      guard let deck = plugins.deck(named: name) else {
        let near = nearestName(to: name, in: plugins.deckNames).map { "did you mean '\($0)'?" }
        throw arguments.error(
          "there is no deck '\(name)'; allowed: \(plugins.deckNames.joined(separator: ", "))",
          hint: near)
      }
      decks = [deck]
    }
    var known = Set<String>()
    return (decks.flatMap { plugins.descriptions(for: $0) } + plugins.stores.map(\.description))
      .filter { known.insert("\($0.kind) \($0.use)").inserted }
  }

  private func explain(
    _ name: String, in descriptions: [StrategyDescription], _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> ExitStatus {
    let found = descriptions.filter { $0.use == name }
    guard !found.isEmpty else {
      let names = descriptions.map(\.use)
      throw arguments.error(
        "there is no strategy '\(name)'",
        hint: nearestName(to: name, in: names).map { "did you mean '\($0)'?" }
          ?? "'cardfeed strategies' lists them")
    }
    for description in found {
      if arguments.value("format") == "text" {
        try context.print("\(description.use) (\(description.kind.noun))")
        try context.print(description.summary)
        if !description.discussion.isEmpty { try context.print("\n" + description.discussion) }
        try context.print("")
      }
      var table = TextTable(["parameter", "allowed", "default", "unit", "help"])
      for parameter in description.parameters {
        table.append([
          .text(parameter.name), .text(parameter.kind.allowed),
          .text(
            parameter.defaultValue.map { String(decoding: $0.bytes(), as: UTF8.self) }
              ?? "required"), .text(parameter.unit ?? ""), .text(parameter.help),
        ])
      }
      try context.write(table, format: arguments.value("format"))
    }
    return .fine
  }
}
