internal import CardFeed
internal import CardFeedAnki

extension Tool {
  private static var studyOptions: [CommandOption] {
    [
      .value(
        "viewer", "ID", "Whose answers; needed where the file has those of several viewers."),
      .value("out", "FILE", "The file to make.", isRequired: true),
    ]
  }

  private static var swipesSummary: String {
    "The answers: swipes, one JSON object a line with \"time\", or what 'store export' prints."
  }

  var exportCommand: Command {
    Command(
      name: "export", summary: "Turns quiz files into a collection of Anki or a log of answers.",
      subcommands: [
        Command(
          name: "anki", summary: "Makes a new collection.anki2, schema 11, or an .apkg.",
          discussion: """
            A FILE that ends in .apkg becomes a package, which Anki imports. Cards become notes with a front and a back; two siblings that are each other's reverse \
            become one note. The log holds the answers with their times; due days follow from the \
            last pause, until Anki's own scheduler has them. Identities that are numbers are kept; \
            the tag deck:NAME names a card's deck. \
            Answers taken back are left out.
            """,
          options: [
            .value("cards", "FILE", "The cards, as in cards.jsonl.", isRequired: true),
            .value("swipes", "FILE", Self.swipesSummary),
          ] + Self.studyOptions + [
            .flag("html", "The texts are HTML; without, they are shown as they are.")
          ]
        ) { arguments, context in
          let cardPath = arguments.value("cards") ?? ""
          let cards = try StudyFiles.cards(parsing: FileSystem.read(cardPath), file: cardPath)
          let study = StudyFiles(cards: cards, answers: try answers(arguments))
          let now = SystemClock().now.milliseconds
          let progress = ProgressReporter("writing", total: nil, context: context)
          let collection = try AnkiCollection(
            study, isHTML: arguments.flag("html"), at: now,
            file: arguments.value("swipes") ?? cardPath)
          let path = arguments.value("out") ?? ""
          try collection.write(to: path, at: now)
          progress.advance(by: collection.cards.count + collection.reviews.count)
          progress.finish()
          if collection.siblingsParted > 0 {
            context.note(
              "\(collection.siblingsParted) siblings became notes of their own, which Anki does not "
                + "hold apart")
          }
          try context.print(
            "\(path): \(collection.notes.count) notes, \(collection.cards.count) cards, "
              + "\(collection.reviews.count) answers")
          return .fine
        },
        Command(
          name: "csv", summary: "Makes a log of answers: card_id, rating, time.",
          discussion: """
            The rating is 1 again … 4 easy, the time milliseconds since 1970. Answers that say \
            nothing of knowledge, such as suspend, are left out and counted.
            """,
          options: [
            .value("swipes", "FILE", Self.swipesSummary, isRequired: true)
          ] + Self.studyOptions
        ) { arguments, context in
          let all = StudyFiles(cards: [], answers: try answers(arguments)).answers
          let rated = all.filter { $0.grade.rating != nil }
          let path = arguments.value("out") ?? ""
          try FileSystem.write(ReviewLogCSV.bytes(of: rated), to: path)
          if rated.count < all.count {
            context.note("left out: \(all.count - rated.count) answers that rate nothing")
          }
          try context.print("\(path): \(rated.count) answers")
          return .fine
        },
      ])
  }

  private func answers(_ arguments: ParsedArguments) throws -> [StudyFiles.Answer] {
    guard let path = arguments.value("swipes") else { return [] }
    return try StudyFiles.answers(
      parsing: FileSystem.read(path), file: path, viewer: arguments.value("viewer"))
  }
}
