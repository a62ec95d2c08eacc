#if Postgres
  extension StoreSQL {
    // MARK: Swipes

    static let swipes = [findOwnEdges, decideSwipes, addFollowers, followSwipes]

    /// What each viewer and card had to do with each other, from the viewer's own row. Steady while
    /// the viewer is locked: only a viewer's own events change it.
    static let findOwnEdges = PostgresStatement(
      "find_own_edges", .shard("owner"),
      """
      SELECT q.place, e.dealt_at, e.own_answer, e.own_meaning, e.own_time, e.own_event
      FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS q(owner, other, place)
      CROSS JOIN LATERAL (
        SELECT dealt_at, own_answer, own_meaning, own_time, own_event FROM edges
        WHERE edges.owner = q.owner AND edges.other = q.other OFFSET 0) AS e
      """)

    /// Decides swipes on the canonical rows of their pairs, before anything else is written: applied
    /// unless the two must not meet, a match if the rule's truth table says so for what the other
    /// side said. The row stays locked until the transaction ends, so a pair is decided by one
    /// transaction at a time. Rows come in the order of (low, high); each pair once. The answer that
    /// a viewer's own one replaces is read as it was when the statement began: it is steady while the
    /// viewer is locked.
    static let decideSwipes = PostgresStatement(
      "decide_swipes", .shard("owner"),
      """
      \(insertCanonical)
      ON CONFLICT (owner, other) DO UPDATE SET
        own_event = CASE WHEN \(ownApplies) THEN excluded.own_event ELSE e.own_event END,
        own_time = CASE WHEN \(ownApplies) THEN excluded.own_time ELSE e.own_time END,
        own_meaning = CASE WHEN \(ownApplies) THEN excluded.own_meaning ELSE e.own_meaning END,
        own_answer = CASE WHEN \(ownApplies) THEN excluded.own_answer ELSE e.own_answer END,
        own_last = CASE WHEN NOT (\(ownApplies)) THEN e.own_last END,
        other_event = CASE WHEN \(otherApplies) THEN excluded.other_event ELSE e.other_event END,
        other_time = CASE WHEN \(otherApplies) THEN excluded.other_time ELSE e.other_time END,
        other_meaning = CASE WHEN \(otherApplies) THEN excluded.other_meaning
          ELSE e.other_meaning END,
        other_last = CASE WHEN NOT (\(otherApplies)) THEN e.other_last END,
        rule = excluded.rule | CASE WHEN excluded.own_event IS NULL OR e.own_event IS NULL
          THEN \(SwipeRule.found) ELSE \(SwipeRule.found | SwipeRule.foundAnswer) END,
        matched_by = CASE WHEN \(matches) THEN coalesce(excluded.own_event, excluded.other_event)
          ELSE e.matched_by END,
        matched_at = CASE WHEN \(matches) THEN coalesce(excluded.own_time, excluded.other_time)
          ELSE e.matched_at END
      RETURNING owner, other, standing, own_event, own_meaning, other_event, other_meaning,
        matched_by, matched_at, dealt_at, \(replaced("answer")), \(replaced("meaning")),
        \(replaced("time")), \(replaced("event")), rule
      """)

    private static func replaced(_ what: String) -> String {
      """
      CASE WHEN rule & \(SwipeRule.foundAnswer) <> 0 THEN (
        SELECT o.own_\(what) FROM edges AS o WHERE o.owner = e.owner AND o.other = e.other) END
      """
    }

    /// The canonical rows of pairs whose first swipes these are.
    static let insertCanonical = """
      INSERT INTO edges AS e (
        owner, other, own_event, own_time, own_meaning, own_answer,
        other_event, other_time, other_meaning, rule, matched_by, matched_at)
      SELECT low, high,
        CASE WHEN is_low THEN event END, CASE WHEN is_low THEN time END,
        CASE WHEN is_low THEN meaning END, CASE WHEN is_low THEN answer END,
        CASE WHEN NOT is_low THEN event END, CASE WHEN NOT is_low THEN time END,
        CASE WHEN NOT is_low THEN meaning END,
        rule, CASE WHEN rule & 1 = 1 THEN event END, CASE WHEN rule & 1 = 1 THEN time END
      FROM (
        SELECT unnest($1::bigint[]) AS low, unnest($2::bigint[]) AS high,
          unnest($3::boolean[]) AS is_low, unnest($4::bigint[]) AS event,
          unnest($5::bigint[]) AS time, unnest($6::smallint[]) AS meaning,
          unnest($7::text[]) AS answer, unnest($8::smallint[]) AS rule) AS s
      """

    /// Whether the new event of a side is behind what was applied of it: the other side's is NULL.
    private static let ownIsNew = """
      excluded.own_event IS NOT NULL
        AND excluded.own_event > coalesce(e.own_last, e.own_event, 0)
      """
    private static let otherIsNew = """
      excluded.other_event IS NOT NULL
        AND excluded.other_event > coalesce(e.other_last, e.other_event, 0)
      """
    private static let ownApplies = "e.standing = 0 AND \(ownIsNew)"
    private static let otherApplies = "e.standing = 0 AND \(otherIsNew)"
    private static let matches = """
      e.matched_by IS NULL AND e.standing = 0 AND (\(ownIsNew) OR \(otherIsNew))
        AND (excluded.rule >> CASE WHEN excluded.own_event IS NOT NULL
          THEN coalesce(e.other_meaning + 1, 0) ELSE coalesce(e.own_meaning + 1, 0) END) & 1 = 1
      """

    /// Makes the rows of the greater numbers of new pairs, in the same transaction. Fails where a row
    /// is.
    static let addFollowers = PostgresStatement("add_followers", .shard("owner"), insertFollowers)

    /// Brings the rows of the greater numbers after the canonical ones, in the same transaction.
    static let followSwipes = PostgresStatement(
      "follow_swipes", .shard("owner"),
      """
      \(insertFollowers)
      ON CONFLICT (owner, other) DO UPDATE SET
        own_event = CASE WHEN \(ownIsNew) THEN excluded.own_event ELSE e.own_event END,
        own_time = CASE WHEN \(ownIsNew) THEN excluded.own_time ELSE e.own_time END,
        own_meaning = CASE WHEN \(ownIsNew) THEN excluded.own_meaning ELSE e.own_meaning END,
        own_answer = CASE WHEN \(ownIsNew) THEN excluded.own_answer ELSE e.own_answer END,
        own_last = CASE WHEN NOT (\(ownIsNew)) THEN e.own_last END,
        other_event = CASE WHEN \(otherIsNew) THEN excluded.other_event ELSE e.other_event END,
        other_time = CASE WHEN \(otherIsNew) THEN excluded.other_time ELSE e.other_time END,
        other_meaning = CASE WHEN \(otherIsNew) THEN excluded.other_meaning
          ELSE e.other_meaning END,
        other_last = CASE WHEN NOT (\(otherIsNew)) THEN e.other_last END,
        matched_by = excluded.matched_by, matched_at = excluded.matched_at
      """)

    private static let insertFollowers = """
      INSERT INTO edges AS e (
        owner, other, own_event, own_time, own_meaning, own_answer,
        other_event, other_time, other_meaning, matched_by, matched_at)
      SELECT high, low,
        CASE WHEN NOT is_low THEN event END, CASE WHEN NOT is_low THEN time END,
        CASE WHEN NOT is_low THEN meaning END, CASE WHEN NOT is_low THEN answer END,
        CASE WHEN is_low THEN event END, CASE WHEN is_low THEN time END,
        CASE WHEN is_low THEN meaning END, matched_by, matched_at
      FROM (
        SELECT unnest($1::bigint[]) AS low, unnest($2::bigint[]) AS high,
          unnest($3::boolean[]) AS is_low, unnest($4::bigint[]) AS event,
          unnest($5::bigint[]) AS time, unnest($6::smallint[]) AS meaning,
          unnest($7::text[]) AS answer, unnest($8::bigint[]) AS matched_by,
          unnest($9::bigint[]) AS matched_at) AS s
      """

    // MARK: Pairs

    static let pairs = [
      lockPair, takeBackOwn, takeBackOther, keepApart, seenCards, answersReceived, likesAmong,
      unansweredLikes, unansweredLikers, unsafeCards, matchesOfViewer,
    ]

    static let lockPair = PostgresStatement(
      "lock_pair", .shard("owner"),
      """
      SELECT matched_by FROM edges WHERE owner = $1::bigint AND other = $2::bigint
      FOR NO KEY UPDATE
      """)
    /// A rewind on the viewer's own row: the answer before, if there was one, and no match if it
    /// ended.
    static let takeBackOwn = PostgresStatement(
      "take_back_own", .shard("owner"),
      """
      UPDATE edges SET dealt_at = $4::bigint, own_answer = $5::text, own_meaning = $6::bigint,
        own_time = $7::bigint, own_event = $8::bigint, own_last = $3::bigint,
        matched_by = CASE WHEN $9::boolean THEN NULL ELSE matched_by END,
        matched_at = CASE WHEN $9::boolean THEN NULL ELSE matched_at END
      WHERE owner = $1::bigint AND other = $2::bigint
        AND coalesce(own_last, own_event, 0) < $3::bigint
      """)
    /// The same on the row of the other side.
    static let takeBackOther = PostgresStatement(
      "take_back_other", .shard("owner"),
      """
      UPDATE edges SET other_meaning = $4::bigint, other_time = $5::bigint,
        other_event = $6::bigint, other_last = $3::bigint,
        matched_by = CASE WHEN $7::boolean THEN NULL ELSE matched_by END,
        matched_at = CASE WHEN $7::boolean THEN NULL ELSE matched_at END
      WHERE owner = $1::bigint AND other = $2::bigint
        AND coalesce(other_last, other_event, 0) < $3::bigint
      """)
    static let keepApart = PostgresStatement(
      "keep_apart", .shard("owner"),
      """
      INSERT INTO edges (owner, other, standing) VALUES ($1::bigint, $2::bigint, $3::bigint)
      ON CONFLICT (owner, other) DO UPDATE SET
        standing = excluded.standing, matched_by = NULL, matched_at = NULL
      """)
    static let seenCards = PostgresStatement(
      "seen_cards", .shard("owner"),
      """
      SELECT other, dealt_at, own_answer, own_meaning, own_time, own_event FROM edges
      WHERE owner = $1::bigint AND (dealt_at IS NOT NULL OR own_event IS NOT NULL)
      """)
    static let answersReceived = PostgresStatement(
      "answers_received", .shard("owner"),
      """
      SELECT other, other_meaning, other_time FROM edges
      WHERE owner = $1::bigint AND other_event IS NOT NULL
      ORDER BY other_event DESC LIMIT $2::bigint
      """)
    static let likesAmong = PostgresStatement(
      "likes_among", .shard("owner"),
      """
      SELECT other FROM edges
      WHERE owner = $1::bigint AND other = ANY($2::bigint[]) AND other_meaning = 2
        AND standing = 0
      """)
    /// How many people like each card and wait for what it says. Of a pair both sides' answers and
    /// what keeps the two apart stand in the card's own row.
    static let unansweredLikes = PostgresStatement(
      "unanswered_likes", .shard("owner"),
      """
      SELECT e.waiting FROM unnest($1::bigint[]) WITH ORDINALITY AS q(owner, place)
      CROSS JOIN LATERAL (
        SELECT count(*) AS waiting FROM (
          SELECT 1 FROM edges
          WHERE edges.owner = q.owner AND \(waits)
          LIMIT $2::bigint) AS w) AS e
      ORDER BY q.place
      """)
    /// Who they are.
    static let unansweredLikers = PostgresStatement(
      "unanswered_likers", .shard("owner"),
      """
      SELECT e.owner, e.other FROM unnest($1::bigint[]) AS q(owner)
      CROSS JOIN LATERAL (
        SELECT owner, other FROM edges WHERE edges.owner = q.owner AND \(waits) OFFSET 0) AS e
      """)
    private static let waits = """
      other_event IS NOT NULL AND other_meaning = 2 AND own_event IS NULL AND standing = 0
      """
    static let unsafeCards = PostgresStatement(
      "unsafe_cards", .shard("owner"),
      "SELECT other, standing FROM edges WHERE owner = $1::bigint AND standing <> 0")
    static let matchesOfViewer = PostgresStatement(
      "matches_of_viewer", .shard("owner"),
      """
      SELECT matched_by, other, matched_at FROM edges
      WHERE owner = $1::bigint AND matched_by IS NOT NULL ORDER BY matched_by
      """)

    // MARK: Hands

    static let hands = [
      lockViewers, addViewers, moveTops, setViewer, setStack, dealCards, stackAndFolds,
      recentSwipes, handAnswers, answersGiven, impressions,
    ]

    /// One viewer's events are applied one after the other: whoever changes something of a viewer
    /// locks the row here first. The numbers come in order, and are locked in it.
    static let lockViewers = PostgresStatement(
      "lock_viewers", .shard("viewer"),
      """
      SELECT e.viewer, e.generation, e.top, e.deals FROM unnest($1::bigint[]) AS q(viewer)
      CROSS JOIN LATERAL (
        SELECT viewer, generation, top, deals FROM viewers WHERE viewers.viewer = q.viewer
        FOR NO KEY UPDATE) AS e
      """)
    static let addViewers = PostgresStatement(
      "add_viewers", .shard("viewer"),
      """
      INSERT INTO viewers (viewer, deals) SELECT viewer, 0 FROM unnest($1::bigint[]) AS s(viewer)
      ON CONFLICT (viewer) DO NOTHING
      """)
    static let moveTops = PostgresStatement(
      "move_tops", .shard("viewer"),
      """
      UPDATE viewers SET top = s.top
      FROM unnest($1::bigint[], $2::bigint[]) AS s(viewer, top)
      WHERE viewers.viewer = s.viewer
      """)
    static let setViewer = PostgresStatement(
      "set_viewer", .shard("viewer"),
      """
      INSERT INTO viewers (viewer, generation, top, deals)
      VALUES ($1::bigint, $2::bigint, $3::bigint, $4::bigint)
      ON CONFLICT (viewer) DO UPDATE SET generation = excluded.generation, top = excluded.top,
        deals = viewers.deals + excluded.deals
      """)
    static let setStack = PostgresStatement(
      "set_stack", .shard("viewer"),
      """
      INSERT INTO stacks (viewer, image_start, image) VALUES ($1::bigint, $2::bigint, $3::bytea)
      ON CONFLICT (viewer) DO UPDATE SET
        image_start = excluded.image_start, image = excluded.image
      """)
    static let dealCards = PostgresStatement(
      "deal_cards", .shard("owner"),
      """
      INSERT INTO edges (owner, other, dealt_at)
      SELECT $1::bigint, card, $3::bigint FROM unnest($2::bigint[]) AS s(card)
      ON CONFLICT (owner, other) DO UPDATE SET dealt_at = excluded.dealt_at
      RETURNING other, standing
      """)
    /// The hand of a viewer beside each of their folded sets; one row without a set if there is none.
    static let stackAndFolds = PostgresStatement(
      "stack_and_folds", .shard("viewer"),
      """
      SELECT v.generation, v.top, v.deals, s.image_start, s.image,
        f.answer, f.meaning, f.event, f.cards
      FROM viewers AS v
        LEFT JOIN stacks AS s ON s.viewer = v.viewer AND s.viewer = $1::bigint
        LEFT JOIN folds AS f ON f.viewer = v.viewer AND f.viewer = $1::bigint
      WHERE v.viewer = $1::bigint
      """)
    /// Reads the viewer's events once, as `seen_cards` reads their pairs. The inner query asks for no
    /// order: it could be had by reading everybody's log backwards.
    static let recentSwipes = PostgresStatement(
      "recent_swipes", .shard("viewer"),
      """
      SELECT position, card, answer, about FROM (
        SELECT position, card, answer, about FROM events
        WHERE viewer = $1::bigint AND kind = 3 AND about IS NOT NULL AND rewound_by IS NULL
        OFFSET 0) AS e
      ORDER BY position DESC LIMIT $2::bigint
      """)

    /// The viewer's swipes of hands that stand since a time. Ordered outside, as above.
    static let handAnswers = PostgresStatement(
      "hand_answers", .shard("viewer"),
      """
      SELECT position, answer, time FROM (
        SELECT position, answer, time FROM events
        WHERE viewer = $1::bigint AND kind = 3 AND about IS NOT NULL AND rewound_by IS NULL
          AND time >= $2::bigint
        OFFSET 0) AS e
      ORDER BY position
      """)

    /// The viewer's swipes that stand. Ordered outside, as above.
    static let answersGiven = PostgresStatement(
      "answers_given", .shard("viewer"),
      """
      SELECT card, answer, meaning, time, position FROM (
        SELECT card, answer, meaning, time, position FROM events
        WHERE viewer = $1::bigint AND kind = 3 AND rewound_by IS NULL
        OFFSET 0) AS e
      ORDER BY position
      """)

    /// What clients showed the viewer. Ordered outside, as above.
    static let impressions = PostgresStatement(
      "impressions", .shard("viewer"),
      """
      SELECT card, time, position, dwell FROM (
        SELECT card, time, position, dwell FROM events
        WHERE viewer = $1::bigint AND kind = 2
        OFFSET 0) AS e
      ORDER BY position
      """)

    // MARK: The outbox

    static let outbox = [
      addToOutbox, waitingInOutbox, leaseFromOutbox, removeFromOutbox, releaseToOutbox,
    ]

    static let addToOutbox = PostgresStatement(
      "add_to_outbox", .shard("low"),
      """
      INSERT INTO outbox (low, event, high, kind, time, leased_until, lease)
      SELECT low, event, high, kind, time, 0, 0
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
        AS s(low, event, high, kind, time)
      """)
    static let waitingInOutbox = PostgresStatement(
      "waiting_in_outbox", .everyShard,
      """
      SELECT low, event FROM outbox WHERE leased_until <= $1::bigint
      ORDER BY event LIMIT $2::bigint
      """)
    static let leaseFromOutbox = PostgresStatement(
      "lease_from_outbox", .shard("low"),
      """
      UPDATE outbox SET leased_until = $4::bigint, lease = $5::bigint
      FROM (
        SELECT o.low, o.event
        FROM unnest($1::bigint[], $2::bigint[]) AS q(low, event)
        CROSS JOIN LATERAL (
          SELECT low, event FROM outbox
          WHERE outbox.low = q.low AND outbox.event = q.event
            AND outbox.leased_until <= $3::bigint
          FOR UPDATE SKIP LOCKED) AS o OFFSET 0) AS free
      WHERE outbox.low = free.low AND outbox.event = free.event
      RETURNING outbox.low, outbox.event, outbox.high, outbox.kind, outbox.time
      """)
    static let removeFromOutbox = PostgresStatement(
      "remove_from_outbox", .shard("low"),
      """
      DELETE FROM outbox USING unnest($1::bigint[], $2::bigint[]) AS s(low, event)
      WHERE outbox.low = s.low AND outbox.event = s.event
        AND outbox.lease = $3::bigint
      """)
    static let releaseToOutbox = PostgresStatement(
      "release_to_outbox", .shard("low"),
      """
      UPDATE outbox SET leased_until = $4::bigint
      FROM unnest($1::bigint[], $2::bigint[]) AS s(low, event)
      WHERE outbox.low = s.low AND outbox.event = s.event
        AND outbox.lease = $3::bigint
      """)
  }
#endif
