internal import CMicroHTTPD
internal import Glibc

/// The other end of a connection.
struct Peer: Sendable {
  /// Who counts as one client: an address of IPv4, or the network of one of IPv6, whose last 64 bits
  /// a client chooses as it likes.
  struct Key: Hashable, Sendable {
    var version: UInt8
    var bits: UInt64
  }

  /// The numeric address.
  let text: String
  let key: Key

  init(_ address: UnsafePointer<sockaddr>?) {
    guard let address else {
      text = ""
      key = Key(version: 0, bits: 0)
      return
    }
    let raw = UnsafeRawPointer(address)
    if Int32(address.pointee.sa_family) == AF_INET6 {
      var found = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      let bytes = withUnsafeBytes(of: &found) { Array($0) }
      let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
      if isMapped {
        text = bytes[12...].map { String($0) }.joined(separator: ".")
        key = Key(version: 4, bits: bytes[12...].reduce(0) { $0 << 8 | UInt64($1) })
      } else {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &found, &buffer, socklen_t(buffer.count))
        text = buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        key = Key(version: 6, bits: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) })
      }
    } else {
      var found = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
      let bytes = withUnsafeBytes(of: &found) { Array($0) }
      text = bytes.map { String($0) }.joined(separator: ".")
      key = Key(version: 4, bits: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
  }
}
