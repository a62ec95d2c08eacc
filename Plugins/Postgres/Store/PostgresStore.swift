#if Postgres
  public import CardFeed

  /// A store in a PostgreSQL database, for the shared state of many server processes.
  ///
  /// Every process opens its own `PostgresStore`. Pairs are decided on one row, so two likes at the
  /// same moment in two processes make one match; one viewer's events are applied one after the
  /// other. Commands carry identities: after a lost connection a command is sent again and applied
  /// once. Swipes that wait at a moment share a transaction.
  ///
  /// - Places of the log grow, and have gaps. A reader of the log never sees a place appear behind
  ///   one it has read: `events(after:limit:)` waits for transactions that run, and leaves out what
  ///   it cannot wait for.
  /// - An engine keeps a viewer's session in memory: send one viewer to one process at a time. A
  ///   process that is behind gets `stale` and loads anew.
  /// - Not for a single process: the embedded store answers without a network.
  ///
  /// Every failure is a ``PostgresError`` that says what to do; a failed command has changed nothing,
  /// unless its connection broke at the commit, in which case sending it again tells.
  public final class PostgresStore: MaintainableStore {
    /// How a store connects and behaves.
    public struct Options: Sendable, Equatable {
      /// A connection string or URI as libpq reads it, for example `service=cards` or
      /// `host=db user=feed dbname=cards sslmode=verify-full`. What it leaves out comes from libpq's
      /// environment variables, `pg_service.conf` and the password file.
      public var conninfo: String
      /// The schema that holds the tables; made if it does not exist.
      public var schema: String
      /// Connections of this process, each with a thread. 1 or more.
      public var connections: Int
      /// How long the server works on one statement, in milliseconds; 0 is without end.
      public var statementTimeoutMilliseconds: Int
      /// Hash partitions of each table when the tables are made; 0 for none. It cannot be changed.
      public var partitions: Int
      /// How long to wait before work is done again.
      public var backOff: BackOff
      /// How long a reader of the log waits for running transactions, in milliseconds.
      public var settleMilliseconds: Int

      /// The options with their defaults.
      ///
      /// - Parameter conninfo: A connection string or URI as libpq reads it.
      public init(conninfo: String) {
        self.conninfo = conninfo
        schema = "cardfeed"
        connections = 8
        statementTimeoutMilliseconds = 10_000
        partitions = 0
        backOff = BackOff()
        settleMilliseconds = 1000
      }
    }

    let options: Options
    let pool: ConnectionPool
    let settled = Lock(Int64(0))
    let swipes: SwipeGatherer

    private init(options: Options) {
      self.options = options
      pool = ConnectionPool(
        PostgresConnectionOptions(
          conninfo: options.conninfo, schema: options.schema,
          statementTimeoutMilliseconds: max(0, options.statementTimeoutMilliseconds)),
        size: options.connections, backOff: options.backOff)
      swipes = SwipeGatherer(pool: pool)
    }

    /// Connects, and makes the tables where there are none. Several processes may do so at once.
    ///
    /// - Throws: ``PostgresError``: `cannotConnect`, `untrustedServer`, `authentication`,
    ///   `tooManyConnections`, `olderSchema`, `newerSchema`, `otherSchema` (made with another number
    ///   of partitions), `readOnly`.
    public static func open(_ options: Options) async throws -> PostgresStore {
      let (schema, partitions) = (options.schema, max(0, options.partitions))
      return try await connect(options) { connection in
        try PostgresSchema.prepare(connection, schema: schema, partitions: partitions)
      }
    }

    static func connect(
      _ options: Options, _ prepare: @escaping @Sendable (PostgresConnection) throws -> Void
    ) async throws -> PostgresStore {
      let store = PostgresStore(options: options)
      do { try await store.pool.run("open", prepare) } catch {
        await store.pool.close()
        throw error
      }
      return store
    }

    /// Finishes what runs and closes every connection. Closing twice is allowed; every other later
    /// call throws ``PostgresError`` `misuse`.
    public func close() async throws { await pool.close() }

    /// Makes swipes durable, all in one transaction, one decision each. Those of other calls that
    /// wait at the same moment share the transaction; if it fails, each call is tried alone.
    /// Three or four round trips, whatever the number, unless a batch holds a pair twice.
    ///
    /// - Throws: ``PostgresError``.
    public func commit(_ swipes: [SwipeCommand]) async throws -> [SwipeDecision] {
      swipes.isEmpty ? [] : try await self.swipes.commit(swipes)
    }
  }
#endif
