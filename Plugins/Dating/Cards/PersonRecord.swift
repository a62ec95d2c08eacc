internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration

/// Reads the values of one record, each strictly.
struct PersonRecord {
  /// Ages that a person can have or look for, in years.
  private static let ages = 0.0...150.0

  private let object: JSONObject

  init(_ json: JSONValue, keys: [String]) throws(CardProblem) {
    guard let object = json.object else {
      throw CardProblem(
        path: .root, location: json.location,
        message: "found \(json.kind); allowed: an object with the keys of a person")
    }
    for member in object.members where !keys.contains(member.key) {
      let nearest = nearestName(to: member.key, in: keys).map { "; did you mean \"\($0)\"?" } ?? ""
      let allowed = keys.map { "\"\($0)\"" }.joined(separator: ", ")
      throw CardProblem(
        path: JSONPath([.key(member.key)]), location: member.keyLocation,
        message: "the key is unknown; allowed: \(allowed)\(nearest)")
    }
    self.object = object
  }

  func problem(_ key: String, _ message: String) -> CardProblem {
    CardProblem(
      path: JSONPath([.key(key)]), location: object[key]?.location, message: message)
  }

  /// Nil when the key is absent or `null`.
  func value(_ key: String) -> JSONValue? {
    guard let value = object[key], !value.isNull else { return nil }
    return value
  }

  func text(_ key: String, mayBeEmpty: Bool = false) throws(CardProblem) -> String? {
    let allowed = mayBeEmpty ? "a text" : "a text that is not empty"
    guard let value = value(key) else { return nil }
    guard let text = value.string else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard mayBeEmpty || !text.isEmpty else {
      throw problem(key, "found an empty text; allowed: \(allowed)")
    }
    return text
  }

  func texts(
    _ key: String, mayBeEmpty: Bool = false, emptyWouldBe meaning: String = "everybody"
  ) throws(CardProblem) -> [String] {
    let allowed = "a list of texts that are not empty"
    guard let value = value(key) else { return [] }
    guard let elements = value.array else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard mayBeEmpty || !elements.isEmpty else {
      throw problem(
        key, "found an empty list; allowed: \(allowed); leave the key out for \(meaning)")
    }
    return try texts(elements, at: JSONPath([.key(key)]))
  }

  /// Texts that are not empty.
  func texts(_ elements: [JSONValue], at path: JSONPath) throws(CardProblem) -> [String] {
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      guard let text = element.string, !text.isEmpty else {
        let found = element.string == nil ? element.kind.description : "an empty text"
        throw CardProblem(
          path: path.appending(index), location: element.location,
          message: "found \(found); allowed: a text that is not empty")
      }
      texts.append(text)
    }
    return texts
  }

  func age(_ key: String) throws(CardProblem) -> Double? {
    let allowed = "a number, 0 … 150"
    guard let value = value(key) else { return nil }
    guard let number = value.double else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard Self.ages.contains(number) else {
      throw problem(key, "found a number out of range; allowed: \(allowed)")
    }
    return number
  }

  func date(_ key: String) throws(CardProblem) -> CalendarDate? {
    let allowed = "a day as text, \"YYYY-MM-DD\""
    guard let value = value(key) else { return nil }
    guard let text = value.string else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard let date = CalendarDate(text) else {
      throw problem(key, "found a text that is no day of the calendar; allowed: \(allowed)")
    }
    return date
  }

  /// Numbers by name; a name whose value is `null` is unknown.
  func numbers(_ key: String) throws(CardProblem) -> [String: Double] {
    guard let value = value(key) else { return [:] }
    guard let members = value.object?.members else {
      throw problem(key, "found \(value.kind); allowed: an object of numbers by name")
    }
    var numbers: [String: Double] = [:]
    for member in members where !member.value.isNull {
      guard !member.key.isEmpty, let number = member.value.double, number.isFinite else {
        let found = member.key.isEmpty ? "an empty name" : "\(member.value.kind)"
        throw CardProblem(
          path: JSONPath([.key(key), .key(member.key)]), location: member.value.location,
          message: "found \(found); allowed: a finite number under a name that is not empty")
      }
      numbers[member.key] = number
    }
    return numbers
  }

  func place(_ key: String) throws(CardProblem) -> Place? {
    let allowed = "an object with \"latitude\", -90 … 90, and \"longitude\", -180 … 180"
    guard let value = value(key) else { return nil }
    guard let members = value.object else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard members.count == 2, let latitude = members["latitude"],
      let longitude = members["longitude"]
    else {
      throw problem(key, "the keys are not these two; allowed: \(allowed)")
    }
    guard let north = latitude.double, let east = longitude.double else {
      throw problem(
        key, "found \(latitude.kind) and \(longitude.kind); allowed: \(allowed)")
    }
    guard let place = Place(latitude: north, longitude: east) else {
      throw problem(key, "found a number out of range; allowed: \(allowed)")
    }
    return place
  }
}
