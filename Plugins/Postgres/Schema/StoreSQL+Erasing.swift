#if Postgres
  /// The SQL of taking people and events out.
  extension StoreSQL {
    // MARK: People who are gone

    static let erasing = [
      findErased, findDoorMark, closeDoor, erasureOf, finishErasure, erasedNumbers,
      erasedSince, erasedSums,
      identifierToErase,
      eventsAbout, exposuresOfCard, removeExposuresAt, edgesOf, edgesWith, removeEdges,
      outboxWith, forgetInOutbox, forgetCard, forgetNumber, forgetIdentifier, forgetViewer,
      forgetStack,
    ]

    static let findErased = PostgresStatement(
      "find_erased", .shard("number"),
      """
      SELECT e.number FROM unnest($1::bigint[]) AS q(number)
      CROSS JOIN LATERAL (
        SELECT number FROM erased WHERE erased.number = q.number OFFSET 0) AS e
      """)
    static let findDoorMark = PostgresStatement(
      "find_door_mark", .shard("name"), "SELECT last FROM counters WHERE name = $1::text")
    /// The first step of an erasure: from its commit on, what comes in about the person is stale.
    static let closeDoor = PostgresStatement(
      "close_door", .shard("number"),
      """
      INSERT INTO erased (number) SELECT number FROM numbers WHERE number = $1::bigint
      ON CONFLICT (number) DO NOTHING
      """)
    static let erasureOf = PostgresStatement(
      "erasure_of", .shard("number"), "SELECT event FROM erased WHERE number = $1::bigint")
    static let finishErasure = PostgresStatement(
      "finish_erasure", .shard("number"),
      "UPDATE erased SET event = $2::bigint, change = $3::bigint WHERE number = $1::bigint")
    static let erasedNumbers = PostgresStatement(
      "erased_numbers", .everyShard, "SELECT number FROM erased")
    /// Whose erasure is newer than a change of cards, or under way.
    static let erasedSince = PostgresStatement(
      "erased_since", .everyShard,
      "SELECT number FROM erased WHERE change > $1::bigint OR change IS NULL")
    static let erasedSums = PostgresStatement(
      "erased_sums", .everyShard,
      """
      SELECT count(*), coalesce(sum(number), 0)::text,
        coalesce(sum(number::numeric * number), 0)::text, coalesce(max(change), 0)
      FROM erased
      """)
    static let identifierToErase = PostgresStatement(
      "identifier_to_erase", .shard("number"),
      "SELECT id FROM numbers WHERE number = $1::bigint FOR UPDATE")

    // MARK: Their traces

    static let eventsAbout = PostgresStatement(
      "events_about", .everyShard,
      """
      SELECT viewer, position, kind, time, event_key FROM events
      WHERE (viewer = $1::bigint OR card = $1::bigint) AND kind <> 8
      """)
    static let exposuresOfCard = PostgresStatement(
      "exposures_of_card", .everyShard,
      "SELECT deal, place FROM exposures WHERE card = $1::bigint")
    static let removeExposuresAt = PostgresStatement(
      "remove_exposures_at", .shard("deal"),
      """
      DELETE FROM exposures USING unnest($1::bigint[], $2::bigint[]) AS s(deal, place)
      WHERE exposures.deal = s.deal AND exposures.place = s.place
      """)
    static let edgesOf = PostgresStatement(
      "edges_of", .shard("owner"), "SELECT other FROM edges WHERE owner = $1::bigint")
    static let edgesWith = PostgresStatement(
      "edges_with", .everyShard, "SELECT owner FROM edges WHERE other = $1::bigint")
    static let removeEdges = PostgresStatement(
      "remove_edges", .shard("owner"),
      """
      DELETE FROM edges USING unnest($1::bigint[], $2::bigint[]) AS s(owner, other)
      WHERE edges.owner = s.owner AND edges.other = s.other
      """)
    static let outboxWith = PostgresStatement(
      "outbox_with", .everyShard,
      "SELECT low, event FROM outbox WHERE low = $1::bigint OR high = $1::bigint")
    static let forgetInOutbox = PostgresStatement(
      "forget_in_outbox", .shard("low"),
      """
      DELETE FROM outbox USING unnest($1::bigint[], $2::bigint[]) AS s(low, event)
      WHERE outbox.low = s.low AND outbox.event = s.event
      """)
    static let forgetCard = PostgresStatement(
      "forget_card", .shard("number"), "DELETE FROM cards WHERE number = $1::bigint")
    static let forgetNumber = PostgresStatement(
      "forget_number", .shard("number"), "DELETE FROM numbers WHERE number = $1::bigint")
    static let forgetIdentifier = PostgresStatement(
      "forget_identifier", .shard("id"), "DELETE FROM identifiers WHERE id = $1::bytea")
    static let forgetViewer = PostgresStatement(
      "forget_viewer", .shard("viewer"), "DELETE FROM viewers WHERE viewer = $1::bigint")
    static let forgetStack = PostgresStatement(
      "forget_stack", .shard("viewer"), "DELETE FROM stacks WHERE viewer = $1::bigint")

    // MARK: Events, and what they taught

    static let removing = [
      removeEvents, removeDeltas, learnerPositions, learnerBlobs, removalDeltas, removalDeltasOf,
      removalSince,
    ]

    static let removeEvents = PostgresStatement(
      "remove_events", .shard("viewer"),
      """
      DELETE FROM events
      USING unnest($1::bigint[], $2::bigint[]) AS s(viewer, key)
      WHERE events.viewer = s.viewer AND events.event_key = s.key
      """)
    static let removeDeltas = PostgresStatement(
      "remove_deltas", .shard("viewer"),
      """
      DELETE FROM learner_deltas USING unnest($1::bigint[], $2::bigint[]) AS s(viewer, position)
      WHERE learner_deltas.viewer = s.viewer AND learner_deltas.position = s.position
      RETURNING learner_deltas.viewer, learner_deltas.position, learner, increments
      """)
    static let learnerPositions = PostgresStatement(
      "learner_positions", .everyShard, "SELECT learner, position FROM learner_blobs")
    static let learnerBlobs = PostgresStatement(
      "learner_blobs", .everyShard, "SELECT learner, position, blob FROM learner_blobs")
    /// What removed events taught, kept at the event that took their place.
    static let removalDeltas = PostgresStatement(
      "removal_deltas", .everyShard,
      """
      SELECT d.viewer, d.position, d.learner, d.increments
      FROM events AS e JOIN learner_deltas AS d ON d.viewer = e.viewer AND d.position = e.position
      WHERE e.kind IN (8, 9)
      """)
    static let removalDeltasOf = PostgresStatement(
      "removal_deltas_of", .shard("viewer"),
      """
      SELECT e.viewer, e.position, e.learner, e.increments FROM unnest($1::bigint[]) AS q(viewer)
      CROSS JOIN LATERAL (
        SELECT d.viewer, d.position, d.learner, d.increments
        FROM events AS r
        JOIN learner_deltas AS d ON d.viewer = q.viewer AND d.position = r.position
        WHERE r.viewer = q.viewer AND r.kind IN (8, 9) OFFSET 0) AS e
      """)
    static let removalSince = PostgresStatement(
      "removal_since", .everyShard,
      """
      SELECT position FROM events WHERE position > $1::bigint AND kind IN (8, 9)
      ORDER BY position LIMIT 1
      """)
  }
#endif
