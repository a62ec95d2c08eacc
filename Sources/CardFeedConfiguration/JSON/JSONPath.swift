/// The way from the root of a JSON document to one of its values, such as `$.filters[2].limit`.
///
/// The description is a valid query of RFC 9535: plain names follow a point, every other key is
/// quoted in brackets (`$.terms["match-probability"]`).
public struct JSONPath: Hashable, Sendable {
  /// One step of a path.
  public enum Component: Hashable, Sendable {
    /// Into the member of an object that has this key.
    case key(String)
    /// Into the element of an array that has this index, counted from 0.
    case index(Int)
  }

  /// The steps from the root.
  public private(set) var components: [Component]

  /// The path of the document itself: `$`.
  public static let root = JSONPath([])

  /// Makes a path from its steps.
  ///
  /// - Parameter components: The steps from the root, in order.
  public init(_ components: [Component]) {
    self.components = components
  }

  /// The path one step further, into a member of an object.
  ///
  /// - Parameter key: The key of the member.
  public func appending(_ key: String) -> JSONPath { appending(.key(key)) }

  /// The path one step further, into an element of an array.
  ///
  /// - Parameter index: The index of the element, counted from 0.
  public func appending(_ index: Int) -> JSONPath { appending(.index(index)) }

  /// The path one step further.
  ///
  /// - Parameter component: The step.
  public func appending(_ component: Component) -> JSONPath {
    var longer = self
    longer.components.append(component)
    return longer
  }

  /// The path without its last step, or `nil` for the root.
  public var parent: JSONPath? {
    components.isEmpty ? nil : JSONPath(Array(components.dropLast()))
  }

  // Paths compare keys byte by byte: Unicode twins are different keys.

  /// Whether two paths make the same steps; keys compare byte by byte.
  public static func == (left: JSONPath, right: JSONPath) -> Bool {
    left.components.elementsEqual(right.components) { first, second in
      switch (first, second) {
      case (.key(let first), .key(let second)): first.hasSameBytes(as: second)
      case (.index(let first), .index(let second)): first == second
      default: false
      }
    }
  }

  /// Feeds the steps to a hasher; keys count byte by byte.
  public func hash(into hasher: inout Hasher) {
    for component in components {
      switch component {
      case .key(let key): key.hashBytes(into: &hasher)
      case .index(let index): hasher.combine(index)
      }
    }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The path as text, such as `$.filters[2]["odd key"]`.
  public var description: String {
    var text = "$"
    for component in components {
      switch component {
      case .index(let index):
        text += "[\(index)]"
      case .key(let key) where JSONPath.isPlainName(key):
        text += ".\(key)"
      case .key(let key):
        var quoted: [UInt8] = []
        JSONEscaping.appendQuoted(key, to: &quoted)
        text += "[\(String(decoding: quoted, as: UTF8.self))]"
      }
    }
    return text
  }

  private static func isPlainName(_ key: String) -> Bool {
    guard let first = key.utf8.first, !isDigit(first) else { return false }
    return key.utf8.allSatisfy { byte in
      isDigit(byte) || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
