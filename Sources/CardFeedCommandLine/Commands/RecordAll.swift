internal import CardFeed
internal import CardFeedConfiguration

/// Records the swipes of a file as having happened elsewhere.
struct RecordAll: FeedTask {
  typealias Outcome = ExitStatus

  let requests: [SwipeRequest]
  let cards: String?
  let context: CommandContext

  func run<P: DeckPlugin, Store: FeedStore>(
    _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
  ) async throws -> ExitStatus {
    try SwipeRequest.checkAnswers(of: requests, in: P.D.self)
    if let path = cards {
      let count = try await feed.importCards(from: path, deck: deck, context)
      context.note("\(count) cards from \(path)")
    }
    let progress = ProgressReporter("recorded", total: requests.count, context: context)
    var new = 0
    // In parts, so that progress shows; each is durable when the next begins.
    for start in stride(from: 0, to: requests.count, by: 1024) {
      let part = requests[start..<min(start + 1024, requests.count)]
      new += try await feed.record(
        part.map { request in
          guard let card = request.card, let answer = P.D.Answer(rawValue: request.answer) else {
            throw request.located(
              FeedError(.badInput, "a recorded swipe names its card", hint: "add \"card\""))
          }
          return RecordedSwipe(
            Swipe(
              viewer: request.viewer, card: card, answer: answer,
              event: request.event ?? EventID("\(request.viewer)/\(card)"), time: request.time))
        })
      progress.advance(by: part.count)
    }
    progress.finish()
    try context.print("\(requests.count) swipes, \(new) new")
    return .fine
  }
}
