internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedHTTP
internal import CardFeedServer

extension Tool {
  var serveCommand: Command {
    Command(
      name: "serve", summary: "Serves feeds over HTTP, with a page to try them out.",
      discussion: """
        Each --config becomes a feed, under its deck's name or the NAME before the equals sign. \
        --demo serves a dating, a quiz and a product feed with made-up cards that are kept in \
        memory only. Without --tokens the service listens on a loopback address only, and anybody \
        on this machine may do everything. GET /openapi.json describes all routes. SIGINT and \
        SIGTERM stop it once it has finished what it took; a second one stops it at once.
        """,
      options: [
        .value(
          "config", short: "c", "[NAME=]FILE", "A feed configuration to serve.",
          isRepeatable: true),
        .flag("demo", "Serve three feeds with made-up cards."),
        .value("address", "ADDRESS", "The numeric address to listen on.", default: "127.0.0.1"),
        .value("port", "PORT", "The port; 0 is any free one.", default: "8080"),
        .value("tokens", "FILE", "The tokens that are taken, as 'cardfeed token' prints them."),
        .value("rate", "NUMBER", "Requests a second of each token or address; any without."),
        .value("threads", "NUMBER", "Threads that serve connections.", default: "2"),
        .value("connections", "NUMBER", "Connections at a time.", default: "4096"),
        .value("stop-after", "SECONDS", "How long stopping may take.", default: "10"),
        .flag("no-playground", "Do not serve the page."),
        .flag(
          "open-playground", "Serve the page's files without a token; the page asks for one."),
        .value("playground", "FOLDER", "Serve the page's files from a folder, to work on them."),
        .flag("log", "Write a line for each request, without identifiers."),
      ]
    ) { arguments, context in
      try await serve(arguments, context)
    }
  }

  var tokenCommand: Command {
    Command(
      name: "token", summary: "Prints a new token for 'cardfeed serve' and its line for the file.",
      discussion: """
        The first line is the token, which clients send in the header Authorization; it is kept \
        nowhere. The second is for the file of --tokens and holds only its SHA-256.
        """,
      options: [
        .value(
          "scopes", "SCOPES", "What it allows: serve, write, admin; commas between them.",
          default: "serve"),
        .value("name", "NAME", "What limits and logs call it."),
      ]
    ) { arguments, context in
      var scopes: AccessScopes = []
      for name in (arguments.value("scopes") ?? "").split(separator: ",") {
        guard let scope = AccessScopes.named(name) else {
          throw arguments.error("there is no scope '\(name)'; allowed: serve, write, admin")
        }
        scopes.insert(scope)
      }
      let name = arguments.value("name")
      if let name, name.isEmpty || name.contains(where: \.isWhitespace) {
        throw arguments.error("a name has no white space; found '\(name)'")
      }
      let made = TokenTable.newToken(scopes: scopes, name: name)
      try context.print(made.token)
      try context.print(made.line)
      return .fine
    }
  }

  private func serve(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) async throws -> ExitStatus {
    let sources = try configurations(arguments)
    guard !sources.isEmpty || arguments.flag("demo") else {
      throw arguments.error("there is nothing to serve; give --config FILE or --demo")
    }
    var limits = HTTPServerOptions()
    limits.address = arguments.value("address") ?? limits.address
    limits.port = try arguments.integer("port", in: 0...65_535) ?? limits.port
    limits.threads = try arguments.integer("threads", in: 1...256) ?? limits.threads
    limits.maximumConnections =
      try arguments.integer("connections", in: 1...1_000_000) ?? limits.maximumConnections
    let deadline = try arguments.number("stop-after", in: 0...3600) ?? 10
    let service = FeedService(options: try serviceOptions(arguments, context))
    guard arguments.value("tokens") != nil || isLoopback(limits.address) else {
      throw arguments.error(
        "'\(limits.address)' is no loopback address, and there are no tokens",
        hint: "give --tokens FILE; 'cardfeed token' makes one")
    }
    let signals = try StopSignals()
    let server = HTTPServer(options: limits, responder: service)
    let port = try server.start()
    do {
      service.serve(try await open(sources, isDemo: arguments.flag("demo")))
    } catch {
      await server.stop(deadline: 0)
      throw error
    }
    let host = limits.address.contains(":") ? "[\(limits.address)]" : limits.address
    context.note("serving on http://\(host):\(port)")
    await signals.wait()
    context.note("stopping")
    service.beginStopping()
    await server.stop(deadline: deadline)
    try await service.close()
    return .fine
  }

  private typealias Named = (name: String, source: ServedFeed.Source, FeedConfiguration)

  private func configurations(_ arguments: ParsedArguments) throws -> [Named] {
    var found: [Named] = []
    for value in arguments.values("config") {
      let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let path = String(parts[parts.count - 1])
      let configuration = try readConfiguration(path)
      let name = parts.count == 2 ? String(parts[0]) : configuration.deck
      let isPlain = name.utf8.allSatisfy { byte in
        (97...122).contains(byte | 0x20) || (48...57).contains(byte) || byte == 45 || byte == 95
      }
      guard isPlain, !name.isEmpty else {
        throw arguments.error(
          "a feed cannot be called '\(name)'; allowed: letters, digits, dashes and underscores")
      }
      guard !found.contains(where: { $0.name == name }) else {
        throw arguments.error(
          "two feeds are called '\(name)'", hint: "name one of them: --config NAME=FILE")
      }
      found.append(
        (name, ServedFeed.Source(file: path) { try FileSystem.read(path) }, configuration))
    }
    return found
  }

  private func open(_ sources: [Named], isDemo: Bool) async throws -> [ServedFeed] {
    var feeds: [ServedFeed] = []
    for (name, source, configuration) in sources {
      feeds.append(
        try await ServedFeed.open(configuration, name: name, source: source, plugins: plugins))
    }
    if isDemo {
      feeds += try await DemoFeeds.open(plugins: plugins).filter { demo in
        !feeds.contains { $0.name == demo.name }
      }
    }
    return feeds
  }

  private func serviceOptions(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> FeedService.Options {
    var options = FeedService.Options()
    options.version = Self.version
    options.tokens = try arguments.value("tokens").map {
      try TokenTable(parsing: FileSystem.read($0), file: $0)
    }
    options.requestsPerSecond = try arguments.number("rate", in: 0.001...1_000_000)
    options.servesPlayground = !arguments.flag("no-playground")
    options.opensPlayground = arguments.flag("open-playground")
    if let folder = arguments.value("playground") {
      options.pages = { name in
        name.contains("/") ? nil : try? FileSystem.read("\(folder)/\(name)")
      }
    }
    options.log = { context.note($0) }
    options.logsRequests = arguments.flag("log")
    return options
  }

  private func isLoopback(_ address: String) -> Bool {
    address == "::1" || address.hasPrefix("127.")
  }
}
