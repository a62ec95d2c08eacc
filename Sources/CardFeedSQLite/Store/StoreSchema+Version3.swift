extension StoreSchema {
  /// Version 3 lets a match be ended by one of the two: event 10, standing 4.
  ///
  /// The two tables whose constraints change are copied. They no longer say up to which number kinds
  /// and standings go; the program knows, and the next one needs no copy of the log.
  static var version3: String {
    """
    CREATE TABLE events_3 (
      position INTEGER PRIMARY KEY CHECK (position > 0),
      kind INTEGER NOT NULL CHECK (kind > 0),
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
    INSERT INTO events_3 (
      position, kind, viewer, card, client_id, time, answer, meaning, about, match, remaining,
      rewound_by, before, fingerprint)
    SELECT
      position, kind, viewer, card, client_id, time, answer, meaning, about, match, remaining,
      rewound_by, before, fingerprint
    FROM events ORDER BY position;
    DROP TABLE events;
    ALTER TABLE events_3 RENAME TO events;
    CREATE UNIQUE INDEX events_by_client ON events (viewer, client_id)
      WHERE client_id IS NOT NULL;
    CREATE INDEX events_to_rewind ON events (viewer)
      WHERE kind = 3 AND about IS NOT NULL AND rewound_by IS NULL;

    CREATE TABLE standings_3 (
      one INTEGER NOT NULL REFERENCES entities (number),
      other INTEGER NOT NULL REFERENCES entities (number),
      standing INTEGER NOT NULL CHECK (standing > 0),
      PRIMARY KEY (one, other)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO standings_3 (one, other, standing)
    SELECT one, other, standing FROM standings ORDER BY one, other;
    DROP TABLE standings;
    ALTER TABLE standings_3 RENAME TO standings;
    """
  }
}
