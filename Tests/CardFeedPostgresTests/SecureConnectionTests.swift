#if Postgres
  import CardFeed
  import Foundation
  import Testing

  @testable import CardFeedPostgres

  /// TLS, services and password files, against a server that takes nothing else.
  @Suite(.disabled(if: SecureCluster.isMissing, "skipped: no PostgreSQL or no openssl"))
  struct SecureConnectionTests {
    private let secure: SecureCluster

    init() async throws { secure = try await SecureCluster.shared() }

    private func refusal(_ conninfo: String) async throws -> PostgresError {
      var options = PostgresStore.Options(conninfo: conninfo)
      options.backOff.attempts = 1000
      return try #require(
        await #expect(throws: PostgresError.self) { try await PostgresStore.open(options) })
    }

    @Test func aServerWithTheRightRootAndNameIsTrusted() async throws {
      let store = try await PostgresStore.open(
        PostgresStore.Options(conninfo: secure.conninfo()))
      #expect(try await store.numbers(for: ["a"]).map(\.rawValue) == [1])
      #expect(
        try await store.integer(
          "SELECT ssl::int::bigint FROM pg_stat_ssl WHERE pid = pg_backend_pid()") == 1)
      try await store.close()
    }

    @Test func aServerOfAnotherRootIsRefusedAndSaysWhatToDo() async throws {
      let error = try await refusal(secure.conninfo(root: "other.crt"))
      #expect(error.code == .untrustedServer)
      #expect(error.description.contains("certificate verify failed"))
      #expect(error.description.contains("Set sslrootcert to the certificate that signed"))
      #expect(!error.description.contains(SecureCluster.password))
    }

    @Test func aServerOfAnotherNameIsRefused() async throws {
      let error = try await refusal(secure.conninfo(host: "elsewhere.example"))
      #expect(error.code == .untrustedServer)
      #expect(error.found.contains("does not match host name"))
      #expect(error.advice.contains("host to a name in it"))
    }

    @Test func aRootThatIsNotThereIsSaidSo() async throws {
      let error = try await refusal(secure.conninfo(root: "missing.crt"))
      #expect(error.code == .untrustedServer)
      #expect(error.found.contains("missing.crt"))
    }

    @Test func aServerThatInsistsOnTLSRefusesALoginWithout() async throws {
      let error = try await refusal(secure.conninfo(sslmode: "disable"))
      #expect(error.code == .authentication)
      #expect(error.found.contains("no encryption"))
    }

    @Test func aServerWithoutTLSIsNotTrusted() async throws {
      let plain = try await SharedServer.server.conninfo()
      let error = try await refusal("\(plain) sslmode=require")
      #expect(error.code == .untrustedServer)
      #expect(error.found.contains("does not support SSL"))
    }

    @Test func aWrongPasswordIsNotRepeated() async throws {
      let error = try await refusal(secure.conninfo(password: "hidden-and-wrong"))
      #expect(error.code == .authentication)
      #expect(error.description.contains("Check user, database, password file and certificates."))
      #expect(!error.description.contains("hidden-and-wrong"))
      #expect(!error.description.contains(SecureCluster.password))
    }

    /// libpq reads both from the environment, which belongs to a whole process.
    @Test func aServiceAndAPasswordFileAreEnough() async throws {
      let folder = secure.folder
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        setenv("PGSERVICEFILE", "\(folder)/pg_service.conf", 1)
        setenv("PGPASSFILE", "\(folder)/pgpass", 1)
        let store = try await PostgresStore.open(
          PostgresStore.Options(conninfo: "service=cards"))
        try #require(try await store.numbers(for: ["a"]).map(\.rawValue) == [1])
        try await store.close()

        setenv("PGPASSFILE", "\(folder)/pgpass.wrong", 1)
        do {
          let options = PostgresStore.Options(conninfo: "service=cards")
          _ = try await PostgresStore.open(options)
          exit(EXIT_FAILURE)
        } catch let error as PostgresError {
          try #require(error.code == .authentication)
          try #require(!error.description.contains("hidden-and-wrong"))
        }
        // A file that others can read is as good as none.
        setenv("PGPASSFILE", "\(folder)/pgpass.open", 1)
        do {
          let options = PostgresStore.Options(conninfo: "service=cards")
          _ = try await PostgresStore.open(options)
          exit(EXIT_FAILURE)
        } catch let error as PostgresError {
          try #require(error.code == .authentication)
          try #require(!error.description.contains(SecureCluster.password))
        }
      }
    }
  }

  /// A server with a certificate of its own that takes one user by password and TLS only.
  final class SecureCluster: Sendable {
    static let password = "correct-horse"
    static let isMissing = PrivateCluster.isMissing || openssl == nil

    private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    private actor Holder {
      var cluster: Task<SecureCluster, any Error>?

      func get() async throws -> SecureCluster {
        let task = cluster ?? Task { try await SecureCluster() }
        cluster = task
        return try await task.value
      }
    }

    private static let holder = Holder()

    static func shared() async throws -> SecureCluster { try await holder.get() }

    /// Where certificates, service and password files are.
    var folder: String { cluster.folder }
    private let cluster: PrivateCluster

    private init() async throws {
      let openssl = try #require(Self.openssl)
      cluster = try PrivateCluster(isDurable: false) { folder in
        for (name, subject) in [("server", "localhost"), ("other", "other")] {
          try PrivateCluster.run(
            [
              openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
              "-subj", "/CN=\(subject)", "-addext", "subjectAltName=DNS:\(subject)",
              "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).crt",
            ], in: folder)
        }
        try Self.write(
          """
          host all card 127.0.0.1/32 trust
          hostssl all feed 127.0.0.1/32 scram-sha-256

          """, to: "\(folder)/hba.conf")
        return [
          "ssl=on", "ssl_cert_file=\(folder)/server.crt", "ssl_key_file=\(folder)/server.key",
          "hba_file=\(folder)/hba.conf",
        ]
      }
      let admin = try await PostgresStore.open(
        PostgresStore.Options(conninfo: cluster.conninfo))
      try await admin.pool.run("make a user") { connection in
        try connection.execute([
          "CREATE ROLE feed LOGIN PASSWORD '\(Self.password)'",
          "GRANT CREATE ON DATABASE postgres TO feed", "DROP SCHEMA cardfeed CASCADE",
        ])
        return ()
      }
      try await admin.close()
      try Self.write(
        """
        [cards]
        host=localhost
        hostaddr=127.0.0.1
        port=\(cluster.port)
        user=feed
        dbname=postgres
        sslmode=verify-full
        sslrootcert=\(folder)/server.crt

        """, to: "\(folder)/pg_service.conf")
      let line = "localhost:\(cluster.port):postgres:feed:"
      try Self.write("\(line)\(Self.password)\n", to: "\(folder)/pgpass")
      try Self.write("\(line)hidden-and-wrong\n", to: "\(folder)/pgpass.wrong")
      try Self.write("\(line)\(Self.password)\n", to: "\(folder)/pgpass.open", mode: 0o644)
    }

    func conninfo(
      host: String = "localhost", sslmode: String = "verify-full", root: String = "server.crt",
      password: String = SecureCluster.password
    ) -> String {
      "host=\(host) hostaddr=127.0.0.1 port=\(cluster.port) user=feed dbname=postgres "
        + "password=\(password) sslmode=\(sslmode) sslrootcert=\(folder)/\(root)"
    }

    private static func write(_ text: String, to path: String, mode: Int = 0o600) throws {
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
  }
#endif
