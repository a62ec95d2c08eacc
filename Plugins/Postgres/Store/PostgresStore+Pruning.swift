#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// Removes the exposures of deals before a time, 1,000 deals in a transaction. Cards stay dealt.
    /// O(exposures).
    ///
    /// - Throws: ``PostgresError``; some may be removed then.
    public func prune(exposuresBefore time: Timestamp) async throws -> Int {
      let limit = 1000
      var removed = 0
      var last = LogPosition.start
      while true {
        let deals = try await pool.run("find old deals") { [last] connection in
          try connection.readPatiently {
            try connection.rows(
              PostgresCommand(
                StoreSQL.oldDeals, .position(last), .time(time), .integer(Int64(limit)))
            ).map { try $0.position(0) }
          }
        }
        guard let end = deals.last else { return removed }
        let memory = RemovalMemory<Int>()
        removed += try await pool.run("prune exposures") { connection in
          let rows = try connection.run(
            PostgresCommand(.begin),
            PostgresCommand(StoreSQL.removeExposures, .integers(deals.map(\.rawValue))))
          // If an earlier attempt was committed without an answer, nothing is left now.
          let count = max(rows[1].changed, memory.last ?? 0)
          memory.remember(count)
          try connection.run(PostgresCommand(.commit))
          return count
        }
        last = end
      }
    }
  }
#endif
