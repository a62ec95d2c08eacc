internal import CardFeedConfiguration

/// Pieces of JSON Schema 2020-12, the dialect of OpenAPI 3.1.
enum Schema {
  static let text: JSONValue = ["type": "string"]
  static let filledText: JSONValue = ["type": "string", "minLength": 1]
  static let flag: JSONValue = ["type": "boolean"]
  static let number: JSONValue = ["type": "number"]
  static let count: JSONValue = ["type": "integer", "minimum": 0]
  static let milliseconds: JSONValue = [
    "type": "integer", "description": "Milliseconds since 1970-01-01 00:00 UTC.",
  ]
  static let anyObject: JSONValue = ["type": "object"]

  static func described(_ schema: JSONValue, _ description: String) -> JSONValue {
    var object = schema.object ?? [:]
    object["description"] = JSONValue(description)
    return JSONValue(object)
  }

  static func orNull(_ schema: JSONValue) -> JSONValue {
    ["anyOf": [schema, ["type": "null"]]]
  }

  static func list(of schema: JSONValue) -> JSONValue { ["type": "array", "items": schema] }

  static func one(of names: [String]) -> JSONValue {
    ["type": "string", "enum": JSONValue(names.map { JSONValue($0) })]
  }

  static func reference(_ name: String) -> JSONValue {
    ["$ref": JSONValue("#/components/schemas/\(name)")]
  }

  /// An object with these members and no others.
  static func object(
    _ members: KeyValuePairs<String, JSONValue>, optional: Set<String> = []
  ) -> JSONValue {
    [
      "type": "object", "additionalProperties": false,
      "required": JSONValue(
        members.map(\.key).filter { !optional.contains($0) }.map { JSONValue($0) }),
      "properties": JSONValue(JSONObject(members.map { ($0.key, $0.value) })),
    ]
  }

  /// Numbers by name.
  static let numbers: JSONValue = [
    "type": "object", "additionalProperties": ["type": ["number", "null"]],
  ]
}
