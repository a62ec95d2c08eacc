internal import CardFeed
internal import CardFeedConfiguration

extension Tool {
  var swipeCommand: Command {
    Command(
      name: "swipe", summary: "Applies a viewer's answer to the top card, or many from a file.",
      discussion: """
        One swipe needs --viewer and --answer; without --card the top card is meant, without \
        --event an id is made of viewer and card. With --from, swipes are read one JSON object a \
        line: {"viewer", "answer", "card", "event"}, the last two as optional as above. Each line \
        of the answer is written when its swipe is durable. Sending a swipe again is safe: the \
        same event gives the same receipt.
        """,
      options: [
        Self.configuration, .value("viewer", "ID", "Who swipes."),
        .value("card", "ID", "The card; the top card without."),
        .value("answer", "ANSWER", "The answer, as the deck calls it."),
        .value("event", "ID", "The identity of this swipe."),
        .value("from", "FILE", "Swipes, one JSON object a line; - is standard input."),
        .value("cards", "FILE", "Cards to put into the deck first."),
        .value(
          "tasks", "NUMBER", "Swipes of --from applied at a time, each viewer's in order.",
          default: "1"),
      ]
    ) { arguments, context in
      let configuration = try readConfiguration(arguments.value("config") ?? "")
      let requests = try requests(arguments)
      return try await withFeed(
        configuration, SwipeAll(requests: requests, arguments: arguments, context: context))
    }
  }

  /// A swipe as it was asked for.
  private struct Request: Sendable {
    let viewer: ViewerID
    let card: CardID?
    let answer: String
    let event: EventID?
  }

  private func requests(_ arguments: ParsedArguments) throws -> [Request] {
    if let path = arguments.value("from") {
      guard arguments.value("viewer") == nil, arguments.value("answer") == nil else {
        throw arguments.error("--from cannot be used with --viewer or --answer")
      }
      return try requests(in: FileSystem.read(path), path)
    }
    guard let viewer = arguments.value("viewer"), let answer = arguments.value("answer") else {
      throw arguments.error("a swipe needs --viewer and --answer, or many come --from a file")
    }
    return [
      Request(
        viewer: ViewerID(viewer), card: arguments.value("card").map { CardID($0) },
        answer: answer, event: arguments.value("event").map { EventID($0) })
    ]
  }

  private func requests(in bytes: [UInt8], _ path: String) throws -> [Request] {
    var requests: [Request] = []
    for (index, line) in bytes.split(separator: 0x0a).enumerated() {
      func fault(_ message: String) -> FeedError {
        FeedError(.badInput, "\(path), line \(index + 1): \(message); nothing was swiped")
      }
      let value: JSONValue
      do {
        value = try JSONDocument(parsing: Array(line)).root
      } catch {
        throw fault("\(error)")
      }
      guard let viewer = value["viewer"]?.string, let answer = value["answer"]?.string else {
        throw fault("a swipe needs the texts \"viewer\" and \"answer\"")
      }
      requests.append(
        Request(
          viewer: ViewerID(viewer), card: value["card"]?.string.map { CardID($0) },
          answer: answer, event: value["event"]?.string.map { EventID($0) }))
    }
    return requests
  }

  private struct SwipeAll: FeedTask {
    typealias Outcome = ExitStatus

    let requests: [Request]
    let arguments: ParsedArguments
    let context: CommandContext

    func run<P: DeckPlugin, Store: FeedStore>(
      _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
    ) async throws -> ExitStatus {
      if let path = arguments.value("cards") {
        let count = try await feed.importCards(from: path, deck: deck, context)
        context.note("\(count) cards from \(path)")
      }
      let tasks = try arguments.integer("tasks", in: 1...1024) ?? 1
      // A viewer's swipes stay in order because they all go to one task.
      var lanes = Array(repeating: [Request](), count: tasks)
      for request in requests {
        var hash = StableHash()
        hash.combine(request.viewer.bytes)
        lanes[Int(hash.value % UInt64(tasks))].append(request)
      }
      let progress = ProgressReporter("swipes", total: requests.count, context: context)
      let allApplied = try await withThrowingTaskGroup(of: Bool.self) { group in
        for lane in lanes where !lane.isEmpty {
          group.addTask {
            var allApplied = true
            for request in lane {
              let isApplied = try await swipe(request, feed, deck: deck)
              allApplied = isApplied && allApplied
              progress.advance()
            }
            return allApplied
          }
        }
        var all = true
        for try await one in group { all = one && all }
        return all
      }
      progress.finish()
      return allApplied ? .fine : .negativeResult
    }

    /// Applies one swipe and says what became of it. Returns whether it counts.
    private func swipe<P: DeckPlugin, Store: FeedStore>(
      _ request: Request, _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
    ) async throws -> Bool {
      guard let answer = P.D.Answer(rawValue: request.answer) else {
        let allowed = P.D.Answer.allCases.map(\.rawValue).joined(separator: ", ")
        throw FeedError(
          .badInput,
          "the deck '\(P.D.name)' has no answer '\(request.answer)'; "
            + "allowed: \(allowed)")
      }
      var card = request.card
      if card == nil { card = try await feed.hand(for: request.viewer).cards.first?.id }
      guard let card else {
        try report("empty", request, card: nil)
        return false
      }
      let outcome = try await feed.swipe(
        Swipe(
          viewer: request.viewer, card: card, answer: answer,
          event: request.event ?? EventID("\(request.viewer)/\(card)")))
      switch outcome {
      case .applied(let receipt, _): try report("applied", request, card: card, receipt)
      case .repeated(let receipt): try report("repeated", request, card: card, receipt)
      case .stale:
        try report("stale", request, card: card)
        return false
      }
      return true
    }

    private func report(
      _ result: String, _ request: Request, card: CardID?, _ receipt: SwipeReceipt? = nil
    ) throws {
      try context.write(
        [
          "result": JSONValue(result), "viewer": JSONValue("\(request.viewer)"),
          "card": card.map { JSONValue("\($0)") } ?? .null,
          "event": receipt.map { JSONValue($0.event.rawValue) } ?? .null,
          "match": receipt?.match.map { JSONValue($0.rawValue) } ?? .null,
          "remaining": receipt.map { JSONValue($0.remaining) } ?? .null,
        ], pretty: false)
    }
  }
}
