internal import CardFeed
internal import CardFeedConfiguration

extension Tool {
  var dealCommand: Command {
    Command(
      name: "deal", summary: "Shows a viewer's hand, each card with its reason.",
      discussion: """
        The hand is kept in the store of the configuration: asking again shows the same cards \
        until the viewer swipes. With --cards the deck is filled from a file first, a JSON array \
        or one record a line. With --explain one card's place is explained instead, whether it is \
        in the hand or not.
        """,
      options: [
        Self.configuration, Self.viewer,
        .value("cards", "FILE", "Cards to put into the deck first."),
        .value("explain", "ID", "Explain why this card is dealt or not."), Self.textOrJSON,
      ]
    ) { arguments, context in
      let configuration = try readConfiguration(arguments.value("config") ?? "")
      return try await withFeed(
        configuration, Deal(arguments: arguments, context: context))
    }
  }

  private struct Deal: FeedTask {
    typealias Outcome = ExitStatus

    let arguments: ParsedArguments
    let context: CommandContext

    func run<P: DeckPlugin, Store: FeedStore>(
      _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
    ) async throws -> ExitStatus {
      if let path = arguments.value("cards") {
        let count = try await feed.importCards(from: path, deck: deck, context)
        context.note("\(count) cards from \(path)")
      }
      let viewer = ViewerID(arguments.value("viewer") ?? "")
      if let card = arguments.value("explain") {
        let explanation = try await feed.explain(CardID(card), for: viewer)
        if arguments.value("format") == "json" {
          try context.write([
            "card": JSONValue(card), "explanation": JSONValue(Explanations.text(explanation)),
          ])
        } else {
          try context.print("\(card): \(Explanations.text(explanation))")
        }
        return .fine
      }
      let hand = try await feed.hand(for: viewer)
      if arguments.value("format") == "json" {
        try context.write(json(hand, deck: deck))
      } else {
        try write(hand, viewer: viewer)
      }
      return .fine
    }

    private func write<Card>(_ hand: Hand<Card>, viewer: ViewerID) throws {
      var table = TextTable(["place", "card", "P(match)", "score", "propensity", "reason"])
      for (place, card) in hand.cards.enumerated() {
        table.append([
          .integer(place + 1), .text("\(card.id)"),
          .optional(card.reason.estimate.match?.value, decimals: 4),
          .optional(card.reason.score.value, decimals: 4),
          .number(card.reason.propensity, decimals: 4),
          .text(Explanations.text(card.reason)),
        ])
      }
      try context.print("hand of \(viewer)")
      try context.write(table, format: "text")
      if let shortfall = hand.shortfall {
        try context.print("fewer cards than wanted: \(Explanations.text(shortfall))")
      }
      for degradation in hand.degradations {
        try context.print("left out: \(Explanations.text(degradation))")
      }
    }

    private func json<P: DeckPlugin>(_ hand: Hand<P.D.Card>, deck: P) -> JSONValue {
      let cards = hand.cards.map { card in
        [
          "card": deck.json(of: card.card), "deal": JSONValue(card.deal.rawValue),
          "reason": Explanations.json(card.reason),
        ] as JSONValue
      }
      return [
        "cards": JSONValue(cards),
        "shortfall": hand.shortfall.map { JSONValue(Explanations.text($0)) } ?? .null,
        "degradations": JSONValue(
          hand.degradations.map { JSONValue(Explanations.text($0)) }),
      ]
    }
  }
}
