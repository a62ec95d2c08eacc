/// Reads values strictly and keeps every problem, so that one run names them all.
public struct ConfigurationReader {
  /// What was wrong so far.
  public private(set) var problems: [ConfigurationProblem] = []

  /// A reader without problems.
  public init() {}

  /// Keeps a problem.
  public mutating func report(
    _ message: String, at path: JSONPath, _ location: JSONLocation?, found: String? = nil,
    allowed: String? = nil, nearest: String? = nil
  ) {
    problems.append(
      ConfigurationProblem(
        path: path, location: location, message: message, found: found, allowed: allowed,
        nearest: nearest))
  }

  /// The members of an object; reports other kinds.
  public mutating func object(_ value: JSONValue, at path: JSONPath) -> JSONObject? {
    if let object = value.object { return object }
    report(
      "must be an object", at: path, value.location, found: value.kind.description,
      allowed: "an object")
    return nil
  }

  /// Reports keys that are not known.
  public mutating func checkKeys(
    of object: JSONObject, at path: JSONPath, known: [String]
  ) {
    for member in object.members where !known.contains(member.key) {
      report(
        "unknown key \"\(member.key)\"", at: path.appending(member.key), member.keyLocation,
        allowed: known.map { "\"\($0)\"" }.joined(separator: ", "),
        nearest: nearestName(to: member.key, in: known))
    }
  }

  /// Decodes the members of `object` that `descriptions` describe; defaults where they are absent.
  /// Nil when one of them is wrong.
  public mutating func parameters(
    _ object: JSONObject, at path: JSONPath, _ location: JSONLocation?,
    by descriptions: [ParameterDescription], otherKeys: [String] = [],
    strategies: [StrategyDescription]
  ) -> (parameters: Parameters, effective: [(String, JSONValue)])? {
    checkKeys(of: object, at: path, known: otherKeys + descriptions.map(\.name))
    var values: [String: ParameterValue] = [:]
    var effective: [(String, JSONValue)] = []
    for description in descriptions {
      let place = path.appending(description.name)
      let written = object[description.name]
      guard let value = written ?? description.defaultValue else {
        report(
          "missing key \"\(description.name)\"", at: path, location,
          allowed: description.kind.allowed)
        continue
      }
      // `null` is "not set" for those parameters whose default says so.
      if value.isNull, description.defaultValue?.isNull == true {
        values[description.name] = .null
        effective.append((description.name, .null))
        continue
      }
      guard
        let (decoded, spelledOut) = decode(
          value, as: description.kind, at: place, strategies: strategies)
      else { continue }
      values[description.name] = decoded
      effective.append((description.name, spelledOut))
    }
    guard values.count == descriptions.count else { return nil }
    return (Parameters(values), effective)
  }

  /// Decodes one strategy of a kind: its name first, then the parameters of that name.
  public mutating func strategy(
    _ value: JSONValue, _ kind: StrategyKind, at path: JSONPath,
    strategies: [StrategyDescription]
  ) -> StrategySpecification? {
    guard let object = object(value, at: path) else { return nil }
    let candidates = strategies.filter { $0.kind == kind }
    let names = candidates.map(\.use)
    guard let use = object["use"] else {
      report(
        "missing key \"use\", the name of a \(kind.noun)", at: path, value.location,
        allowed: quoted(names))
      return nil
    }
    guard let name = use.string else {
      report(
        "must be the name of a \(kind.noun)", at: path.appending("use"), use.location,
        found: use.kind.description, allowed: quoted(names))
      return nil
    }
    guard let description = candidates.first(where: { $0.use == name }) else {
      var message = "unknown \(kind.noun) \"\(name)\""
      if let other = strategies.first(where: { $0.use == name }) {
        message = "\"\(name)\" is a \(other.kind.noun), not a \(kind.noun)"
      }
      report(
        message, at: path.appending("use"), use.location, allowed: quoted(names),
        nearest: nearestName(to: name, in: names))
      return nil
    }
    guard
      let (parameters, effective) = parameters(
        object, at: path, value.location, by: description.parameters, otherKeys: ["use"],
        strategies: strategies)
    else { return nil }
    return StrategySpecification(
      use: name, path: path, location: value.location, parameters: parameters,
      effective: JSONValue(JSONObject([("use", JSONValue(name))] + effective)))
  }

  private func quoted(_ names: [String]) -> String {
    names.isEmpty ? "none is registered" : names.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}
