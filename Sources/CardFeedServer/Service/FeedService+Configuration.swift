internal import CardFeedConfiguration
internal import CardFeedHTTP

extension FeedService {
  private static let path = "/v1/feeds/{feed}"

  /// Configurations and what they can ask for.
  static func configurationRoutes(limit: Int) -> [Route] {
    let body = Route.Body.json(Schema.anyObject, limit: limit)
    let swapped = ok(Schema.object(["fingerprint": Schema.text]))
    return [
      Route(
        .get, path + "/config", name: "getConfiguration", scope: .admin,
        summary: "The feed's configuration with every default spelled out.",
        answers: ok(Schema.anyObject)
      ) { service, call in
        .json(try service.feed(of: call).operations.configuration.effective)
      },
      Route(
        .post, path + "/config/check", name: "checkConfiguration", scope: .admin,
        summary: "Names everything that is wrong with a configuration; nothing changes.",
        body: body,
        answers: ok(
          Schema.object([
            "ok": Schema.flag, "fingerprint": Schema.orNull(Schema.text),
            "problems": Schema.list(of: Schema.reference("ConfigurationProblem")),
          ]))
      ) { service, call in
        let feed = try service.feed(of: call)
        var fingerprint: String?
        var problems: [ConfigurationProblem] = []
        do throws(ConfigurationError) {
          fingerprint = try feed.operations.check(call.bytes, file: "the body").fingerprint
        } catch {
          problems = error.problems
        }
        return .json([
          "ok": JSONValue(problems.isEmpty),
          "fingerprint": fingerprint.map { JSONValue($0) } ?? .null,
          "problems": JSONValue(problems.map(\.json)),
        ])
      },
      Route(
        .put, path + "/config", name: "putConfiguration", scope: .admin,
        summary: "Checks a configuration and swaps the running pipelines for its own.",
        discussion: "The file stays as it is. Deck, store, seed, sessions and trace cannot change "
          + "while the feed is open. Hands keep the cards they have.",
        body: body, answers: swapped
      ) { service, call in
        let feed = try service.feed(of: call)
        return try await feed.swap(to: call.bytes, file: "the body")
      },
      Route(
        .post, path + "/config/reload", name: "reloadConfiguration", scope: .admin,
        summary: "Reads the configuration's file again and swaps the running pipelines.",
        answers: swapped, problems: [.unprocessable]
      ) { service, call in
        let feed = try service.feed(of: call)
        guard let source = feed.source else {
          throw Problem(.unprocessable, "the feed's configuration did not come from a file")
        }
        let text: [UInt8]
        do { text = try source.read() } catch {
          throw Problem(
            .unprocessable, "the file of the configuration cannot be read; nothing was changed")
        }
        return try await feed.swap(to: text, file: source.file)
      },
      Route(
        .get, path + "/strategies", name: "listStrategies", scope: .serve,
        summary: "What a configuration of this feed can ask for.",
        parameters: [
          Route.Parameter(
            name: "stage", place: .query, description: "Only strategies of this kind.",
            schema: Schema.one(of: StrategyKind.allCases.map(\.rawValue)))
        ],
        answers: ok(
          Schema.object(["strategies": Schema.list(of: Schema.reference("Strategy"))]))
      ) { service, call in
        let feed = try service.feed(of: call)
        let stage = call.query("stage")
        let names = StrategyKind.allCases.map(\.rawValue)
        guard stage.map(names.contains) ?? true else {
          throw Problem(
            .badRequest, "there is no such stage; allowed: \(names.joined(separator: ", "))")
        }
        let found = feed.operations.strategies.filter { stage == nil || $0.kind.rawValue == stage }
        return .json(["strategies": JSONValue(found.map(\.json))])
      },
    ]
  }
}

extension ServedFeed {
  fileprivate func swap(to text: [UInt8], file: String) async throws -> HTTPResponse {
    let configuration = try operations.check(text, file: file)
    try await operations.reload(configuration)
    return .json(["fingerprint": JSONValue(configuration.fingerprint)])
  }
}

extension StrategyDescription {
  fileprivate var json: JSONValue {
    [
      "name": JSONValue(use), "stage": JSONValue(kind.rawValue), "summary": JSONValue(summary),
      "discussion": JSONValue(discussion),
      "parameters": JSONValue(
        parameters.map { parameter in
          [
            "name": JSONValue(parameter.name), "allowed": JSONValue(parameter.kind.allowed),
            "unit": parameter.unit.map { JSONValue($0) } ?? .null,
            "required": JSONValue(parameter.isRequired),
            "default": parameter.defaultValue ?? .null, "help": JSONValue(parameter.help),
          ]
        }),
    ]
  }
}
