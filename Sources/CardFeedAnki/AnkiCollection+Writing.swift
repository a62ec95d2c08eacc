internal import CardFeedConfiguration
internal import Glibc

extension AnkiCollection {
  /// Writes a new `collection.anki2` of schema 11, which every Anki since 2.0 can open, or a package of
  /// one, in the form that every Anki imports. It appears under its name when it is complete and on the disk. O(size of
  /// the collection).
  ///
  /// - Parameters:
  ///   - path: The file, a package if it ends in `.apkg`; it must not exist, since a collection holds more than is written here.
  ///   - now: When it was changed, in milliseconds since 1970.
  /// - Throws: `AnkiError` when the file exists or cannot be written.
  public func write(to path: String, at now: Int64) throws(AnkiError) {
    var facts = stat()
    guard stat(path, &facts) != 0 else {
      throw AnkiError(
        file: path, "the file exists; allowed: a new one",
        hint: "choose another name, and let Anki import the file")
    }
    let temporary = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
    let package = temporary + ".zip"
    do throws(AnkiError) {
      try fill(AnkiDatabase(creating: temporary, called: path), at: now)
      if path.hasSuffix(".apkg") {
        try PackageArchive.write(
          [
            ("meta", .bytes(AnkiPackage.firstVersion)), ("collection.anki2", .file(temporary)),
            ("media", .bytes(Array("{}".utf8))),
          ], to: package, called: path)
        try AnkiFile.rename(package, to: path)
        unlink(temporary)
      } else {
        try AnkiFile.rename(temporary, to: path)
      }
    } catch {
      unlink(temporary)
      unlink(package)
      throw error
    }
  }

  private func fill(_ database: AnkiDatabase, at now: Int64) throws(AnkiError) {
    // No journal could outlive the temporary file; the data are forced to the disk as ever.
    try database.run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL; BEGIN")
    try database.run(Self.schema)
    try database.insert(
      "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')",
      [
        [
          .integer(created), .integer(now), .integer(now), .text(Self.configuration.description),
          .text(modelsJSON(at: now).description), .text(decksJSON(at: now).description),
          .text(Self.deckSettings.description),
        ]
      ])
    try database.insert(
      "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')",
      notes.lazy.map { note in
        let first = AnkiText.plain(note.fields.first ?? "")
        let tags = note.tags.filter { !$0.isEmpty }.joined(separator: " ")
        return [
          .integer(note.id), .text(note.guid), .integer(note.noteType), .integer(now / 1000),
          .text(tags.isEmpty ? "" : " \(tags) "), .text(note.fields.joined(separator: "\u{1f}")),
          .text(first), .integer(Int64(SHA1.beginning(of: Array(first.utf8)))),
        ]
      })
    try database.insert(
      "INSERT INTO cards VALUES (?, ?, ?, ?, ?, -1, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, '')",
      cards.lazy.map { card in
        [
          .integer(card.id), .integer(card.note), .integer(card.deck), .integer(card.ordinal),
          .integer(card.modified),
          .integer(card.type), .integer(card.queue), .integer(card.due), .integer(card.interval),
          .integer(card.type == 0 ? 0 : 2500), .integer(card.repetitions), .integer(card.lapses),
        ]
      })
    try database.insert(
      "INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, ?, ?, ?)",
      reviews.lazy.map { review in
        [
          .integer(review.id), .integer(review.card), .integer(review.ease),
          .integer(review.interval), .integer(review.lastInterval), .integer(review.factor),
          .integer(review.duration), .integer(review.type),
        ]
      })
    try database.run("COMMIT")
  }

