internal import CardFeedHTTP

/// What a service without tokens asks of a request: that it is meant for this machine, and that no
/// other page has sent it.
///
/// A page on the internet can make its own name lead to 127.0.0.1 (DNS rebinding), and can send
/// requests to http://localhost that the browser lets through without asking. The first shows in
/// the header `Host`, the second in `Origin`.
enum LoopbackRule {
  static func problem(with head: HTTPRequestHead) -> Problem? {
    guard let host = head.header("host"), isLoopback(host) else {
      return Problem(
        .forbidden,
        "the header Host names no address of this machine itself; allowed: localhost, "
          + "127.0.0.1, [::1]", hint: "serve with tokens to be called by another name")
    }
    guard let origin = head.header("origin") else { return nil }
    guard origin.lowercased() == "http://" + host.lowercased() else {
      return Problem(
        .forbidden, "the request comes from a page of another origin; allowed: the service's own",
        hint: "serve with tokens, behind a proxy that allows the page")
    }
    return nil
  }

  /// Every request asks, so this looks at bytes and makes nothing.
  static func isLoopback(_ host: String) -> Bool {
    let host = host.utf8
    let name: Substring.UTF8View
    if host.first == UInt8(ascii: "[") {
      guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
      name = host[...end]
    } else {
      name = host[..<(host.firstIndex(of: UInt8(ascii: ":")) ?? host.endIndex)]
    }
    let port = host[name.endIndex...]
    guard port.isEmpty || port.first == UInt8(ascii: ":"), port.dropFirst().allSatisfy(isDigit)
    else { return false }
    // Setting a letter's sixth bit makes it lower case, and makes no letter of anything else.
    return name.elementsEqual("localhost".utf8) { $0 | 0x20 == $1 }
      || name.elementsEqual("[::1]".utf8) || isLoopbackAddress(name)
  }

  /// Whether it is 127.x.y.z, each number from 0 to 255.
  private static func isLoopbackAddress(_ name: Substring.UTF8View) -> Bool {
    guard name.starts(with: "127.".utf8) else { return false }
    var numbers = 1
    var number: Int?
    for byte in name {
      if isDigit(byte) {
        number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
        if number ?? 0 > 255 { return false }
      } else {
        guard byte == UInt8(ascii: "."), number != nil else { return false }
        numbers += 1
        number = nil
      }
    }
    return numbers == 4 && number != nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
