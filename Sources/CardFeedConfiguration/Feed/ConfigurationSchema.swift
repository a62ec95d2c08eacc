internal import CardFeed

/// The JSON Schema (2020-12) of feed configurations, made from the same descriptions that decode
/// them. It cannot say everything: sums of shares and `refillBelow ≤ size` are left to the decoder.
public enum ConfigurationSchema {
  /// The schema of configurations for the decks of `plugins`.
  public static func document(plugins: PluginSet) -> JSONValue {
    let decks = plugins.decks.map { deck in schema(of: deck, plugins: plugins) }
    let head: [(String, JSONValue)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"),
      ("title", "CardFeed configuration, version 1"),
    ]
    if decks.count == 1, let only = decks.first?.object {
      return JSONValue(JSONObject(head + only.members.map { ($0.key, $0.value) }))
    }
    return JSONValue(JSONObject(head + [("oneOf", JSONValue(decks))]))
  }

  private static func schema<P: DeckPlugin>(of deck: P, plugins: PluginSet) -> JSONValue {
    let strategies =
      plugins.descriptions(for: deck) + plugins.stores.map(\.description)
    var definitions: [(String, JSONValue)] = StrategyKind.allCases.map { kind in
      let options = strategies.filter { $0.kind == kind }.map(schema)
      return (kind.rawValue, ["oneOf": JSONValue(options)])
    }
    definitions.append(("hand", object(FeedConfiguration.handParameters)))
    let pipeline: [(String, JSONValue)] = [
      ("hand", reference("hand")), ("sources", list(of: .source, atLeast: 1)),
      ("filters", list(of: .filter)), ("matchProbability", reference("match-probability")),
      ("ranking", reference("ranking")), ("slate", list(of: .slateRule)),
      ("match", reference("match-rule")),
    ]
    let variant: JSONValue = [
      "type": "object", "additionalProperties": false, "required": ["name", "share"],
      "properties": [
        "name": ["type": "string", "minLength": 1],
        "share": ["type": "number", "exclusiveMinimum": 0, "maximum": 1],
        "set": [
          "type": "object", "additionalProperties": false,
          "properties": JSONValue(JSONObject(pipeline)),
        ],
      ],
    ]
    let top: [(String, JSONValue)] =
      [
        ("version", ["const": 1]), ("deck", ["const": JSONValue(P.D.name)]),
        ("store", reference("store")),
        ("seed", ["type": "integer", "minimum": 0]),
        ("sessions", ["type": "integer", "minimum": 1, "maximum": 100_000_000]),
        ("trace", object(FeedConfiguration.traceParameters)),
      ] + pipeline + [
        ("variants", ["type": "array", "items": variant]), ("salt", ["type": "string"]),
      ]
    return [
      "type": "object", "description": JSONValue(deck.summary),
      "additionalProperties": false, "required": ["version", "deck"],
      "properties": JSONValue(JSONObject(top)),
      "$defs": JSONValue(JSONObject(definitions)),
    ]
  }

  private static func reference(_ name: String) -> JSONValue {
    ["$ref": JSONValue("#/$defs/\(name)")]
  }

  private static func list(of kind: StrategyKind, atLeast least: Int = 0) -> JSONValue {
    var schema: JSONObject = ["type": "array", "items": reference(kind.rawValue)]
    if least > 0 {
      schema = JSONObject(
        schema.members.map { ($0.key, $0.value) } + [("minItems", JSONValue(least))])
    }
    return JSONValue(schema)
  }

  private static func schema(of strategy: StrategyDescription) -> JSONValue {
    object(strategy.parameters, use: strategy.use, description: strategy.summary)
  }

  private static func object(
    _ parameters: [ParameterDescription], use: String? = nil, description: String? = nil
  ) -> JSONValue {
    var properties: [(String, JSONValue)] = []
    if let use { properties.append(("use", ["const": JSONValue(use)])) }
    properties += parameters.map { ($0.name, schema(of: $0)) }
    let required = (use == nil ? [] : ["use"]) + parameters.filter(\.isRequired).map(\.name)
    var members: [(String, JSONValue)] = [("type", "object")]
    if let description { members.append(("description", JSONValue(description))) }
    members += [
      ("additionalProperties", false), ("properties", JSONValue(JSONObject(properties))),
    ]
    if !required.isEmpty {
      members.append(("required", JSONValue(required.map { JSONValue($0) })))
    }
    return JSONValue(JSONObject(members))
  }

  private static func schema(of parameter: ParameterDescription) -> JSONValue {
    var members = schema(of: parameter.kind)
    if parameter.defaultValue?.isNull == true {
      members = [("anyOf", [JSONValue(JSONObject(members)), ["type": "null"]])]
    }
    let unit = parameter.unit.map { " Unit: \($0)." } ?? ""
    members.append(("description", JSONValue(parameter.help + unit)))
    if let defaultValue = parameter.defaultValue { members.append(("default", defaultValue)) }
    return JSONValue(JSONObject(members))
  }

  private static func schema(of kind: ParameterDescription.Kind) -> [(String, JSONValue)] {
    func names(_ names: [String]) -> JSONValue { JSONValue(names.map { JSONValue($0) }) }
    switch kind {
    case .integer(let range):
      var members: [(String, JSONValue)] = [("type", "integer")]
      if range.lowerBound > .min { members.append(("minimum", JSONValue(range.lowerBound))) }
      if range.upperBound < .max { members.append(("maximum", JSONValue(range.upperBound))) }
      return members
    case .number(let range): return [("type", "number")] + bounds(range)
    case .bool: return [("type", "boolean")]
    case .text: return [("type", "string"), ("minLength", 1)]
    case .choice(let allowed): return [("enum", names(allowed))]
    case .choices(let allowed):
      return [
        ("type", "array"), ("minItems", 1), ("uniqueItems", true),
        ("items", ["enum": names(allowed)]),
      ]
    case .ascending(let range):
      let item = JSONValue(JSONObject([("type", "number")] + bounds(range)))
      return [("type", "array"), ("items", item)]
    case .weights(let allowed):
      let weight: JSONValue = ["type": "number", "not": ["const": 0]]
      guard let allowed else {
        return [("type", "object"), ("minProperties", 1), ("additionalProperties", weight)]
      }
      return [
        ("type", "object"), ("minProperties", 1), ("additionalProperties", false),
        ("properties", JSONValue(JSONObject(allowed.map { ($0, weight) }))),
      ]
    case .strategy(let kind): return [("$ref", JSONValue("#/$defs/\(kind.rawValue)"))]
    }
  }

  private static func bounds(_ range: ClosedRange<Double>) -> [(String, JSONValue)] {
    let greatest = Double.greatestFiniteMagnitude
    var members: [(String, JSONValue)] = []
    switch range.lowerBound {
    case -greatest: break
    case Double.leastNonzeroMagnitude: members.append(("exclusiveMinimum", 0))
    case let low: members.append(("minimum", JSONValue(orNull: low)))
    }
    if range.upperBound < greatest {
      members.append(("maximum", JSONValue(orNull: range.upperBound)))
    }
    return members
  }
}
