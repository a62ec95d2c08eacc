extension StoreSchema {
  /// Version 2 lets a store forget: an identifier may be gone, the log may have gaps.
  ///
  /// The two tables whose constraints change are copied, as SQLite recommends. `entities.id` is NULL
  /// once its person was erased. Events 8 (erasure) and 9 (age-out) stand for what was removed, and
  /// keep the place after which nothing can be removed, so that SQLite never hands a place out
  /// again. `folds` holds the cards of answers that were folded; `log_state` how many events are
  /// gone, and before which time exposures are.
  static var version2: String {
    """
    CREATE TABLE entities_2 (
      number INTEGER PRIMARY KEY CHECK (number > 0),
      id BLOB UNIQUE
    ) STRICT;
    INSERT INTO entities_2 (number, id) SELECT number, id FROM entities;
    DROP TABLE entities;
    ALTER TABLE entities_2 RENAME TO entities;

    CREATE TABLE events_2 (
      position INTEGER PRIMARY KEY CHECK (position > 0),
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 9),
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
      CHECK ((kind IN (1, 9)) = (card IS NULL)),
      CHECK ((kind = 3) = (answer IS NOT NULL)),
      CHECK ((kind = 3) = (meaning IS NOT NULL)),
      CHECK (kind NOT IN (4, 7) OR about IS NOT NULL),
      CHECK (kind <> 8 OR card = viewer),
      CHECK (about < position),
      CHECK (match IS NULL OR (kind = 3 AND match <= position)),
      CHECK (rewound_by IS NULL OR (kind = 3 AND rewound_by > position))
    ) STRICT;
    INSERT INTO events_2 (
      position, kind, viewer, card, client_id, time, answer, meaning, about, match, remaining,
      rewound_by, before, fingerprint)
    SELECT
      position, kind, viewer, card, client_id, time, answer, meaning, about, match, remaining,
      rewound_by, before, fingerprint
    FROM events ORDER BY position;
    DROP TABLE events;
    ALTER TABLE events_2 RENAME TO events;
    CREATE UNIQUE INDEX events_by_client ON events (viewer, client_id)
      WHERE client_id IS NOT NULL;
    CREATE INDEX events_to_rewind ON events (viewer)
      WHERE kind = 3 AND about IS NOT NULL AND rewound_by IS NULL;

    CREATE TABLE folds (
      viewer INTEGER NOT NULL REFERENCES entities (number),
      answer TEXT NOT NULL,
      meaning INTEGER NOT NULL CHECK (meaning BETWEEN 0 AND 2),
      event INTEGER NOT NULL REFERENCES events (position),
      cards BLOB NOT NULL,
      PRIMARY KEY (viewer, answer, meaning)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE log_state (
      only INTEGER PRIMARY KEY CHECK (only = 0),
      removed INTEGER NOT NULL CHECK (removed >= 0),
      exposures_before INTEGER
    ) STRICT;
    INSERT INTO log_state (only, removed) VALUES (0, 0);
    """
  }
}
