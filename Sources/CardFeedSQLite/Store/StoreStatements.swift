/// The SQL of a store, one constant for each thing that is asked or written.
///
/// Each text is the key of its prepared statement. The numbers of kinds are those of `EventKind`.
enum StoreStatements {
  // MARK: Identifiers and cards

  static let number = "SELECT number FROM entities WHERE id = ?1"
  static let insertEntity = "INSERT INTO entities (id) VALUES (?1)"
  static let id = "SELECT id FROM entities WHERE number = ?1"
  static let putCard = """
    INSERT INTO cards (number, payload, withdrawn) VALUES (?1, ?2, ?4)
    ON CONFLICT (number) DO UPDATE SET
      \(change), payload = excluded.payload, withdrawn = excluded.withdrawn
    RETURNING withdrawn, changed_at
    """
  static let reviseCard = """
    INSERT INTO cards (number, payload, withdrawn) VALUES (?1, ?2, 0)
    ON CONFLICT (number) DO UPDATE SET \(change), payload = excluded.payload
    RETURNING withdrawn, changed_at
    """
  /// A card that stays what it was has not changed, and no clock that went back makes it older.
  private static let change = """
    changed_at = CASE WHEN payload = excluded.payload THEN changed_at
      ELSE max(changed_at, ?3) END
    """
  static let reinstateCard = "UPDATE cards SET withdrawn = 0 WHERE number = ?1"
  static let isWithdrawn = "SELECT withdrawn FROM cards WHERE number = ?1"
  static let withdrawCard = "UPDATE cards SET withdrawn = 1 WHERE number = ?1"
  static let cards = """
    SELECT c.number, e.id, c.payload, c.withdrawn, c.changed_at
    FROM cards AS c JOIN entities AS e ON e.number = c.number
    WHERE c.number > ?1 ORDER BY c.number LIMIT ?2
    """

  // MARK: The log

  static let insertEvent = """
    INSERT INTO events (
      kind, viewer, card, client_id, time, answer, meaning, about, match, remaining, before,
      fingerprint, dwell, ended_match)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
    """
  static let nameOwnMatch = "UPDATE events SET match = ?1 WHERE position = ?1"
  static let clientEvent = """
    SELECT position, kind, card, answer, match, remaining FROM events
    WHERE viewer = ?1 AND client_id = ?2
    """
  static let standingSwipe = """
    SELECT viewer, card, before FROM events
    WHERE position = ?1 AND kind = 3 AND rewound_by IS NULL
    """
  static let markRewound = "UPDATE events SET rewound_by = ?2 WHERE position = ?1"
  static let events = """
    SELECT position, kind, viewer, card, time, answer, meaning, about, rewound_by IS NOT NULL, dwell,
      ended_match
    FROM events WHERE position > ?1 ORDER BY position LIMIT ?2
    """
  /// Matches, erasures, and what ended a match.
  static let matchChanges = """
    SELECT position, kind, viewer, card, time, about, ended_match
    FROM events WHERE position > ?1 AND position <= ?2
      AND (kind IN (7, 8) OR ended_match IS NOT NULL)
    ORDER BY position LIMIT ?3
    """
  /// Through the index of swipes to rewind, which holds the viewer's swipes of hands that stand.
  static let handAnswers = """
    SELECT position, answer, time FROM events
    WHERE viewer = ?1 AND kind = 3 AND about IS NOT NULL AND rewound_by IS NULL AND time >= ?2
    ORDER BY position
    """
  /// Through the index by client, in which every swipe is; in no order.
  static let answersGiven = """
    SELECT card, answer, meaning, time, position FROM events
    WHERE viewer = ?1 AND client_id IS NOT NULL AND kind = 3 AND rewound_by IS NULL
    """
  static let impressions = """
    SELECT card, time, position, dwell FROM events
    WHERE viewer = ?1 AND client_id IS NOT NULL AND kind = 2
    """
  static let lastPosition = "SELECT ifnull(max(position), 0) FROM events"
  /// All that is known of a viewer, in five parts: 1 what was seen, 2 the stack, 3 the latest swipes
  /// of hands that stand, 4 the number of deals, 5 the folded answers. One statement, because a
  /// session asks for all of it at once.
  static let viewer = """
    SELECT 1, card, dealt_at, answer, meaning, answered_at, event, NULL FROM seen WHERE viewer = ?1
    UNION ALL
    SELECT 2, generation, top, NULL, NULL, image_start, NULL, image FROM stacks WHERE viewer = ?1
    UNION ALL
    SELECT 3, card, NULL, answer, NULL, about, position, NULL FROM (
      SELECT position, card, answer, about FROM events
      WHERE viewer = ?1 AND kind = 3 AND about IS NOT NULL AND rewound_by IS NULL
      ORDER BY position DESC LIMIT ?2)
    UNION ALL
    SELECT 4, deals, NULL, NULL, NULL, NULL, NULL, NULL FROM deal_counts WHERE viewer = ?1
    UNION ALL
    SELECT 5, NULL, NULL, answer, meaning, NULL, NULL, cards FROM folds WHERE viewer = ?1
    """

