internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedHTTP

/// A request on its way through a handler.
struct ServiceCall: Sendable {
  let route: Route
  /// The route's place in the table.
  let index: Int
  let head: HTTPRequestHead
  /// The decoded parts of the path that vary, in order.
  let parts: [[UInt8]]
  let grant: AccessGrant
  var body: HTTPRequestBody = .bytes([])

  /// The decoded part of the path that the route calls so.
  func part(_ name: String) -> [UInt8] {
    guard let index = route.parameterNames.firstIndex(of: name), index < parts.count else {
      preconditionFailure("The route \(route.name) has no part {\(name)} in its path.")
    }
    return parts[index]
  }

  var viewer: ViewerID { ViewerID(bytes: part("viewer")) }

  /// The identity of the event, without which nothing is done: a request that is sent again would
  /// count again.
  func event() throws(Problem) -> EventID {
    guard let text = head.header("idempotency-key"), !text.isEmpty else {
      throw Problem(
        .badRequest, "the header Idempotency-Key is missing; allowed: 1 … 255 bytes",
        hint: "give every event an id of its own, and the same one when it is sent again")
    }
    guard text.utf8.count <= 255 else {
      throw Problem(.badRequest, "the header Idempotency-Key is longer than 255 bytes")
    }
    return EventID(text)
  }

  /// A parameter of the query, decoded; nil where it is not given.
  func query(_ name: String) -> String? {
    guard let query = head.query else { return nil }
    for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, Self.decoded(key) == name else { continue }
      return parts.count > 1 ? Self.decoded(parts[1]) : ""
    }
    return nil
  }

  private static func decoded(_ bytes: Substring.UTF8View) -> String {
    let plain = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return plain.withUnsafeBufferPointer {
      String(decoding: RouteTable.decoded($0[...]), as: UTF8.self)
    }
  }

  /// The whole body.
  var bytes: [UInt8] {
    if case .bytes(let bytes) = body { bytes } else { [] }
  }

  /// The members of the body, which has to be an object with these keys and no others.
  func object(_ keys: [String]) throws(Problem) -> JSONObject {
    let root = try json()
    guard let object = root.object else {
      throw Problem(.unprocessable, "the body is \(root.kind); allowed: an object")
    }
    for member in object.members where !keys.contains(member.key) {
      let near = nearestName(to: member.key, in: keys).map { "did you mean \"\($0)\"?" }
      let allowed = keys.map { "\"\($0)\"" }.joined(separator: ", ")
      throw Problem(
        .unprocessable, "the body has an unknown key; allowed: \(allowed)", hint: near)
    }
    return object
  }

  /// The body as JSON without duplicate keys.
  func json() throws(Problem) -> JSONValue {
    let document: JSONDocument
    do { document = try JSONDocument(parsing: bytes) } catch { throw Problem(error) }
    if let duplicate = document.duplicateKeys.first {
      throw Problem(
        .badRequest, "the body has a key twice, at \(duplicate.duplicate); allowed: once")
    }
    return document.root
  }
}

extension JSONObject {
  /// A text that has to be there.
  func text(_ key: String) throws(Problem) -> String {
    guard let value = self[key] else {
      throw Problem(.unprocessable, "the key \"\(key)\" is missing; allowed: a text")
    }
    guard let text = value.string else {
      throw Problem(.unprocessable, "\"\(key)\" is \(value.kind); allowed: a text")
    }
    return text
  }
}

extension HTTPResponse {
  /// JSON with status 200.
  static func json(_ bytes: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: 200, headers: jsonHeaders, body: .bytes(bytes))
  }

  static func json(_ value: JSONValue) -> HTTPResponse { json(value.bytes()) }

  private static let jsonHeaders: [(name: String, value: String)] = [
    ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
  ]
}
