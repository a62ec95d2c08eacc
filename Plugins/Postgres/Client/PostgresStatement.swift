#if Postgres
  /// A statement under its name, by which each connection prepares it once.
  struct PostgresStatement: Sendable, Hashable {
    /// Which shards a statement touches.
    enum Reach: Sendable, Hashable {
      /// The shard of the value, or of each value of a batch, that this column is compared with.
      case shard(String)
      /// Every shard: the reads of a whole log or table in order. Never part of a swipe or deal.
      case everyShard
      /// No table, or one that is never sharded.
      case none
    }

    let name: String
    let reach: Reach
    let sql: String

    init(_ name: String, _ reach: Reach, _ sql: String) {
      self.name = name
      self.reach = reach
      self.sql = sql
    }

    static let begin = PostgresStatement("begin", .none, "BEGIN ISOLATION LEVEL READ COMMITTED")
    static let beginReading = PostgresStatement(
      "begin_reading", .none, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let commit = PostgresStatement("commit", .none, "COMMIT")
    static let rollback = PostgresStatement("rollback", .none, "ROLLBACK")
  }

  /// A place at which tests break connections.
  enum PostgresStep: Hashable, Sendable {
    /// Nothing of the round trip of this statement was sent.
    case before(String)
    /// A round trip that ends with this statement was sent and done; its answer is lost.
    case behind(String)
  }

  /// Says whether the connection breaks at a step.
  typealias PostgresBreak = @Sendable (PostgresStep) -> Bool

  /// A statement with its values.
  struct PostgresCommand: Sendable {
    let statement: PostgresStatement
    let parameters: [PostgresParameter]

    init(_ statement: PostgresStatement, _ parameters: PostgresParameter...) {
      self.statement = statement
      self.parameters = parameters
    }
  }
#endif
