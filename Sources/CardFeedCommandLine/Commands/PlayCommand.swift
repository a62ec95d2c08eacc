internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedLayout
internal import CardFeedServer
internal import CardFeedTerminal
internal import Glibc

extension Tool {
  var playCommand: Command {
    Command(
      name: "play", summary: "Swipes a viewer's cards in the terminal.",
      discussion: """
        Arrows and letters give the deck's answers: right and left those for and against a card, the \
        legend names the rest. Z takes the last swipe back, ? says why the card is there, M lists the \
        matches, space turns a card that has a back, Q or Escape ends. A swipe is durable before its \
        card is gone; one that is refused springs back. Each card that is shown counts as seen.

        Cards lie and move by the numbers of a layout. They do not move on a slow line, or with \
        --no-animation. Colours are left out where NO_COLOR is set. A terminal that cannot move its \
        cursor (TERM=dumb) gets lines. Without a terminal use 'cardfeed deal' and 'cardfeed swipe'.

        With --demo instead of --config the deck's cards are made up and kept in memory only.
        """,
      options: [
        .value("config", short: "c", "FILE", "The feed configuration."),
        .value("demo", "DECK", "Made-up cards of a deck.", allowed: DemoFeeds.decks),
        .value("viewer", "ID", "Who looks at the cards; 'demo' with --demo."),
        .value("cards", "FILE", "Cards to put into the deck first."),
        .value(
          "layout", "NAME", "How the pile is drawn.", default: LayoutPreset.stackOfThree.name,
          allowed: LayoutPreset.all.map(\.name)),
        .value(
          "colour", "WHEN", "Whether colours are used.", default: "auto",
          allowed: ["auto", "always", "never"]),
        .flag("no-animation", "Cards do not move."),
      ]
    ) { arguments, context in
      let demo = arguments.value("demo")
      let path = arguments.value("config")
      guard (demo == nil) != (path == nil) else {
        throw arguments.error("give either --config FILE or --demo DECK")
      }
      guard let viewer = arguments.value("viewer") ?? demo.map({ _ in "demo" }) else {
        throw arguments.error("--config needs --viewer ID")
      }
      try Play.requireTerminal()
      let configuration =
        try demo.map { try DemoFeeds.configuration(of: $0, plugins: plugins) }
        ?? readConfiguration(path ?? "")
      return try await withFeed(
        configuration,
        Play(
          viewer: ViewerID(viewer), isDemo: demo != nil, cards: arguments.value("cards"),
          style: PlayStyle(arguments), context: context))
    }
  }
}

/// How the terminal wants to be drawn on, by the arguments and the environment.
struct PlayStyle: Sendable {
  var layout: LayoutPreset
  var characters: TerminalCharacters
  var isAnimated: Bool
  var drawing: PlayLoop.Style

  init(_ arguments: ParsedArguments) {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let terminal = variable("TERM") ?? ""
    let canDraw = !["", "dumb", "unknown"].contains(terminal)
    let wantsColour =
      switch arguments.value("colour") {
      case "always": true
      case "never": false
      // https://no-color.org: set to anything but nothing.
      default: (variable("NO_COLOR") ?? "").isEmpty
      }
    layout = arguments.value("layout").flatMap(LayoutPreset.named) ?? .stackOfThree
    characters = TerminalCharacters(environment: variable)
    isAnimated = canDraw && !arguments.flag("no-animation")
    drawing = PlayLoop.Style(canDraw: canDraw, hasColour: canDraw && wantsColour)
  }
}

/// Swipes one viewer's cards until the person at the terminal has enough.
struct Play: FeedTask {
  typealias Outcome = ExitStatus

  let viewer: ViewerID
  let isDemo: Bool
  let cards: String?
  let style: PlayStyle
  let context: CommandContext

  /// Throws where keys and frames have no terminal.
  static func requireTerminal() throws(FeedError) {
    let missing = [(STDIN_FILENO, "standard input"), (STDOUT_FILENO, "standard output")]
      .filter { isatty($0.0) != 1 }.map(\.1)
    guard missing.isEmpty else {
      throw FeedError(
        .badInput, "play needs a terminal; found none at " + missing.joined(separator: " and "),
        hint: "in a pipe, 'cardfeed deal' shows the hand and 'cardfeed swipe' answers its cards")
    }
  }

  func run<P: DeckPlugin, Store: FeedStore>(
    _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
  ) async throws -> ExitStatus {
    if isDemo { try await DemoFeeds.fill(feed, deck: deck, for: viewer) }
    if let cards {
      let count = try await feed.importCards(from: cards, deck: deck, context)
      context.note("\(count) cards from \(cards)")
    }
    let session = PlaySession(
      PlaySession.Setting(
        deck: P.D.name, isMutual: deck.deck.policy.isMutual,
        answers: PlayAnswers(
          P.D.Answer.allCases.map { ($0.rawValue, deck.deck.meaning(of: $0)) }),
        viewer: viewer.description, layout: style.layout, characters: style.characters,
        isAnimated: style.isAnimated),
      size: TerminalSize(columns: 80, rows: 24))
    let (effects, continuation) = AsyncStream.makeStream(of: PlayEffect.self)
    let loop = try PlayLoop(session, style: style.drawing, effects: continuation)
    try loop.start()
    let run = "play-" + String(UInt64.random(in: .min ... .max), radix: 36)
    let dealer = PlayDealer(feed: feed, deck: deck, viewer: viewer, run: run)
    var tally = PlayTally()
    // What was asked for before the end is done, so that no swipe is lost that was seen to go.
    for await effect in effects {
      let report = await dealer.report(on: effect)
      tally.count(report)
      loop.post(report)
    }
    switch loop.join() {
    case .quit: break
    case .failed(let error): throw error
    }
    try context.print("\(viewer): \(tally)")
    return .fine
  }
}
