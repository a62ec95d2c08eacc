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
            parameters: Self.parameters)
        ) { parameters in
          var parts: [String] = []
          if let service = parameters.optionalText("service") {
            parts.append("service=\(Self.quoted(service))")
          }
          if let conninfo = parameters.optionalText("conninfo") { parts.append(conninfo) }
          var options = PostgresStore.Options(conninfo: parts.joined(separator: " "))
          options.schema = parameters.text("schema")
          options.connections = parameters.integer("connections")
          options.statementTimeoutMilliseconds =
            parameters.integer("statementTimeoutMilliseconds")
          options.partitions = parameters.integer("partitions")
          return try await PostgresStore.open(options)
        }
      ]
    }

    /// What a swipe costs the server.
    public var benchmarks: [Benchmark] { [PostgresBenchmark.description] }

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
