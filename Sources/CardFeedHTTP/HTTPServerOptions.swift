/// Where an `HTTPServer` listens and how much it lets clients ask for.
public struct HTTPServerOptions: Sendable {
  /// A numeric address of IPv4 or IPv6: `127.0.0.1`, `::1`; `0.0.0.0` or `::` for every one of the
  /// machine.
  public var address = "127.0.0.1"
  /// 0 for any free port.
  public var port = 0
  /// How many threads serve connections.
  public var threads = 2
  /// How many connections there may be at a time; further ones are closed at once.
  public var maximumConnections = 4096
  /// How many of them may come from one address.
  public var maximumConnectionsPerAddress = 1024
  /// The longest target, path and query together, in bytes.
  public var maximumTarget = 8192
  /// The longest head of a request, its first line included, in bytes.
  public var maximumHeaderBytes = 16384
  /// How long the head of a request may take, in seconds.
  public var headTimeout = 10.0
  /// How long a connection may wait for its next request, in seconds.
  public var idleTimeout = 60.0
  /// How long a body may take, in seconds, beyond a second for each `minimumRate` bytes of it; and how
  /// long a client may take for a piece of an answer, beyond the same. Time that a consumer of the
  /// body takes does not count.
  public var bodyTimeout = 20.0
  /// The slowest client, in bytes per second.
  public var minimumRate = 1024
  /// Whether `HTTPResponder.respond` starts on the connection's thread, which saves two changes of
  /// threads when it does not suspend. Otherwise it runs where tasks run.
  public var startsOnConnectionThread = true
  /// The names of the headers that requests keep, in lower case; all others are dropped unread.
  public var keptHeaders = [
    "accept", "authorization", "content-type", "host", "idempotency-key", "if-none-match",
    "last-event-id", "origin",
  ]

  /// The defaults: any free port of the loopback interface.
  public init() {}
}

extension HTTPServerOptions {
  /// - Throws: `HTTPServerError` of the kind `badOption` that names the first option out of range.
  func check() throws(HTTPServerError) {
    let counts = [
      ("threads", threads, 1...256), ("maximumConnections", maximumConnections, 1...1_000_000),
      ("maximumConnectionsPerAddress", maximumConnectionsPerAddress, 1...1_000_000),
      ("maximumTarget", maximumTarget, 1...1_048_576),
      ("maximumHeaderBytes", maximumHeaderBytes, 256...1_048_576),
      ("minimumRate", minimumRate, 1...1_000_000_000),
    ]
    for (name, value, range) in counts where !range.contains(value) {
      throw HTTPServerError(
        kind: .badOption,
        description: """
          \(name) is \(value): give \(range.lowerBound)...\(range.upperBound).
          """)
    }
    let times = [
      ("headTimeout", headTimeout), ("idleTimeout", idleTimeout), ("bodyTimeout", bodyTimeout),
    ]
    for (name, value) in times where !(value > 0 && value <= 86400) {
      throw HTTPServerError(
        kind: .badOption,
        description: "\(name) is \(value): give more than 0 and at most 86400 seconds.")
    }
  }
}
