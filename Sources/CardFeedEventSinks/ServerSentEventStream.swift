/// What one subscriber of a ``ServerSentEventSink`` gets: chunks of a `text/event-stream`, each a
/// whole message, to be written to a response as they come.
///
/// One reader. The subscription ends when the reading task is cancelled, when the last copy of the
/// stream and of its iterator is gone, when the subscriber was too slow, and when the sink is closed.
public struct ServerSentEventStream: AsyncSequence, Sendable {
  /// Bytes of one message in UTF-8.
  public typealias Element = [UInt8]
  /// Reading does not fail.
  public typealias Failure = Never

  /// Ends the subscription when nobody can read any more.
  final class Subscription: Sendable {
    private let mailbox: Mailbox
    private let text: @Sendable (ReplayWindow.Entry) -> [UInt8]
    private let leave: @Sendable () -> Void

    init(
      _ mailbox: Mailbox, text: @escaping @Sendable (ReplayWindow.Entry) -> [UInt8],
      leave: @escaping @Sendable () -> Void
    ) {
      self.mailbox = mailbox
      self.text = text
      self.leave = leave
    }

    deinit { leave() }

    func next() async -> [UInt8]? {
      let item = await withTaskCancellationHandler {
        await mailbox.next()
      } onCancel: {
        leave()
        mailbox.end(discarding: true)?.resume()
      }
      switch item {
      case .text(let bytes): return bytes
      case .event(let entry): return text(entry)
      case nil: return nil
      }
    }
  }

  let subscription: Subscription

  /// Reads chunk by chunk.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: Subscription

    /// The next chunk; nil behind the last one. Waits as long as there is none.
    public mutating func next() async -> [UInt8]? { await subscription.next() }

    /// The next chunk; nil behind the last one. Waits as long as there is none.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> [UInt8]? { await subscription.next() }
  }

  /// An iterator over the one sequence of chunks; a second one takes chunks away from the first.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }
}
