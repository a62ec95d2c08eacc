internal import CardFeedHTTP

extension FeedService {
  /// Nothing but the service itself may be loaded, run or talked to by the page.
  static let contentSecurityPolicy =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    + "object-src 'none'"

  /// The page for trying out.
  ///
  /// - Parameter isOpen: Whether its files need no token. They hold no data, and a browser that opens
  ///   an address cannot send one; the page asks for it.
  static func playgroundRoutes(isOpen: Bool) -> [Route] {
    let scope: AccessScopes? = isOpen ? nil : .serve
    func file(_ type: String) -> [Route.Answer] {
      [
        Route.Answer(status: 200, description: "The file.", type: type, schema: nil),
        Route.Answer(
          status: 304, description: "The client has it already.", type: "", schema: nil),
      ]
    }
    return [
      Route(
        .get, "/", name: "getPage", scope: scope, summary: "A page to try the feeds out.",
        answers: file("text/html")
      ) { service, call in try service.file("index.html", call) },
      Route(
        .get, "/playground/{file}", name: "getPageFile", scope: scope,
        summary: "A file of the page.", answers: file("text/javascript")
      ) { service, call in
        try service.file(String(decoding: call.part("file"), as: UTF8.self), call)
      },
      Route(
        .get, "/playground/images/{image}", name: "getPicture", scope: scope,
        summary: "A made-up picture, the same one for a name each time.",
        answers: file("image/svg+xml")
      ) { service, call in
        let name = String(decoding: call.part("image"), as: UTF8.self)
        guard name.hasSuffix(".svg") else {
          throw Problem(.notFound, "there is no such picture; allowed: NAME.svg")
        }
        let picture = Picture(name: String(name.dropLast(4)))
        return service.answer(
          with: PlaygroundFiles.File(name: name, bytes: Array(picture.svg.utf8)), call)
      },
    ]
  }

  private func file(_ name: String, _ call: ServiceCall) throws -> HTTPResponse {
    if let read = options.pages, let bytes = try read(name) {
      return answer(with: PlaygroundFiles.File(name: name, bytes: bytes), call)
    }
    guard let file = playground[name] else {
      throw Problem(.notFound, "the page has no such file")
    }
    return answer(with: file, call)
  }

  private func answer(with file: PlaygroundFiles.File, _ call: ServiceCall) -> HTTPResponse {
    let headers: [(name: String, value: String)] = [
      ("Content-Type", file.type), ("ETag", file.tag), ("Cache-Control", "no-cache"),
      ("Content-Security-Policy", Self.contentSecurityPolicy),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ]
    let known = call.head.header("if-none-match")?.split(separator: ",").map { tag in
      let text = tag.filter { $0 != " " }
      return text.hasPrefix("W/") ? String(text.dropFirst(2)) : text
    }
    if known?.contains(file.tag) ?? false { return HTTPResponse(status: 304, headers: headers) }
    return HTTPResponse(status: 200, headers: headers, body: .bytes(file.bytes))
  }
}
