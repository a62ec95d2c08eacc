internal import CardFeed
internal import CardFeedConfiguration
public import CardFeedHTTP
internal import Synchronization

/// Feeds over HTTP: hands, swipes, cards, configurations and streams of events as JSON, by one
/// table of routes.
///
/// Programs make one and hand it to an `HTTPServer`; tests call it in process, for it is a pure
/// `HTTPResponder`. It knows no plugin: feeds are opened with a `PluginSet`. Deliberately absent are
/// TLS, HTTP/2 and sessions of browsers: a proxy and the application in front of it have them.
public final class FeedService: HTTPResponder {
  /// How a service behaves.
  public struct Options: Sendable {
    /// The tokens that are taken; nil asks for none, and takes requests to loopback hosts only.
    public var tokens: TokenTable?
    /// How many requests a second each token, and without one each address, may send; nil is any.
    public var requestsPerSecond: Double?
    /// How many of them may come at once.
    public var burst = 200.0
    /// Whether the page for trying out is served.
    public var servesPlayground = true
    /// Whether the page's files, which hold no data, need no token where everything else does.
    public var opensPlayground = false
    /// Reads the page's files from elsewhere, for working on them; nil for one that is not there.
    public var pages: (@Sendable (_ name: String) throws -> [UInt8]?)?
    /// The longest body of a JSON request, in bytes; streams of cards may be of any length.
    public var bodyLimit = 1 << 20
    /// The longest line of a stream of cards, in bytes.
    public var lineLimit = 1 << 20
    /// The version in the description.
    public var version = "0"
    /// Takes lines about failures, without private data.
    public var log: (@Sendable (_ line: String) -> Void)?
    /// Whether each request has a line in the log, with its route, and without any identifier.
    public var logsRequests = false

    /// The defaults.
    public init() {}
  }

  private enum State {
    case opening
    case ready
    case stopping
  }

  private struct Inventory {
    var feeds: [ServedFeed] = []
    var state = State.opening
    var beats: [Task<Void, Never>] = []
  }

  let options: Options
  let table: RouteTable
  let metrics: ServiceMetrics
  let description: [UInt8]
  let playground: PlaygroundFiles
  private let rates: RequestRates?
  private let inventory = Lock(Inventory())
  private let clock = SystemClock()

  /// A service without feeds: it answers that it is not ready.
  ///
  /// - Parameter options: How it behaves.
  public init(options: Options = Options()) {
    self.options = options
    let routes = Self.routes(options)
    table = RouteTable(routes)
    metrics = ServiceMetrics(routes)
    playground = PlaygroundFiles()
    description = OpenAPIDocument(routes: routes, version: options.version).value.bytes()
    rates = options.requestsPerSecond.map {
      RequestRates(perSecond: $0, burst: options.burst)
    }
  }

  // MARK: Feeds

  /// Serves feeds from now on, and says that the service is ready.
  ///
  /// - Parameter feeds: Open ones, each with a name of its own. The service closes them.
  public func serve(_ feeds: [ServedFeed]) {
    let beats = feeds.map { feed in Task { await feed.operations.keepAlive() } }
    inventory.withLock { inventory in
      inventory.feeds += feeds
      inventory.beats += beats
      if inventory.state == .opening { inventory.state = .ready }
    }
  }

  /// Ends the streams of events, and says that the service is stopping. Other requests are answered
  /// as before: stop the server next, and then call `close()`.
  public func beginStopping() {
    let feeds = inventory.withLock { inventory in
      inventory.state = .stopping
      return inventory.feeds
    }
    for feed in feeds { feed.operations.endStreams() }
  }

