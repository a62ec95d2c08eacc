internal import CardFeed

/// A data set out of files, and what was met on the way.
public struct SpeedDatingReading: Sendable {
  /// The data; whole, without the rows that have a problem.
  public let data: SpeedDatingData
  /// Faults; each stands for a row (or a field of it) that was left out. Empty in strict reading.
  public let problems: DataProblems
  /// Rows that were left out by a stated rule, without being faults.
  public let omitted: [DataProblem]
  /// SHA-256 of the bytes of each file read, in reading order, as 64 hexadecimal digits.
  public let fileChecksums: [(file: String, sha256: String)]
}

/// Reads `DIR/dating/persons.csv`, `decisions.csv` and `pairs.csv` (UTF-8, comma-separated).
///
/// persons: iid, wave, gender (0 woman, 1 man), age, and any number of numeric profile columns, where
/// nothing means missing. decisions: wave, rater, target, dec, pair_id, rater_gender, fold_decision,
/// order, fold_pair, fold_wave. pairs: pair_id, wave, f, m, dec_f, dec_m, match, split_time,
/// fold_wave, fold_pair. Columns may come in any order.
public enum SpeedDatingLoader {
  /// Reads and checks the three files.
  ///
  /// - Parameters:
  ///   - directory: the folder that holds `dating/`.
  ///   - strict: whether any fault refuses the data set; otherwise rows with faults are left out,
  ///     with all rows that refer to them.
  /// - Returns: the data with the faults and the files' checksums.
  /// - Throws: ``DataProblems``: in strict reading every fault; else only a file that cannot be read
  ///   or has no usable header.
  /// - Complexity: O(n log n) in the number of rows.
  public static func load(
    directory: String, strict: Bool = true
  ) throws(DataProblems) -> SpeedDatingReading {
    let folder = directory + "/" + SpeedDatingFiles.folder + "/"
    var draft = SpeedDatingDraft(profileNames: [])
    draft.files = .init(
      persons: folder + SpeedDatingFiles.persons, decisions: folder + SpeedDatingFiles.decisions,
      pairs: folder + SpeedDatingFiles.pairs)
    let files = draft.files
    var problems = DataProblems()
    var checksums: [(file: String, sha256: String)] = []
    do {
      checksums.append(
        try eachRow(files.persons, SpeedDatingFiles.personColumns, &problems) {
          addPerson(&$0, to: &draft)
        })
      checksums.append(
        try eachRow(files.decisions, SpeedDatingFiles.decisionColumns, &problems) {
          addDecision(&$0, to: &draft)
        })
      checksums.append(
        try eachRow(files.pairs, SpeedDatingFiles.pairColumns, &problems) {
          addPair(&$0, to: &draft)
        })
    } catch {
      problems.add(error)
      throw problems
    }
    let data = draft.checked(&problems)
    guard problems.isEmpty || !strict else { throw problems }
    return SpeedDatingReading(
      data: data, problems: problems, omitted: [], fileChecksums: checksums)
  }

  /// Runs through a file; a row with a problem is reported, whether the format or `body` found it.
  static func eachRow(
    _ path: String, _ required: [String], encoding: TextEncoding = .utf8,
    _ problems: inout DataProblems, _ body: (inout CSVFields) -> Void
  ) throws(DataProblem) -> (file: String, sha256: String) {
    let opened = try ByteFile(path: path)
    let reader = CSVReader(
      file: path, encoding: encoding, pieces: { () throws(DataProblem) in try opened.next() })
    var table = try CSVTable(reader, required: required)
    while let record = try table.next() {
      switch record {
      case .problem(let problem): problems.add(problem)
      case .row(let row):
        var fields = CSVFields(row, table.header)
        body(&fields)
        for problem in fields.problems { problems.add(problem) }
      }
    }
    return (path, opened.digest.hexadecimal)
  }

  private static func addPerson(_ fields: inout CSVFields, to draft: inout SpeedDatingDraft) {
    if draft.profileNames.isEmpty {
      draft.profileNames = fields.header.columns.filter {
        !SpeedDatingFiles.personColumns.contains($0)
      }
    }
    let person = SpeedDatingData.Person(
      id: fields.integer("iid", in: SpeedDatingDraft.idRange),
      wave: fields.integer("wave", in: 1...Int.max), gender: fields.gender("gender"),
      age: fields.number("age"))
    let profile = draft.profileNames.map { fields.number($0) }
    if fields.problems.isEmpty {
      draft.persons.append(.init(value: person, line: fields.row.line, profile: profile))
    }
  }

  private static func addDecision(_ fields: inout CSVFields, to draft: inout SpeedDatingDraft) {
    let folds = SpeedDatingDraft.foldRange
    let decision = SpeedDatingData.Decision(
      wave: fields.integer("wave", in: 1...Int.max),
      rater: fields.integer("rater", in: SpeedDatingDraft.idRange),
      target: fields.integer("target", in: SpeedDatingDraft.idRange),
      decision: fields.flag("dec"), pairID: fields.integer("pair_id", in: 0...Int.max),
      raterGender: fields.gender("rater_gender"), order: fields.integer("order", in: 1...Int.max),
      foldDecision: fields.integer("fold_decision", in: folds),
      foldPair: fields.integer("fold_pair", in: folds),
      foldWave: fields.integer("fold_wave", in: folds))
    if fields.problems.isEmpty {
      draft.decisions.append(.init(value: decision, line: fields.row.line))
    }
  }

  private static func addPair(_ fields: inout CSVFields, to draft: inout SpeedDatingDraft) {
    let folds = SpeedDatingDraft.foldRange
    let pair = SpeedDatingData.Pair(
      id: fields.integer("pair_id", in: 0...Int.max), wave: fields.integer("wave", in: 1...Int.max),
      woman: fields.integer("f", in: SpeedDatingDraft.idRange),
      man: fields.integer("m", in: SpeedDatingDraft.idRange),
      womanDecision: fields.flag("dec_f"), manDecision: fields.flag("dec_m"),
      timeSplit: fields.word("split_time", .train),
      foldWave: fields.integer("fold_wave", in: folds),
      foldPair: fields.integer("fold_pair", in: folds))
    let match = fields.flag("match")
    guard fields.problems.isEmpty else { return }
    if match == pair.match {
      draft.pairs.append(.init(value: pair, line: fields.row.line))
    } else {
      fields.note(
        "match", "the match does not follow from the decisions", "the other value",
        "1 when both said yes, else 0")
    }
  }
}
