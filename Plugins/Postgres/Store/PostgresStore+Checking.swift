#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// Compares what is derived with the log, and both rows of each pair with each other. Reads
    /// everything, in one transaction: for nights and tests.
    ///
    /// - Throws: ``PostgresError``.
    public func check() async throws -> [StoreProblem] {
      try await pool.run("check") { connection in
        try connection.readPatiently {
          var problems: [StoreProblem] = []
          func report(_ count: Int64, _ rule: PostgresCheckRule) {
            guard count > 0 else { return }
            problems.append(
              StoreProblem(part: rule.part, description: "\(count) \(rule.fault)"))
          }
          for rule in PostgresCheckRule.all {
            let counts = try connection.execute(["SELECT count(*) FROM (\(rule.query)) AS r"])
            report(try counts.first?.first { try $0.integer(0) } ?? 0, rule)
          }
          let (damaged, empty) = try Self.faultyFolds(connection)
          report(damaged, PostgresCheckRule(part: "folds", fault: "sets cannot be read", query: ""))
          report(empty, PostgresCheckRule(part: "folds", fault: "sets are empty", query: ""))
          return problems
        }
      }
    }

    private static func faultyFolds(
      _ connection: PostgresConnection
    ) throws -> (damaged: Int64, empty: Int64) {
      var (damaged, empty) = (Int64(0), Int64(0))
      try Folds.forEach(connection) { row in
        do {
          if try row.fold(at: 1).1.cards.isEmpty { empty += 1 }
        } catch is PostgresError {
          damaged += 1
        }
      }
      return (damaged, empty)
    }
  }

  /// One thing that must not be in the tables: a query of the rows that break it.
  struct PostgresCheckRule {
    let part: String
    let fault: String
    let query: String

    static var all: [PostgresCheckRule] { log + pairs + removals }

    private static var log: [PostgresCheckRule] {
      [
        PostgresCheckRule(
          part: "log", fault: "places are taken twice",
          query: "SELECT position FROM events GROUP BY position HAVING count(*) > 1"),
        PostgresCheckRule(
          part: "log", fault: "identifiers of clients are taken twice by a viewer",
          query: """
            SELECT viewer FROM events WHERE client_id IS NOT NULL
            GROUP BY viewer, client_id HAVING count(*) > 1
            """),
        PostgresCheckRule(
          part: "log", fault: "rewinds do not belong to a swipe of the same pair that names them",
          query: """
            SELECT r.position FROM events AS r
            LEFT JOIN events AS s ON s.viewer = r.viewer AND s.position = r.about
            WHERE r.kind = 4 AND (s.kind IS DISTINCT FROM 3 OR s.card IS DISTINCT FROM r.card
              OR s.rewound_by IS DISTINCT FROM r.position)
            """),
        PostgresCheckRule(
          part: "log", fault: "matches have not exactly one event in the log",
          query: """
            SELECT s.position FROM events AS s
            LEFT JOIN events AS m ON m.viewer = s.viewer AND m.about = s.position AND m.kind = 7
            WHERE s.kind = 3 GROUP BY s.position, s.match
            HAVING count(m.position) <> CASE WHEN s.match = s.position THEN 1 ELSE 0 END
            """),
        PostgresCheckRule(
          part: "exposures", fault: "exposures belong to no deal",
          query: """
            SELECT x.deal FROM exposures AS x LEFT JOIN events AS d ON d.position = x.deal
            WHERE d.kind IS DISTINCT FROM 1
            """),
        PostgresCheckRule(
          part: "deals", fault: "counts of deals differ from the log",
          query: """
            SELECT v.viewer FROM viewers AS v
            LEFT JOIN events AS d ON d.viewer = v.viewer AND d.kind = 1
            GROUP BY v.viewer, v.deals HAVING count(d.position) <> v.deals
            """),
        PostgresCheckRule(
          part: "learners", fault: "deltas belong to neither a swipe, a rewind nor a removal",
          query: """
            SELECT d.position FROM learner_deltas AS d
            LEFT JOIN events AS e ON e.viewer = d.viewer AND e.position = d.position
            WHERE coalesce(e.kind, 0) NOT IN (3, 4, 8, 9)
            """),
      ]
    }

    private static var pairs: [PostgresCheckRule] {
      [
        PostgresCheckRule(
          part: "pairs", fault: "answers are not those of the last standing swipe",
          query: """
            SELECT e.owner FROM edges AS e
            LEFT JOIN events AS s ON s.viewer = e.owner AND s.position = e.own_event
            WHERE e.own_event IS NOT NULL AND (s.kind IS DISTINCT FROM 3
              OR s.card IS DISTINCT FROM e.other OR s.answer IS DISTINCT FROM e.own_answer
              OR s.rewound_by IS NOT NULL)
            """),
        PostgresCheckRule(
          part: "pairs", fault: "swipes that stand are not in their pair",
          query: """
            SELECT s.viewer FROM events AS s
            LEFT JOIN edges AS e ON e.owner = s.viewer AND e.other = s.card
            WHERE s.kind = 3 AND s.rewound_by IS NULL
              AND (e.own_event IS NULL OR e.own_event < s.position)
            """),
        PostgresCheckRule(
          part: "pairs", fault: "rows differ from those of the other side",
          query: """
            SELECT a.owner FROM edges AS a
            LEFT JOIN edges AS b ON b.owner = a.other AND b.other = a.owner
            WHERE (a.own_event IS NOT NULL OR a.standing <> 0 OR a.matched_by IS NOT NULL)
              AND (b.other_event IS DISTINCT FROM a.own_event
                OR b.other_meaning IS DISTINCT FROM a.own_meaning
                OR b.standing IS DISTINCT FROM a.standing
                OR b.matched_by IS DISTINCT FROM a.matched_by)
            """),
        PostgresCheckRule(
          part: "matches", fault: "matches stand on no swipe",
          query: """
            SELECT e.owner FROM edges AS e
            WHERE e.owner < e.other AND e.matched_by IS NOT NULL AND NOT EXISTS (
              SELECT 1 FROM events AS s
              WHERE s.viewer IN (e.owner, e.other) AND s.position = e.matched_by AND s.kind = 3
                AND s.match = s.position AND s.rewound_by IS NULL)
            """),
        PostgresCheckRule(
          part: "matches", fault: "matches stand between people who must not meet",
          query: "SELECT owner FROM edges WHERE matched_by IS NOT NULL AND standing <> 0"),
      ]
    }

    private static var removals: [PostgresCheckRule] {
      [
        PostgresCheckRule(
          part: "folds", fault: "sets name an event that is no age-out of theirs",
          query: """
            SELECT f.viewer FROM folds AS f
            LEFT JOIN events AS e ON e.viewer = f.viewer AND e.position = f.event
            WHERE e.kind IS DISTINCT FROM 9
            """),
        PostgresCheckRule(
          part: "identifiers", fault: "erasures were begun and not finished: erase again",
          query: "SELECT number FROM erased WHERE event IS NULL"),
        PostgresCheckRule(
          part: "identifiers", fault: "numbers are gone without an erasure, or were given twice",
          query: """
            SELECT last FROM counters WHERE name = 'numbers' AND last <>
              (SELECT count(*) FROM numbers)
              + (SELECT count(*) FROM erased WHERE event IS NOT NULL)
            """),
        PostgresCheckRule(
          part: "identifiers", fault: "people were erased and something of theirs is left",
          query: """
            SELECT x.number FROM erased AS x WHERE x.event IS NOT NULL AND (
              EXISTS (SELECT 1 FROM numbers AS n WHERE n.number = x.number)
              OR EXISTS (SELECT 1 FROM identifiers AS i WHERE i.number = x.number)
              OR EXISTS (SELECT 1 FROM cards AS c WHERE c.number = x.number)
              OR EXISTS (SELECT 1 FROM stacks AS s WHERE s.viewer = x.number)
              OR EXISTS (SELECT 1 FROM folds AS f WHERE f.viewer = x.number)
              OR EXISTS (SELECT 1 FROM edges AS a WHERE a.owner = x.number OR a.other = x.number)
              OR EXISTS (SELECT 1 FROM exposures AS p WHERE p.card = x.number)
              OR EXISTS (SELECT 1 FROM outbox AS o WHERE o.low = x.number OR o.high = x.number)
              OR EXISTS (SELECT 1 FROM events AS e WHERE e.kind <> 8
                AND (e.viewer = x.number OR e.card = x.number)))
            """),
        PostgresCheckRule(
          part: "identifiers", fault: "erasures have not exactly one event in the log",
          query: """
            SELECT x.number FROM erased AS x
            LEFT JOIN events AS e ON e.viewer = x.number AND e.kind = 8
            WHERE x.event IS NOT NULL GROUP BY x.number, x.event
            HAVING count(*) <> 1 OR max(e.position) IS DISTINCT FROM x.event
            """),
      ]
    }
  }
#endif
