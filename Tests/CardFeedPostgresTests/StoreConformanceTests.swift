#if Postgres
  import CardFeed
  import CardFeedPostgres
  import CardFeedTesting
  import Testing

  /// What every store promises, on plain tables and on tables cut into sixteen by their shard column.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct StoreConformanceTests {
    @Test(arguments: FeedStoreConformance.all + FeedStoreConformance.maintenanceChecks)
    func plain(_ check: FeedStoreConformance.Check) async throws {
      try await run(check, partitions: 0)
    }

    @Test(arguments: FeedStoreConformance.all + FeedStoreConformance.maintenanceChecks)
    func partitioned(_ check: FeedStoreConformance.Check) async throws {
      try await run(check, partitions: 16)
    }

    private func run(_ check: FeedStoreConformance.Check, partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        try await check.run(
          makeStore: { try await PostgresStore.open(options) },
          reopen: { _ in try await PostgresStore.open(options) })
      }
    }
  }
#endif
