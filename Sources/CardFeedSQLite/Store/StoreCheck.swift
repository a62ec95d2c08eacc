import CardFeed

/// Compares the tables of a store with each other. ``PairCheck`` folds the log.
struct StoreCheck {
  let connection: Connection
  private(set) var problems: [StoreProblem] = []

  static func problems(of connection: Connection) throws -> [StoreProblem] {
    var check = StoreCheck(connection: connection)
    try check.run()
    return check.problems
  }

  private init(connection: Connection) { self.connection = connection }

  private mutating func run() throws {
    for problem in try connection.integrityCheck() { report("file", problem) }
    try finishing("log") { try $0.checkNumbering() }
    for rule in StoreCheckRule.all {
      try finishing(rule.part) { check in
        let found = try check.connection.firstRow(rule.statement) { row in
          (count: try row.integer(at: 0), first: try row.integerIfPresent(at: 1))
        }
        if let found, found.count > 0 {
          check.report(rule.part, rule.text(count: found.count, first: found.first))
        }
      }
    }
    try finishing("stacks") { try $0.checkStacks() }
    try finishing("folds") { try $0.checkFolds() }
    try finishing("learners") { try $0.checkLearners() }
    try finishing("pairs") { check in
      var pairs = PairCheck(connection: check.connection)
      check.problems += try pairs.run()
    }
  }

  /// Damage that stops one part must not hide what the other parts find.
  private mutating func finishing(
    _ part: String, _ body: (inout StoreCheck) throws -> Void
  ) throws {
    do { try body(&self) } catch let error as SQLiteError
      where error.code == .corrupt || error.code == .typeMismatch
    {
      report(part, "the check could not be finished: \(error.found)")
    }
  }

  private mutating func report(_ part: String, _ description: String) {
    problems.append(StoreProblem(part: part, description: description))
  }

  private mutating func checkNumbering() throws {
    let removed = try connection.integer("SELECT removed FROM log_state")
    try checkNumbering("log", "events", "position", "events", removed: removed)
    try checkNumbering("entities", "entities", "number", "identifiers", removed: 0)
  }

  private mutating func checkNumbering(
    _ part: String, _ table: String, _ column: String, _ things: String, removed: Int64
  ) throws {
    let sql =
      "SELECT count(*), ifnull(max(\(column)), 0), ifnull(min(\(column)), 1) FROM \(table)"
    let found = try connection.firstRow(sql) { row in
      (count: try row.integer(at: 0), last: try row.integer(at: 1), first: try row.integer(at: 2))
    }
    guard let found else { return }
    if found.count + removed != found.last || (removed == 0 && found.first != 1) {
      let gone = removed > 0 ? ", and \(removed) were removed" : ""
      report(
        part,
        "\(found.count) \(things) are numbered \(found.first) … \(found.last)\(gone); "
          + "1 … \(found.count + removed) is right")
    }
  }

  /// The engine owns the image; the store can tell that it starts with a version.
  private mutating func checkStacks() throws {
    var damaged = 0
    try connection.withStatement("SELECT image FROM stacks") { statement in
      try statement.forEachRow { row in
        var reader = ByteReader(try row.bytes(at: 0))
        if !reader.isAtEnd, (try? reader.unsigned()) == nil { damaged += 1 }
      }
    }
    if damaged > 0 { report("stacks", "\(damaged) images do not start with a version") }
  }

  private mutating func checkFolds() throws {
    var damaged = 0
    var empty = 0
    try connection.withStatement("SELECT cards FROM folds") { statement in
      try statement.forEachRow { row in
        guard let group = try? FoldedAnswers.Group(image: try row.bytes(at: 0)) else {
          damaged += 1
          return
        }
        if group.cards.isEmpty { empty += 1 }
      }
    }
    if damaged > 0 { report("folds", "\(damaged) sets of folded answers cannot be read") }
    if empty > 0 { report("folds", "\(empty) sets of folded answers are empty") }
  }

  private mutating func checkLearners() throws {
    var damaged = 0
    var first: Int64?
    let sql = "SELECT position, increments FROM learner_deltas"
    try connection.withStatement(sql) { statement in
      try statement.forEachRow { row in
        if (try? row.increments(at: 1)) == nil {
          damaged += 1
          first = try first ?? row.integer(at: 0)
        }
      }
    }
    if damaged > 0 {
      report(
        "learners",
        "the increments of \(damaged) deltas cannot be read, the first of event "
          + "\(first ?? 0)")
    }
    var damagedBlobs = 0
    try connection.withStatement("SELECT blob FROM learner_blobs") { statement in
      try statement.forEachRow { row in
        let bytes = try row.bytes(at: 0)
        if (try? LearnerBlob(bytes: bytes, position: .start)) == nil { damagedBlobs += 1 }
      }
    }
    if damagedBlobs > 0 {
      report("learners", "\(damagedBlobs) blobs cannot be read; deleted, they are rebuilt")
    }
  }
}
