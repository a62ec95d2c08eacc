internal import CMicroHTTPD

/// The announced length of a body: digits, and no more of them than a number holds (RFC 9110 section
/// 8.6).
enum ContentLength {
  case bytes(Int)
  /// A number, but none that any body could have.
  case tooLarge
  case malformed

  init(_ digits: UnsafeBufferPointer<UInt8>) {
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
      self = .malformed
      return
    }
    var length = 0
    for digit in digits {
      let (tens, isOver) = length.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = tens.addingReportingOverflow(Int(digit - 48))
      if isOver || isBeyond {
        self = .tooLarge
        return
      }
      length = sum
    }
    self = .bytes(length)
  }
}

/// Finds out whether the library would refuse the announced length of a request: it looks at the first
/// one, and at none where an encoding is named.
struct LengthScan {
  private var first: ContentLength?
  private var isEncoded = false

  /// What is wrong with it, if anything is.
  var failure: HTTPServerFailure? {
    if isEncoded { return nil }
    switch first {
    case .malformed: return .malformed
    case .tooLarge: return .bodyTooLarge
    case .bytes, nil: return nil
    }
  }

  /// Takes one header.
  mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    if HeaderRules.equal(name, "transfer-encoding") { isEncoded = true }
    if first == nil, HeaderRules.equal(name, "content-length") { first = ContentLength(value) }
  }
}

/// Called by the library for each header of a request.
func scanLength(
  _ scan: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
  _ nameCount: Int, _ value: UnsafePointer<CChar>?, _ valueCount: Int
) -> MHD_Result {
  guard let scan, let header = HeaderRules.header(name, nameCount, value, valueCount) else {
    return .NO
  }
  scan.assumingMemoryBound(to: LengthScan.self).pointee.add(header.name, header.value)
  return .YES
}
