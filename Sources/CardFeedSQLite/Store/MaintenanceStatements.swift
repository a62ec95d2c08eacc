/// The SQL of what a store does seldom: export, erasure, pruning, age-out. Some of it reads whole
/// tables, which nothing in `StoreStatements` does.
enum MaintenanceStatements {
  static let card = "SELECT payload, withdrawn, changed_at FROM cards WHERE number = ?1"
  static let eventsOf = """
    SELECT position, kind, viewer, card, time, answer, meaning, about, rewound_by IS NOT NULL, dwell,
      ended_match
    FROM events WHERE viewer = ?1 AND kind NOT IN (8, 9) ORDER BY position
    """
  static let answersAbout = """
    SELECT meaning, count(*) FROM seen WHERE card = ?1 AND event IS NOT NULL GROUP BY meaning
    """
  static let deltasAfter = """
    SELECT increments FROM learner_deltas WHERE learner = ?1 AND position > ?2
    """

  // MARK: Removing

  static let countRemoved = "UPDATE log_state SET removed = removed + ?1"
  static let removeEvent = "DELETE FROM events WHERE position = ?1"
  static let removeDeltas = "DELETE FROM learner_deltas WHERE learner = ?1 AND position = ?2"
  static let eventsWith = """
    SELECT position, kind, time, viewer = ?1 OR card IS ?1 FROM events
    WHERE position > ?2 AND (viewer = ?1 OR card = ?1 OR kind IN (8, 9)) ORDER BY position
    """
  static let exposuresOf = """
    SELECT x.deal, x.position, d.viewer
    FROM exposures AS x CROSS JOIN events AS d ON d.position = x.deal
    WHERE x.deal > ?2 AND x.card = ?1
    """
  static let seenOf = "SELECT viewer FROM seen WHERE card = ?1"
  static let removeExposure = "DELETE FROM exposures WHERE deal = ?1 AND position = ?2"
  static let removeExposures = "DELETE FROM exposures WHERE deal = ?1"
  static let removeAllSeen = "DELETE FROM seen WHERE viewer = ?1"
  static let removeStandings = "DELETE FROM standings WHERE one = ?1"
  static let removeFolds = "DELETE FROM folds WHERE viewer = ?1"
  static let forgetIdentity = "UPDATE entities SET id = NULL WHERE number = ?1"
  /// Each names the person as ?1 and finds its rows by a key.
  static let removeOwn = [
    removeAllSeen, removeStandings, removeFolds, "DELETE FROM matches WHERE low = ?1",
    "DELETE FROM matches WHERE high = ?1", "DELETE FROM stacks WHERE viewer = ?1",
    "DELETE FROM deal_counts WHERE viewer = ?1", "DELETE FROM cards WHERE number = ?1",
  ]

  // MARK: Pruning

  static let oldDeals = """
    SELECT DISTINCT x.deal FROM exposures AS x CROSS JOIN events AS d ON d.position = x.deal
    WHERE x.deal > ?1 AND d.time < ?2 ORDER BY x.deal LIMIT ?3
    """
  static let setHorizon = """
    UPDATE log_state SET exposures_before = max(ifnull(exposures_before, ?1), ?1)
    """

  // MARK: Age-out. ?2 and ?3 are the times, NULL for never.

  private static let isOld = """
    ((meaning = 0 AND answered_at < ?2) OR (meaning = 2 AND answered_at < ?3))
      AND (dealt_at IS NULL OR dealt_at <= answered_at)
    """
  static let viewersWithOld = """
    SELECT DISTINCT viewer FROM seen WHERE viewer > ?1 AND \(isOld) ORDER BY viewer LIMIT ?4
    """
  static let old = """
    SELECT dealt_at, answer, meaning, answered_at, event, card FROM seen AS s
    WHERE viewer = ?1 AND \(isOld) AND NOT EXISTS (
      SELECT 1 FROM matches WHERE low = min(s.viewer, s.card) AND high = max(s.viewer, s.card))
    ORDER BY card
    """
  static let hasAnswered = """
    SELECT 1 FROM seen WHERE viewer = ?1 AND card = ?2 AND event IS NOT NULL
    """
  /// Swipes, rewinds, impressions and blocks all came from a client; deals and matches did not.
  static let clientEvents = """
    SELECT position, kind, card, ifnull(match, ended_match) FROM events
    WHERE viewer = ?1 AND client_id IS NOT NULL
    """
  static let ageOutOf = "SELECT max(event) FROM folds WHERE viewer = ?1"
  static let setFold = """
    INSERT INTO folds (viewer, answer, meaning, event, cards) VALUES (?1, ?2, ?3, ?4, ?5)
    """
  static let replaceCards = """
    UPDATE folds SET cards = ?4 WHERE viewer = ?1 AND answer = ?2 AND meaning = ?3
    """
}
