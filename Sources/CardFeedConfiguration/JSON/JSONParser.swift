/// The recursive descent parser behind ``JSONDocument``.
///
/// It works on bytes, counts lines and columns as it goes, and builds no strings but those of the
/// tree. Error texts are made outside, from the fault and from the state the parser stopped in.
struct JSONParser: ~Copyable {
  /// An array or object that is not closed yet.
  struct Frame {
    let isObject: Bool
    /// The offset of the opening bracket.
    let offset: Int
    /// How many children of outer containers lie below on the stack of its kind.
    let stackStart: Int
  }

  /// A key whose value is not parsed yet.
  struct PendingKey {
    let key: String
    let depth: Int
  }

  // The memory is valid for the life of the parser, because `parse` holds both.
  let base: UnsafePointer<UInt8>
  let count: Int
  let start: JSONLocation

  var position = 0
  var line: UInt32
  /// The offset at which the line began; below zero when a text starts within a line.
  var lineStart: Int
  /// How many bytes since the line began continue a scalar and so take no column.
  var continuationBytes = 0

  var frames: [Frame] = []
  var pendingKeys: [PendingKey] = []
  var values = ScratchStack<JSONValue>()
  var members = ScratchStack<JSONMember>()
  /// The fingerprints of the keys of `members`, in the same order.
  var fingerprints: [UInt64] = []
  var duplicateKeys: [JSONDuplicateKey] = []
  var unescaped: [UInt8] = []

