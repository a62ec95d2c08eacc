#if Postgres
  internal import CardFeed
  public import CardFeedConfiguration

  /// Makes the shared store available to configurations as `{"use": "postgres", …}`.
  ///
  /// A password does not belong into a configuration file: leave it to the password file
  /// (`~/.pgpass`), a service (`pg_service.conf`) or a client certificate.
  public struct PostgresPlugin: Plugin {
    /// The plugin's name.
    public let name = "postgres"

    /// A plugin without settings.
    public init() {}

    /// The shared store.
    public var stores: [StoreDescription] {
      [
        StoreDescription(
          StrategyDescription(
            "postgres", .store,
            summary: "Keeps everything in a PostgreSQL database, for many server processes.",
            parameters: Self.parameters), maintenance: maintenance
        ) { parameters in try await PostgresStore.open(Self.options(parameters)) }
      ]
    }

    /// What a swipe costs the server.
    public var benchmarks: [Benchmark] { [PostgresBenchmark.description] }

    private static func options(_ parameters: Parameters) -> PostgresStore.Options {
      var parts: [String] = []
      if let service = parameters.optionalText("service") {
        parts.append("service=\(quoted(service))")
      }
      if let conninfo = parameters.optionalText("conninfo") { parts.append(conninfo) }
      var options = PostgresStore.Options(conninfo: parts.joined(separator: " "))
      options.schema = parameters.text("schema")
      options.connections = parameters.integer("connections")
      options.statementTimeoutMilliseconds = parameters.integer("statementTimeoutMilliseconds")
      options.partitions = parameters.integer("partitions")
      return options
    }

    private var maintenance: StoreMaintenance {
      StoreMaintenance(
        migrate: { parameters in
          let done = try await PostgresStore.migrate(Self.options(parameters))
          let summary =
            done.from == done.to
            ? "schema version \(done.to), nothing to do"
            : "schema version \(done.from) to \(done.to)"
          return StoreMaintenance.Migration(summary: summary, copy: nil)
        },
        backup: { _, _ in
          throw FeedError(
            .store, "a store in PostgreSQL is no file that could be copied",
            hint: "use pg_dump with --schema, or the backup of the whole server")
        },
        check: { parameters in try await PostgresStore.check(Self.options(parameters)) })
    }

    private static var parameters: [ParameterDescription] {
      [
        ParameterDescription(
          "conninfo", .text, default: .null,
          help: "A connection string as libpq reads it; what it leaves out comes from libpq's "
            + "environment variables and the password file. Not for passwords."),
        ParameterDescription(
          "service", .text, default: .null,
          help: "A service of pg_service.conf, which holds the connection's parameters."),
        ParameterDescription(
          "schema", .text, default: "cardfeed", help: "The schema that holds the tables."),
        ParameterDescription(
          "connections", .integer(1...1000), default: 8,
          help: "Connections of this process, each with a thread."),
        ParameterDescription(
          "statementTimeoutMilliseconds", .integer(0...3_600_000), unit: "milliseconds",
          default: 10_000, help: "How long the server works on one statement; 0 is without end."),
        ParameterDescription(
          "partitions", .integer(0...1024), default: 0,
          help: "Hash partitions of each table when the tables are made; 0 for none."),
      ]
    }

    /// As libpq wants values quoted.
    private static func quoted(_ value: String) -> String {
      var text = "'"
      for character in value {
        if character == "'" || character == "\\" { text.append("\\") }
        text.append(character)
      }
      return text + "'"
    }
  }
#endif
