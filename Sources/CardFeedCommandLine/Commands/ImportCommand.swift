internal import CardFeed
internal import CardFeedAnki

extension Tool {
  private static var outputFolder: CommandOption {
    .value("out", "DIR", "Where the files go; made if it is missing.", isRequired: true)
  }

  private static var learner: CommandOption {
    .value("viewer", "ID", "Who gave the answers.", isRequired: true)
  }

  var importCommand: Command {
    Command(
      name: "import", summary: "Turns collections of Anki and logs of answers into quiz files.",
      discussion: """
        Writes DIR/cards.jsonl, for --cards, and DIR/swipes.jsonl, for 'cardfeed swipe --recorded \
        --from'. The event of an answer is made of its time, its card and the answer, so that files \
        that overlap, or are given twice, count once. A file with anything wrong in it is refused, \
        and nothing is written.
        """,
      subcommands: [
        Command(
          name: "anki", summary: "Reads a collection of Anki, or a package of one.",
          discussion: """
            FILE is collection.anki2, schema 11 or 18, of an Anki that is closed, or an .apkg or .colpkg, \
            old or new. Cards keep their numbers, notes their siblings, new cards their order; the \
            name of a deck becomes the tag deck:NAME; a suspended card gets the answer suspend. What \
            nobody answered (cards set by hand or rescheduled) and answers about cards that are gone \
            are left out and counted, and so are media. Presets are not read.
            """,
          arguments: [CommandArgument("FILE", "The collection.")],
          options: [
            Self.learner, Self.outputFolder,
            .flag("html", "Keep the fields' HTML instead of making plain text of it."),
          ]
        ) { arguments, context in
          let progress = ProgressReporter("reading", total: nil, context: context)
          let collection = try AnkiCollection(reading: arguments.required("FILE"))
          let files = StudyFiles(collection, keepingHTML: arguments.flag("html"))
          progress.advance(by: collection.cards.count + collection.reviews.count)
          progress.finish()
          return try write(files, cards: true, arguments, context)
        },
        Command(
          name: "csv", summary: "Reads a log of answers with a header line.",
          discussion: """
            Columns, in any order: card_id; rating, review_rating or ease, 1 again … 4 easy; time or \
            review_time, milliseconds since 1970 or such as 2024-03-29T20:32:32.250Z; and, if there \
            is one, duration or review_duration in milliseconds, which is checked and not kept. The \
            questions are not in such a log: only DIR/swipes.jsonl is written.
            """,
          arguments: [CommandArgument("FILE", "The log.")],
          options: [
            Self.learner, Self.outputFolder,
            .value("cards", "FILE", "Leave out answers about cards that are not in this file."),
          ]
        ) { arguments, context in
          let path = arguments.required("FILE")
          let progress = ProgressReporter("reading", total: nil, context: context)
          var answers = try ReviewLogCSV.answers(in: FileSystem.read(path), path)
          progress.advance(by: answers.count)
          progress.finish()
          var omitted: [String: Int] = [:]
          if let cards = arguments.value("cards") {
            let known = Set(
              try StudyFiles.cards(parsing: FileSystem.read(cards), file: cards).map(\.id))
            let all = answers.count
            answers.removeAll { !known.contains($0.card) }
            if answers.count < all {
              omitted["answers about cards that are not there"] = all - answers.count
            }
          }
          return try write(
            StudyFiles(cards: [], answers: answers, omitted: omitted), cards: false, arguments,
            context)
        },
      ])
  }

  private func write(
    _ files: StudyFiles, cards: Bool, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    guard let viewer = arguments.value("viewer"), !viewer.isEmpty else {
      throw arguments.error("--viewer is empty; allowed: an id")
    }
    let folder = arguments.value("out") ?? ""
    try FileSystem.makeDirectory(folder)
    if cards { try FileSystem.write(files.cardLines(), to: folder + "/cards.jsonl") }
    try FileSystem.write(files.swipeLines(viewer: viewer), to: folder + "/swipes.jsonl")
    for (what, count) in files.omitted.sorted(by: { $0.key < $1.key }) {
      context.note("left out: \(count) \(what)")
    }
    try context.print(
      "\(folder): " + (cards ? "\(files.cards.count) cards, " : "")
        + "\(files.answers.count) answers")
    return .fine
  }
}
