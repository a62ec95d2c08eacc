#if Postgres
  /// The SQL of a store, one constant for each thing that is asked or written.
  ///
  /// Each statement compares its shard column with a value, or with the values of a batch, row by
  /// row; the few that read every shard say so. Time and identities are parameters. Batches are
  /// looked up through `LATERAL … OFFSET 0`, which leaves the planner no other way than the key. Wide
  /// batches are written through `SELECT unnest(…), unnest(…)`, which gathers no array in a table of
  /// its own, as `FROM unnest(…, …)` does, and where an empty array stands for nothing but NULLs.
  enum StoreSQL {
    static let all: [PostgresStatement] =
      identifiers + cards + log + swipes + pairs + hands + learners + outbox + maintenance
      + [.begin, .beginReading, .commit, .rollback]

    // MARK: Identifiers

    static let identifiers = [
      lockCounter, moveCounter, findNumbers, findIdentifiers, addIdentifiers, addNumbers,
    ]

    static let lockCounter = PostgresStatement(
      "lock_counter", .shard("name"),
      "SELECT last FROM counters WHERE name = $1::text FOR NO KEY UPDATE")
    static let moveCounter = PostgresStatement(
      "move_counter", .shard("name"), "UPDATE counters SET last = $2::bigint WHERE name = $1::text")
    static let findNumbers = PostgresStatement(
      "find_numbers", .shard("id"),
      """
      SELECT e.id, e.number FROM unnest($1::bytea[]) AS q(id)
      CROSS JOIN LATERAL (
        SELECT id, number FROM identifiers WHERE identifiers.id = q.id OFFSET 0) AS e
      """)
    static let findIdentifiers = PostgresStatement(
      "find_identifiers", .shard("number"),
      """
      SELECT e.number, e.id FROM unnest($1::bigint[]) AS q(number)
      CROSS JOIN LATERAL (
        SELECT number, id FROM numbers WHERE numbers.number = q.number OFFSET 0) AS e
      """)
    static let addIdentifiers = PostgresStatement(
      "add_identifiers", .shard("id"),
      """
      INSERT INTO identifiers (id, number)
      SELECT id, number FROM unnest($1::bytea[], $2::bigint[]) AS s(id, number)
      """)
    static let addNumbers = PostgresStatement(
      "add_numbers", .shard("number"),
      """
      INSERT INTO numbers (number, id)
      SELECT number, id FROM unnest($1::bytea[], $2::bigint[]) AS s(id, number)
      """)

    // MARK: Cards

    static let cards = [
      putCards, reviseCards, withdrawCards, reinstateCards, findCards, cardsInOrder, cardChanges,
    ]

    static let putCards = PostgresStatement(
      "put_cards", .shard("number"),
      """
      INSERT INTO cards (number, id, payload, withdrawn, change, changed_at)
      SELECT number, id, payload, withdrawn, change, 0
      FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bigint[], $6::boolean[])
        AS s(number, id, payload, change, withdrawn)
      ON CONFLICT (number) DO UPDATE SET
        payload = excluded.payload, withdrawn = excluded.withdrawn, change = excluded.change,
        \(changedAt)
      """)
    static let reviseCards = PostgresStatement(
      "revise_cards", .shard("number"),
      """
      INSERT INTO cards (number, id, payload, withdrawn, change, changed_at)
      SELECT number, id, payload, false, change, 0
      FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bigint[])
        AS s(number, id, payload, change)
      ON CONFLICT (number) DO UPDATE SET
        payload = excluded.payload, change = excluded.change, \(changedAt)
      """)
    /// A card that stays what it was has not changed, and no clock that went back makes it older.
    private static let changedAt = """
      changed_at = CASE WHEN cards.payload = excluded.payload THEN cards.changed_at
        ELSE greatest(cards.changed_at, $5::bigint) END
      """
    static let reinstateCards = PostgresStatement(
      "reinstate_cards", .shard("number"),
      """
      UPDATE cards SET withdrawn = false, change = s.change
      FROM unnest($1::bigint[], $2::bigint[]) AS s(number, change)
      WHERE cards.number = s.number AND cards.withdrawn
      """)
    static let findCards = PostgresStatement(
      "find_cards", .shard("number"),
      """
      SELECT e.number, e.withdrawn, e.changed_at FROM unnest($1::bigint[]) AS q(number)
      CROSS JOIN LATERAL (
        SELECT number, withdrawn, changed_at FROM cards
        WHERE cards.number = q.number OFFSET 0) AS e
      """)
    static let withdrawCards = PostgresStatement(
      "withdraw_cards", .shard("number"),
      """
      UPDATE cards SET withdrawn = true, change = s.change
      FROM unnest($1::bigint[], $2::bigint[]) AS s(number, change)
      WHERE cards.number = s.number AND NOT cards.withdrawn
      """)
    static let cardsInOrder = PostgresStatement(
      "cards_in_order", .everyShard,
      """
      SELECT number, id, payload, withdrawn, changed_at FROM cards
      WHERE number > $1::bigint ORDER BY number LIMIT $2::bigint
      """)
    static let cardChanges = PostgresStatement(
      "card_changes", .everyShard,
      """
      SELECT number, id, payload, withdrawn, changed_at, change, is_erased FROM (
        (SELECT number, id, payload, withdrawn, changed_at, change, false AS is_erased FROM cards
          WHERE change > $1::bigint ORDER BY change LIMIT $2::bigint)
        UNION ALL
        (SELECT number, CAST('' AS bytea), CAST('' AS bytea), true, 0, change, true FROM erased
          WHERE change > $1::bigint ORDER BY change LIMIT $2::bigint)) AS c
      ORDER BY change LIMIT $2::bigint
      """)

    // MARK: The log

    static let log = [
      drawPositions, addEvents, findClientEvents, swipeToRewind, markRewound, eventAt,
      lastDrawn, runningWriters, eventsInOrder, partingsInOrder, matchChangesInOrder, lastPosition,
      addExposures, findExposures,
    ]

    static let drawPositions = PostgresStatement(
      "draw_positions", .none,
      "SELECT nextval('log_positions') FROM generate_series(1, $1::bigint)")
    static let addEvents = PostgresStatement(
      "add_events", .shard("viewer"),
      """
      INSERT INTO events (
        viewer, event_key, position, kind, card, client_id, time, answer, meaning, about, match,
        remaining, before, fingerprint, dwell)
      SELECT unnest($1::bigint[]), unnest($2::bigint[]), unnest($3::bigint[]),
        unnest($4::smallint[]), unnest($5::bigint[]), unnest($6::bytea[]), unnest($7::bigint[]),
        unnest($8::text[]), unnest($9::smallint[]), unnest($10::bigint[]), unnest($11::bigint[]),
        unnest($12::integer[]), unnest($13::bytea[]), unnest($14::text[]),
        unnest($15::integer[])
      """)
    /// Everything that has a key of the identifiers, and whether it is the identifier's own.
    static let findClientEvents = PostgresStatement(
      "find_client_events", .shard("viewer"),
      """
      SELECT q.place, e.position, e.kind, e.card, e.answer, e.match, e.remaining,
        e.event_key - q.key, e.client_id = q.client_id
      FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) WITH ORDINALITY
        AS q(viewer, key, client_id, place)
      CROSS JOIN LATERAL (
        SELECT position, kind, card, answer, match, remaining, event_key, client_id FROM events
        WHERE events.viewer = q.viewer
          AND events.event_key BETWEEN q.key AND q.key + \(ClientKey.slots - 1) OFFSET 0) AS e
      """)
    static let swipeToRewind = PostgresStatement(
      "swipe_to_rewind", .shard("viewer"),
      """
      SELECT card, before FROM events
      WHERE viewer = $1::bigint AND position = $2::bigint AND kind = 3 AND rewound_by IS NULL
      """)
    static let markRewound = PostgresStatement(
      "mark_rewound", .shard("viewer"),
      """
      UPDATE events SET rewound_by = $3::bigint
      WHERE viewer = $1::bigint AND position = $2::bigint
      """)
    static let eventAt = PostgresStatement(
      "event_at", .shard("viewer"),
      "SELECT kind FROM events WHERE viewer = $1::bigint AND position = ANY($2::bigint[])")
    static let lastDrawn = PostgresStatement(
      "last_drawn", .none,
      "SELECT CASE WHEN is_called THEN last_value + \(PostgresSchema.block - 1) ELSE 0 END "
        + "FROM log_positions")
    /// The transactions that may have drawn places: each has locked a viewer, and so the table.
    static let runningWriters = PostgresStatement(
      "running_writers", .none,
      """
      SELECT DISTINCT virtualtransaction FROM pg_locks
      WHERE locktype = 'relation' AND relation = CAST('viewers' AS regclass)
        AND mode IN ('RowShareLock', 'RowExclusiveLock') AND pid <> pg_backend_pid()
      """)
    static let eventsInOrder = PostgresStatement(
      "events_in_order", .everyShard,
      """
      SELECT position, kind, viewer, card, time, answer, meaning, about, rewound_by IS NOT NULL,
        dwell, CASE WHEN kind <> 3 THEN match END
      FROM events WHERE position > $1::bigint AND position <= $2::bigint
      ORDER BY position LIMIT $3::bigint
      """)
    static let partingsInOrder = PostgresStatement(
      "partings_in_order", .everyShard,
      """
      SELECT position, viewer, card FROM events
      WHERE position > $1::bigint AND position <= $2::bigint AND kind = ANY($3::bigint[])
      ORDER BY position LIMIT $4::bigint
      """)
    /// Matches, erasures, and what ended a match.
    static let matchChangesInOrder = PostgresStatement(
      "match_changes_in_order", .everyShard,
      """
      SELECT position, kind, viewer, card, time, about, match FROM events
      WHERE position > $1::bigint AND position <= $2::bigint
        AND (kind IN (7, 8) OR (kind IN (4, 5, 6, 10) AND match IS NOT NULL))
      ORDER BY position LIMIT $3::bigint
      """)
    static let lastPosition = PostgresStatement(
      "last_position", .everyShard,
      """
      SELECT position FROM events WHERE position <= $1::bigint ORDER BY position DESC LIMIT 1
      """)
    static let addExposures = PostgresStatement(
      "add_exposures", .shard("deal"),
      """
      INSERT INTO exposures (deal, place, card, score, probability, propensity)
      SELECT $1::bigint, place, card, score, probability, propensity
      FROM unnest(
        $2::bigint[], $3::bigint[], $4::double precision[], $5::double precision[],
        $6::double precision[]) AS s(place, card, score, probability, propensity)
      """)
    static let findExposures = PostgresStatement(
      "find_exposures", .shard("deal"),
      """
      SELECT card, place, score, probability, propensity FROM exposures
      WHERE deal = $1::bigint ORDER BY place
      """)

    // MARK: Learners

    static let learners = [
      learnerBlob, setLearnerBlob, addDeltas, deltasOfSwipe, deltasInOrder, ownersOfPositions,
      ordinalsOfPositions,
    ]

    static let learnerBlob = PostgresStatement(
      "learner_blob", .shard("learner"),
      "SELECT position, blob FROM learner_blobs WHERE learner = $1::text")
    static let setLearnerBlob = PostgresStatement(
      "set_learner_blob", .shard("learner"),
      """
      INSERT INTO learner_blobs (learner, position, blob)
      VALUES ($1::text, $2::bigint, $3::bytea)
      ON CONFLICT (learner) DO UPDATE SET position = excluded.position, blob = excluded.blob
      """)
    static let addDeltas = PostgresStatement(
      "add_deltas", .shard("viewer"),
      """
      INSERT INTO learner_deltas (viewer, position, ordinal, learner, increments)
      SELECT viewer, position, ordinal, learner, increments
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bytea[])
        AS s(viewer, position, ordinal, learner, increments)
      """)
    static let deltasOfSwipe = PostgresStatement(
      "deltas_of_swipe", .shard("viewer"),
      """
      SELECT learner, ordinal, increments FROM learner_deltas
      WHERE viewer = $1::bigint AND position = $2::bigint ORDER BY ordinal
      """)
    static let deltasInOrder = PostgresStatement(
      "deltas_in_order", .everyShard,
      """
      SELECT position, increments FROM learner_deltas
      WHERE learner = $1::text AND position > $2::bigint AND position <= $3::bigint
      ORDER BY position, ordinal LIMIT $4::bigint
      """)
    static let ownersOfPositions = PostgresStatement(
      "owners_of_positions", .everyShard,
      "SELECT position, viewer FROM events WHERE position = ANY($1::bigint[]) AND kind = 3")
    static let ordinalsOfPositions = PostgresStatement(
      "ordinals_of_positions", .shard("viewer"),
      """
      SELECT q.position, e.rewound_by, d.next
      FROM unnest($1::bigint[], $2::bigint[]) AS q(viewer, position)
      CROSS JOIN LATERAL (
        SELECT rewound_by FROM events
        WHERE events.viewer = q.viewer AND events.position = q.position OFFSET 0) AS e
      CROSS JOIN LATERAL (
        SELECT coalesce(max(ordinal) + 1, 0) AS next FROM learner_deltas
        WHERE learner_deltas.viewer = q.viewer AND learner_deltas.position = q.position) AS d
      """)
  }
#endif
