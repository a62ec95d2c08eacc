internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedHTTP

extension Problem {
  /// What became of an operation of a feed that failed; nil for what is the service's own fault.
  ///
  /// Texts of a feed's errors are free of private data. Those of a store may name files of the
  /// machine, so only the log has them.
  init?(_ error: FeedError) {
    switch error.code {
    case .unknownCard: self.init(.notFound, error.message, hint: error.hint)
    case .eventConflict: self.init(.conflict, error.message, hint: error.hint)
    case .badInput, .model: self.init(.unprocessable, error.message, hint: error.hint)
    case .closed, .store:
      self.init(.unavailable, "the feed cannot be reached at the moment")
      retryAfter = 1
    default: return nil
    }
  }

  /// A configuration that cannot be used.
  init(_ error: ConfigurationError) {
    self = .problems(
      .unprocessable,
      "the configuration has \(error.problems.count == 1 ? "a problem" : "\(error.problems.count) problems")"
        + "; nothing was changed",
      error.problems.map(\.json))
  }

  /// A body that is not JSON.
  init(_ error: JSONSyntaxError) {
    self.init(
      .badRequest,
      "the body is not JSON: \(error.location), at \(error.path): \(error.message); "
        + "found \(error.found), allowed: \(error.allowed)", hint: error.hint)
  }

  /// A body that did not come to its end.
  init(_ error: HTTPBodyError) {
    switch error {
    case .tooLarge: self.init(.tooLarge, "the body is longer than is taken here")
    case .timedOut: self.init(.tooSlow, "the body came too slowly")
    case .disconnected: self.init(.badRequest, "the body ended before its end")
    }
  }

  /// What the server found out by itself.
  init(_ failure: HTTPServerFailure) {
    let kind: Kind =
      switch failure {
      case .malformed, .incomplete: .badRequest
      case .unknownMethod: .methodNotAllowed
      case .targetTooLong, .headTooLarge, .bodyTooLarge: .tooLarge
      case .bodyTimedOut: .tooSlow
      case .overloaded: .unavailable
      }
    self.init(kind, failure.text)
    status = failure.status
    if failure == .unknownMethod {
      // No route takes it, TRACE and CONNECT among them, whatever the path.
      status = kind.status
      headers = [("Allow", "GET, HEAD, POST, PUT, DELETE")]
    }
    if failure == .overloaded { retryAfter = 1 }
  }
}
