import CardFeed
import CardFeedEventSinks
import CardFeedTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct EventSinkConcurrencyTests {
  /// Two relays, two hundred subscribers who read at their own pace and resume when they are closed.
  @Test func everySubscriberGetsEveryEventOnceOrIsToldToResume() async throws {
    let sink = makeSink(.init(buffer: 8, window: 4000))
    let viewers = 100
    let count: Int64 = 20
    // Each viewer is there twice; nobody misses the beginning.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<viewers * 2 {
        let viewer = CardNumber(Int64(index % viewers + 1))
        let stream = sink.events(of: viewer)
        group.addTask {
          var parser = EventStreamParser()
          var stream = stream
          var found: Set<String> = []
          while found.count < count, !Task.isCancelled {
            for await chunk in stream {
              parser.feed(chunk)
              if index % 10 == 0 { await Task.yield() }
              guard let last = parser.messages.last else { continue }
              #expect(last.name != "reload")
              if last.name == "match-made" { found.insert(last.lastID) }
              if found.count == count { break }
            }
            stream = sink.events(of: viewer, after: parser.lastID)
          }
          let made = parser.messages.filter { $0.name == "match-made" }
          #expect(made.count == count)
        }
      }
      for relay in 0..<2 {
        group.addTask {
          for number in 0..<count / 2 {
            var batch: [OutboxEvent] = []
            for viewer in 1...Int64(viewers) {
              let event = (viewer * count + number * 2 + Int64(relay)) + 1
              batch.append(match(event, viewer, 100_000 + event))
            }
            try await sink.deliver(batch)
            await Task.yield()
          }
        }
      }
      group.addTask { for _ in 0..<100 { sink.beat() } }
      try await group.waitForAll()
    }
    #expect(sink.subscribers == 0)
  }

  @Test func cancellingFreesTheSubscription() async throws {
    let sink = makeSink()
    let tasks = (0..<100).map { index in
      let stream = index % 2 == 0 ? sink.allEvents() : sink.events(of: CardNumber(1))
      return Task {
        var count = 0
        for await _ in stream { count += 1 }
        return (count, stream)
      }
    }
    try await sink.deliver([match(4, 1, 2)])
    tasks.forEach { $0.cancel() }
    for task in tasks {
      // The streams themselves are still held: only the cancelling can have ended them.
      let (count, stream) = await task.value
      #expect(count <= 2)
      var reader = Reader(stream)
      #expect(await reader.rest() == [])
    }
    #expect(sink.subscribers == 0)
  }

  @Test func closingWhileOthersSubscribeDeliverAndReadEndsAll() async throws {
    let sink = makeSink()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<50 {
        group.addTask {
          for await _ in sink.events(of: CardNumber(Int64(index % 5 + 1))) {}
        }
      }
      group.addTask {
        for event in 1...200 as ClosedRange<Int64> {
          do { try await sink.deliver([match(event, event % 5 + 1, 9)]) } catch { return }
        }
      }
      group.addTask {
        await Task.yield()
        sink.close()
      }
    }
    #expect(sink.subscribers == 0)
  }
}
