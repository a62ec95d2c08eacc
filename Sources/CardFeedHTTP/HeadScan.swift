internal import CMicroHTTPD

/// The headers that requests keep.
struct KeptHeaders: Sendable {
  private let names: [(text: String, bytes: [UInt8])]

  init(_ names: [String]) {
    self.names = names.map { name in
      let bytes = name.utf8.map(HeaderRules.lowered)
      return (String(decoding: bytes, as: UTF8.self), bytes)
    }
  }

  /// The name in lower case, if it is kept.
  func name(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    for name in names where name.bytes.count == bytes.count {
      if name.bytes.elementsEqual(bytes, by: { $0 == HeaderRules.lowered($1) }) { return name.text }
    }
    return nil
  }
}

/// Reads the headers of one request, and finds out whether its head is what it seems.
///
/// The library splits the head into strings where it lies. Here each is followed from the end of the
/// one before: a NUL within a string, a line that continues the one before, a line that ends without
/// a carriage return or a space where none belongs leave a gap, and such a head is refused, for
/// another reader could read something else in it (RFC 9112 sections 2.2, 5 and 11.2).
struct HeadScan {
  private let kept: KeptHeaders
  /// Where the next string has to begin.
  private var next: UnsafePointer<CChar>
  private(set) var isSound = true
  private var contentLengths = 0
  private var transferEncodings = 0
  private var hosts = 0
  private(set) var isChunked = false
  private(set) var contentLength: Int?
  private(set) var expectsContinue = false
  private(set) var headers: [(name: String, value: String)] = []

  /// Follows the first line.
  init(
    kept: KeptHeaders, method: UnsafePointer<CChar>, target: UnsafePointer<CChar>,
    targetCount: Int, version: UnsafePointer<CChar>
  ) {
    self.kept = kept
    var methodCount = 0
    while method[methodCount] != 0 { methodCount += 1 }
    // `HTTP/1.1` and two characters that ended the line.
    next = version + 10
    isSound = method + methodCount + 1 == target && target + targetCount + 1 == version
  }

  /// Takes one header.
  mutating func add(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) {
    guard let start = name.baseAddress, let valueStart = value.baseAddress else {
      isSound = false
      return
    }
    // Compared as numbers: strings that were moved elsewhere lie in no order.
    let found = UInt(bitPattern: start)
    let gap = Int(bitPattern: valueStart) - Int(bitPattern: start + name.count)
    guard found == UInt(bitPattern: next), gap >= 1, HeaderRules.isToken(name),
      HeaderRules.isValue(value), HeadScan.isBlank(start + name.count + 1, gap - 1)
    else {
      isSound = false
      return
    }
    next += name.count + gap + value.count + 2
    let trimmed = HeadScan.trimmed(value)
    switch name.count {
    case 4 where HeaderRules.equal(name, "host"): hosts += 1
    case 6 where HeaderRules.equal(name, "expect"): expectsContinue = true
    case 14 where HeaderRules.equal(name, "content-length"):
      contentLengths += 1
      switch ContentLength(trimmed) {
      case .bytes(let count): contentLength = count
      case .tooLarge: contentLength = .max
      case .malformed: isSound = false
      }
    case 17 where HeaderRules.equal(name, "transfer-encoding"):
      transferEncodings += 1
      isChunked = HeaderRules.equal(trimmed, "chunked")
    default: break
    }
    if let name = kept.name(name) {
      headers.append((name, String(decoding: trimmed, as: UTF8.self)))
    }
  }

  /// Whether the head ended where it should and means one thing only.
  ///
  /// - Parameters:
  ///   - end: Behind the blank line.
  ///   - isVersion11: Whether it is HTTP/1.1, which needs a host.
  func isFinished(at end: UnsafePointer<CChar>, isVersion11: Bool) -> Bool {
    guard isSound, next + 2 == end, contentLengths <= 1, transferEncodings <= 1, hosts <= 1 else {
      return false
    }
    if transferEncodings == 1 && (!isChunked || contentLengths == 1 || !isVersion11) {
      return false
    }
    return hosts == 1 || !isVersion11
  }

  private static func isBlank(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    for offset in 0..<count where start[offset] != 32 && start[offset] != 9 { return false }
    return true
  }

  private static func trimmed(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var count = value.count
    while count > 0 && (value[count - 1] == 32 || value[count - 1] == 9) { count -= 1 }
    return UnsafeBufferPointer(rebasing: value.prefix(count))
  }
}

/// Called by the library for each header of a request.
func scanHeader(
  _ scan: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
  _ nameCount: Int, _ value: UnsafePointer<CChar>?, _ valueCount: Int
) -> MHD_Result {
  guard let scan, let header = HeaderRules.header(name, nameCount, value, valueCount) else {
    return .NO
  }
  scan.assumingMemoryBound(to: HeadScan.self).pointee.add(header.name, header.value)
  return .YES
}

/// The target of a request, looked at before the library takes it apart.
enum Target {
  /// Whether it is an absolute path, perhaps with a query, or the asterisk; and every percent sign in
  /// it is followed by two hexadecimal digits (RFC 9112 section 3.2, RFC 3986 section 2.1). The
  /// absolute form, which is for proxies, is none.
  static func isSound(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if bytes.count == 1 && bytes[0] == UInt8(ascii: "*") { return true }
    guard bytes.first == UInt8(ascii: "/") else { return false }
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte <= 32 || byte >= 127 { return false }
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, isHex(bytes[index + 1]), isHex(bytes[index + 2]) else {
          return false
        }
        index += 2
      }
      index += 1
    }
    return true
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
