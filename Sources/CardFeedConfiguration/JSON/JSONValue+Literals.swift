extension JSONValue {
  /// Makes a string value.
  public init(_ string: String) { self.init(.string(string)) }

  /// Makes a boolean value.
  public init(_ bool: Bool) { self.init(.bool(bool)) }

  /// Makes a number from an integer, exactly.
  public init(_ integer: some BinaryInteger) { self.init(.number(JSONNumber(integer))) }

  /// Makes an array value.
  public init(_ elements: [JSONValue]) { self.init(.array(elements)) }

  /// Makes an object value.
  public init(_ object: JSONObject) { self.init(.object(object)) }

  /// Makes a number, or `null` for a missing, infinite or undefined one: JSON has no other word
  /// for it, and zero would be a lie.
  public init(orNull double: Double?) {
    self.init(double.flatMap(JSONNumber.init(finite:)).map(Content.number) ?? .null)
  }
}

extension JSONValue: ExpressibleByNilLiteral {
  /// Makes `null`.
  public init(nilLiteral: ()) { self.init(.null) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// Makes a boolean value.
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// Makes a number.
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
  /// Makes a number; a literal too large for a double is a programmer error.
  public init(floatLiteral value: Double) {
    guard let number = JSONNumber(finite: value) else {
      preconditionFailure("JSON has no infinite numbers; write a literal within Double's range.")
    }
    self.init(.number(number))
  }
}

extension JSONValue: ExpressibleByStringInterpolation {
  /// Makes a string value.
  public init(stringLiteral value: String) { self.init(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// Makes an array value.
  public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Makes an object value; its members keep the order of the literal.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(JSONObject(elements))
  }
}