  static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, startingAt start: JSONLocation
  ) -> Result<JSONDocument, JSONSyntaxError> {
    guard let base = bytes.baseAddress else {
      let fault = JSONFault(kind: .empty, offset: 0)
      return .failure(JSONSyntaxError(fault, in: bytes, startingAt: start, path: .root))
    }
    var parser = JSONParser(base: base, count: bytes.count, start: start)
    do throws(JSONFault) {
      let root = try parser.parseDocument()
      return .success(JSONDocument(root: root, duplicateKeys: parser.duplicateKeys))
    } catch {
      let opening = parser.frames.last.map { ($0.isObject, $0.offset) }
      return .failure(
        JSONSyntaxError(
          error, in: bytes, startingAt: start, path: parser.path, openContainer: opening))
    }
  }

  init(base: UnsafePointer<UInt8>, count: Int, start: JSONLocation) {
    self.base = base
    self.count = count
    self.start = start
    line = UInt32(clamping: start.line)
    lineStart = 1 - start.column
  }

  /// The path of the value that is being parsed.
  var path: JSONPath {
    var keys = pendingKeys[...]
    var components: [JSONPath.Component] = []
    for (index, frame) in frames.enumerated() {
      if frame.isObject {
        guard keys.first?.depth == index, let pending = keys.popFirst() else { break }
        components.append(.key(pending.key))
      } else {
        let next = frames[(index + 1)...].first { !$0.isObject }?.stackStart ?? values.count
        components.append(.index(next - frame.stackStart))
      }
    }
    return JSONPath(components)
  }

  private mutating func parseDocument() throws(JSONFault) -> JSONValue {
    // Locations are stored in 32 bits; the margin keeps columns and offsets within them.
    guard count < Int(UInt32.max) - start.byteOffset - start.column else {
      throw JSONFault(kind: .tooLarge, offset: 0)
    }
    let isMarked = peek() == 0xEF && count >= 3 && base[1] == 0xBB && base[2] == 0xBF
    // No UTF-8 begins with FE or FF; UTF-16 with a byte order mark does.
    if isMarked || peek() >= 0xFE { throw JSONFault(kind: .byteOrderMark, offset: 0) }
    skipWhiteSpace()
    guard position < count else { throw JSONFault(kind: .empty, offset: position) }
    let root = try parseValue(.value)
    skipWhiteSpace()
    guard position == count else { throw expected(.endOfDocument) }
    return root
  }

  // MARK: - Bytes

  /// The byte at the position; zero, which is never allowed outside strings, at the end.
  @inline(__always)
  func peek() -> UInt8 {
    position < count ? base[position] : 0
  }

  /// The place of the position.
  @inline(__always)
  func here() -> JSONLocation {
    JSONLocation(
      unchecked: line, position - lineStart - continuationBytes + 1, start.byteOffset + position)
  }

  @inline(__always)
  mutating func skipWhiteSpace() {
    while position < count {
      switch base[position] {
      case 0x20, 0x09:
        position += 1
      case 0x0A:
        position += 1
        beginLine()
      case 0x0D:
        position += 1
        // The line feed of a pair begins the line.
        if peek() != 0x0A { beginLine() }
      default:
        return
      }
    }
  }

  @inline(__always)
  private mutating func beginLine() {
    line &+= 1
    lineStart = position
    continuationBytes = 0
  }

  func expected(_ expectation: JSONFault.Expectation) -> JSONFault {
    JSONFault(kind: .expected(expectation), offset: position)
  }

  // MARK: - Values

  private mutating func parseValue(
    _ expectation: JSONFault.Expectation
  ) throws(JSONFault) -> JSONValue {
    let location = here()
    switch peek() {
    case UInt8(ascii: "\""):
      return JSONValue(.string(try parseString()), at: location)
    case UInt8(ascii: "{"):
      return JSONValue(.object(try parseObject()), at: location)
    case UInt8(ascii: "["):
      return JSONValue(.array(try parseArray()), at: location)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONValue(.number(try parseNumber()), at: location)
    case UInt8(ascii: "t"):
      try parseWord("true")
      return JSONValue(.bool(true), at: location)
    case UInt8(ascii: "f"):
      try parseWord("false")
      return JSONValue(.bool(false), at: location)
    case UInt8(ascii: "n"):
      try parseWord("null")
      return JSONValue(.null, at: location)
    default:
      throw expected(expectation)
    }
  }

  private mutating func parseWord(_ word: StaticString) throws(JSONFault) {
    let length = word.utf8CodeUnitCount
    let start = position
    guard count - start >= length else { throw JSONFault(kind: .word, offset: start) }
    for index in 0..<length where base[start + index] != word.utf8Start[index] {
      throw JSONFault(kind: .word, offset: start)
    }
    position += length
    // A letter right after is part of a longer, unknown word.
    if JSONParser.isLetter(peek()) { throw JSONFault(kind: .word, offset: start) }
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  private mutating func open(isObject: Bool) throws(JSONFault) -> Int {
    guard frames.count < JSONDocument.maximumDepth else {
      throw JSONFault(kind: .tooDeep, offset: position)
    }
    let start = isObject ? members.count : values.count
    frames.append(Frame(isObject: isObject, offset: position, stackStart: start))
    position += 1
    skipWhiteSpace()
    return start
  }

  private mutating func parseArray() throws(JSONFault) -> [JSONValue] {
    let first = try open(isObject: false)
    if peek() == UInt8(ascii: "]") {
      position += 1
    } else {
      values.push(try parseValue(.elementOrEnd))
      skipWhiteSpace()
      while peek() == UInt8(ascii: ",") {
        position += 1
        skipWhiteSpace()
        values.push(try parseValue(.element))
        skipWhiteSpace()
      }
      guard peek() == UInt8(ascii: "]") else { throw expected(.commaOrArrayEnd) }
      position += 1
    }
    frames.removeLast()
    return values.popAll(above: first)
  }

  private mutating func parseObject() throws(JSONFault) -> JSONObject {
    let first = try open(isObject: true)
    if peek() == UInt8(ascii: "}") {
      position += 1
    } else {
      var index = KeyIndex()
      try parseMember(of: first, index: &index, .keyOrEnd)
      while peek() == UInt8(ascii: ",") {
        position += 1
        skipWhiteSpace()
        try parseMember(of: first, index: &index, .key)
      }
      guard peek() == UInt8(ascii: "}") else { throw expected(.commaOrObjectEnd) }
      position += 1
    }
    frames.removeLast()
    fingerprints.removeLast(fingerprints.count - first)
    return JSONObject(uniqueMembers: members.popAll(above: first))
  }

  private mutating func parseMember(
    of first: Int, index: inout KeyIndex, _ expectation: JSONFault.Expectation
  ) throws(JSONFault) {
    guard peek() == UInt8(ascii: "\"") else { throw expected(expectation) }
    let keyLocation = here()
    let key = try parseString()
    pendingKeys.append(PendingKey(key: key, depth: frames.count - 1))
    let fingerprint = KeyIndex.fingerprint(of: key)
    let earlier = earlierMember(key, fingerprint, of: first, index: &index)
    if let earlier, let place = members[earlier].keyLocation {
      duplicateKeys.append(
        JSONDuplicateKey(path: path, first: place, duplicate: keyLocation))
    }
    skipWhiteSpace()
    guard peek() == UInt8(ascii: ":") else { throw expected(.colon) }
    position += 1
    skipWhiteSpace()
    let value = try parseValue(.value)
    if earlier == nil {
      members.push(JSONMember(key: key, at: keyLocation, value: value))
      fingerprints.append(fingerprint)
    }
    pendingKeys.removeLast()
    skipWhiteSpace()
  }

  /// The index on the stack of the member of the current object that has this key.
  private mutating func earlierMember(
    _ key: String, _ fingerprint: UInt64, of first: Int, index: inout KeyIndex
  ) -> Int? {
    if members.count - first <= KeyIndex.threshold {
      for candidate in first..<members.count where fingerprints[candidate] == fingerprint {
        if members[candidate].key.hasSameBytes(as: key) { return candidate }
      }
      return nil
    }
    while index.indexed < members.count - first {
      index.positions[ByteIdentity(members[first + index.indexed].key)] = first + index.indexed
      index.indexed += 1
    }
    return index.positions[ByteIdentity(key)]
  }
}

/// Finds a key among those of an object: small objects by fingerprint, large ones by hash.
struct KeyIndex {
  /// Up to how many members a comparison of all fingerprints is faster than hashing.
  static let threshold = 24

  var positions: [ByteIdentity: Int] = [:]
  var indexed = 0

  /// A number that equal keys share and different keys of a small object seldom do.
  @inline(__always)
  static func fingerprint(of key: String) -> UInt64 {
    // The multiplication wraps by intention: it spreads the bytes over the word (FNV-1a).
    key.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
