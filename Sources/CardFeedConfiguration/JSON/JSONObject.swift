/// A member of a JSON object: a key, where it stands, and its value.
public struct JSONMember: Sendable {
  /// The key, unescaped.
  public let key: String

  /// Where the key begins in its source, or `nil` for a member made in code.
  public let keyLocation: JSONLocation?

  /// The value.
  public var value: JSONValue

  /// Makes a member.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - keyLocation: Where the key was written; `nil` for a member made in code.
  ///   - value: The value.
  public init(key: String, at keyLocation: JSONLocation? = nil, value: JSONValue) {
    self.key = key
    self.keyLocation = keyLocation
    self.value = value
  }
}

/// The members of a JSON object, in the order they were written, each key once.
///
/// A lookup is linear in the number of members, which suits configuration and cards. To look up
/// many keys in an object of thousands, build a dictionary from ``members``.
public struct JSONObject: Sendable {
  /// The members, in order; no two have keys of the same bytes.
  public private(set) var members: [JSONMember]

  /// Makes an object without members.
  public init() {
    members = []
  }

  /// Makes an object from keys and values; a key given twice is a programmer error.
  ///
  /// - Parameter elements: The keys and values, in order.
  public init(_ elements: some Sequence<(String, JSONValue)>) {
    self.init()
    var seen: Set<ByteIdentity> = []
    for (key, value) in elements {
      precondition(
        seen.insert(ByteIdentity(key)).inserted,
        "A JSON object holds every key once; leave out the second member '\(key)'.")
      members.append(JSONMember(key: key, value: value))
    }
  }

  /// Takes over members that the caller has found to have different keys.
  init(uniqueMembers members: [JSONMember]) {
    self.members = members
  }

  /// The number of members.
  public var count: Int { members.count }

  /// Whether there is no member.
  public var isEmpty: Bool { members.isEmpty }

  /// The keys, in order.
  public var keys: [String] { members.map(\.key) }

  /// The member with this key, compared byte by byte, or `nil`. Linear in the number of members.
  ///
  /// - Parameter key: The key to look for.
  public func member(_ key: String) -> JSONMember? {
    members.first { $0.key.hasSameBytes(as: key) }
  }

  /// The value of the member with this key, or `nil`.
  ///
  /// Setting replaces the value in place, appends a new member, or with `nil` removes one.
  /// Linear in the number of members.
  public subscript(key: String) -> JSONValue? {
    get { member(key)?.value }
    set {
      let index = members.firstIndex { $0.key.hasSameBytes(as: key) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(JSONMember(key: key, value: value))
      case (nil, nil): break
      }
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object; its members keep the order of the literal.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }
}

extension JSONObject: Hashable {
  /// Whether two objects have the same members, in whatever order.
  ///
  /// Linear for members in the same order and on average otherwise.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.count == right.count else { return false }
    if zip(left.members, right.members).allSatisfy({ $0.key.hasSameBytes(as: $1.key) }) {
      return zip(left.members, right.members).allSatisfy { $0.value == $1.value }
    }
    let pairs = right.members.map { (ByteIdentity($0.key), $0.value) }
    let values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    return left.members.allSatisfy { values[ByteIdentity($0.key)] == .some($0.value) }
  }

  /// Feeds the members to a hasher, so that their order does not count.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    var sum = 0
    for member in members {
      var own = Hasher()
      member.key.hashBytes(into: &own)
      own.combine(member.value)
      // A sum that wraps does not depend on the order of its terms.
      sum &+= own.finalize()
    }
    hasher.combine(sum)
  }
}
