import CardFeed
import CardFeedConfiguration
import CardFeedHTTP
import Foundation
import Testing

@testable import CardFeedServer

/// Streams of events of services that share a store, each as a process of its own has it: with its
/// own table, sessions and streams, and told of nothing that the others do.
@Suite(.timeLimit(.minutes(10))) struct EventTests {
  private static let people = ["ann", "ben", "cid", "dot", "eve"]
  private static let feed = "/v1/feeds/people"

  /// Services over one file.
  private final class Town {
    let configuration: JSONValue
    private let folder: URL
    private var open: [ServiceClient] = []

    init() throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("cardfeed-events-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var configuration = TestService.dating.object ?? [:]
      configuration["store"] = [
        "use": "sqlite", "path": JSONValue(folder.appendingPathComponent("cards.db").path),
      ]
      self.configuration = JSONValue(configuration)
    }

    func service() async throws -> ServiceClient {
      let client = try ServiceClient(TestService.service(), .inProcess)
      client.service.serve([try await TestService.feed(configuration)])
      open.append(client)
      return client
    }

    func end(_ client: ServiceClient) async throws {
      open.removeAll { $0 === client }
      try await client.close()
    }

    func close() async throws {
      for client in open { try await client.close() }
      try FileManager.default.removeItem(at: folder)
    }
  }

  private func withTown(
    _ body: (_ town: Town, _ one: ServiceClient, _ other: ServiceClient) async throws -> Void
  ) async throws {
    let town = try Town()
    do {
      let one = try await town.service()
      _ = try await one.send(
        .post, Self.feed + "/cards", body: TestService.people(Self.people),
        type: "application/x-ndjson")
      try await body(town, one, try await town.service())
    } catch {
      try? await town.close()
      throw error
    }
    try await town.close()
  }

  /// What a client makes of a stream.
  private final class Listener {
    struct Event: Equatable {
      var id: String
      var name: String
      var card: String?
      var reason: String?
    }

    private let source: any HTTPBodySource
    private(set) var lastID = ""

    init(_ client: ServiceClient, _ viewer: String, after id: String? = nil) async throws {
      let head = HTTPRequestHead(
        method: .get, path: EventTests.feed + "/viewers/\(viewer)/events", query: nil,
        contentLength: nil,
        headers: [("host", "localhost")] + (id.map { [("last-event-id", $0)] } ?? []))
      let response = await client.service.respond(
        to: HTTPRequest(head: head, body: .bytes([])))
      guard case .stream(let source) = response.body else {
        throw Problem(.internal, "no stream: \(response.status)")
      }
      self.source = source
      // The beginning says where the stream stands.
      _ = try await chunk()
    }

    private func chunk() async throws -> [Substring: Substring]? {
      guard let bytes = try await source.next() else { return nil }
      var fields: [Substring: Substring] = [:]
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        guard let colon = line.firstIndex(of: ":") else { continue }
        fields[line[..<colon]] = line[line.index(after: colon)...].drop { $0 == " " }
      }
      if let id = fields["id"] { lastID = String(id) }
      return fields
    }

    func next() async throws -> Event? {
      while let fields = try await chunk() {
        guard let name = fields["event"], let data = fields["data"] else { continue }
        let json = try JSONDocument(parsing: Array(data.utf8)).root
        return Event(
          id: lastID, name: String(name), card: json["card"]?.string,
          reason: json["reason"]?.string)
      }
      return nil
    }
  }

  private func like(_ card: String, by viewer: String, at client: ServiceClient) async throws {
    let path = Self.feed + "/viewers/\(viewer)"
    var answer = try await client.get(path + "/hand")
    // Whoever lies above was not asked for.
    while let top = try answer.json["cards"]?[0]?["id"]?.string, top != card {
      let pass: JSONValue = ["card": JSONValue(top), "answer": "pass"]
      _ = try await client.post(path + "/swipes", pass, key: "pass-\(top)")
      answer = try await client.get(path + "/hand")
    }
    let swipe: JSONValue = ["card": JSONValue(card), "answer": "like"]
    let liked = try await client.post(path + "/swipes", swipe, key: "like-\(card)")
    #expect(liked.status == 200, "\(liked.text)")
  }

  private func match(
    _ one: String, _ other: String, at client: ServiceClient
  ) async throws {
    try await like(one, by: other, at: client)
    try await like(other, by: one, at: client)
  }

  private func matches(of viewer: String, at client: ServiceClient) async throws -> [String] {
    let answer = try await client.get(Self.feed + "/viewers/\(viewer)/matches").json
    return answer["matches"]?.array?.compactMap { $0["id"]?.string } ?? []
  }

  @Test(arguments: ["unmatches", "blocks", "reports", "rewinds"])
  func whatAnotherProcessDoesIsToldOnceAndInOrder(ending: String) async throws {
    try await withTown { _, one, other in
      let ann = try await Listener(one, "ann")
      let ben = try await Listener(other, "ben")
      let eve = try await Listener(one, "eve")
      try await match("ann", "ben", at: other)
      let first = try #require(try await ann.next())
      #expect((first.name, first.card) == ("match-made", "ben"))
      let made = try #require(try await ben.next())
      #expect((made.id, made.card) == (first.id, "ann"), "one id for both sides, at any process")

      let body: JSONValue = ending == "rewinds" ? nil : ["card": "ben"]
      let answer = try await other.post(
        Self.feed + "/viewers/ann/" + ending, body, key: "the end")
      #expect(answer.status == 200)
      let second = try #require(try await ann.next())
      #expect((second.name, second.card) == ("match-ended", "ben"))
      let ended = try #require(try await ben.next())
      #expect((ended.name, ended.id, ended.card) == ("match-ended", second.id, "ann"))
      #expect(try await matches(of: "ann", at: one) == [])

      // Nothing twice, and nothing for whom it does not concern.
      try await match("eve", "ann", at: one)
      let third = try #require(try await ann.next())
      #expect((third.name, third.card) == ("match-made", "eve"))
      #expect(try await eve.next()?.id == third.id)
    }
  }

  @Test func aBlockWithoutAMatchIsToldToNobody() async throws {
    try await withTown { _, one, other in
      let ann = try await Listener(one, "ann")
      try await like("ann", by: "ben", at: other)
      let block = Self.feed + "/viewers/ben/blocks"
      #expect(try await other.post(block, ["card": "ann"], key: "b").status == 200)
      try await match("cid", "ann", at: other)
      #expect(try await ann.next()?.card == "cid")
    }
  }

  @Test func whoResumesHasNoGapAndNothingTwice() async throws {
    try await withTown { town, one, other in
      var ann: Listener? = try await Listener(one, "ann")
      try await match("ann", "ben", at: one)
      let first = try #require(try await ann?.next())
      #expect(first.card == "ben")
      ann = nil
      try await match("ann", "cid", at: other)
      try await match("ann", "dot", at: other)
      let unmatch = Self.feed + "/viewers/cid/unmatches"
      #expect(try await other.post(unmatch, ["card": "ann"], key: "u").status == 200)

      func missed(_ client: ServiceClient) async throws -> [Listener.Event] {
        let listener = try await Listener(client, "ann", after: first.id)
        var events: [Listener.Event] = []
        for _ in 0..<3 { events.append(try #require(try await listener.next())) }
        return events
      }
      let events = try await missed(one)
      #expect(
        events.map { "\($0.name) \($0.card ?? "")" } == [
          "match-made cid", "match-made dot", "match-ended cid",
        ])
      #expect(try await missed(other) == events, "at the other process")
      try await town.end(one)
      let again = try await town.service()
      #expect(try await missed(again) == events, "after a new start")

      // From the end on there is only what is new.
      let last = try #require(events.last)
      let listener = try await Listener(again, "ann", after: last.id)
      try await match("ann", "eve", at: other)
      #expect(try await listener.next()?.card == "eve")
    }
  }

  /// Of a log that reached further than this one, of another stream, and of nobody.
  @Test(arguments: [
    ("STREAM-99999999", "too-old"), ("STREAM0-1", "other-stream"), ("1", "other-stream"),
  ])
  func whoCannotResumeIsToldToLoadAnew(pattern: String, reason: String) async throws {
    try await withTown { _, one, _ in
      let ann = try await Listener(one, "ann")
      try await match("ann", "ben", at: one)
      let id = try #require(try await ann.next()).id
      let unknown = pattern.replacing("STREAM", with: id.prefix { $0 != "-" })
      let listener = try await Listener(one, "ann", after: unknown)
      let reload = try #require(try await listener.next())
      #expect((reload.name, reload.reason) == ("reload", reason))
      #expect(
        try await one.get("/metrics").text.contains(
          "cardfeed_event_reloads_total{feed=\"people\"} 1\n"))
      // And goes on behind it.
      try await match("ann", "cid", at: one)
      #expect(try await listener.next()?.card == "cid")
    }
  }

  @Test func whatIsInMemoryIsAnotherStreamAfterANewStart() async throws {
    var ids: [String] = []
    for _ in 0..<2 {
      let client = try ServiceClient(TestService.service(), .inProcess)
      client.service.serve([try await TestService.feed()])
      let listener = try await Listener(client, "ann", after: ids.first)
      ids.append(listener.lastID)
      if ids.count == 2 { #expect(try await listener.next()?.reason == "other-stream") }
      try await client.close()
    }
  }

  @Test func theEndByAnErasureIsToldToThoseWhoHadAMatch() async throws {
    try await withTown { _, one, other in
      let ann = try await Listener(one, "ann")
      let dot = try await Listener(one, "dot")
      try await match("ann", "ben", at: one)
      #expect(try await ann.next()?.card == "ben")
      let before = ann.lastID
      try await match("cid", "ann", at: one)
      #expect(try await ann.next()?.card == "cid")
      for person in ["ben", "cid"] {
        let viewer = Self.feed + "/viewers/\(person)"
        #expect(try await other.send(.delete, viewer).status == 200)
        let ended = try #require(try await ann.next())
        #expect((ended.name, ended.card) == ("match-ended", nil))
      }
      #expect(try await matches(of: "ann", at: one) == [])
      try await match("dot", "eve", at: other)
      #expect(try await dot.next()?.card == "eve", "dot had no match with either")
      // Who was away is not told of whom the store knows nothing any more.
      let late = try await Listener(one, "ann", after: before)
      #expect(try await late.next()?.reason == "erasure")
    }
  }

  @Test func metricsSayWhatStreamsDid() async throws {
    try await withTown { _, one, other in
      let ann = try await Listener(one, "ann")
      try await match("ann", "ben", at: other)
      #expect(try await ann.next() != nil)
      let text = try await one.get("/metrics").text
      #expect(text.contains("cardfeed_match_events_total{feed=\"people\"} 1\n"))
      for name in [
        "match_events", "event_read_failures", "event_streams_dropped", "event_reloads",
      ] {
        #expect(text.contains("# HELP cardfeed_\(name)_total "))
        #expect(text.contains("# TYPE cardfeed_\(name)_total counter\n"))
        #expect(text.contains("\ncardfeed_\(name)_total{feed=\"people\"} "))
      }
    }
  }
}
