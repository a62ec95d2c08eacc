#if Postgres
  /// The SQL of what a store does seldom: export, erasure, pruning and age-out.
  extension StoreSQL {
    static let maintenance =
      erasing + removing + [
        viewersWithOld, oldAnswers, agedOut, clientEventsOf, lockPairs, forgetAnswers,
        removeEmptyEdges,
        foldsOf, foldsInOrder, removeFolds, addFolds, oldDeals, removeExposures, personCard,
        personEvents, exposuresOfDeals, answersAbout, nextLearner,
      ]

    // MARK: Age-out

    /// $2 and $3 are times, NULL for never.
    private static let isOld = """
      ((own_meaning = 0 AND own_time < $2::bigint)
        OR (own_meaning = 2 AND own_time < $3::bigint AND other_event IS NULL))
        AND own_event IS NOT NULL AND matched_by IS NULL
        AND (dealt_at IS NULL OR dealt_at <= own_time)
      """
    static let viewersWithOld = PostgresStatement(
      "viewers_with_old", .everyShard,
      """
      SELECT DISTINCT owner FROM edges WHERE owner > $1::bigint AND \(isOld)
      ORDER BY owner LIMIT $4::bigint
      """)
    static let oldAnswers = PostgresStatement(
      "old_answers", .shard("owner"),
      """
      SELECT e.owner, e.other, e.dealt_at, e.own_answer, e.own_meaning, e.own_time, e.own_event
      FROM unnest($1::bigint[]) AS q(owner)
      CROSS JOIN LATERAL (
        SELECT owner, other, dealt_at, own_answer, own_meaning, own_time, own_event FROM edges
        WHERE edges.owner = q.owner AND \(isOld) OFFSET 0) AS e
      """)
    static let agedOut = PostgresStatement(
      "aged_out", .shard("viewer"),
      """
      SELECT e.position FROM unnest($1::bigint[]) AS q(viewer)
      CROSS JOIN LATERAL (
        SELECT position FROM events
        WHERE events.viewer = q.viewer AND events.event_key = ANY($2::bigint[]) AND kind = 9
        OFFSET 0) AS e
      """)
    /// Swipes, rewinds, impressions and blocks all came from a client; deals and matches did not.
    static let clientEventsOf = PostgresStatement(
      "client_events_of", .shard("viewer"),
      """
      SELECT e.viewer, e.position, e.kind, e.card, e.match, e.event_key
      FROM unnest($1::bigint[]) AS q(viewer)
      CROSS JOIN LATERAL (
        SELECT viewer, position, kind, card, match, event_key FROM events
        WHERE events.viewer = q.viewer AND client_id IS NOT NULL OFFSET 0) AS e
      """)
    /// Locks rows of pairs, in the order in which they come.
    static let lockPairs = PostgresStatement(
      "lock_pairs", .shard("owner"),
      """
      SELECT e.owner, e.other, e.own_event, e.other_event, e.matched_by
      FROM unnest($1::bigint[], $2::bigint[]) AS q(owner, other)
      CROSS JOIN LATERAL (
        SELECT owner, other, own_event, other_event, matched_by FROM edges
        WHERE edges.owner = q.owner AND edges.other = q.other FOR NO KEY UPDATE) AS e
      """)
    /// Takes answers out of one row of their pair: the owner's, with the moment dealt, or that of
    /// the other side. The place is that of the event that does it.
    static let forgetAnswers = PostgresStatement(
      "forget_answers", .shard("owner"),
      """
      UPDATE edges SET
        dealt_at = CASE WHEN is_own THEN NULL ELSE dealt_at END,
        own_event = CASE WHEN is_own THEN NULL ELSE own_event END,
        own_time = CASE WHEN is_own THEN NULL ELSE own_time END,
        own_meaning = CASE WHEN is_own THEN NULL ELSE own_meaning END,
        own_answer = CASE WHEN is_own THEN NULL ELSE own_answer END,
        own_last = CASE WHEN is_own THEN s.position ELSE own_last END,
        other_event = CASE WHEN is_own THEN other_event END,
        other_time = CASE WHEN is_own THEN other_time END,
        other_meaning = CASE WHEN is_own THEN other_meaning END,
        other_last = CASE WHEN is_own THEN other_last ELSE s.position END
      FROM unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::bigint[])
        AS s(owner, other, is_own, position)
      WHERE edges.owner = s.owner AND edges.other = s.other
      """)
    static let removeEmptyEdges = PostgresStatement(
      "remove_empty_edges", .shard("owner"),
      """
      DELETE FROM edges USING unnest($1::bigint[], $2::bigint[]) AS s(owner, other)
      WHERE edges.owner = s.owner AND edges.other = s.other AND dealt_at IS NULL
        AND own_event IS NULL AND other_event IS NULL AND standing = 0 AND matched_by IS NULL
      """)

    // MARK: Folded answers

    static let foldsOf = PostgresStatement(
      "folds_of", .shard("viewer"),
      """
      SELECT e.viewer, e.answer, e.meaning, e.event, e.cards FROM unnest($1::bigint[]) AS q(viewer)
      CROSS JOIN LATERAL (
        SELECT viewer, answer, meaning, event, cards FROM folds
        WHERE folds.viewer = q.viewer OFFSET 0) AS e
      """)
    static let foldsInOrder = PostgresStatement(
      "folds_in_order", .everyShard,
      """
      SELECT viewer, answer, meaning, event, cards FROM folds
      WHERE (viewer, answer, meaning) > ($1::bigint, $2::text, $3::bigint)
      ORDER BY viewer, answer, meaning LIMIT $4::bigint
      """)
    static let removeFolds = PostgresStatement(
      "remove_folds", .shard("viewer"),
      """
      DELETE FROM folds USING unnest($1::bigint[]) AS s(viewer) WHERE folds.viewer = s.viewer
      """)
    static let addFolds = PostgresStatement(
      "add_folds", .shard("viewer"),
      """
      INSERT INTO folds (viewer, answer, meaning, event, cards)
      SELECT viewer, answer, meaning, event, cards
      FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bytea[])
        AS s(viewer, answer, meaning, event, cards)
      """)

    // MARK: Pruning

    static let oldDeals = PostgresStatement(
      "old_deals", .everyShard,
      """
      SELECT x.deal FROM (SELECT DISTINCT deal FROM exposures WHERE deal > $1::bigint) AS x
      JOIN events AS d ON d.position = x.deal AND d.kind = 1 AND d.time < $2::bigint
      ORDER BY x.deal LIMIT $3::bigint
      """)
    static let removeExposures = PostgresStatement(
      "remove_exposures", .shard("deal"),
      """
      DELETE FROM exposures USING unnest($1::bigint[]) AS s(deal) WHERE exposures.deal = s.deal
      """)

    // MARK: Export

    static let personCard = PostgresStatement(
      "person_card", .shard("number"),
      "SELECT number, id, payload, withdrawn, changed_at FROM cards WHERE number = $1::bigint")
    static let personEvents = PostgresStatement(
      "person_events", .shard("viewer"),
      """
      SELECT position, kind, viewer, card, time, answer, meaning, about, is_rewound, dwell,
        ended_match
      FROM (
        SELECT position, kind, viewer, card, time, answer, meaning, about,
          rewound_by IS NOT NULL AS is_rewound, dwell,
          CASE WHEN kind <> 3 THEN match END AS ended_match
        FROM events WHERE viewer = $1::bigint AND kind NOT IN (8, 9) OFFSET 0) AS e
      ORDER BY position
      """)
    static let exposuresOfDeals = PostgresStatement(
      "exposures_of_deals", .shard("deal"),
      """
      SELECT e.card, e.place, e.score, e.probability, e.propensity, e.deal
      FROM unnest($1::bigint[]) AS q(deal)
      CROSS JOIN LATERAL (
        SELECT deal, card, place, score, probability, propensity FROM exposures
        WHERE exposures.deal = q.deal ORDER BY place OFFSET 0) AS e
      """)
    static let answersAbout = PostgresStatement(
      "answers_about", .shard("owner"),
      """
      SELECT other_meaning, count(*) FROM edges
      WHERE owner = $1::bigint AND other_event IS NOT NULL GROUP BY other_meaning
      """)
    static let nextLearner = PostgresStatement(
      "next_learner", .everyShard,
      "SELECT learner FROM learner_deltas WHERE learner > $1::text ORDER BY learner LIMIT 1")
  }
#endif
