internal import CSQLite
internal import Glibc

extension AnkiCollection {
  /// Reads `collection.anki2`, of schema 11 or 18, without changing anything, or a package of one
  /// (`.apkg`, `.colpkg`), old or new. All of it is read and checked; O(size of the file). What is
  /// compressed may become 1 GiB, and beyond 64 MiB at most 200 times its size.
  ///
  /// - Parameter path: The file.
  /// - Throws: `AnkiError` for a file that cannot be read, is none of Anki's or is damaged, and one
  ///   that Anki has open.
  public init(reading path: String) throws(AnkiError) {
    try self.init(reading: path, within: UnpackingLimit())
  }

  init(reading path: String, within limit: UnpackingLimit) throws(AnkiError) {
    let (database, mediaCount) = try Self.open(path, within: limit)
    let checks = try database.rows("PRAGMA quick_check(1)", of: "the check") {
      row throws(AnkiError) in try row.text(0)
    }
    guard checks == ["ok"] else {
      throw AnkiError(
        file: path, "the file is damaged; SQLite's check found a fault",
        hint: "restore a backup, or let Anki check its database")
    }
    let tables = try database.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table'", of: "the schema"
    ) { row throws(AnkiError) in try row.text(0) }
    func need(_ names: [String]) throws(AnkiError) {
      for name in names where !tables.contains(name) {
        throw AnkiError(
          file: path, "the table \(name) is missing; allowed: a collection of Anki",
          hint: "name a collection.anki2 of Anki")
      }
    }
    try need(["col", "notes", "cards", "revlog"])
    let versions = try database.rows("SELECT ver, crt FROM col", of: "col") {
      row throws(AnkiError) in (version: try row.integer(0), created: try row.integer(1))
    }
    guard versions.count == 1, let (version, created) = versions.first else {
      throw AnkiError(file: path, "found \(versions.count) rows of col; allowed: one")
    }
    guard version == 11 || version == 18 else {
      throw AnkiError(
        file: path, "found schema \(version); allowed: 11 and 18",
        hint: "open and close the collection in a current Anki")
    }
    if version == 18 { try need(["notetypes", "fields", "templates", "decks"]) }
    self.init(
      created: created,
      decks: version == 11 ? try Self.decks11(database, path) : try Self.decks18(database),
      noteTypes: version == 11
        ? try Self.noteTypes11(database, path) : try Self.noteTypes18(database, path),
      notes: try Self.notes(database), cards: try Self.cards(database),
      reviews: try Self.reviews(database))
    self.mediaCount = mediaCount
    try checkReferences(path)
  }

  /// Opens a collection, or the one in a package, and says what another file is.
  private static func open(
    _ path: String, within limit: UnpackingLimit
  ) throws(AnkiError) -> (database: AnkiDatabase, mediaCount: Int) {
    let beginning = try AnkiFile.read(path, atMost: 16)
    let name = "\(path), collection in it"
    if beginning.starts(with: AnkiPackage.beginning) {
      let package = try AnkiPackage(reading: path, within: limit)
      return (try AnkiDatabase(image: package.collection, called: name), package.mediaCount)
    }
    if beginning.starts(with: Zstandard.beginning) {
      let image = try Zstandard.unpacked(AnkiFile.read(path), within: limit, file: path)
      return (try AnkiDatabase(image: image, called: name), 0)
    }
    guard beginning.count == 16, beginning.starts(with: Array("SQLite format 3".utf8)) else {
      throw AnkiError(
        file: path, "found no SQLite file; allowed: a collection.anki2, or a package of one",
        hint: "name a collection.anki2 or an .apkg of Anki")
    }
    var facts = stat()
    for suffix in ["-wal", "-journal"] where stat(path + suffix, &facts) == 0 && facts.st_size > 0 {
      throw AnkiError(
        file: path, "changes that were not taken over lie beside it, in a file \(suffix)",
        hint: "close Anki, or open and close the collection in it")
    }
    return (try AnkiDatabase(reading: path, called: path), 0)
  }

  private static func notes(_ database: AnkiDatabase) throws(AnkiError) -> [Note] {
    try database.rows("SELECT id, guid, mid, tags, flds FROM notes ORDER BY id", of: "notes") {
      row throws(AnkiError) in
      Note(
        id: try row.integer(0), guid: try row.text(1), noteType: try row.integer(2),
        tags: try row.text(3).split(separator: " ").map(String.init),
        fields: try row.text(4).split(separator: "\u{1f}", omittingEmptySubsequences: false)
          .map(String.init))
    }
  }

  private static func cards(_ database: AnkiDatabase) throws(AnkiError) -> [Card] {
    let sql = """
      SELECT id, nid, ord, mod, type, queue, CASE odid WHEN 0 THEN due ELSE odue END AS due, ivl,
        reps, lapses, CASE odid WHEN 0 THEN did ELSE odid END AS did FROM cards ORDER BY id
      """
    return try database.rows(sql, of: "cards") { row throws(AnkiError) in
      guard (0...timesAllowed.upperBound / 1000).contains(try row.integer(3)) else {
        throw row.problem(3, "found a time out of range; allowed: seconds since 1970")
      }
      return Card(
        id: try row.integer(0), note: try row.integer(1), deck: try row.integer(10),
        ordinal: try row.integer(2), modified: try row.integer(3), type: try row.integer(4),
        queue: try row.integer(5),
        due: try row.integer(6), interval: try row.integer(7), repetitions: try row.integer(8),
        lapses: try row.integer(9))
    }
  }

  private static func reviews(_ database: AnkiDatabase) throws(AnkiError) -> [Review] {
    let sql = """
      SELECT id, cid, ease, ivl, lastIvl, factor, time, type FROM revlog ORDER BY id
      """
    return try database.rows(sql, of: "revlog") { row throws(AnkiError) in
      let review = Review(
        id: try row.integer(0), card: try row.integer(1), ease: try row.integer(2),
        interval: try row.integer(3), lastInterval: try row.integer(4),
        factor: try row.integer(5), duration: try row.integer(6), type: try row.integer(7))
      guard timesAllowed.contains(review.id) else {
        throw row.problem(0, "found a time out of range; allowed: milliseconds since 1970")
      }
      guard (0...4).contains(review.ease) else {
        throw row.problem(2, "found an answer out of range; allowed: 0 … 4")
      }
      return review
    }
  }

  /// Milliseconds from 1970 to the year 5138.
  static var timesAllowed: ClosedRange<Int64> { 1...100_000_000_000_000 }

  private func checkReferences(_ file: String) throws(AnkiError) {
    let types = Dictionary(noteTypes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, note) in notes.enumerated() {
      let place = "row \(index + 1) of notes"
      guard let type = types[note.noteType] else {
        throw AnkiError(file: file, place: place, "its note type is missing")
      }
      guard note.fields.count == type.fields.count else {
        throw AnkiError(
          file: file, place: place,
          "found \(note.fields.count) fields; allowed: the \(type.fields.count) of its note type")
      }
    }
    let noteNumbers = Set(notes.map(\.id))
    for (index, card) in cards.enumerated() where !noteNumbers.contains(card.note) {
      throw AnkiError(
        file: file, place: "row \(index + 1) of cards", "its note is missing",
        hint: "let Anki check its database")
    }
  }
}