  private static let schema = """
    CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL,
      scm integer NOT NULL, ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL,
      ls integer NOT NULL, conf text NOT NULL, models text NOT NULL, decks text NOT NULL,
      dconf text NOT NULL, tags text NOT NULL);
    CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL,
      mod integer NOT NULL, usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL,
      sfld integer NOT NULL, csum integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
    CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL,
      ord integer NOT NULL, mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL,
      queue integer NOT NULL, due integer NOT NULL, ivl integer NOT NULL, factor integer NOT NULL,
      reps integer NOT NULL, lapses integer NOT NULL, left integer NOT NULL, odue integer NOT NULL,
      odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
    CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL,
      ease integer NOT NULL, ivl integer NOT NULL, lastIvl integer NOT NULL,
      factor integer NOT NULL, time integer NOT NULL, type integer NOT NULL);
    CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
    CREATE INDEX ix_notes_usn ON notes (usn);
    CREATE INDEX ix_notes_csum ON notes (csum);
    CREATE INDEX ix_cards_usn ON cards (usn);
    CREATE INDEX ix_cards_nid ON cards (nid);
    CREATE INDEX ix_cards_sched ON cards (did, queue, due);
    CREATE INDEX ix_revlog_usn ON revlog (usn);
    CREATE INDEX ix_revlog_cid ON revlog (cid);
    """

  private func modelsJSON(at now: Int64) -> JSONValue {
    JSONValue(
      JSONObject(noteTypes.map { type in (String(type.id), type.json(at: now)) }))
  }

  private static let configuration: JSONValue = [
    "activeDecks": [1], "curDeck": 1, "newSpread": 0, "collapseTime": 1200, "timeLim": 0,
    "estTimes": true, "dueCounts": true, "curModel": nil, "nextPos": 1, "sortType": "noteFld",
    "sortBackwards": false, "addToCur": true, "schedVer": 2,
    "sched2021": true, "creationOffset": 0,
  ]

  private func decksJSON(at now: Int64) -> JSONValue {
    let others = decks.filter { $0.id != Self.defaultDeck.id }
    return JSONValue(
      JSONObject(
        ([Self.defaultDeck] + others).map { deck in (String(deck.id), deck.json(at: now)) }))
  }

  private static let deckSettings: JSONValue = [
    "1": [
      "id": 1, "name": "Default", "mod": 0, "usn": 0, "maxTaken": 60, "autoplay": true,
      "timer": 0, "replayq": true, "dyn": false,
      "new": [
        "bury": false, "delays": [1, 10], "initialFactor": 2500, "ints": [1, 4, 0], "order": 1,
        "perDay": 20,
      ],
      "rev": [
        "bury": false, "ease4": 1.3, "ivlFct": 1, "maxIvl": 36500, "perDay": 200,
        "hardFactor": 1.2,
      ],
      "lapse": ["delays": [10], "leechAction": 1, "leechFails": 8, "minInt": 1, "mult": 0],
    ]
  ]
}

extension AnkiCollection.Deck {
  fileprivate func json(at now: Int64) -> JSONValue {
    [
      "id": JSONValue(id), "name": JSONValue(name), "mod": JSONValue(now / 1000), "usn": 0,
      "desc": "", "dyn": 0, "conf": 1, "collapsed": false, "browserCollapsed": false,
      "extendNew": 0, "extendRev": 0, "newToday": [0, 0], "revToday": [0, 0],
      "lrnToday": [0, 0], "timeToday": [0, 0],
    ]
  }
}

extension AnkiCollection.NoteType {
  fileprivate func json(at now: Int64) -> JSONValue {
    let required = templates.indices.map { index -> JSONValue in
      [JSONValue(index), "any", [JSONValue(min(index, fields.count - 1))]]
    }
    return [
      "id": JSONValue(id),
      "name": JSONValue(templates.count == 1 ? "Basic" : "Basic (and reversed card)"),
      "type": isCloze ? 1 : 0, "mod": JSONValue(now / 1000), "usn": -1, "sortf": 0, "did": 1,
      "tags": [], "vers": [],
      "css": ".card { font-family: arial; font-size: 20px; text-align: center; }",
      "latexPre": "", "latexPost": "", "latexsvg": false, "req": JSONValue(required),
      "flds": JSONValue(
        fields.enumerated().map { index, name -> JSONValue in
          [
            "name": JSONValue(name), "ord": JSONValue(index), "sticky": false, "rtl": false,
            "font": "Arial", "size": 20, "media": [],
          ]
        }),
      "tmpls": JSONValue(
        templates.enumerated().map { index, template -> JSONValue in
          [
            "name": JSONValue("Card \(index + 1)"), "ord": JSONValue(index),
            "qfmt": JSONValue(template.front), "afmt": JSONValue(template.back), "bqfmt": "",
            "bafmt": "", "did": nil,
          ]
        }),
    ]
  }
}
