import CardFeedConfiguration
import CardFeedHTTP
import Testing

@testable import CardFeedServer

/// The whole service by one body, in process and over a socket. Every answer is checked against the
/// service's own description.
@Suite struct ServiceTests {
  private let viewer = "/v1/feeds/people/viewers/ann"

  private func withClient(
    _ transport: Transport, people: [String] = ["ann", "ben", "cid", "dot", "eve", "fay"],
    _ body: (ServiceClient) async throws -> Void
  ) async throws {
    let service = TestService.service()
    let client = try ServiceClient(service, transport)
    service.serve([try await TestService.feed()])
    let stored = try await client.send(
      .post, "/v1/feeds/people/cards", body: TestService.people(people),
      type: "application/x-ndjson")
    #expect(try stored.json["stored"]?.int64 == Int64(people.count))
    do {
      try await body(client)
    } catch {
      try await client.close()
      throw error
    }
    try await client.close()
  }

  @Test(arguments: Transport.allCases)
  func everyRouteAnswersAsDescribed(_ transport: Transport) async throws {
    try await withClient(transport) { client in
      for path in [
        "/healthz", "/readyz", "/metrics", "/openapi.json", "/", "/playground/playground.js",
        "/playground/images/robin.svg", "/v1/feeds", "/v1/layouts", viewer + "/hand",
        viewer + "/matches", viewer + "/likes-received", viewer + "/allowances",
        viewer + "/events", viewer + "/explanations/ben", viewer + "/export",
        "/v1/feeds/people/cards/ben", "/v1/feeds/people/config",
        "/v1/feeds/people/strategies?stage=ranking",
      ] {
        #expect(try await client.get(path).status == 200, "\(path)")
      }
      #expect(try await client.post(viewer + "/redeal", nil).status == 200)
      let top = try await top(client)
      let card: JSONValue = ["card": JSONValue(top)]
      #expect(try await client.post(viewer + "/impressions", card, key: "i").status == 200)
      let looked: JSONValue = ["card": JSONValue(top), "dwell_ms": 1500]
      #expect(try await client.post(viewer + "/impressions", looked, key: "d").status == 200)
      let days: JSONValue = ["card": JSONValue(top), "dwell_ms": 86_400_001]
      #expect(try await client.post(viewer + "/impressions", days, key: "e").status == 422)
      let swipe: JSONValue = ["card": JSONValue(top), "answer": "like", "time_ms": 1000]
      #expect(try await client.post(viewer + "/swipes", swipe, key: "s").status == 200)
      #expect(try await client.post(viewer + "/rewinds", nil, key: "r").status == 200)
      #expect(try await client.post(viewer + "/unmatches", card, key: "u").status == 200)
      #expect(try await client.post(viewer + "/blocks", card, key: "b").status == 200)
      #expect(try await client.post(viewer + "/reports", ["card": "fay"], key: "p").status == 200)
      let gus: JSONValue = ["id": "gus", "age": 40]
      let put = try await client.send(
        .put, "/v1/feeds/people/cards/gus", body: gus.bytes(), type: "application/json")
      #expect(put.status == 200)
      #expect(try await client.send(.delete, "/v1/feeds/people/cards/gus").status == 200)
      let withdrawn = try await client.send(
        .post, "/v1/feeds/people/cards/withdrawals", body: Array("\"dot\"\n{\"id\":\"eve\"}".utf8),
        type: "application/x-ndjson")
      #expect(try withdrawn.json["withdrawn"]?.int64 == 2)
      let config = TestService.dating
      #expect(try await client.post("/v1/feeds/people/config/check", config).status == 200)
      let swapped = try await client.send(
        .put, "/v1/feeds/people/config", body: config.bytes(), type: "application/json")
      #expect(swapped.status == 200)
      #expect(try await client.post("/v1/feeds/people/config/reload", nil).status == 422)
      #expect(try await client.send(.delete, viewer).status == 200)
      let all = Set(client.service.table.routes.map(\.name))
      #expect(all.subtracting(client.answered) == [])
    }
  }

  private func top(_ client: ServiceClient) async throws -> String {
    let hand = try await client.get(viewer + "/hand").json
    return try #require(hand["cards"]?[0]?["id"]?.string)
  }

  @Test(arguments: Transport.allCases)
  func aSwipeCountsOnceHoweverOftenItIsSent(_ transport: Transport) async throws {
    try await withClient(transport) { client in
      let top = try await top(client)
      let swipe: JSONValue = ["card": JSONValue(top), "answer": "like"]
      let first = try await client.post(viewer + "/swipes", swipe, key: "one")
      #expect(try first.json["result"]?.string == "applied")
      let again = try await client.post(viewer + "/swipes", swipe, key: "one")
      #expect(try again.json["result"]?.string == "repeated")
      #expect(try again.json["receipt"] == first.json["receipt"])
      #expect(try again.json["top"]?.isNull == true)
      let other: JSONValue = ["card": JSONValue(top), "answer": "pass"]
      let conflict = try await client.post(viewer + "/swipes", other, key: "one")
      #expect((conflict.status, conflict.problem) == (409, "conflict"))
      let stale = try await client.post(viewer + "/swipes", swipe, key: "two")
      #expect((stale.status, stale.problem) == (409, "stale"))
      let second = try await self.top(client)
      #expect(try stale.json["top"]?["id"]?.string == second)
    }
  }

