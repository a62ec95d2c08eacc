internal import CardFeedConfiguration
internal import CardFeedHTTP
internal import CardFeedLayout

extension FeedService {
  /// Everything that is served, in the order of the description.
  static func routes(_ options: Options) -> [Route] {
    let page = options.servesPlayground ? playgroundRoutes(isOpen: options.opensPlayground) : []
    return serviceRoutes + page + listRoutes + viewerRoutes + personRoutes
      + cardRoutes(limit: options.bodyLimit) + configurationRoutes(limit: options.bodyLimit)
  }

  static func ok(_ schema: JSONValue, _ description: String = "Done.") -> [Route.Answer] {
    [Route.Answer(status: 200, description: description, schema: schema)]
  }

  private static var serviceRoutes: [Route] {
    [
      Route(
        .get, "/healthz", name: "getHealth", scope: nil, summary: "Whether the process answers.",
        answers: ok(Schema.object(["status": Schema.one(of: ["ok"])]))
      ) { _, _ in .json(["status": "ok"]) },
      Route(
        .get, "/readyz", name: "getReadiness", scope: .serve,
        summary: "Whether feeds are open; 503 while the service opens or stops.",
        answers: ok(Schema.object(["status": Schema.one(of: ["ready"])])),
        problems: [.unavailable]
      ) { service, _ in
        guard service.isReady else {
          throw Problem(.unavailable, "the service opens or stops").retrying(after: 1)
        }
        return .json(["status": "ready"])
      },
      Route(
        .get, "/metrics", name: "getMetrics", scope: .serve,
        summary: "Counts in the text format of Prometheus.",
        answers: [
          Route.Answer(
            status: 200, description: "Metrics.", type: "text/plain; version=0.0.4", schema: nil)
        ]
      ) { service, _ in
        let text = service.metrics.text(feeds: service.feeds, isReady: service.isReady)
        return HTTPResponse(
          status: 200,
          headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
          body: .bytes(Array(text.utf8)))
      },
      Route(
        .get, "/openapi.json", name: "getDescription", scope: .serve,
        summary: "This description, in OpenAPI 3.1.", answers: ok(Schema.anyObject)
      ) { service, _ in .json(service.description) },
    ]
  }

  private static var listRoutes: [Route] {
    [
      Route(
        .get, "/v1/feeds", name: "listFeeds", scope: .serve, summary: "The feeds that are served.",
        answers: ok(Schema.object(["feeds": Schema.list(of: Schema.reference("Feed"))]))
      ) { service, _ in
        let feeds = service.feeds.map {
          $0.operations.information(named: $0.name, viewers: $0.exampleViewers)
        }
        return .json(["feeds": JSONValue(feeds)])
      },
      Route(
        .get, "/v1/layouts", name: "listLayouts", scope: .serve,
        summary: "How a stack of cards is drawn and moved, by preset.",
        answers: ok(Schema.object(["layouts": Schema.list(of: Schema.reference("Layout"))]))
      ) { _, _ in
        .json(["layouts": JSONValue(LayoutPreset.all.map { LayoutDocument($0).json })])
      },
    ]
  }
}
