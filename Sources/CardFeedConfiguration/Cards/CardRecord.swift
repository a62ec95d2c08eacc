/// Reads the values of one card's record, each strictly: for decks whose cards are JSON objects.
///
/// Every method answers with nil, or with nothing in a list, where the key is absent or `null`, and
/// throws a `CardProblem` that says where, what was found and what is allowed. It names kinds of
/// values, never a value, since records are private data.
public struct CardRecord: Sendable {
  private let object: JSONObject

  /// The record of a card.
  ///
  /// - Parameters:
  ///   - json: The record.
  ///   - keys: The keys that it may have.
  ///   - noun: What the card is called in error texts, such as "a person".
  public init(_ json: JSONValue, keys: [String], of noun: String) throws(CardProblem) {
    guard let object = json.object else {
      throw CardProblem(
        path: .root, location: json.location,
        message: "found \(json.kind); allowed: an object with the keys of \(noun)")
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

  /// What is wrong with the value of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - message: What was found and what is allowed.
  public func problem(_ key: String, _ message: String) -> CardProblem {
    CardProblem(
      path: JSONPath([.key(key)]), location: object[key]?.location, message: message)
  }

  /// The value of a key.
  public func value(_ key: String) -> JSONValue? {
    guard let value = object[key], !value.isNull else { return nil }
    return value
  }

  /// A text.
  public func text(_ key: String, mayBeEmpty: Bool = false) throws(CardProblem) -> String? {
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

  /// A list of texts.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - mayBeEmpty: Whether a list without any is allowed.
  ///   - meaning: What leaving the key out means, for the error text.
  public func texts(
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

  /// Texts that are not empty, from somewhere inside the record.
  public func texts(_ elements: [JSONValue], at path: JSONPath) throws(CardProblem) -> [String] {
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

  /// True or false.
  public func bool(_ key: String) throws(CardProblem) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let bool = value.bool else {
      throw problem(key, "found \(value.kind); allowed: true or false")
    }
    return bool
  }

  /// A finite number of a range.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - range: The numbers that are allowed.
  ///   - allowed: The same in words, such as "a number, 0 … 150".
  public func number(
    _ key: String, in range: ClosedRange<Double>, allowed: String
  ) throws(CardProblem) -> Double? {
    guard let value = value(key) else { return nil }
    guard let number = value.double else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard range.contains(number) else {
      throw problem(key, "found a number out of range; allowed: \(allowed)")
    }
    return number
  }

  /// Numbers by name; a name whose value is `null` is unknown.
  public func numbers(_ key: String) throws(CardProblem) -> [String: Double] {
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
}
