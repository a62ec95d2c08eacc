internal import CardFeed
internal import CardFeedConfiguration

extension OutboxEvent {
  /// The event with the store's numbers, for whoever runs the service.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("kind")
    writer.string(kind.rawValue)
    writer.key("event")
    writer.integer(event.rawValue)
    writer.key("low")
    writer.integer(low.rawValue)
    writer.key("high")
    writer.integer(high.rawValue)
    writer.key("time")
    writer.integer(time.milliseconds)
    writer.endObject()
  }

  /// The event as one side of the pair may see it: with the identifier of the other, no numbers of
  /// the store.
  ///
  /// - Parameter other: The other side; nil when that person is erased.
  func write(other: CardID?, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("kind")
    writer.string(kind.rawValue)
    writer.key("event")
    writer.integer(event.rawValue)
    if let other {
      if let text = String(validating: other.bytes, as: UTF8.self) {
        writer.key("card")
        writer.string(text)
      } else {
        writer.key("cardHex")
        writer.string(Self.hexadecimal(other.bytes))
      }
    } else {
      writer.key("card")
      writer.null()
    }
    writer.key("time")
    writer.integer(time.milliseconds)
    writer.endObject()
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
