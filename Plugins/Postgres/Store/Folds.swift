#if Postgres
  internal import CardFeed

  /// The sets of answers that were folded.
  enum Folds {
    static func find(_ viewers: [ViewerNumber]) -> PostgresCommand {
      PostgresCommand(StoreSQL.foldsOf, .integers(viewers.map(\.rawValue)))
    }

    static func byViewer(_ rows: PostgresRows) throws -> [ViewerNumber: FoldedAnswers] {
      var folds: [ViewerNumber: FoldedAnswers] = [:]
      _ = try rows.map { row in
        let (key, group) = try row.fold(at: 1)
        folds[try row.number(0), default: FoldedAnswers()].groups[key] = group
      }
      return folds
    }

    /// The sets of one viewer, beside their hand.
    static func beside(_ hand: PostgresRows) throws -> FoldedAnswers {
      var folded = FoldedAnswers()
      _ = try hand.map { row in
        guard try row.optionalText(5) != nil else { return }
        let (key, group) = try row.fold(at: 5)
        folded.groups[key] = group
      }
      return folded
    }

    /// Reads all sets, a page at a time.
    static func forEach(
      _ connection: PostgresConnection, _ body: (PostgresRow) throws -> Void
    ) throws {
      let limit = 1000
      var last: (viewer: Int64, answer: String, meaning: Int64) = (0, "", 0)
      while true {
        let rows = try connection.rows(
          PostgresCommand(
            StoreSQL.foldsInOrder, .integer(last.viewer), .text(last.answer),
            .integer(last.meaning), .integer(Int64(limit))))
        _ = try rows.map { row in
          last = (try row.integer(0), try row.text(1), try row.integer(2))
          try body(row)
        }
        if rows.count < limit { return }
      }
    }

    /// The age-out that stands for each viewer's sets in the log.
    static func events(_ rows: PostgresRows) throws -> [ViewerNumber: LogPosition] {
      let pairs = try rows.map { (try $0.number(0), try $0.position(3)) }
      return Dictionary(pairs) { max($0, $1) }
    }
  }

  extension PostgresRow {
    /// Answer, meaning, event, cards, from a column on.
    func fold(at column: Int32) throws -> (FoldedAnswers.Key, FoldedAnswers.Group) {
      let group = try image(column + 3) { try FoldedAnswers.Group(image: $0) }
      return (
        FoldedAnswers.Key(answer: try text(column), meaning: try meaning(column + 1)),
        try present(group, column + 3)
      )
    }
  }

  /// Rows of folded answers, gathered as columns, that take the place of all their viewers have.
  struct FoldRows {
    private var replaced: [Int64] = []
    private var viewers: [Int64] = []
    private var answers: [String?] = []
    private var meanings: [Int64] = []
    private var events: [Int64] = []
    private var images: [[UInt8]?] = []
    /// The bytes of all sets.
    private(set) var bytes = 0

    mutating func replace(
      _ folded: FoldedAnswers, of viewer: ViewerNumber, event: LogPosition
    ) {
      replaced.append(viewer.rawValue)
      for (key, group) in folded.groups {
        let image = group.image
        viewers.append(viewer.rawValue)
        answers.append(key.answer)
        meanings.append(Int64(key.meaning.rawValue))
        events.append(event.rawValue)
        images.append(image)
        bytes += image.count
      }
    }

    var commands: [PostgresCommand] {
      [
        PostgresCommand(StoreSQL.removeFolds, .integers(replaced)),
        PostgresCommand(
          StoreSQL.addFolds, .integers(viewers), .texts(answers), .integers(meanings),
          .integers(events), .byteStrings(images)),
      ]
    }
  }
#endif