  @Test(arguments: Transport.allCases)
  func twoLikesMakeAMatchThatBothHearOf(_ transport: Transport) async throws {
    try await withClient(transport, people: ["ann", "ben"]) { client in
      for (viewer, card) in [("ben", "ann"), ("ann", "ben")] {
        let path = "/v1/feeds/people/viewers/\(viewer)"
        _ = try await client.get(path + "/hand")
        let swipe: JSONValue = ["card": JSONValue(card), "answer": "like"]
        let answer = try await client.post(path + "/swipes", swipe, key: "like")
        let isMatch = try answer.json["receipt"]?["match"]?.isNull == false
        #expect(isMatch == (viewer == "ann"))
      }
      for (viewer, card) in [("ben", "ann"), ("ann", "ben")] {
        let path = "/v1/feeds/people/viewers/\(viewer)"
        let matches = try await client.get(path + "/matches").json["matches"]
        #expect(matches?[0]?["id"]?.string == card)
        #expect(matches?[0]?["card"]?["id"]?.string == card)
      }
      let back = try await client.post(viewer + "/rewinds", nil, key: "back").json
      #expect(back["result"]?.string == "applied")
      #expect(back["card"]?["id"]?.string == "ben")
      #expect(back["ended_match"]?.bool == true)
      #expect(try await client.get(viewer + "/matches").json["matches"]?.array?.isEmpty == true)
    }
  }

  @Test(arguments: Transport.allCases)
  func wrongRequestsAreToldWhatIsWrong(_ transport: Transport) async throws {
    try await withClient(transport) { client in
      let path = viewer + "/swipes"
      let swipe: JSONValue = ["card": "ben", "answer": "like"]
      func problem(_ answer: ServiceAnswer) -> String {
        "\(answer.status) \(answer.problem ?? "none")"
      }
      #expect(problem(try await client.post(path, swipe)) == "400 bad-request")
      let long = String(repeating: "k", count: 256)
      #expect(problem(try await client.post(path, swipe, key: long)) == "400 bad-request")
      let broken = try await client.send(
        .post, path, headers: [("idempotency-key", "k")], body: Array("{\"card\":".utf8),
        type: "application/json")
      #expect(problem(broken) == "400 bad-request")
      for body in [
        ["answer": "like"], ["card": 1, "answer": "like"], ["card": "ben", "answer": "adore"],
        ["card": "ben", "answer": "like", "extra": 1], [], "text",
        ["card": "ben", "answer": "like", "time_ms": -1],
      ] as [JSONValue] {
        #expect(problem(try await client.post(path, body, key: "k")) == "422 unprocessable")
      }
      #expect(
        problem(try await client.post(path, ["card": "zoe", "answer": "like"], key: "k"))
          == "404 not-found")
      #expect(problem(try await client.get("/v1/feeds/other/viewers/a/hand")) == "404 not-found")
      #expect(problem(try await client.get("/v2")) == "404 not-found")
      let method = try await client.send(.delete, path)
      #expect(problem(method) == "405 method-not-allowed")
      #expect(method.headers["allow"] == "POST")
      let form = try await client.send(
        .post, path, headers: [("idempotency-key", "k")], body: Array("card=ben".utf8),
        type: "application/x-www-form-urlencoded")
      #expect(problem(form) == "415 unsupported-media-type")
      let large = try await client.send(
        .post, path, headers: [("idempotency-key", "k")],
        body: Array(repeating: 0x20, count: 100_000), type: "application/json")
      #expect(problem(large) == "413 too-large")
      #expect(
        problem(try await client.get("/v1/feeds/people/strategies?stage=none"))
          == "400 bad-request")
    }
  }

  @Test func idsAreBytesAfterThePathIsDecoded() async throws {
    let names = ["ann", "a/b", "A", "a", "é", "e\u{301}", "100%"]
    try await withClient(.socket, people: names) { client in
      for (encoded, id) in [
        ("a%2Fb", "a/b"), ("A", "A"), ("a", "a"), ("%C3%A9", "é"), ("e%CC%81", "e\u{301}"),
        ("100%25", "100%"),
      ] {
        let card = try await client.get("/v1/feeds/people/cards/\(encoded)").json
        #expect(card["id"]?.string?.utf8.elementsEqual(id.utf8) == true)
      }
      #expect(try await client.get("/v1/feeds/people/cards/%FF").status == 404)
    }
  }

  @Test func aConfigurationIsCheckedBeforeItIsSwapped() async throws {
    try await withClient(.inProcess) { client in
      let path = "/v1/feeds/people/config"
      let before = try await client.get(path).json
      var wrong = TestService.dating.object ?? [:]
      wrong["ranking"] = ["use": "source-oder"]
      wrong["hnad"] = 1
      let checked = try await client.post(path + "/check", JSONValue(wrong)).json
      #expect(checked["ok"]?.bool == false)
      #expect(checked["problems"]?.array?.count == 2)
      let put = try await client.send(
        .put, path, body: JSONValue(wrong).bytes(), type: "application/json")
      #expect((put.status, put.problem) == (422, "unprocessable"))
      #expect(try put.json["problems"]?.array?.count == 2)
      var other = TestService.dating.object ?? [:]
      other["seed"] = 9
      let seeded = try await client.send(
        .put, path, body: JSONValue(other).bytes(), type: "application/json")
      #expect(try seeded.json["problems"]?[0]?["path"]?.string == "$.seed")
      #expect(try await client.get(path).json == before)
      var good = TestService.dating.object ?? [:]
      good["hand"] = ["size": 5, "refillBelow": 4]
      let swapped = try await client.send(
        .put, path, body: JSONValue(good).bytes(), type: "application/json")
      #expect(swapped.status == 200)
      #expect(try await client.get(path).json["hand"]?["size"]?.int64 == 5)
      #expect(try await client.get(viewer + "/hand").json["cards"]?.array?.count == 5)
    }
  }
}
