#if Postgres
  internal import CardFeed

  /// The tables of a store.
  ///
  /// Every key begins with the table's shard column, so that the tables can be cut by it: into hash
  /// partitions of one server, or over the servers of a Citus cluster. `edges` holds one row for
  /// each side of a pair; the row of the smaller number, `owner < other`, is the pair's canonical
  /// row and decides, the other follows it.
  enum PostgresSchema {
    /// The version this program makes and reads.
    static let version: Int64 = 5

    /// One table.
    struct Table: Sendable {
      let name: String
      /// The column by which rows are distributed; the first of every key.
      let shardColumn: String
      let columns: String
      var indexes: [String] = []
      /// Room that a page keeps for new versions of its rows, in percent.
      var spare = 0
    }

    static let tables: [Table] =
      [
        Table(
          name: "counters", shardColumn: "name",
          columns: """
            name text COLLATE "C" NOT NULL, last bigint NOT NULL, PRIMARY KEY (name)
            """, spare: 50),
        Table(
          name: "identifiers", shardColumn: "id",
          columns: "id bytea NOT NULL, number bigint NOT NULL, PRIMARY KEY (id)"),
        Table(
          name: "numbers", shardColumn: "number",
          columns: "number bigint NOT NULL, id bytea NOT NULL, PRIMARY KEY (number)"),
        Table(
          name: "cards", shardColumn: "number",
          columns: """
            number bigint NOT NULL, id bytea NOT NULL, payload bytea NOT NULL,
            withdrawn boolean NOT NULL, change bigint NOT NULL, changed_at bigint NOT NULL,
            PRIMARY KEY (number)
            """, indexes: ["cards_by_change ON cards (change)"]),
        events, edges,
        Table(
          name: "viewers", shardColumn: "viewer",
          columns: """
            viewer bigint NOT NULL, generation bigint, top bigint, deals bigint NOT NULL,
            PRIMARY KEY (viewer)
            """, spare: 50),
        Table(
          name: "stacks", shardColumn: "viewer",
          columns: """
            viewer bigint NOT NULL, image_start bigint NOT NULL, image bytea NOT NULL,
            PRIMARY KEY (viewer)
            """),
        Table(
          name: "exposures", shardColumn: "deal",
          columns: """
            deal bigint NOT NULL, place bigint NOT NULL, card bigint NOT NULL,
            score double precision, probability double precision,
            propensity double precision NOT NULL, PRIMARY KEY (deal, place)
            """),
        Table(
          name: "learner_blobs", shardColumn: "learner",
          columns: """
            learner text COLLATE "C" NOT NULL, position bigint NOT NULL, blob bytea NOT NULL,
            PRIMARY KEY (learner)
            """),
        Table(
          name: "learner_deltas", shardColumn: "viewer",
          columns: """
            viewer bigint NOT NULL, position bigint NOT NULL, ordinal bigint NOT NULL,
            learner text COLLATE "C" NOT NULL, increments bytea NOT NULL,
            PRIMARY KEY (viewer, position, ordinal)
            """,
          indexes: ["learner_deltas_in_order ON learner_deltas (learner, position, ordinal)"]),
        Table(
          name: "outbox", shardColumn: "low",
          columns: """
            low bigint NOT NULL, event bigint NOT NULL, high bigint NOT NULL, kind smallint NOT NULL,
            time bigint NOT NULL, leased_until bigint NOT NULL, lease bigint NOT NULL,
            PRIMARY KEY (low, event), CHECK (low < high), CHECK (kind BETWEEN 1 AND 2)
            """, indexes: ["outbox_in_order ON outbox (event)"], spare: 50),
      ] + removals

    /// The log. A match is an event of its own, right behind the swipe that made it. `match` is of a
    /// swipe the match that it made or found, of another event the match that ended with it.
    ///
    /// Each index costs a swipe, so one serves both a viewer's events and a client's identifiers:
    /// `event_key` is a hash of the identifier (`ClientKey`), the place where there is none. It finds
    /// candidates, `client_id` decides; a new event is inserted without being looked up, since the
    /// key refuses one that is there. Columns stand in the order of their widths, without gaps.
    /// Version 2 made keys in another way, in a column of another name: what it sends to these tables
    /// fails.
    private static let events = Table(
      name: "events", shardColumn: "viewer",
      columns: """
        viewer bigint NOT NULL, event_key bigint NOT NULL, position bigint NOT NULL, card bigint,
        time bigint NOT NULL, about bigint, match bigint, rewound_by bigint,
        remaining integer NOT NULL, kind smallint NOT NULL, meaning smallint,
        client_id bytea, answer text, before bytea, fingerprint text, dwell integer,
        PRIMARY KEY (viewer, event_key),
        CHECK (kind >= 1), CHECK ((kind = 3) = (answer IS NOT NULL)), \(keyCheck), \(dwellCheck)
        """,
      indexes: ["events_in_order ON events (position)"])

    /// Keys of clients' identifiers lie below every place of the log.
    static let keyCheck = """
      CONSTRAINT events_key_check CHECK (
        CASE WHEN client_id IS NULL THEN event_key = position ELSE event_key < 0 END)
      """

    /// Impressions may say for how long they lasted.
    static let dwellCheck = """
      CONSTRAINT events_dwell_check CHECK (
        dwell IS NULL OR (kind = 2 AND dwell BETWEEN 0 AND \(Dwell.longest)))
      """

    /// What both sides of a pair said and whether they match, from the owner's side. `own_last` and
    /// `other_last` are the places of the last events of each side that were applied, where that is
    /// not the event that stands (`own_event`, `other_event`): an event with a smaller one comes too
    /// late and changes nothing. `rule` is the truth table of the last swipe, and what it found; see
    /// `SwipeRule`.
    ///
    /// `edges_received` finds whose answers a person received, newest first, so that a page of them
    /// costs the page however many there are.
    private static let edges = Table(
      name: "edges", shardColumn: "owner",
      columns: """
        owner bigint NOT NULL, other bigint NOT NULL, dealt_at bigint,
        own_event bigint, own_time bigint, own_last bigint,
        other_event bigint, other_time bigint, other_last bigint,
        matched_by bigint, matched_at bigint,
        own_meaning smallint, other_meaning smallint,
        standing smallint NOT NULL DEFAULT 0, rule smallint NOT NULL DEFAULT 0, own_answer text,
        PRIMARY KEY (owner, other), CHECK (owner <> other),
        CHECK ((matched_by IS NULL) = (matched_at IS NULL))
        """,
      indexes: [
        receivedIndex,
        "edges_matched ON edges (owner, matched_by) WHERE matched_by IS NOT NULL",
        "edges_unsafe ON edges (owner) WHERE standing <> 0",
      ], spare: 10)

    static let receivedIndex =
      "edges_received ON edges (owner, other_event) WHERE other_event IS NOT NULL"

    /// Places of the log are drawn in blocks, so that a batch of swipes costs one draw. In a block
    /// the even places are for swipes, the odd ones for the matches that they make.
    static let block: Int64 = 512
    private static let sequence =
      "CREATE SEQUENCE log_positions AS bigint START \(block) INCREMENT \(block)"

    /// Everything that makes the tables, in order.
    ///
    /// - Parameter partitions: How many hash partitions each table has; 0 for none.
    static func script(schema: String, partitions: Int) -> [String] {
      var script = [
        "CREATE SCHEMA IF NOT EXISTS \(PostgresConnectionOptions.quoted(schema))",
        "CREATE TABLE cardfeed_schema (version bigint NOT NULL, partitions bigint NOT NULL)",
        "INSERT INTO cardfeed_schema VALUES (\(version), \(partitions))",
        sequence,
      ]
      for table in tables { script += statements(for: table, partitions: partitions) }
      script.append(
        "INSERT INTO counters (name, last) VALUES ('numbers', 0), ('cards', 0), "
          + "('\(removalCounter)', 0), ('\(doorMark)', 0)")
      return script
    }

    static func statements(for table: Table, partitions: Int) -> [String] {
      let head = "CREATE TABLE \(table.name) (\(table.columns))"
      let storage = table.spare == 0 ? "" : " WITH (fillfactor = \(100 - table.spare))"
      var statements: [String] = []
      if partitions == 0 {
        statements.append(head + storage)
      } else {
        statements.append(head + " PARTITION BY HASH (\(table.shardColumn))")
        for index in 0..<partitions {
          statements.append(
            "CREATE TABLE \(table.name)_\(index) PARTITION OF \(table.name) FOR VALUES "
              + "WITH (MODULUS \(partitions), REMAINDER \(index))\(storage)")
        }
      }
      for index in table.indexes {
        let unique = index.hasPrefix("UNIQUE ")
        let rest = unique ? String(index.dropFirst("UNIQUE ".count)) : index
        statements.append("CREATE \(unique ? "UNIQUE " : "")INDEX \(rest)")
      }
      return statements
    }
  }
#endif
