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
        same event gives the same receipt. With --recorded the swipes happened elsewhere: hands \
        need not hold the cards, "time" may say when, in milliseconds since 1970, and only their \
        number is written. The result is applied, repeated, \
        stale (not the top card), empty (no card left), or over-quota with "until", when the quota \
        ends, in milliseconds since 1970.
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
        .flag("recorded", "Record swipes of --from that happened elsewhere, in order."),
      ]
    ) { arguments, context in
      let configuration = try readConfiguration(arguments.value("config") ?? "")
      let requests = try requests(arguments)
      if arguments.flag("recorded") {
        guard arguments.value("from") != nil else {
          throw arguments.error("--recorded needs the swipes --from a file")
        }
        let work = RecordAll(
          requests: requests, cards: arguments.value("cards"), context: context)
        return try await withFeed(configuration, work)
      }
      if let timed = requests.first(where: { $0.time != nil }), let place = timed.place {
        throw FeedError(
          .badInput, "\(place): a swipe with a \"time\" happened elsewhere; nothing was swiped",
          hint: "give --recorded, or leave the time out")
      }
      let tasks = try arguments.integer("tasks", in: 1...1024) ?? 1
      let work = SwipeAll(
        requests: requests, tasks: tasks, cards: arguments.value("cards"), context: context)
      return try await withFeed(configuration, work)
    }
  }

  private func requests(_ arguments: ParsedArguments) throws -> [SwipeRequest] {
    if let path = arguments.value("from") {
      let others = ["viewer", "card", "answer", "event"].filter { arguments.value($0) != nil }
      guard others.isEmpty else {
        throw arguments.error(
          "--from cannot be used with " + others.map { "--\($0)" }.joined(separator: ", "))
      }
      return try SwipeRequest.requests(in: FileSystem.read(path), path)
    }
    guard let viewer = arguments.value("viewer"), let answer = arguments.value("answer") else {
      throw arguments.error("a swipe needs --viewer and --answer, or many come --from a file")
    }
    return [
      SwipeRequest(
        viewer: ViewerID(viewer), card: arguments.value("card").map { CardID($0) },
        answer: answer, event: arguments.value("event").map { EventID($0) })
    ]
  }

  private struct SwipeAll: FeedTask {
    typealias Outcome = ExitStatus

    let requests: [SwipeRequest]
    let tasks: Int
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
      // A viewer's swipes stay in order because they all go to one task.
      var lanes = Array(repeating: [SwipeRequest](), count: tasks)
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
              do {
                let isApplied = try await swipe(request, feed, deck: deck)
                allApplied = isApplied && allApplied
              } catch let error as FeedError {
                throw request.located(error)
              }
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
      _ request: SwipeRequest, _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
    ) async throws -> Bool {
      guard let answer = P.D.Answer(rawValue: request.answer) else {
        preconditionFailure("The answers of all swipes are checked before the first is applied.")
      }
      // Nobody else asks for hands here: without this, cards beyond the first hand never come.
      let top = try await feed.hand(for: request.viewer).cards.first?.id
      let card = request.card ?? top
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
      case .overQuota(let quota, _):
        try report("over-quota", request, card: card, until: quota.end)
        return false
      }
      return true
    }

    private func report(
      _ result: String, _ request: SwipeRequest, card: CardID?, _ receipt: SwipeReceipt? = nil,
      until end: Timestamp? = nil
    ) throws {
      var line: JSONObject = [
        "result": JSONValue(result), "viewer": JSONValue("\(request.viewer)"),
        "card": card.map { JSONValue("\($0)") } ?? .null,
        "event": receipt.map { JSONValue($0.event.rawValue) } ?? .null,
        "match": receipt?.match.map { JSONValue($0.rawValue) } ?? .null,
        "remaining": receipt.map { JSONValue($0.remaining) } ?? .null,
      ]
      if let end { line["until"] = JSONValue(end.milliseconds) }
      try context.write(JSONValue(line), pretty: false)
    }
  }
}
