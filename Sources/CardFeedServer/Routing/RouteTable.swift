internal import CardFeedHTTP

/// Finds the route of a request: a tree of the parts of paths, walked byte by byte.
struct RouteTable: Sendable {
  /// What was found.
  enum Match: Sendable {
    /// The index of the route, and the decoded parts that vary, in order.
    case route(Int, parameters: [[UInt8]])
    /// The path is known, with these methods.
    case otherMethod([HTTPMethod])
    /// There is no such path.
    case nothing
  }

  private struct Node: Sendable {
    var literals: [(name: [UInt8], node: Int)] = []
    var parameter: Int?
    var routes: [(method: HTTPMethod, route: Int)] = []
  }

  let routes: [Route]
  private var nodes = [Node()]

  init(_ routes: [Route]) {
    self.routes = routes
    for (index, route) in routes.enumerated() { insert(route, at: index) }
  }

  private mutating func insert(_ route: Route, at index: Int) {
    var node = 0
    for part in route.parts {
      node = child(of: node, part)
    }
    precondition(
      !nodes[node].routes.contains { $0.method == route.method },
      "Two routes are \(route.method.rawValue) \(route.path); leave one out.")
    nodes[node].routes.append((route.method, index))
  }

  private mutating func child(of node: Int, _ part: Route.Part) -> Int {
    switch part {
    case .literal(let text):
      let name = Array(text.utf8)
      if let known = nodes[node].literals.first(where: { $0.name == name }) { return known.node }
      nodes[node].literals.append((name, nodes.count))
    case .parameter:
      if let known = nodes[node].parameter { return known }
      nodes[node].parameter = nodes.count
    }
    nodes.append(Node())
    return nodes.count - 1
  }

  /// Finds the route of a request. A part that is written out goes before one that varies, unless
  /// only the latter has the method. HEAD is GET.
  ///
  /// - Parameters:
  ///   - method: The request's method.
  ///   - path: As it was sent, percent-encoded.
  /// - Complexity: O(bytes of the path).
  func match(_ method: HTTPMethod, _ path: String) -> Match {
    var path = path
    let method = method == .head ? .get : method
    return path.withUTF8 { bytes in
      guard bytes.first == UInt8(ascii: "/") else { return .nothing }
      var walk = Walk(bytes: bytes, method: method)
      walk.visit(0, from: 1, in: nodes)
      if let found = walk.found {
        return .route(found, parameters: walk.ranges.map { Self.decoded(bytes[$0]) })
      }
      return walk.others.isEmpty
        ? .nothing : .otherMethod(HTTPMethod.allCases.filter(walk.others.contains))
    }
  }

  private struct Walk {
    let bytes: UnsafeBufferPointer<UInt8>
    let method: HTTPMethod
    var ranges: [Range<Int>] = []
    var found: Int?
    var others: Set<HTTPMethod> = []

    mutating func visit(_ node: Int, from start: Int, in nodes: [Node]) {
      guard start <= bytes.count else {
        if let route = nodes[node].routes.first(where: { $0.method == method }) {
          found = route.route
        } else {
          others.formUnion(nodes[node].routes.map(\.method))
        }
        return
      }
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
      for literal in nodes[node].literals
      where literal.name.count == end - start && literal.name.elementsEqual(bytes[start..<end]) {
        visit(literal.node, from: end + 1, in: nodes)
        if found != nil { return }
      }
      if let parameter = nodes[node].parameter, end > start {
        ranges.append(start..<end)
        visit(parameter, from: end + 1, in: nodes)
        if found == nil { ranges.removeLast() }
      }
    }
  }

  /// Percent signs without two hexadecimal digits stay as they are; servers refuse them before.
  static func decoded(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "%")) else { return Array(bytes) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
        let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
