import CardFeedConfiguration
import CardFeedHTTP
import Testing

@testable import CardFeedServer

@Suite struct UploadTests {
  private let path = "/v1/feeds/people/cards"

  private func client(_ transport: Transport, lineLimit: Int = 1 << 20) async throws
    -> ServiceClient
  {
    let service = TestService.service { $0.lineLimit = lineLimit }
    let client = try ServiceClient(service, transport)
    service.serve([try await TestService.feed()])
    return client
  }

  @Test(arguments: Transport.allCases)
  func problemsAreNamedByLineAndTheRestIsStored(_ transport: Transport) async throws {
    let client = try await client(transport)
    var lines: [String] = []
    for number in 1...9000 {
      switch number {
      case 3: lines.append("{\"id\":\"p3\",\"agee\":1}")
      case 4500: lines.append("[1]")
      case 8999: lines.append("{\"id\":")
      case 5: lines.append("")
      default: lines.append("{\"id\":\"p\(number)\",\"age\":30}")
      }
    }
    let answer = try await client.send(
      .post, path, body: Array(lines.joined(separator: "\n").utf8), type: "application/jsonl")
    let json = try answer.json
    #expect(json["stored"]?.int64 == 8996)
    #expect(json["problems"]?.array?.compactMap { $0["line"]?.int64 } == [3, 4500, 8999])
    for (id, status) in [("p1", 200), ("p3", 404), ("p4000", 200), ("p9000", 200)] {
      #expect(try await client.get("\(path)/\(id)").status == status)
    }
    try await client.close()
  }

  @Test func whatCameBeforeABrokenConnectionIsStored() async throws {
    let client = try await client(.inProcess)
    let whole = TestService.people((1...5000).map { "p\($0)" })
    let pieces = Interrupted(whole)
    let head = HTTPRequestHead(
      method: .post, path: path,
      headers: [("host", "localhost"), ("content-type", "application/x-ndjson")])
    guard case .stream = client.service.admit(head) else {
      Issue.record("cards are not streamed")
      return
    }
    let response = await client.service.respond(
      to: HTTPRequest(head: head, body: .stream(HTTPBodyStream { await pieces.next() })))
    #expect(response.status == 400)
    // The first batch has 4000 lines; the rest had not come to a whole one.
    #expect(try await client.get("\(path)/p4000").status == 200)
    #expect(try await client.get("\(path)/p4001").status == 404)
    try await client.close()
  }

  private actor Interrupted {
    private var rest: [UInt8]?
    init(_ bytes: [UInt8]) { rest = bytes }

    func next() -> Result<[UInt8]?, HTTPBodyError> {
      defer { rest = nil }
      return rest.map { .success($0) } ?? .failure(.disconnected)
    }
  }

  @Test func aLineThatIsTooLongEndsTheUpload() async throws {
    let client = try await client(.inProcess, lineLimit: 2000)
    let text =
      "{\"id\":\"a\"}\n{\"id\":\"b\",\"bio\":\"" + String(repeating: "x", count: 5000) + "\"}"
    let answer = try await client.send(
      .post, path, body: Array(text.utf8), type: "application/x-ndjson")
    #expect((answer.status, answer.problem) == (413, "too-large"))
    try await client.close()
  }

  /// Batches of lines are the lines, however the pieces of the body are cut.
  @Test func batchesKeepEveryByteAndCountLines() async throws {
    let text = (1...9001).map { "line \($0)" }.joined(separator: "\n")
    var batches = LineBatches(
      .stream(ServiceClient.stream(Array(text.utf8))), lineLimit: 1000)
    var joined: [UInt8] = []
    var firstLines: [Int] = []
    while let batch = try await batches.next() {
      joined += batch.bytes
      firstLines.append(batch.firstLine)
    }
    #expect(joined == Array(text.utf8))
    #expect(firstLines == [1, 4001, 8001])
  }

  @Test func aCardThatWasPutAnewIsShownAnewInEveryHand() async throws {
    let client = try await client(.inProcess)
    _ = try await client.send(
      .post, path, body: TestService.people(["ann", "ben"]), type: "application/x-ndjson")
    for age in 31...40 {
      let record: JSONValue = ["id": "ben", "age": JSONValue(age)]
      _ = try await client.send(
        .put, path + "/ben", body: record.bytes(), type: "application/json")
      for _ in 0..<2 {
        let hand = try await client.get("/v1/feeds/people/viewers/ann/hand").json
        #expect(hand["cards"]?[0]?["card"]?["age"]?.int64 == Int64(age))
      }
    }
    try await client.close()
  }
}