  // MARK: Pairs

  static let seen = """
    SELECT dealt_at, answer, meaning, answered_at, event FROM seen WHERE viewer = ?1 AND card = ?2
    """
  static let setSeen = """
    INSERT INTO seen (viewer, card, dealt_at, answer, meaning, answered_at, event)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT (viewer, card) DO UPDATE SET
      dealt_at = excluded.dealt_at, answer = excluded.answer, meaning = excluded.meaning,
      answered_at = excluded.answered_at, event = excluded.event
    """
  static let removeSeen = "DELETE FROM seen WHERE viewer = ?1 AND card = ?2"
  static let answersReceived = """
    SELECT viewer, meaning, answered_at FROM seen
    WHERE card = ?1 AND event IS NOT NULL ORDER BY event DESC LIMIT ?2
    """
  /// Who likes the card and waits for what it says. One row of `seen` is read for each answer about
  /// the card.
  private static func waiting(for card: String) -> String {
    """
    SELECT s.viewer FROM seen AS s
    WHERE s.card = \(card) AND s.event IS NOT NULL AND s.meaning = 2
      AND NOT EXISTS (
        SELECT 1 FROM seen AS o
        WHERE o.viewer = s.card AND o.card = s.viewer AND o.event IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM standings WHERE one = s.card AND other IN (s.viewer, s.card))
      AND NOT EXISTS (SELECT 1 FROM standings WHERE one = s.viewer AND other = s.viewer)
    """
  }
  /// Of a list of cards, as JSON: the number of those who wait, and whether the card has folded
  /// answers, which are not in `seen`.
  static let unansweredLikes = """
    SELECT (SELECT count(*) FROM (\(waiting(for: "q.value")) LIMIT ?2)),
      EXISTS (SELECT 1 FROM folds WHERE viewer = q.value), q.value
    FROM json_each(?1) AS q
    """
  static let unansweredLikers = waiting(for: "?1")
  /// A person who was erased stands against themselves: they meet nobody.
  static let standing = """
    SELECT standing FROM standings WHERE one = ?1 AND other = ?2
    UNION ALL
    SELECT standing FROM standings WHERE one = ?1 AND other = ?1
    UNION ALL
    SELECT standing FROM standings WHERE one = ?2 AND other = ?2
    LIMIT 1
    """
  static let standingOfPair = "SELECT standing FROM standings WHERE one = ?1 AND other = ?2"

  static let setStanding = """
    INSERT INTO standings (one, other, standing) VALUES (?1, ?2, ?3)
    ON CONFLICT (one, other) DO UPDATE SET standing = excluded.standing
    """
  static let removeStanding = "DELETE FROM standings WHERE one = ?1 AND other = ?2"
  static let standings = "SELECT other, standing FROM standings WHERE one = ?1"
  static let match = "SELECT event, low, high, time FROM matches WHERE low = ?1 AND high = ?2"
  static let insertMatch = "INSERT INTO matches (event, low, high, time) VALUES (?1, ?2, ?3, ?4)"
  static let removeMatch = "DELETE FROM matches WHERE low = ?1 AND high = ?2"
  static let matches = """
    SELECT event, low, high, time FROM matches WHERE low = ?1
    UNION ALL
    SELECT event, low, high, time FROM matches WHERE high = ?1
    ORDER BY event
    """

  static let folds = "SELECT answer, meaning, cards FROM folds WHERE viewer = ?1"

  // MARK: Swipes

