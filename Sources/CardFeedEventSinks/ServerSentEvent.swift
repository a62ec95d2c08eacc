/// One message of a `text/event-stream`.
///
/// Source: WHATWG, "HTML Living Standard", section 9.2.5, "Parsing an event stream".
public struct ServerSentEvent: Hashable, Sendable {
  /// What a client names when it resumes; nil leaves it what it was.
  public let id: String?
  /// The type of the event; nil is `message`.
  public let name: String?
  /// What the client gets, line by line; nil dispatches nothing, and the message only sets `id`.
  public let data: String?

  /// A message.
  ///
  /// - Parameters:
  ///   - id: What a client names when it resumes. Without line ends and NUL.
  ///   - name: The type of the event. Without line ends.
  ///   - data: Any text. Clients get each line end (CR, LF or both) as one LF.
  /// - Throws: ``ServerSentEventError`` if `id` or `name` holds what would end the field.
  public init(id: String?, name: String?, data: String?) throws(ServerSentEventError) {
    let ends: Set<UInt8> = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    if id?.utf8.contains(where: { ends.contains($0) || $0 == 0 }) == true {
      throw ServerSentEventError(field: "id")
    }
    if name?.utf8.contains(where: ends.contains) == true {
      throw ServerSentEventError(field: "event")
    }
    self.init(checkedID: id, name: name, data: data)
  }

  init(checkedID id: String?, name: String?, data: String?) {
    self.id = id
    self.name = name
    self.data = data
  }

  /// The message in UTF-8, with the empty line that ends it. O(length).
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      32 + (id?.utf8.count ?? 0) + (name?.utf8.count ?? 0) + (data?.utf8.count ?? 0))
    if let id { Self.append("id", id.utf8, to: &bytes) }
    if let name { Self.append("event", name.utf8, to: &bytes) }
    if let data { Self.appendLines(data.utf8, to: &bytes) }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// A client takes one space behind the colon away, so there must be one.
  static func append(_ field: String, _ value: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: field.utf8)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: value)
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func appendLines(_ text: String.UTF8View, to bytes: inout [UInt8]) {
    var start = text.startIndex
    while let end = text[start...].firstIndex(where: {
      $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
    }) {
      append("data", text[start..<end], to: &bytes)
      let next = text.index(after: end)
      let isPair =
        text[end] == UInt8(ascii: "\r") && next < text.endIndex && text[next] == UInt8(ascii: "\n")
      start = isPair ? text.index(after: next) : next
    }
    append("data", text[start...], to: &bytes)
  }
}

/// A field of a server-sent event that cannot be written.
public struct ServerSentEventError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The field: `id` or `event`.
  public let field: String

  /// What was wrong and what is allowed; the value itself is not quoted.
  public var description: String {
    "the field '\(field)' of a server-sent event holds a line end or NUL, which would end it. "
      + "Allowed is any other text; encode the value first."
  }
}
