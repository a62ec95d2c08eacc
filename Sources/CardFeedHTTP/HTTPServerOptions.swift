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
