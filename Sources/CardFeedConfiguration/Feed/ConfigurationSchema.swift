internal import CardFeed

/// The JSON Schema (2020-12) of feed configurations, made from the same descriptions that decode
/// them.
///
/// It accepts what the decoder accepts, and more, since it cannot say everything. Left to the
/// decoder: a key that stands twice in one object, `refillBelow` greater than `size`, a filter that
/// stands twice with the same parameters, shares of variants that add up to more than 1, two
/// variants of one name, and lists of numbers that do not ascend. Left to the building of the feed:
/// names of columns and terms, and strategies that need something of the host program.
public enum ConfigurationSchema {
  /// The schema of configurations for the decks of `plugins`.
  public static func document(plugins: PluginSet) -> JSONValue {
    let decks = plugins.decks.map { deck in DeckSchema(deck, plugins: plugins) }
    var members: [(String, JSONValue)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"),
      ("title", "CardFeed configuration, version 1"),
    ]
    if decks.count == 1, let only = decks.first {
      members += only.members
    } else {
      members.append(("oneOf", JSONValue(decks.map { JSONValue(JSONObject($0.members)) })))
    }
    members.append(("$defs", JSONValue(JSONObject(decks.flatMap(\.definitions)))))
    return JSONValue(JSONObject(members))
  }
}

/// The schema of one deck's configurations.
private struct DeckSchema {
  /// The schema without its definitions.
  private(set) var members: [(String, JSONValue)] = []
  /// What the schema refers to; they stand at the root of the document, so each name begins with
  /// the deck's.
  private(set) var definitions: [(String, JSONValue)] = []
  private let prefix: String

  init<P: DeckPlugin>(_ deck: P, plugins: PluginSet) {
    prefix = P.D.name + "."
    let strategies =
      plugins.descriptions(for: deck) + plugins.stores.map(\.description)
    definitions = StrategyKind.allCases.map { kind in
      let options = strategies.filter { $0.kind == kind }.map(schema)
      return (prefix + kind.rawValue, ["oneOf": JSONValue(options)])
    }
    definitions.append((prefix + "hand", object(FeedConfiguration.handParameters)))
    let pipeline: [(String, JSONValue)] = [
      ("hand", reference("hand")), ("sources", list(of: .source, atLeast: 1)),
      ("filters", list(of: .filter)), ("matchProbability", reference("match-probability")),
      ("ranking", reference("ranking")), ("slate", list(of: .slateRule)),
      ("match", reference("match-rule")), ("quotas", list(of: .quota)),
    ]
    let set: JSONValue = [
      "type": "object", "additionalProperties": false,
      "properties": JSONValue(JSONObject(pipeline)),
    ]
    let variant = object(FeedConfiguration.variantParameters, others: [("set", set)])
    let top: [(String, JSONValue)] =
      [
        ("version", ["const": 1]), ("deck", ["const": JSONValue(P.D.name)]),
        ("store", reference("store")),
      ] + FeedConfiguration.optionParameters.map { ($0.name, schema(of: $0)) } + [
        ("trace", object(FeedConfiguration.traceParameters))
      ] + pipeline + [
        ("variants", ["type": "array", "items": variant]), ("salt", ["type": "string"]),
      ]
    members = [
      ("type", "object"), ("description", JSONValue(deck.summary)),
      ("additionalProperties", false), ("required", ["version", "deck"]),
      ("properties", JSONValue(JSONObject(top))),
    ]
  }

  private func reference(_ name: String) -> JSONValue {
    ["$ref": JSONValue("#/$defs/\(prefix)\(name)")]
  }

  private func list(of kind: StrategyKind, atLeast least: Int = 0) -> JSONValue {
    var schema: JSONObject = ["type": "array", "items": reference(kind.rawValue)]
    if least > 0 {
      schema = JSONObject(
        schema.members.map { ($0.key, $0.value) } + [("minItems", JSONValue(least))])
    }
    return JSONValue(schema)
  }

  private func schema(of strategy: StrategyDescription) -> JSONValue {
    object(strategy.parameters, use: strategy.use, description: strategy.summary)
  }

  private func object(
    _ parameters: [ParameterDescription], use: String? = nil, description: String? = nil,
    others: [(String, JSONValue)] = []
  ) -> JSONValue {
    var properties: [(String, JSONValue)] = []
    if let use { properties.append(("use", ["const": JSONValue(use)])) }
    properties += parameters.map { ($0.name, schema(of: $0)) } + others
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

  private func schema(of parameter: ParameterDescription) -> JSONValue {
    var members = schema(of: parameter.kind)
    if parameter.defaultValue?.isNull == true {
      members = [("anyOf", [JSONValue(JSONObject(members)), ["type": "null"]])]
    }
    let unit = parameter.unit.map { " Unit: \($0)." } ?? ""
    members.append(("description", JSONValue(parameter.help + unit)))
    if let defaultValue = parameter.defaultValue { members.append(("default", defaultValue)) }
    return JSONValue(JSONObject(members))
  }

  private func schema(of kind: ParameterDescription.Kind) -> [(String, JSONValue)] {
    func names(_ names: [String]) -> JSONValue { JSONValue(names.map { JSONValue($0) }) }
    switch kind {
    case .integer(let range):
      var members: [(String, JSONValue)] = [("type", "integer")]
      if range.lowerBound > .min { members.append(("minimum", JSONValue(range.lowerBound))) }
      if range != .min ... .max { members.append(("maximum", JSONValue(range.upperBound))) }
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
    case .names:
      return [
        ("type", "array"), ("uniqueItems", true), ("items", ["type": "string", "minLength": 1]),
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
    case .strategy(let kind): return [("$ref", JSONValue("#/$defs/\(prefix)\(kind.rawValue)"))]
    }
  }

  private func bounds(_ range: ClosedRange<Double>) -> [(String, JSONValue)] {
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
