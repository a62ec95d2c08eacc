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

  static func isLoopback(_ host: String) -> Bool {
    let name: Substring
    let rest: Substring
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return false }
      name = host[...end]
      rest = host[host.index(after: end)...]
    } else {
      let end = host.firstIndex(of: ":") ?? host.endIndex
      name = host[..<end]
      rest = host[end...]
    }
    let isPort = rest.isEmpty || rest.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    guard isPort, rest.isEmpty || rest.hasPrefix(":") else { return false }
    if name.lowercased() == "localhost" || name == "[::1]" { return true }
    let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } }
  }
}
