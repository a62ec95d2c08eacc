internal import CardFeedConfiguration
internal import CardFeedHTTP

/// The description of the service in OpenAPI 3.1, made from the table by which it routes.
struct OpenAPIDocument {
  let routes: [Route]
  let version: String

  var value: JSONValue {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "CardFeed", "version": JSONValue(version),
        "description": "Deals cards: hands, swipes, rewinds and matches of viewers.",
        "license": ["name": "Apache License 2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": "/"]],
      "paths": JSONValue(JSONObject(paths)),
      "components": [
        "schemas": JSONValue(JSONObject(Schema.components.map { ($0.name, $0.schema) })),
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
      ],
    ]
  }

  private var paths: [(String, JSONValue)] {
    var order: [String] = []
    var items: [String: JSONObject] = [:]
    for route in routes {
      if items[route.path] == nil { order.append(route.path) }
      items[route.path, default: [:]][route.method.rawValue.lowercased()] = operation(route)
    }
    return order.map { ($0, JSONValue(items[$0] ?? [:])) }
  }

  private func operation(_ route: Route) -> JSONValue {
    var operation: JSONObject = [
      "operationId": JSONValue(route.name), "summary": JSONValue(route.summary),
    ]
    if !route.discussion.isEmpty { operation["description"] = JSONValue(route.discussion) }
    let parameters = pathParameters(route) + route.parameters.map(parameter)
    if !parameters.isEmpty { operation["parameters"] = JSONValue(parameters) }
    if let body = route.body {
      operation["requestBody"] = [
        "required": true,
        "content": JSONValue(
          JSONObject(body.types.map { ($0, ["schema": body.schema] as JSONValue) })),
      ]
    }
    operation["responses"] = responses(route)
    operation["security"] =
      route.scope.map { scope in
        // Without tokens a service on loopback asks for none.
        [["token": JSONValue(scope.names.map { JSONValue($0) })], [:]]
      } ?? []
    return JSONValue(operation)
  }

  private func pathParameters(_ route: Route) -> [JSONValue] {
    route.parameterNames.map { name in
      [
        "name": JSONValue(name), "in": "path", "required": true,
        "schema": Schema.filledText,
      ]
    }
  }

  private func parameter(_ parameter: Route.Parameter) -> JSONValue {
    [
      "name": JSONValue(parameter.name), "in": JSONValue(parameter.place.rawValue),
      "required": JSONValue(parameter.isRequired),
      "description": JSONValue(parameter.description), "schema": parameter.schema,
    ]
  }

  private func responses(_ route: Route) -> JSONValue {
    var responses: JSONObject = [:]
    for answer in route.answers {
      var response: JSONObject = ["description": JSONValue(answer.description)]
      if !answer.type.isEmpty {
        let schema: JSONValue = ["schema": answer.schema ?? Schema.text]
        response["content"] = JSONValue(JSONObject([(answer.type, schema)]))
      }
      responses["\(answer.status)"] = JSONValue(response)
    }
    let kinds = Dictionary(grouping: route.allProblems, by: \.status)
    for status in kinds.keys.sorted() where responses["\(status)"] == nil {
      let titles = kinds[status, default: []].map { "\($0.title) (`\($0.rawValue)`)." }
      responses["\(status)"] = problem(titles.joined(separator: " "))
    }
    return JSONValue(responses)
  }

  private func problem(_ description: String) -> JSONValue {
    [
      "description": JSONValue(description),
      "content": ["application/problem+json": ["schema": Schema.reference("Problem")]],
    ]
  }
}
