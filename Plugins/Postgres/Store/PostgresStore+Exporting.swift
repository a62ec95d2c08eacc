#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// Everything that is kept of one person, from one consistent state. Reads and writes of all
    /// processes go on meanwhile. O(events + what learners learned since their last blob).
    ///
    /// - Throws: ``PostgresError``; `FeedError` if a blob was written by a newer version.
    public func export(person: CardNumber) async throws -> PersonExport {
      try await pool.run("export person") { connection in
        try connection.readPatiently { try Self.export(person, connection) }
      }
    }

    private static func export(
      _ person: CardNumber, _ connection: PostgresConnection
    ) throws -> PersonExport {
      var export = PersonExport(number: person)
      let number = PostgresParameter.number(person)
      let rows = try connection.run(
        PostgresCommand(StoreSQL.findIdentifiers, .integers([person.rawValue])),
        PostgresCommand(StoreSQL.personCard, number),
        PostgresCommand(StoreSQL.personEvents, number),
        PostgresCommand(StoreSQL.seenCards, number),
        PostgresCommand(StoreSQL.stackAndFolds, number),
        PostgresCommand(StoreSQL.answersAbout, number),
        PostgresCommand(StoreSQL.matchesOfViewer, number))
      export.id = try rows[0].first { CardID(bytes: try $0.bytes(1)) }
      export.card = try rows[1].first { try $0.card() }
      export.events = try rows[2].map { try $0.loggedEvent() }
      export.seen = try seen(rows[3], folded: Folds.beside(rows[4]))
      if let (stack, deals) = try rows[4].first({ try $0.stack() }) {
        export.stack = stack
        export.deals = deals
      }
      _ = try rows[5].map { row in
        export.answersReceived[try row.meaning(0)] = Int(try row.integer(1))
      }
      export.matches = try rows[6].map { try $0.match(of: person) }
      let deals = export.events.filter { $0.kind == .deal }.map(\.position.rawValue)
      export.exposures = try connection.rows(
        PostgresCommand(StoreSQL.exposuresOfDeals, .integers(deals))
      ).map { (try $0.position(5), try $0.exposure()) }
      export.learned = try learned(of: person, connection)
      return export
    }

    /// A person's own numbers of every learner: the blob's, and what came after it.
    private static func learned(
      of person: CardNumber, _ connection: PostgresConnection
    ) throws -> [String: [Increment]] {
      var sums: [String: IncrementSum] = [:]
      var counted: [String: LogPosition] = [:]
      _ = try connection.rows(PostgresCommand(StoreSQL.learnerBlobs)).map { row in
        let learner = try row.text(0)
        let blob = try LearnerBlob(bytes: try row.bytes(2), position: try row.position(1))
        counted[learner] = blob.position
        sums[learner, default: IncrementSum()]
          .add(blob.numbers.filter { $0.key.owner == person })
      }
      var last = ""
      while let learner = try connection.rows(
        PostgresCommand(StoreSQL.nextLearner, .text(last))
      ).first({ try $0.text(0) }) {
        let rows = try connection.rows(
          PostgresCommand(
            StoreSQL.deltasInOrder, .text(learner), .position(counted[learner] ?? .start),
            .integer(.max), .integer(.max)))
        _ = try rows.map { row in
          let increments = try row.image(1, IncrementsImage.decode) ?? []
          sums[learner, default: IncrementSum()]
            .add(increments.filter { $0.key.owner == person })
        }
        last = learner
      }
      return sums.mapValues(\.increments).filter { !$0.value.isEmpty }
    }
  }
#endif
