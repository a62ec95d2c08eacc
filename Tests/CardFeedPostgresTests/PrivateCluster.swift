#if Postgres
  import ChildProcesses
  import Foundation
  import Testing

  @testable import CardFeedPostgres

  /// A PostgreSQL server of the tests' own: in a folder of its own, on a free port of the loopback
  /// address or on a ``TestHost``, run by an ordinary user. It ends with this process, whichever way
  /// that ends.
  final class PrivateCluster: @unchecked Sendable {
    // Unchecked: the guard's pipe and the process are touched by the test that owns the cluster, or
    // under `startShared` once.
    let folder: String
    let port: UInt16
    private let host: TestHost?
    private var settings: [String]
    private var guardPipe: Int32 = -1
    private var guardProcess: ChildProcess?
    private(set) var processID: pid_t = 0

    /// Why there is none, or nil.
    static let missing: Comment? = binaries == nil ? "skipped: no PostgreSQL" : nil
    static var isMissing: Bool { binaries == nil }

    private static let binaries: String? = {
      let root = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      let folders = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
        .map { "\(root)/\($0)/bin" }
      let others = ["/usr/local/pgsql/bin", "/usr/local/bin", "/usr/bin"]
      return (folders + others).first {
        FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
          && FileManager.default.isExecutableFile(atPath: "\($0)/postgres")
      }
    }()

    /// Where the server's socket lies in the file system, which no network reaches into.
    var socketFolder: String { folder }

    var conninfo: String {
      let place = host == nil ? "127.0.0.1" : folder
      return "host=\(place) port=\(port) user=card dbname=postgres sslmode=disable"
    }

    /// The server as its neighbours reach it.
    var address: String { host?.address ?? "127.0.0.1" }

    /// Makes a cluster and starts it.
    ///
    /// - Parameters:
    ///   - isDurable: Whether commits wait for the disk. Only where a crash is tested.
    ///   - settings: Settings of the server, without spaces.
    ///   - host: Where it runs; nil for the loopback address.
    ///   - prepare: Puts further files into the cluster's folder, given its path; returns settings
    ///     that name them. They belong to the server's user afterwards, and go with the cluster.
    convenience init(
      isDurable: Bool, settings: [String] = [], host: TestHost? = nil,
      prepare: (String) throws -> [String] = { _ in [] }
    ) throws {
      try self.init(
        settings: settings
          + (isDurable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]),
        host: host, port: Self.freePort())
      let binaries = try #require(Self.binaries)
      try Self.run(
        Self.asOrdinaryUser + [
          "\(binaries)/initdb", "-D", "\(folder)/data", "-U", "card", "--auth=trust", "--no-sync",
          "-E", "UTF8", "--locale=C.UTF-8",
        ], in: folder)
      if host != nil {
        let rules = try #require(FileHandle(forWritingAtPath: "\(folder)/data/pg_hba.conf"))
        try rules.seekToEnd()
        let anyNeighbour = "card samenet trust\n"
        try rules.write(
          contentsOf: Data("host all \(anyNeighbour)host replication \(anyNeighbour)".utf8))
        try rules.close()
      }
      self.settings += try prepare(folder)
      if getuid() == 0 { try Self.run(["chown", "-R", "postgres", folder], in: "/tmp") }
      try start()
    }

    /// Makes a standby of another server, over the network between their hosts, and starts it. To
    /// the primary it is called `standby`.
    convenience init(standbyOf primary: PrivateCluster, host: TestHost) throws {
      let source =
        "host=\(primary.address) port=\(primary.port) user=card application_name=standby"
      try self.init(
        settings: ["primary_conninfo=\(source) connect_timeout=1"], host: host,
        port: primary.port)
      let binaries = try #require(Self.binaries)
      try Self.run(
        host.enter + Self.asOrdinaryUser + [
          "\(binaries)/pg_basebackup", "-D", "\(folder)/data", "-d", source, "-c", "fast", "-R",
          "--no-sync",
        ], in: folder)
      try start()
    }

    private init(settings: [String], host: TestHost?, port: UInt16) throws {
      folder = "/tmp/cardfeed-pg-\(getpid())-\(UInt32.random(in: 0 ... .max))"
      self.port = port
      self.host = host
      self.settings = settings
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      if getuid() == 0 { try Self.run(["chown", "postgres", folder], in: "/tmp") }
    }

    deinit { stop(keepsFolder: false) }

    /// Starts the server, after it was killed for example.
    func start() throws {
      let binaries = try #require(Self.binaries)
      try? FileManager.default.removeItem(atPath: "\(folder)/data/postmaster.pid")
      try? FileManager.default.removeItem(atPath: "\(folder)/pid")
      let options = [
        "port=\(port)", "listen_addresses=\(address)", "unix_socket_directories=\(folder)",
        "max_connections=200", "shared_buffers=128MB", "max_wal_size=2GB", "log_checkpoints=off",
      ]
      let server =
        (["setsid"] + (host?.enter ?? []) + Self.asOrdinaryUser
        + ["\(binaries)/postgres", "-D", "\(folder)/data"]
        + (options + settings).flatMap { ["-c", "'\($0)'"] }).joined(separator: " ")
      // Reads until this process closes the pipe, by itself or by dying.
      let script = """
        cd \(folder) || exit 1
        \(server) >>\(folder)/log 2>&1 </dev/null &
        server=$!
        echo $server >\(folder)/pid.new && mv \(folder)/pid.new \(folder)/pid
        read -r word
        kill -QUIT $server 2>/dev/null
        wait $server
        if [ "$word" != keep ]; then cd /; rm -rf \(folder); fi
        """
      let (reading, writing) = try ChildProcess.pipe()
      defer { close(reading) }
      guardProcess = try ChildProcess(["/bin/sh", "-c", script], input: .descriptor(reading))
      guardPipe = writing
      try waitUntilReady(binaries)
    }

    private func waitUntilReady(_ binaries: String) throws {
      for _ in 0..<600 {
        if processID == 0 || guardProcess?.isRunning == true,
          let text = try? String(contentsOfFile: "\(folder)/pid", encoding: .utf8),
          let number = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)),
          (try? Self.run(
            ["\(binaries)/pg_isready", "-q", "-h", folder, "-p", "\(port)"], in: folder))
            != nil
        {
          processID = number
          return
        }
        usleep(100_000)
      }
      let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
      Issue.record("the server did not start: \(log.suffix(2000))")
      throw CancellationError()
    }

    /// Makes a standby take writes.
    func promote() throws {
      let binaries = try #require(Self.binaries)
      try Self.run(
        Self.asOrdinaryUser + ["\(binaries)/pg_ctl", "promote", "-w", "-D", "\(folder)/data"],
        in: folder)
    }

    /// Ends server and backends without any warning, as a power failure of the process would.
    func kill() {
      Glibc.kill(-processID, SIGKILL)
      stop(keepsFolder: true)
    }

    /// Tells the guard to end the server, and waits for it.
    private func stop(keepsFolder: Bool) {
      guard guardPipe >= 0 else { return }
      if keepsFolder { _ = "keep\n".withCString { write(guardPipe, $0, 5) } }
      close(guardPipe)
      guardPipe = -1
      guardProcess?.wait()
    }

    private static var asOrdinaryUser: [String] {
      getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : []
    }

    private static func freePort() throws -> UInt16 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
      }
      try #require(isBound)
      return UInt16(bigEndian: address.sin_port)
    }

    static func run(_ words: [String], in folder: String) throws {
      try ChildProcess.run(words, in: folder)
    }
  }
#endif
