/// One thing that must not be in the tables: a query of the rows that break it, and what to say.
struct StoreCheckRule: Sendable {
  /// Which part of the store.
  let part: String
  /// What is wrong with each row, after the number of rows.
  let fault: String
  /// One column: the place of the log where the fault is, or NULL.
  let query: String

  var statement: String { "SELECT count(*), min(p) FROM (\(query))" }

  func text(count: Int64, first: Int64?) -> String {
    let place = first.map { ", the first at event \($0)" } ?? ""
    return "\(count) \(fault)\(place)"
  }

  static var all: [StoreCheckRule] {
    log + matches + derived + learners + removals
  }

  private static var log: [StoreCheckRule] {
    [
      StoreCheckRule(
        part: "log", fault: "rewinds do not belong to a swipe of the same pair that names them",
        query: """
          SELECT r.position AS p FROM events AS r LEFT JOIN events AS s ON s.position = r.about
          WHERE r.kind = 4 AND (s.kind IS NOT 3 OR s.viewer IS NOT r.viewer
            OR s.card IS NOT r.card OR s.rewound_by IS NOT r.position)
          """),
      StoreCheckRule(
        part: "log", fault: "swipes are marked as taken back by something else than their rewind",
        query: """
          SELECT s.position AS p FROM events AS s LEFT JOIN events AS r ON r.position = s.rewound_by
          WHERE s.rewound_by IS NOT NULL AND (r.kind IS NOT 4 OR r.about IS NOT s.position)
          """),
      StoreCheckRule(
        part: "log", fault: "swipes name a deal that is no deal of their viewer",
        query: """
          SELECT s.position AS p FROM events AS s LEFT JOIN events AS d ON d.position = s.about
          WHERE s.kind = 3 AND s.about > 0
            AND (d.kind IS NOT 1 OR d.viewer IS NOT s.viewer)
          """),
    ]
  }

  private static var matches: [StoreCheckRule] {
    [
      StoreCheckRule(
        part: "matches", fault: "match events do not belong to a swipe that made a match",
        query: """
          SELECT m.position AS p FROM events AS m LEFT JOIN events AS s ON s.position = m.about
          WHERE m.kind = 7 AND (s.kind IS NOT 3 OR s.match IS NOT s.position
            OR s.viewer IS NOT m.viewer OR s.card IS NOT m.card)
          """),
      StoreCheckRule(
        part: "matches", fault: "swipes have more than one match event",
        query: """
          SELECT about AS p FROM events WHERE kind = 7 GROUP BY about HAVING count(*) > 1
          """),
      StoreCheckRule(
        part: "matches", fault: "swipes made a match and have no match event",
        query: """
          SELECT position AS p FROM events WHERE kind = 3 AND match = position
          EXCEPT SELECT about FROM events WHERE kind = 7
          """),
      StoreCheckRule(
        part: "matches", fault: "swipes name a match that no swipe made",
        query: """
          SELECT e.position AS p FROM events AS e LEFT JOIN events AS s ON s.position = e.match
          WHERE e.match <> e.position AND (s.kind IS NOT 3 OR s.match IS NOT s.position)
          """),
      StoreCheckRule(
        part: "matches", fault: "events end a match that no swipe of the pair made",
        query: """
          SELECT e.position AS p FROM events AS e LEFT JOIN events AS s ON s.position = e.ended_match
          WHERE e.ended_match IS NOT NULL AND (s.kind IS NOT 3 OR s.match IS NOT s.position
            OR min(s.viewer, s.card) IS NOT min(e.viewer, e.card)
            OR max(s.viewer, s.card) IS NOT max(e.viewer, e.card))
          """),
    ]
  }

  private static var derived: [StoreCheckRule] {
    [
      StoreCheckRule(
        part: "exposures", fault: "exposures belong to no deal",
        query: """
          SELECT x.deal AS p FROM exposures AS x LEFT JOIN events AS d ON d.position = x.deal
          WHERE d.kind IS NOT 1
          """),
      StoreCheckRule(
        part: "deals", fault: "counts of deals differ from the log",
        query: """
          SELECT NULL AS p FROM (
            SELECT viewer, count(*) AS deals FROM events WHERE kind = 1 GROUP BY viewer
            EXCEPT SELECT viewer, deals FROM deal_counts)
          UNION ALL
          SELECT NULL AS p FROM (
            SELECT viewer, deals FROM deal_counts WHERE viewer NOT IN (
              SELECT viewer FROM events WHERE kind = 1))
          """),
    ]
  }

  private static var learners: [StoreCheckRule] {
    [
      StoreCheckRule(
        part: "learners", fault: "deltas belong to neither a swipe, a rewind nor a removal",
        query: """
          SELECT d.position AS p FROM learner_deltas AS d
          LEFT JOIN events AS e ON e.position = d.position WHERE ifnull(e.kind, 0) NOT IN (3, 4, 8, 9)
          """),
      StoreCheckRule(
        part: "learners", fault: "deltas of rewound swipes are not taken back",
        query: """
          SELECT d.position AS p FROM learner_deltas AS d
          JOIN events AS s ON s.position = d.position
          WHERE s.rewound_by IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM learner_deltas AS n
            WHERE n.learner = d.learner AND n.position = s.rewound_by AND n.ordinal = d.ordinal)
          """),
      StoreCheckRule(
        part: "learners", fault: "deltas of rewinds take back what no swipe added",
        query: """
          SELECT d.position AS p FROM learner_deltas AS d
          JOIN events AS r ON r.position = d.position
          WHERE r.kind = 4 AND NOT EXISTS (
            SELECT 1 FROM learner_deltas AS s
            WHERE s.learner = d.learner AND s.position = r.about AND s.ordinal = d.ordinal)
          """),
    ]
  }

  private static var removals: [StoreCheckRule] {
    [
      StoreCheckRule(
        part: "folds", fault: "sets of folded answers name an event that is no age-out of theirs",
        query: """
          SELECT f.event AS p FROM folds AS f LEFT JOIN events AS e ON e.position = f.event
          WHERE e.kind IS NOT 9 OR e.viewer IS NOT f.viewer
          """),
      StoreCheckRule(
        part: "entities", fault: "identifiers are gone without an erasure",
        query: """
          SELECT NULL AS p FROM entities WHERE id IS NULL
            AND number NOT IN (SELECT viewer FROM events WHERE kind = 8)
          """),
      StoreCheckRule(
        part: "entities", fault: "people were erased and have an identifier or a card",
        query: """
          SELECT e.position AS p FROM events AS e WHERE e.kind = 8 AND (
            EXISTS (SELECT 1 FROM entities AS n WHERE n.number = e.viewer AND n.id IS NOT NULL)
            OR EXISTS (SELECT 1 FROM cards AS c WHERE c.number = e.viewer))
          """),
    ]
  }
}
