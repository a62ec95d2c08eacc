/// Writes JSON into bytes, value by value, without building a tree.
///
/// The same calls give the same bytes on every machine. Calls that do not make a JSON text, such
/// as a key within an array, are programmer errors and trap.
///
/// ```swift
/// var writer = JSONWriter(.compact)
/// writer.beginObject()
/// writer.key("hits")
/// writer.integer(3)
/// writer.endObject()
/// // writer.bytes is {"hits":3}
/// ```
public struct JSONWriter: Sendable {
  /// How the text is laid out.
  public enum Style: Hashable, Sendable {
    /// No white space at all.
    case compact
    /// Every member and element on its own line, indented by two spaces.
    case pretty
  }

  private struct Container {
    var isObject: Bool
    var count = 0
    var isKeyPending = false
  }

  /// What has been written so far.
  public private(set) var bytes: [UInt8] = []

  private let style: Style
  private var containers: [Container] = []
  private var hasRoot = false

  /// Makes a writer that has written nothing.
  ///
  /// - Parameters:
  ///   - style: How the text is laid out.
  ///   - capacity: How many bytes are expected, so that they are made room for once.
  public init(_ style: Style = .compact, capacity: Int = 0) {
    self.style = style
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  /// Whether a whole value has been written and no container is open.
  public var isComplete: Bool { hasRoot && containers.isEmpty }

  /// Opens an object; ``endObject()`` closes it.
  public mutating func beginObject() {
    beginValue()
    containers.append(Container(isObject: true))
    bytes.append(UInt8(ascii: "{"))
  }

  /// Closes the object opened last.
  public mutating func endObject() {
    precondition(
      containers.last.map { $0.isObject && !$0.isKeyPending } ?? false,
      "endObject() closes an object whose last key has a value; balance the calls.")
    close(with: UInt8(ascii: "}"))
  }

  /// Opens an array; ``endArray()`` closes it.
  public mutating func beginArray() {
    beginValue()
    containers.append(Container(isObject: false))
    bytes.append(UInt8(ascii: "["))
  }

  /// Closes the array opened last.
  public mutating func endArray() {
    precondition(
      containers.last.map { !$0.isObject } ?? false,
      "endArray() closes an array; balance the calls.")
    close(with: UInt8(ascii: "]"))
  }

  /// Writes the key of the next member. The caller sees to it that no key comes twice.
  ///
  /// - Parameter key: The key, unescaped.
  public mutating func key(_ key: String) {
    let last = containers.count - 1
    precondition(
      last >= 0 && containers[last].isObject && !containers[last].isKeyPending,
      "key(_:) begins a member of an object; write the value of the last key first.")
    separate()
    containers[last].isKeyPending = true
    JSONEscaping.appendQuoted(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    if style == .pretty { bytes.append(UInt8(ascii: " ")) }
  }

  /// Writes a string.
  public mutating func string(_ string: String) {
    beginValue()
    JSONEscaping.appendQuoted(string, to: &bytes)
  }

  /// Writes a string of bytes that should be UTF-8; what is not becomes U+FFFD.
  public mutating func string(utf8: [UInt8]) {
    string(String(decoding: utf8, as: UTF8.self))
  }

  /// Writes a value that is JSON text already, as it is: another writer's bytes, kept. The caller
  /// sees to it that they are one whole value.
  public mutating func text(_ json: [UInt8]) {
    beginValue()
    bytes.append(contentsOf: json)
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ bool: Bool) {
    word(bool ? "true" : "false")
  }

  /// Writes `null`.
  public mutating func null() {
    word("null")
  }

  /// Writes a number as it was written.
  public mutating func number(_ number: JSONNumber) {
    word(number.text)
  }

  /// Writes an integer.
  public mutating func integer(_ integer: some BinaryInteger) {
    word(String(integer))
  }

  /// Writes the shortest text that reads back as the same double, or `null` when there is no
  /// finite number.
  public mutating func numberOrNull(_ double: Double?) {
    if let double, double.isFinite { word(double.description) } else { null() }
  }

  /// Writes a whole value.
  public mutating func value(_ value: JSONValue) {
    switch value.content {
    case .null: null()
    case .bool(let bool): self.bool(bool)
    case .number(let number): self.number(number)
    case .string(let string): self.string(string)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members {
        key(member.key)
        self.value(member.value)
      }
      endObject()
    }
  }

  /// Ends the line after a whole value; another value may follow, as in JSON Lines.
  public mutating func endLine() {
    precondition(isComplete, "endLine() ends a line after a whole value; close what is open.")
    bytes.append(UInt8(ascii: "\n"))
    hasRoot = false
  }

  private mutating func word(_ word: String) {
    beginValue()
    bytes.append(contentsOf: word.utf8)
  }

  private mutating func beginValue() {
    let last = containers.count - 1
    if last < 0 {
      precondition(!hasRoot, "A JSON text is one value; call endLine() before the next one.")
      hasRoot = true
    } else if containers[last].isObject {
      precondition(containers[last].isKeyPending, "A member needs a key; call key(_:) first.")
      containers[last].isKeyPending = false
    } else {
      separate()
    }
  }

  private mutating func separate() {
    let last = containers.count - 1
    if containers[last].count > 0 { bytes.append(UInt8(ascii: ",")) }
    containers[last].count += 1
    breakLine()
  }

  private mutating func close(with bracket: UInt8) {
    let closed = containers.removeLast()
    if closed.count > 0 { breakLine() }
    bytes.append(bracket)
  }

  private mutating func breakLine() {
    guard style == .pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * containers.count))
  }
}

extension JSONValue {
  /// The value as JSON text.
  ///
  /// - Parameter style: How the text is laid out.
  /// - Returns: UTF-8 without a line feed at the end.
  public func bytes(_ style: JSONWriter.Style = .compact) -> [UInt8] {
    var writer = JSONWriter(style)
    writer.value(self)
    return writer.bytes
  }
}
