import CardFeed
import CardFeedEventSinks
import CardFeedTesting
import Testing

func match(
  _ event: Int64, _ one: Int64, _ other: Int64, kind: OutboxEvent.Kind = .matchMade
) -> OutboxEvent {
  OutboxEvent(
    kind: kind, event: LogPosition(event), between: CardNumber(one), and: CardNumber(other),
    time: Timestamp(milliseconds: 1000 + event))
}

/// A sink of the stream "a" that names number 7 "n7".
func makeSink(
  _ options: ServerSentEventSink.Options = .init(), clock: ManualClock = ManualClock(),
  stream: UInt64 = 10, names: [Int64: CardID] = [:]
) -> ServerSentEventSink {
  ServerSentEventSink(stream: stream, clock: clock, options: options) { numbers in
    numbers.map { names[$0.rawValue] ?? CardID("n\($0.rawValue)") }
  }
}

/// Reads what is there for a subscriber: everything up to the message of a marker event, which is
/// not returned.
struct Reader {
  var iterator: ServerSentEventStream.Iterator

  init(_ stream: ServerSentEventStream) { iterator = stream.makeAsyncIterator() }

  mutating func texts(_ count: Int) async -> [String] {
    var texts: [String] = []
    for _ in 0..<count {
      guard let chunk = await iterator.next() else { return texts }
      texts.append(String(decoding: chunk, as: UTF8.self))
    }
    return texts
  }

  mutating func rest() async -> [String] {
    var texts: [String] = []
    while let chunk = await iterator.next() {
      texts.append(String(decoding: chunk, as: UTF8.self))
    }
    return texts
  }
}
