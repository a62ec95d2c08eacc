internal import CardFeedEventSinks
internal import CardFeedHTTP

/// The body of an answer that goes on until the client or the service ends it.
struct EventBody: HTTPBodySource {
  private let stream: ServerSentEventStream

  init(_ stream: ServerSentEventStream) { self.stream = stream }

  func next() async throws -> [UInt8]? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}
