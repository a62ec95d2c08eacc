internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedExperiments

/// Catalogues and what people had to do with what is in them.
extension Tool {
  static var productDatasets: [[TableCell]] {
    [
      [
        "generated-product", "cardfeed dataset make generated-product",
        "none: generated from a seed",
      ],
      [
        "movielens-100k", "datasets/get movielens-100k",
        "research, no commercial use, not to be handed on; cite Harper, Konstan 2015",
      ],
      [
        "complete-journey", "datasets/get complete-journey",
        "MIT; simulated from real purchases, for learning and exploring (84.51°)",
      ],
      [
        "open-bandit", "datasets/get open-bandit",
        "CC BY 4.0; cite Saito, Aihara, Matsutani, Narita 2021",
      ],
      [
        "interactions", "cardfeed dataset import interactions FILE", "those of your file",
      ],
    ]
  }

  static var catalogueOptions: [CommandOption] {
    [
      .value("products", "NUMBER", "Products of the catalogue.", default: "400"),
      .value("viewers", "NUMBER", "Who looks at the catalogue.", default: "120"),
      .value("days", "NUMBER", "Over how many days they come.", default: "120"),
      .value("vector", "NUMBER", "Numbers of each product's vector.", default: "64"),
    ]
  }

  static var interactionOptions: [CommandOption] {
    [
      .value("user", "COLUMN", "For interactions: who.", default: "user"),
      .value("item", "COLUMN", "For interactions: what.", default: "item"),
      .value("rating", "COLUMN", "For interactions: how much; 1 each without."),
      .value(
        "time", "COLUMN",
        "For interactions: when, as numbers (seconds, milliseconds, whole or with decimals) or ISO "
          + "8601 (2024-01-31, 2024-01-31T10:00:00Z, +02:00); the order of the rows without."),
      .value(
        "division", "NAME",
        "For interactions: "
          + InteractionTableImporter.Division.allCases.map(\.rawValue).joined(separator: ", ")
          + ".", default: "last-out"),
      .value("name", "NAME", "For interactions: the folder in DIR/product.", default: "own"),
    ]
  }

  /// Makes a catalogue and the answers of its viewers.
  func makeCatalogue(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    var parameters = GeneratedCatalogue.Parameters()
    parameters.products = try arguments.integer("products", in: 1...1_000_000) ?? 400
    parameters.viewers = try arguments.integer("viewers", in: 1...1_000_000) ?? 120
    parameters.days = try arguments.integer("days", in: 1...365) ?? 120
    parameters.vectorDimension = try arguments.integer("vector", in: 0...4096) ?? 64
    var generator = SplitMix64(
      seed: UInt64(try arguments.integer("seed", in: 0...Int.max) ?? 1))
    let catalogue = GeneratedCatalogue(parameters, using: &generator)
    let folder = try productFolder(arguments)
    try writeLines(catalogue.cards, to: folder + "/cards.jsonl")
    try writeLines(catalogue.swipes, to: folder + "/swipes.jsonl")
    try context.print(
      "\(folder): \(catalogue.cards.count) products, \(catalogue.swipes.count) answers of "
        + "\(parameters.viewers) viewers")
    return .fine
  }

  /// Reads one of the recorded sets and writes its divisions.
  func importInteractions(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    let path = arguments.required("FILE")
    switch arguments.required("NAME") {
    case "movielens-100k":
      return try write(try MovieLensImporter.folds(path: path), arguments, context)
    case "complete-journey":
      let (folds, products) = try CompleteJourneyImporter.folds(folder: path)
      let items = products.enumerated().map { "\($0),\($1)\n" }.joined()
      try FileSystem.write(
        Array(("item,product_id\n" + items).utf8),
        to: try productFolder(arguments) + "/cj_items.csv")
      return try write(folds, arguments, context)
    case "open-bandit":
      let (table, rounds, clicks) = try OpenBanditImporter.rounds(path: path)
      let folder = try productFolder(arguments) + "/open_bandit"
      try FileSystem.makeDirectory(folder)
      let name = arguments.value("name") ?? "own"
      try FileSystem.write(table, to: "\(folder)/\(name).csv")
      try context.print("\(folder)/\(name).csv: \(rounds) rounds, \(clicks) clicks")
      return .fine
    default: return try importTable(path, arguments, context)
    }
  }

  private func importTable(
    _ path: String, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    let named = arguments.value("division") ?? ""
    guard let division = InteractionTableImporter.Division(rawValue: named) else {
      let allowed = InteractionTableImporter.Division.allCases.map(\.rawValue)
      throw arguments.error(
        "there is no division '\(named)'; allowed: " + allowed.joined(separator: ", "))
    }
    let name = arguments.value("name") ?? "own"
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
      throw arguments.error("--name is no name of a folder; allowed: a name without '/'")
    }
    var columns = InteractionTableImporter.Columns()
    columns.user = arguments.value("user") ?? "user"
    columns.item = arguments.value("item") ?? "item"
    columns.rating = arguments.value("rating")
    columns.timestamp = arguments.value("time")
    let reading = try InteractionTableImporter(columns: columns).read(path: path)
    for problem in reading.problems.listed { context.note("\(problem)") }
    guard reading.problems.isEmpty || !arguments.flag("strict") else {
      context.note("nothing was written")
      return .negativeResult
    }
    if reading.refusedRows > 0 {
      let all = reading.refusedRows + reading.interactions.count
      context.note("left out: \(reading.refusedRows) of \(all) rows")
    }
    let seed = UInt64(try arguments.integer("seed", in: 0...Int.max) ?? 1)
    let status = try write([reading.folds(division, name: name, seed: seed)], arguments, context)
    try reading.writeNames(folder: try productFolder(arguments) + "/" + name)
    return status
  }

  private func write(
    _ folds: [InteractionFolds], _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    let folder = try productFolder(arguments)
    for division in folds {
      let checksums = try InteractionFiles.write(division, folder: folder)
      let sizes = [division.train, division.valid, division.test].map { "\($0.count)" }
      try context.print(
        "\(folder)/\(division.name): \(division.users) users, \(division.items) items, "
          + sizes.joined(separator: " / ") + " interactions, checksums "
          + checksums.map { String($0.prefix(8)) }.joined(separator: " "))
    }
    return .fine
  }

  private func productFolder(_ arguments: ParsedArguments) throws -> String {
    let folder = (arguments.value("out") ?? "") + "/product"
    try FileSystem.makeDirectory(folder)
    return folder
  }

  private func writeLines(_ values: [JSONValue], to path: String) throws {
    try FileSystem.write(Array(values.map { $0.bytes() + [0x0a] }.joined()), to: path)
  }
}
