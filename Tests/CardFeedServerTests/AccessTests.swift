import CardFeed
import CardFeedConfiguration
import CardFeedHTTP
import Testing

@testable import CardFeedServer

@Suite struct AccessTests {
  private func tokens() throws -> (table: TokenTable, byScope: [String: String]) {
    var byScope: [String: String] = [:]
    var file = "# tokens of a test\n\n"
    for (name, scope) in AccessScopes.names {
      let made = TokenTable.newToken(scopes: scope, name: name)
      byScope[name] = made.token
      file += made.line + "\n"
    }
    return (try TokenTable(parsing: Array(file.utf8), file: "tokens"), byScope)
  }

  @Test(arguments: [false, true])
  func withoutATokenNothingButHealthAnswersAndAnOpenPage(isOpen: Bool) async throws {
    let (table, _) = try tokens()
    let client = try ServiceClient(
      TestService.service {
        $0.tokens = table
        $0.opensPlayground = isOpen
      }, .socket)
    client.service.serve([try await TestService.feed()])
    for route in client.service.table.routes {
      let target = route.path.replacing("{feed}", with: "people").replacing("{", with: "")
        .replacing("}", with: "")
      for authorization in [nil, "Bearer none", "Basic YTpi", "Bearer "] {
        client.authorization = authorization
        let answer = try await client.send(route.method, target)
        #expect((answer.status == 401) == (route.scope != nil), "\(route.name)")
        if answer.status == 401 { #expect(answer.headers["www-authenticate"] == "Bearer") }
      }
    }
    client.authorization = nil
    #expect(
      client.service.table.routes.filter { $0.scope == nil }.map(\.name).sorted()
        == ["getHealth"] + (isOpen ? ["getPage", "getPageFile", "getPicture"] : []))
    #expect(try await client.get("/").status == (isOpen ? 200 : 401))
    // Nobody is told which paths there are.
    #expect(try await client.get("/nothing").status == 401)
    #expect(try await client.send(.patch, "/v1/feeds").status == 401)
    try await client.close()
  }

  @Test func aScopeAllowsWhatItImplies() async throws {
    let (table, byScope) = try tokens()
    let client = try ServiceClient(TestService.service { $0.tokens = table }, .inProcess)
    client.service.serve([try await TestService.feed()])
    client.host = "feeds.example"
    let order = ["serve", "write", "admin"]
    for route in client.service.table.routes where route.scope != nil {
      let needed = try #require(route.scope?.names.first.flatMap(order.firstIndex(of:)))
      let target = route.path.replacing("{feed}", with: "people").replacing("{", with: "")
        .replacing("}", with: "")
      for (rank, name) in order.enumerated() {
        client.authorization = "Bearer " + (byScope[name] ?? "")
        let answer = try await client.send(route.method, target)
        #expect((answer.status == 403) == (rank < needed), "\(route.name) by \(name)")
        #expect(answer.status != 401)
      }
    }
    try await client.close()
  }

  @Test func onLoopbackOnlyThisMachinesNamesAndPagesAreTaken() async throws {
    let client = try ServiceClient(TestService.service(), .socket)
    client.service.serve([])
    for (host, isAllowed) in [
      ("localhost", true), ("LocalHost:8080", true), ("127.0.0.1", true), ("127.1.2.3:1", true),
      ("[::1]", true), ("[::1]:80", true), ("evil.example", false),
      ("localhost.evil.example", false),
      ("127.0.0.1.evil.example", false), ("128.0.0.1", false), ("localhost:80@evil", false),
      ("[::1", false), ("127.0.0", false), ("127.0.0.256", false), ("[::1]80", false),
      ("127.0..1", false), ("127.0.0.1.", false), ("127.0.0.1.1", false), ("localhost:x", false),
      ("127.0.0.-1", false), ("127.255.255.255", true),
    ] {
      let answer = try await client.get("/v1/feeds", headers: [("host", host)])
      #expect((answer.status == 200) == isAllowed, "\(host)")
    }
    for (origin, isAllowed) in [
      ("http://localhost:8080", true), ("http://LOCALHOST:8080", true),
      ("http://localhost", false), ("https://localhost:8080", false), ("null", false),
      ("http://evil.example", false),
    ] {
      let answer = try await client.get(
        "/v1/feeds", headers: [("host", "localhost:8080"), ("origin", origin)])
      #expect((answer.status == 200) == isAllowed, "\(origin)")
    }
    try await client.close()
  }

  @Test func tooManyRequestsAreToldWhenToComeBack() async throws {
    let service = TestService.service {
      $0.requestsPerSecond = 0.5
      $0.burst = 3
    }
    let client = try ServiceClient(service, .inProcess)
    service.serve([])
    for _ in 0..<3 { #expect(try await client.get("/v1/feeds").status == 200) }
    let answer = try await client.get("/v1/feeds")
    #expect((answer.status, answer.problem) == (429, "over-limit"))
    #expect(answer.headers["retry-after"] == "2")
    #expect(try await client.get("/healthz").status == 200)
    try await client.close()
  }

  @Test func bucketsFillAtTheirRateAndAreForgottenWhenFull() {
    let rates = RequestRates(perSecond: 2, burst: 4, capacity: 3)
    var time: UInt64 = 1_000_000_000
    for _ in 0..<4 { #expect(rates.refusal(of: "a", at: time) == nil) }
    #expect(rates.refusal(of: "a", at: time) == 1)
    time += 500_000_000
    #expect(rates.refusal(of: "a", at: time) == nil)
    #expect(rates.refusal(of: "a", at: time) == 1)
    for name in ["b", "c", "d", "e"] { #expect(rates.refusal(of: name, at: time) == nil) }
    time += 60_000_000_000
    for _ in 0..<4 { #expect(rates.refusal(of: "a", at: time) == nil) }
    #expect(rates.refusal(of: "a", at: time) == 1)
  }

  @Test(arguments: [
    ("", "there is no token in it"), ("abc serve", "no SHA-256"),
    (String(repeating: "0", count: 64), "scopes are missing"),
    (String(repeating: "0", count: 64) + " serve,root", "no scope 'root'"),
    (String(repeating: "0", count: 64) + " serve a b", "more than three words"),
  ])
  func brokenFilesOfTokensAreRefused(_ example: (text: String, part: String)) {
    let error = #expect(throws: FeedError.self) {
      try TokenTable(parsing: Array(example.text.utf8), file: "tokens")
    }
    #expect(error?.description.contains(example.part) == true)
  }
}
