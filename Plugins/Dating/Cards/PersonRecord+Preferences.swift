internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration

extension PersonRecord {
  /// A distance in the unit that its only key names.
  func distance(_ key: String) throws(CardProblem) -> Distance? {
    let allowed =
      "an object with either \"kilometres\" or \"miles\", a number above 0, at most 40000 kilometres"
    guard let value = value(key) else { return nil }
    guard let members = value.object else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard members.count == 1, let member = members.members.first,
      ["kilometres", "miles"].contains(member.key)
    else {
      throw problem(key, "the keys are not exactly one of these two; allowed: \(allowed)")
    }
    guard let number = member.value.double else {
      throw problem(key, "found \(member.value.kind); allowed: \(allowed)")
    }
    // Checked in metres, so that a distance may be written in the other unit and read back.
    let isWithin = number > 0 && number <= 40_000
    let distance =
      isWithin ? member.key == "miles" ? Distance.miles(number) : .kilometres(number) : nil
    guard let distance, distance <= .kilometres(40_000) else {
      throw problem(key, "found a number out of range; allowed: \(allowed)")
    }
    return distance
  }

  func dailyCards(_ key: String) throws(CardProblem) -> Int? {
    let allowed = "a whole number, 1 … 1000000"
    guard let value = value(key) else { return nil }
    guard let number = value.int64 else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard (1...1_000_000).contains(number) else {
      throw problem(key, "found a number out of range; allowed: \(allowed)")
    }
    return Int(number)
  }

  func zone(_ key: String) throws(CardProblem) -> String? {
    guard let name = try text(key) else { return nil }
    guard ZoneDatabase.isWellFormed(name) else {
      throw problem(
        key,
        "found a text that no time zone can be called; allowed: a name such as \"Europe/Berlin\", "
          + "\"UTC\", or an offset such as \"+02:00\"")
    }
    return name
  }

  /// Texts by name.
  func attributes(_ key: String) throws(CardProblem) -> [String: String] {
    try named(key, allowed: "an object of texts that are not empty, by name") {
      path, value throws(CardProblem) in
      guard let text = value.string, !text.isEmpty else {
        let found = value.string == nil ? value.kind.description : "an empty text"
        throw CardProblem(
          path: path, location: value.location,
          message: "found \(found); allowed: a text that is not empty")
      }
      return text
    }
  }

  /// Lists of texts by name.
  func dealbreakers(_ key: String) throws(CardProblem) -> [String: [String]] {
    try named(key, allowed: "an object of lists of texts, by name") {
      path, value throws(CardProblem) in
      guard let elements = value.array, !elements.isEmpty else {
        let found = value.array == nil ? value.kind.description : "an empty list"
        throw CardProblem(
          path: path, location: value.location,
          message:
            "found \(found); allowed: a list of texts that are not empty; leave the name out "
            + "for everything")
      }
      return try texts(elements, at: path)
    }
  }

  /// Values by name. Names are not empty and hold no `=`, which stands between name and text in the
  /// deck's columns. Where two names differ in nothing but their Unicode form, one would replace the
  /// other, so that is refused.
  func named<Value>(
    _ key: String, allowed: String,
    _ read: (JSONPath, JSONValue) throws(CardProblem) -> Value
  ) throws(CardProblem) -> [String: Value] {
    guard let value = value(key) else { return [:] }
    guard let object = value.object else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    var values: [String: Value] = [:]
    for member in object.members {
      let path = JSONPath([.key(key)])
      guard !member.key.isEmpty, !member.key.utf8.contains(UInt8(ascii: "=")) else {
        throw CardProblem(
          path: path, location: member.keyLocation,
          message: "a name is empty or holds '='; allowed: a name without '='")
      }
      guard values[member.key] == nil else {
        throw CardProblem(
          path: path, location: member.keyLocation,
          message: "two names differ in their Unicode form only; allowed: each name once")
      }
      values[member.key] = try read(path.appending(member.key), member.value)
    }
    return values
  }
}
