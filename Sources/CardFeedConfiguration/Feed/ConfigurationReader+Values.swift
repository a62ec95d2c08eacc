extension ConfigurationReader {
  /// Decodes one value of a kind; the value as it is used comes with it.
  mutating func decode(
    _ value: JSONValue, as kind: ParameterDescription.Kind, at path: JSONPath,
    strategies: [StrategyDescription]
  ) -> (ParameterValue, JSONValue)? {
    switch kind {
    case .integer(let range):
      guard let number = value.int64, range.contains(number) else { break }
      return (.integer(number), JSONValue(number))
    case .number(let range):
      guard let number = value.double, range.contains(number) else { break }
      return (.number(number), value)
    case .bool:
      guard let bool = value.bool else { break }
      return (.bool(bool), value)
    case .text:
      guard let text = value.string, !text.isEmpty else { break }
      return (.text(text), value)
    case .choice(let names):
      guard let text = value.string else { break }
      guard check(text, at: path, value.location, among: names) else { return nil }
      return (.text(text), value)
    case .choices(let names):
      guard let texts = choices(value, among: names, at: path) else { return nil }
      return (.texts(texts), value)
    case .names:
      guard let texts = names(value, at: path) else { return nil }
      return (.texts(texts), value)
    case .ascending(let range):
      guard let numbers = ascending(value, in: range, at: path) else { return nil }
      return (.numbers(numbers), value)
    case .weights(let names):
      guard let weights = weights(value, names: names, at: path) else { return nil }
      return (.weights(weights), value)
    case .strategy(let kind):
      guard let inner = strategy(value, kind, at: path, strategies: strategies) else {
        return nil
      }
      return (.strategy(inner), inner.effective)
    }
    report(
      "wrong value", at: path, value.location, found: brief(value), allowed: kind.allowed)
    return nil
  }

  private func brief(_ value: JSONValue) -> String {
    switch value.content {
    case .number(let number): number.text
    case .string(let text) where text.utf8.count <= 40: "\"\(text)\""
    case .bool(let bool): "\(bool)"
    default: value.kind.description
    }
  }

  private mutating func check(
    _ name: String, at path: JSONPath, _ location: JSONLocation?, among names: [String]
  ) -> Bool {
    if names.contains(name) { return true }
    report(
      "unknown name \"\(name)\"", at: path, location,
      allowed: names.map { "\"\($0)\"" }.joined(separator: ", "),
      nearest: nearestName(to: name, in: names))
    return false
  }

  private mutating func choices(
    _ value: JSONValue, among names: [String], at path: JSONPath
  ) -> [String]? {
    let kind = ParameterDescription.Kind.choices(names)
    guard let elements = value.array, !elements.isEmpty else {
      report(
        "wrong value", at: path, value.location, found: brief(value), allowed: kind.allowed)
      return nil
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      let place = path.appending(index)
      guard let text = element.string else {
        report(
          "wrong value", at: place, element.location, found: brief(element),
          allowed: kind.allowed)
        continue
      }
      guard check(text, at: place, element.location, among: names) else { continue }
      if texts.contains(text) {
        report(
          "\"\(text)\" stands twice", at: place, element.location, allowed: "each name once")
        continue
      }
      texts.append(text)
    }
    return texts.count == elements.count ? texts : nil
  }

  private mutating func names(_ value: JSONValue, at path: JSONPath) -> [String]? {
    let allowed = ParameterDescription.Kind.names.allowed
    guard let elements = value.array else {
      report("wrong value", at: path, value.location, found: brief(value), allowed: allowed)
      return nil
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      let place = path.appending(index)
      guard let text = element.string, !text.isEmpty else {
        report(
          "wrong value", at: place, element.location, found: brief(element), allowed: allowed)
        continue
      }
      if texts.contains(text) {
        report(
          "\"\(text)\" stands twice", at: place, element.location, allowed: "each name once")
        continue
      }
      texts.append(text)
    }
    return texts.count == elements.count ? texts : nil
  }

  private mutating func ascending(
    _ value: JSONValue, in range: ClosedRange<Double>, at path: JSONPath
  ) -> [Double]? {
    let kind = ParameterDescription.Kind.ascending(range)
    let numbers = value.array?.compactMap(\.double) ?? []
    let isAscending = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    guard let elements = value.array, numbers.count == elements.count, isAscending,
      numbers.allSatisfy(range.contains)
    else {
      report(
        "wrong value", at: path, value.location, found: brief(value), allowed: kind.allowed)
      return nil
    }
    return numbers
  }

  private mutating func weights(
    _ value: JSONValue, names: [String]?, at path: JSONPath
  ) -> [(name: String, weight: Double)]? {
    let kind = ParameterDescription.Kind.weights(names)
    guard let object = value.object, !object.isEmpty else {
      report(
        "wrong value", at: path, value.location, found: brief(value), allowed: kind.allowed)
      return nil
    }
    var weights: [(name: String, weight: Double)] = []
    for member in object.members {
      let place = path.appending(member.key)
      if let names, !check(member.key, at: place, member.keyLocation, among: names) { continue }
      guard let weight = member.value.double else {
        report(
          "wrong value", at: place, member.value.location, found: brief(member.value),
          allowed: "a number other than 0")
        continue
      }
      guard weight != 0 else {
        report(
          "a weight of 0 switches the term off silently", at: place, member.value.location,
          found: "0", allowed: "a number other than 0, or no such key")
        continue
      }
      weights.append((member.key, weight))
    }
    return weights.count == object.count ? weights : nil
  }
}
