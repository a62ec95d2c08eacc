internal import CardFeed
internal import CardFeedConfiguration

/// The messages of one stream. An id is the stream's number in hexadecimal, a dash, and the place
/// of an event in the log.
struct ServerSentText: Sendable {
  /// Why a client must load anew.
  enum Reload: String {
    case tooOld = "too-old"
    case otherStream = "other-stream"
    case erasure
  }

  private let prefix: String

  init(stream: UInt64) { prefix = String(stream, radix: 16) + "-" }

  func id(_ place: LogPosition) -> String { prefix + String(place.rawValue) }

  /// The place that an id names; nil if it is not of this stream.
  func place(_ id: String) -> LogPosition? {
    // Bytes, not characters: equivalent spellings of other text are other ids.
    guard id.utf8.starts(with: prefix.utf8),
      let raw = Int64(String(decoding: id.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)),
      raw >= 0
    else { return nil }
    return LogPosition(raw)
  }

  func beginning(retry milliseconds: Int64, at place: LogPosition?) -> [UInt8] {
    var bytes: [UInt8] = []
    ServerSentEvent.append("retry", String(max(0, milliseconds)).utf8, to: &bytes)
    return bytes + ServerSentEvent(checkedID: place.map(id), name: nil, data: nil).bytes
  }

  func heartbeat(at place: LogPosition?) -> [UInt8] {
    [UInt8(ascii: ":"), UInt8(ascii: "\n")]
      + ServerSentEvent(checkedID: place.map(id), name: nil, data: nil).bytes
  }

  func reload(_ reason: Reload, at place: LogPosition?) -> [UInt8] {
    ServerSentEvent(
      checkedID: place.map(id), name: "reload", data: "{\"reason\":\"\(reason.rawValue)\"}"
    ).bytes
  }

  func closed(behind last: ReplayWindow.Entry) -> [UInt8] {
    ServerSentEvent(
      checkedID: id(last.event.event), name: "closed", data: "{\"reason\":\"slow\"}"
    ).bytes
  }

  func message(_ entry: ReplayWindow.Entry, for viewer: ViewerNumber?) -> [UInt8] {
    var writer = JSONWriter()
    switch viewer {
    case nil: entry.event.write(to: &writer)
    case entry.event.low: entry.event.write(other: entry.high, to: &writer)
    default: entry.event.write(other: entry.low, to: &writer)
    }
    return ServerSentEvent(
      checkedID: id(entry.event.event), name: entry.event.kind.rawValue,
      data: String(decoding: writer.bytes, as: UTF8.self)
    ).bytes
  }
}