  /// Closes the feeds, after the server has stopped.
  ///
  /// - Throws: The first error of a store; the other feeds are closed all the same.
  public func close() async throws {
    beginStopping()
    let (feeds, beats) = inventory.withLock { inventory in
      defer {
        inventory.feeds = []
        inventory.beats = []
      }
      return (inventory.feeds, inventory.beats)
    }
    for beat in beats { beat.cancel() }
    var failure: (any Error)?
    for feed in feeds {
      do { try await feed.operations.close() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  var feeds: [ServedFeed] { inventory.withLock { $0.feeds } }

  var isReady: Bool { inventory.withLock { $0.state == .ready } }

  /// The feed that a request is about.
  func feed(of call: ServiceCall) throws(Problem) -> ServedFeed {
    let name = call.part("feed")
    let (feed, state) = inventory.withLock { inventory in
      (inventory.feeds.first { $0.name.utf8.elementsEqual(name) }, inventory.state)
    }
    if let feed { return feed }
    if state == .ready {
      throw Problem(
        .notFound, "no feed of this name is served", hint: "GET /v1/feeds lists the feeds")
    }
    throw Problem(.unavailable, "the feeds are not open").retrying(after: 1)
  }

  // MARK: Answering

  /// Decides about a request before its body is read.
  public func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
    do throws(Problem) {
      let call = try call(for: head)
      if let rates, call.route.scope != nil,
        let seconds = rates.refusal(of: call.grant.key, at: clock.uptimeNanoseconds)
      {
        throw Problem(.overLimit, "there were too many requests of this caller")
          .retrying(after: seconds)
      }
      guard let body = call.route.body else { return .collect(limit: 4096, context: call) }
      try check(head.header("content-type"), for: body)
      switch body {
      case .json(_, let limit): return .collect(limit: limit, context: call)
      case .lines: return .stream(limit: nil, context: call)
      }
    } catch {
      return .refuse(answer(error, to: head, nanoseconds: 0))
    }
  }

  private func check(_ type: String?, for body: Route.Body) throws(Problem) {
    guard let type, !body.types.contains(type) else { return }
    let essence = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    guard !body.types.contains(essence) else { return }
    throw Problem(
      .unsupportedMediaType,
      "the content type is another one; allowed: \(body.types.joined(separator: ", "))",
      hint: "name it in the header Content-Type")
  }

  /// Answers a request that was admitted.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    let start = clock.uptimeNanoseconds
    var call: ServiceCall
    do throws(Problem) {
      // Who calls, and for what, was found out when it was admitted; in process it may not have been.
      if let admitted = request.context as? ServiceCall {
        call = admitted
      } else {
        call = try self.call(for: request.head)
      }
    } catch {
      return answer(error, to: request.head, nanoseconds: 0)
    }
    call.body = request.body
    let response: HTTPResponse
    do {
      response = try await call.route.handler(self, call)
    } catch {
      response = problem(error, call.route).response
    }
    note(metrics.routes[call.index], response.status, clock.uptimeNanoseconds - start)
    return response
  }

  /// Answers what the server found out by itself.
  public func failure(_ failure: HTTPServerFailure, head: HTTPRequestHead?) -> HTTPResponse {
    let problem = Problem(failure)
    guard let head else {
      metrics.unrouted.count(status: problem.status, nanoseconds: 0)
      return problem.response
    }
    return answer(problem, to: head, nanoseconds: 0)
  }

  /// The route of a request and who calls, or why it is not answered.
  private func call(for head: HTTPRequestHead) throws(Problem) -> ServiceCall {
    let match = table.match(head.method, head.path)
    var route: Route?
    if case .route(let index, _) = match { route = table.routes[index] }
    // Who may not call is not told which paths there are.
    let grant = try grant(head, isOpen: route.map { $0.scope == nil } ?? false)
    switch match {
    case .nothing: throw .unknownPath()
    case .otherMethod(let methods):
      var names = methods.map(\.rawValue)
      if methods.contains(.get) { names.append(HTTPMethod.head.rawValue) }
      let allowed = names.joined(separator: ", ")
      var problem = Problem(
        .methodNotAllowed, "the path does not take this method; allowed: \(allowed)")
      problem.headers = [("Allow", allowed)]
      throw problem
    case .route(let index, let parts):
      let route = table.routes[index]
      if let scope = route.scope, !grant.scopes.contains(scope) {
        throw Problem(
          .forbidden,
          "the token does not allow this; needed: the scope "
            + scope.names.joined(separator: ", "))
      }
      return ServiceCall(route: route, index: index, head: head, parts: parts, grant: grant)
    }
  }

  private func grant(_ head: HTTPRequestHead, isOpen: Bool) throws(Problem) -> AccessGrant {
    if isOpen { return AccessGrant(scopes: [], key: "open") }
    guard let tokens = options.tokens else {
      if let problem = LoopbackRule.problem(with: head) { throw problem }
      return AccessGrant(scopes: .all, key: head.peer)
    }
    guard let grant = head.header("authorization").flatMap(tokens.grant(authorization:)) else {
      var problem = Problem(
        .unauthorized, "the request has no token that is known here",
        hint: "send the header Authorization: Bearer TOKEN")
      problem.headers = [("WWW-Authenticate", "Bearer")]
      throw problem
    }
    return grant
  }

  /// The answer to whatever a handler throws.
  private func problem(_ error: any Error, _ route: Route) -> Problem {
    switch error {
    case let problem as Problem: return problem
    case let error as HTTPBodyError: return Problem(error)
    case let error as ConfigurationError: return Problem(error)
    case let error as FeedError:
      if let problem = Problem(error) {
        if problem.kind == .unavailable { log("\(route.name): \(error.code): \(error)") }
        return problem
      }
      return internalProblem("\(error.code): \(error)", route)
    case is CancellationError:
      return Problem(.unavailable, "the request was cancelled").retrying(after: 1)
    default:
      // The description of an error that nobody knows may hold anything; its type does not.
      return internalProblem("\(type(of: error))", route)
    }
  }

  private func internalProblem(_ text: String, _ route: Route) -> Problem {
    let id = String(UInt64.random(in: .min ... .max), radix: 36)
    metrics.failures.add()
    log("failure \(id): \(route.name): \(text)")
    return Problem(
      .internal, "the service failed; its log says more under the id",
      hint: "tell whoever runs the service"
    ).adding("id", JSONValue(id).bytes())
  }

  private func answer(
    _ problem: Problem, to head: HTTPRequestHead, nanoseconds: UInt64
  ) -> HTTPResponse {
    var counts = metrics.unrouted
    if case .route(let index, _) = table.match(head.method, head.path) {
      counts = metrics.routes[index]
    }
    note(counts, problem.status, nanoseconds)
    return problem.response
  }

  private func note(
    _ counts: ServiceMetrics.RouteCounts, _ status: Int, _ nanoseconds: UInt64
  ) {
    counts.count(status: status, nanoseconds: nanoseconds)
    guard options.logsRequests else { return }
    let microseconds = nanoseconds / 1000
    log("\(counts.method) \(counts.name) \(status) \(microseconds) us")
  }

  func log(_ line: String) { options.log?(line) }
}
