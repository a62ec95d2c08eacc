/// The tables of a store, and the steps by which an older file gets them.
///
/// `entities`, `cards` and `events` are what was told to the store. Everything else is a fold over
/// the events, kept so that no read has to fold: `seen`, `standings`, `matches`, `deal_counts`.
/// ``StoreCheck`` repeats the fold and compares. Where events were removed (`folds`, `log_state`),
/// what was made of them is the truth.
enum StoreSchema {
  static var migrations: Migrations {
    Migrations([
      Migration(version: 1, name: "first tables", script: version1),
      Migration(version: 2, name: "erasure and age-out", script: version2),
      Migration(version: 3, name: "unmatch", script: version3),
      Migration(version: 4, name: "changes of cards", script: version4),
      Migration(version: 5, name: "durations of impressions", script: version5),
      Migration(version: 6, name: "ends of matches", script: version6),
    ])
  }

  /// Whether nothing was ever stored: the file has no tables yet, or somebody was killed between
  /// two steps of making them.
  static func isNew(_ connection: Connection) throws -> Bool {
    if try Migrations.version(of: connection) == 0 { return true }
    let exists = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'entities'"
    guard try connection.integer(exists) > 0 else { return false }
    return try connection.firstRow("SELECT 1 FROM entities LIMIT 1") { _ in true } == nil
  }

  /// Rows are never deleted from `entities` and `events`, so SQLite hands their keys out from 1
  /// upwards without a gap: a rolled back row leaves none.
  ///
  /// `about` may be 0, the place before every event: a swipe of a hand whose deal is not known.
  /// `standings` does not say who blocked whom: only the log does, so that no read of the pair can
  /// give it away. `learner_deltas.ordinal` keeps the order in which deltas of one event came.
  static var version1: String {
    """
    CREATE TABLE entities (
      number INTEGER PRIMARY KEY CHECK (number > 0),
      id BLOB NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE cards (
      number INTEGER PRIMARY KEY REFERENCES entities (number),
      payload BLOB NOT NULL,
      withdrawn INTEGER NOT NULL CHECK (withdrawn IN (0, 1))
    ) STRICT;

    CREATE TABLE events (
      position INTEGER PRIMARY KEY CHECK (position > 0),
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 7),
      viewer INTEGER NOT NULL REFERENCES entities (number),
      card INTEGER REFERENCES entities (number),
      client_id BLOB,
      time INTEGER NOT NULL,
      answer TEXT,
      meaning INTEGER CHECK (meaning BETWEEN 0 AND 2),
      about INTEGER CHECK (about >= 0),
      match INTEGER REFERENCES events (position),
      remaining INTEGER NOT NULL,
      rewound_by INTEGER REFERENCES events (position),
      before BLOB,
      fingerprint TEXT,
      CHECK ((kind = 1) = (card IS NULL)),
      CHECK ((kind = 3) = (answer IS NOT NULL)),
      CHECK ((kind = 3) = (meaning IS NOT NULL)),
      CHECK (kind NOT IN (4, 7) OR about IS NOT NULL),
      CHECK (about < position),
      CHECK (match IS NULL OR (kind = 3 AND match <= position)),
      CHECK (rewound_by IS NULL OR (kind = 3 AND rewound_by > position))
    ) STRICT;
    CREATE UNIQUE INDEX events_by_client ON events (viewer, client_id)
      WHERE client_id IS NOT NULL;
    CREATE INDEX events_to_rewind ON events (viewer)
      WHERE kind = 3 AND about IS NOT NULL AND rewound_by IS NULL;

    CREATE TABLE seen (
      viewer INTEGER NOT NULL REFERENCES entities (number),
      card INTEGER NOT NULL REFERENCES entities (number),
      dealt_at INTEGER,
      answer TEXT,
      meaning INTEGER CHECK (meaning BETWEEN 0 AND 2),
      answered_at INTEGER,
      event INTEGER REFERENCES events (position),
      PRIMARY KEY (viewer, card),
      CHECK ((answer IS NULL) = (event IS NULL)),
      CHECK ((meaning IS NULL) = (event IS NULL)),
      CHECK ((answered_at IS NULL) = (event IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX seen_by_card ON seen (card, event) WHERE event IS NOT NULL;

    CREATE TABLE standings (
      one INTEGER NOT NULL REFERENCES entities (number),
      other INTEGER NOT NULL REFERENCES entities (number),
      standing INTEGER NOT NULL CHECK (standing BETWEEN 1 AND 3),
      PRIMARY KEY (one, other)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE matches (
      low INTEGER NOT NULL REFERENCES entities (number),
      high INTEGER NOT NULL REFERENCES entities (number),
      event INTEGER NOT NULL REFERENCES events (position),
      time INTEGER NOT NULL,
      PRIMARY KEY (low, high),
      CHECK (low < high)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX matches_by_high ON matches (high);

    CREATE TABLE stacks (
      viewer INTEGER PRIMARY KEY REFERENCES entities (number),
      generation INTEGER NOT NULL,
      top INTEGER NOT NULL,
      image_start INTEGER NOT NULL,
      image BLOB NOT NULL,
      CHECK (image_start <= top)
    ) STRICT;

    CREATE TABLE deal_counts (
      viewer INTEGER PRIMARY KEY REFERENCES entities (number),
      deals INTEGER NOT NULL CHECK (deals > 0)
    ) STRICT;

    CREATE TABLE exposures (
      deal INTEGER NOT NULL REFERENCES events (position),
      position INTEGER NOT NULL CHECK (position >= 0),
      card INTEGER NOT NULL REFERENCES entities (number),
      score REAL,
      probability REAL,
      propensity REAL NOT NULL,
      PRIMARY KEY (deal, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE learners (
      number INTEGER PRIMARY KEY,
      identity TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE learner_blobs (
      learner INTEGER PRIMARY KEY REFERENCES learners (number),
      position INTEGER NOT NULL CHECK (position >= 0),
      blob BLOB NOT NULL
    ) STRICT;

    CREATE TABLE learner_deltas (
      learner INTEGER NOT NULL REFERENCES learners (number),
      position INTEGER NOT NULL REFERENCES events (position),
      ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
      increments BLOB NOT NULL,
      PRIMARY KEY (learner, position, ordinal)
    ) STRICT, WITHOUT ROWID;
    """
  }
}