  /// All that a swipe is decided by, in one row: the event that was sent before, the stack, the
  /// standing of the pair, what was seen of each other.
  static let circumstances = """
    SELECT e.position, e.kind, e.card, e.answer, e.match, e.remaining, s.generation, s.top,
      coalesce(
        (SELECT standing FROM standings WHERE one = ?1 AND other = ?2),
        (SELECT standing FROM standings WHERE one = ?1 AND other = ?1),
        (SELECT standing FROM standings WHERE one = ?2 AND other = ?2)),
      b.viewer, b.dealt_at, b.answer, b.meaning, b.answered_at, b.event, r.meaning
    FROM (SELECT 1) AS only
    LEFT JOIN events AS e ON e.viewer = ?1 AND e.client_id = ?3
    LEFT JOIN stacks AS s ON s.viewer = ?1
    LEFT JOIN seen AS b ON b.viewer = ?1 AND b.card = ?2
    LEFT JOIN seen AS r ON r.viewer = ?2 AND r.card = ?1
    """

  // MARK: Hands

  static let handRevision = """
    SELECT s.generation, s.top, ifnull(d.deals, 0)
    FROM stacks AS s LEFT JOIN deal_counts AS d ON d.viewer = s.viewer WHERE s.viewer = ?1
    """
  /// All that a deal is decided by: a row for each card of a JSON list, with the hand beside it; one
  /// row without a card if the list is empty.
  static let dealCircumstances = """
    SELECT s.generation, s.top, ifnull(d.deals, 0), q.value,
      coalesce(
        (SELECT standing FROM standings WHERE one = ?1 AND other = q.value),
        (SELECT standing FROM standings WHERE one = ?1 AND other = ?1),
        (SELECT standing FROM standings WHERE one = q.value AND other = q.value)),
      b.viewer, b.dealt_at, b.answer, b.meaning, b.answered_at, b.event
    FROM (SELECT 1) AS only
    LEFT JOIN stacks AS s ON s.viewer = ?1
    LEFT JOIN deal_counts AS d ON d.viewer = ?1
    LEFT JOIN json_each(?2) AS q
    LEFT JOIN seen AS b ON b.viewer = ?1 AND b.card = q.value
    """
  static let advanceStack = "UPDATE stacks SET top = top + 1 WHERE viewer = ?1"
  static let setStack = """
    INSERT INTO stacks (viewer, generation, top, image_start, image) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (viewer) DO UPDATE SET
      generation = excluded.generation, top = excluded.top, image_start = excluded.image_start,
      image = excluded.image
    """
  static let countDeal = """
    INSERT INTO deal_counts (viewer, deals) VALUES (?1, 1)
    ON CONFLICT (viewer) DO UPDATE SET deals = deals + 1
    """
  static let insertExposure = """
    INSERT INTO exposures (deal, position, card, score, probability, propensity)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """
  static let exposures = """
    SELECT card, position, score, probability, propensity FROM exposures
    WHERE deal = ?1 ORDER BY position
    """

  // MARK: Learners

  static let learner = "SELECT number FROM learners WHERE identity = ?1"
  static let insertLearner = "INSERT INTO learners (identity) VALUES (?1)"
  static let learnerBlob = "SELECT position, blob FROM learner_blobs WHERE learner = ?1"
  static let setLearnerBlob = """
    INSERT INTO learner_blobs (learner, position, blob) VALUES (?1, ?2, ?3)
    ON CONFLICT (learner) DO UPDATE SET position = excluded.position, blob = excluded.blob
    """
  static let insertDelta = """
    INSERT INTO learner_deltas (learner, position, ordinal, increments) VALUES (?1, ?2, ?3, ?4)
    """
  /// Learners are few and lead the key: the cross join, which SQLite does not reorder, looks the
  /// event up once for each of them, and no second index has to be kept for every swipe.
  static let nextOrdinal = """
    SELECT ifnull(max(d.ordinal) + 1, 0)
    FROM learners AS l CROSS JOIN learner_deltas AS d
    WHERE d.learner = l.number AND d.position = ?1
    """
  static let deltasOfEvent = """
    SELECT l.number, l.identity, d.ordinal, d.increments
    FROM learners AS l CROSS JOIN learner_deltas AS d
    WHERE d.learner = l.number AND d.position = ?1
    ORDER BY d.ordinal
    """
  static let learnerDeltas = """
    SELECT position, increments FROM learner_deltas
    WHERE learner = ?1 AND position > ?2 ORDER BY position, ordinal LIMIT ?3
    """
  static let rewoundBy = "SELECT rewound_by FROM events WHERE position = ?1"
}
