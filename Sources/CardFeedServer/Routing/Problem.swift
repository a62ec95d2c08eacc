internal import CardFeedConfiguration
internal import CardFeedHTTP

/// An answer that says why something was not done, as `application/problem+json` (RFC 9457).
///
/// The detail and the hint are for whoever wrote the client: what was wrong, where, what was found,
/// what is allowed. Nothing in them is about a person.
struct Problem: Error, Sendable {
  /// What kind of problem it is: the last part of its type.
  enum Kind: String, Sendable, CaseIterable {
    case badRequest = "bad-request"
    case unauthorized
    case forbidden
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case conflict
    case stale
    case tooLarge = "too-large"
    case tooSlow = "too-slow"
    case unsupportedMediaType = "unsupported-media-type"
    case unprocessable
    case overLimit = "over-limit"
    case unavailable
    case `internal`

    var status: Int {
      switch self {
      case .badRequest: 400
      case .unauthorized: 401
      case .forbidden: 403
      case .notFound: 404
      case .methodNotAllowed: 405
      case .tooSlow: 408
      case .conflict, .stale: 409
      case .tooLarge: 413
      case .unsupportedMediaType: 415
      case .unprocessable: 422
      case .overLimit: 429
      case .internal: 500
      case .unavailable: 503
      }
    }

    var title: String {
      switch self {
      case .badRequest: "The request is malformed"
      case .unauthorized: "A token is needed"
      case .forbidden: "The caller may not do this"
      case .notFound: "There is no such thing"
      case .methodNotAllowed: "The method is not allowed here"
      case .tooSlow: "The request came too slowly"
      case .conflict: "The event id was used before"
      case .stale: "The card is not on top of the hand"
      case .tooLarge: "The request is too large"
      case .unsupportedMediaType: "The content type is not taken here"
      case .unprocessable: "The request makes no sense here"
      case .overLimit: "That is too much for now"
      case .internal: "The service failed"
      case .unavailable: "The service cannot answer at the moment"
      }
    }
  }

  let kind: Kind
  /// Instead of the kind's own status, where HTTP has a nearer one.
  var status: Int
  let detail: String
  var hint: String?
  /// Further members, each a whole JSON value.
  var members: [(key: String, json: [UInt8])] = []
  /// Seconds after which it is worth another try.
  var retryAfter: Int64?
  var headers: [(name: String, value: String)] = []

  init(_ kind: Kind, _ detail: String, hint: String? = nil) {
    self.kind = kind
    self.detail = detail
    self.hint = hint
    status = kind.status
  }

  func adding(_ key: String, _ json: [UInt8]) -> Problem {
    var problem = self
    problem.members.append((key, json))
    return problem
  }

  func retrying(after seconds: Int64) -> Problem {
    var problem = self
    problem.retryAfter = max(1, seconds)
    return problem
  }

  var response: HTTPResponse {
    var writer = JSONWriter(capacity: 512)
    writer.beginObject()
    writer.key("type")
    writer.string("/problems/" + kind.rawValue)
    writer.key("title")
    writer.string(kind.title)
    writer.key("status")
    writer.integer(status)
    writer.key("detail")
    writer.string(detail)
    if let hint {
      writer.key("hint")
      writer.string(hint)
    }
    for member in members {
      writer.key(member.key)
      writer.text(member.json)
    }
    writer.endObject()
    var headers = self.headers
    headers.append(("Content-Type", "application/problem+json"))
    headers.append(("Cache-Control", "no-store"))
    if let retryAfter { headers.append(("Retry-After", "\(retryAfter)")) }
    return HTTPResponse(status: status, headers: headers, body: .bytes(writer.bytes))
  }
}

extension Problem {
  static func unknownPath() -> Problem {
    Problem(
      .notFound, "there is no route of this path", hint: "GET /openapi.json lists the routes")
  }

  /// Many problems of a document.
  static func problems(
    _ kind: Kind, _ detail: String, _ problems: [JSONValue], hint: String? = nil
  ) -> Problem {
    Problem(kind, detail, hint: hint).adding("problems", JSONValue(problems).bytes())
  }
}
