/// A JSON value with the place it was read from.
///
/// Values come from ``JSONDocument/init(parsing:startingAt:)-([UInt8],_)`` or are written down as Swift
/// literals. Two values are equal exactly when their canonical forms are (see
/// ``canonicalBytes()``): locations and the order of members do not count, `1` equals `1.0`,
/// and strings compare byte by byte, so that Unicode twins differ.
public struct JSONValue: Sendable {
  /// What a value holds.
  public enum Content: Sendable {
    /// The word `null`.
    case null
    /// The word `true` or `false`.
    case bool(Bool)
    /// A number, as it was written.
    case number(JSONNumber)
    /// A string, unescaped.
    case string(String)
    /// The elements of an array, in order.
    case array([JSONValue])
    /// The members of an object, in order.
    case object(JSONObject)
  }

  /// The kinds of JSON values.
  public enum Kind: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The word `null`.
    case null
    /// The word `true` or `false`.
    case boolean
    /// A number.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object

    /// The kind with its article, for error texts: `an object`.
    public var description: String {
      switch self {
      case .null: "null"
      case .array, .object: "an \(rawValue)"
      case .boolean, .number, .string: "a \(rawValue)"
      }
    }
  }

  /// What the value holds.
  public var content: Content

  /// Where the value begins in its source, or `nil` for a value made in code.
  public var location: JSONLocation?

  /// Makes a value.
  ///
  /// - Parameters:
  ///   - content: What the value holds.
  ///   - location: Where it was written; `nil` for a value made in code.
  public init(_ content: Content, at location: JSONLocation? = nil) {
    self.content = content
    self.location = location
  }
}

extension JSONValue {
  /// The value `null`.
  public static var null: JSONValue { JSONValue(.null) }

  /// The kind of the value.
  public var kind: Kind {
    switch content {
    case .null: .null
    case .bool: .boolean
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Whether the value is `null`.
  public var isNull: Bool { kind == .null }

  /// The truth value, or `nil` when the value is not a boolean.
  public var bool: Bool? {
    if case .bool(let bool) = content { bool } else { nil }
  }

  /// The number, or `nil` when the value is not a number.
  public var number: JSONNumber? {
    if case .number(let number) = content { number } else { nil }
  }

  /// The exact integer, or `nil` when the value is not a whole number within `Int64`.
  public var int64: Int64? { number?.int64 }

  /// The nearest double, or `nil` when the value is not a number. Always finite.
  public var double: Double? { number?.double }

  /// The string, or `nil` when the value is not a string.
  public var string: String? {
    if case .string(let string) = content { string } else { nil }
  }

  /// The elements, or `nil` when the value is not an array.
  public var array: [JSONValue]? {
    if case .array(let array) = content { array } else { nil }
  }

  /// The members, or `nil` when the value is not an object.
  public var object: JSONObject? {
    if case .object(let object) = content { object } else { nil }
  }

  /// The value of the member with this key; `nil` without such a member or for another kind.
  ///
  /// Linear in the number of members.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// The element with this index; `nil` when there is none or for another kind.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The value at a path from here, or `nil` when the path leads nowhere.
  ///
  /// - Parameter path: The steps from this value.
  public subscript(path: JSONPath) -> JSONValue? {
    var value = self
    for component in path.components {
      let next: JSONValue? =
        switch component {
        case .key(let key): value[key]
        case .index(let index): value[index]
        }
      guard let next else { return nil }
      value = next
    }
    return value
  }
}

extension JSONValue: Hashable {
  /// Whether two values say the same, wherever and in whatever order of members they stand.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left.content, right.content) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Feeds what the value says, and not where it stands, to a hasher.
  public func hash(into hasher: inout Hasher) {
    switch content {
    case .null:
      hasher.combine(0)
    case .bool(let bool):
      hasher.combine(1)
      hasher.combine(bool)
    case .number(let number):
      hasher.combine(2)
      hasher.combine(number)
    case .string(let string):
      hasher.combine(3)
      string.hashBytes(into: &hasher)
    case .array(let array):
      hasher.combine(4)
      hasher.combine(array)
    case .object(let object):
      hasher.combine(5)
      hasher.combine(object)
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { String(decoding: bytes(.compact), as: UTF8.self) }
}
