import CardFeedConfiguration
import CardFeedHTTP
import Testing

@testable import CardFeedServer

/// Checks answers against the description of the service, as a generated client would understand it.
struct AnswerCheck {
  private let document: JSONValue
  private let table: RouteTable

  init(_ service: FeedService) throws {
    document = try JSONDocument(parsing: service.description).root
    table = service.table
  }

  /// Checks one answer.
  ///
  /// - Returns: The name of the operation; nil where there is none.
  func callAsFunction(
    _ method: HTTPMethod, _ target: String, _ answer: ServiceAnswer
  ) throws -> String? {
    let path = String(target.split(separator: "?")[0])
    guard case .route(let index, _) = table.match(method, path) else {
      // What has no route is a problem all the same.
      #expect(faults(in: try answer.json, Schema.reference("Problem")) == [])
      return nil
    }
    let route = table.routes[index]
    let operation = document["paths"]?[route.path]?[route.method.rawValue.lowercased()]
    let responses = try #require(operation?["responses"], "\(route.name) is not described")
    let response = try #require(
      responses["\(answer.status)"], "\(route.name) does not describe \(answer.status)")
    guard let content = response["content"]?.object?.members.first else {
      #expect(answer.bytes.isEmpty)
      return route.name
    }
    if answer.status != 200 || route.name != "getPageFile" {
      let type = try #require(answer.headers["content-type"])
      #expect(type.hasPrefix(content.key.prefix { $0 != ";" }), "\(route.name)")
    }
    guard content.key.hasSuffix("json"), let schema = content.value["schema"] else {
      return route.name
    }
    let faults = faults(in: try answer.json, schema)
    #expect(faults == [], "\(method.rawValue) \(target): \(answer.text)")
    return route.name
  }

  /// What of a value its schema does not allow. Knows the words that the description uses, and fails
  /// for any other.
  func faults(in value: JSONValue, _ schema: JSONValue, at path: JSONPath = .root) -> [String] {
    var found: [String] = []
    func fail(_ text: String) { found.append("\(path): \(text)") }
    for member in schema.object?.members ?? [] {
      switch member.key {
      case "$ref":
        let name = member.value.string?.split(separator: "/").last.map(String.init) ?? ""
        guard let target = document["components"]?["schemas"]?[name] else {
          fail("there is no schema \(name)")
          continue
        }
        found += faults(in: value, target, at: path)
      case "type":
        let names = member.value.array ?? [member.value]
        if !names.contains(where: { isType($0.string, value) }) {
          fail("\(value.kind) is not of type \(member.value)")
        }
      case "enum":
        if !(member.value.array ?? []).contains(value) { fail("\(value) is not among the names") }
      case "anyOf":
        if !(member.value.array ?? []).contains(where: { faults(in: value, $0, at: path).isEmpty })
        {
          fail("nothing of anyOf fits \(value)")
        }
      case "required":
        for key in member.value.array ?? [] where value.object != nil {
          if value[key.string ?? ""] == nil { fail("\(key) is missing") }
        }
      case "properties":
        for property in member.value.object?.members ?? [] {
          guard let inner = value[property.key] else { continue }
          found += faults(in: inner, property.value, at: path.appending(property.key))
        }
      case "additionalProperties":
        let known = schema["properties"]?.object?.keys ?? []
        for other in value.object?.members ?? [] where !known.contains(other.key) {
          if member.value.bool == false {
            fail("\(other.key) is not described")
          } else {
            found += faults(in: other.value, member.value, at: path.appending(other.key))
          }
        }
      case "items":
        for (index, element) in (value.array ?? []).enumerated() {
          found += faults(in: element, member.value, at: path.appending(index))
        }
      case "minimum":
        if let number = value.double, number < (member.value.double ?? 0) { fail("too small") }
      case "maximum":
        if let number = value.double, number > (member.value.double ?? 0) { fail("too great") }
      case "minLength":
        if let text = value.string, text.count < (member.value.int64 ?? 0) { fail("too short") }
      case "maxLength":
        if let text = value.string, text.count > (member.value.int64 ?? 0) { fail("too long") }
      case "description": break
      default: fail("the word \(member.key) is not known to this check")
      }
    }
    return found
  }

  private func isType(_ name: String?, _ value: JSONValue) -> Bool {
    switch name {
    case "null": value.isNull
    case "boolean": value.bool != nil
    case "integer": value.int64 != nil
    case "number": value.double != nil
    case "string": value.string != nil
    case "array": value.array != nil
    case "object": value.object != nil
    default: false
    }
  }
}
