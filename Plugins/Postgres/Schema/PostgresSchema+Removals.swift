#if Postgres
  extension PostgresSchema {
    /// What lets a store forget; there since version 2.
    ///
    /// `folds` holds the cards of answers that were folded, one set for each viewer and answer;
    /// `event` is the age-out that stands for them in the log. `erased` names people who are gone.
    /// From its row on nobody meets them; `event` and `change` are set when everything is removed.
    static let removals: [Table] = [
      Table(
        name: "folds", shardColumn: "viewer",
        columns: """
          viewer bigint NOT NULL, answer text COLLATE "C" NOT NULL, meaning smallint NOT NULL,
          event bigint NOT NULL, cards bytea NOT NULL, PRIMARY KEY (viewer, answer, meaning)
          """),
      Table(
        name: "erased", shardColumn: "number",
        columns: "number bigint NOT NULL, event bigint, change bigint, PRIMARY KEY (number)",
        indexes: ["erased_by_change ON erased (change) WHERE change IS NOT NULL"]),
    ]

    /// Whoever removes something locks this counter first, so that one removal never misses what
    /// another moves.
    static let removalCounter = "removals"

    /// Another number, never the same again, from each closed door on: whoever knows the people who
    /// were erased at this number need not look them up.
    static let doorMark = "doors"
  }
#endif
