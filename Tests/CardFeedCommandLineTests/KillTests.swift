import CardFeed
import CardFeedCommandLine
import CardFeedConfiguration
import CardFeedStandardPlugins
import ChildProcesses
import Foundation
import Testing

/// The program is killed while it applies swipes, again and again on the same file. What it printed
/// must be in the store, once.
@Suite struct KillTests {
  /// The program beside the test binary; nil if only the tests were built.
  static let executable: String? = {
    let link = "/proc/self/exe"
    guard let binary = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
      return nil
    }
    let path = URL(fileURLWithPath: binary).deletingLastPathComponent()
      .appendingPathComponent("cardfeed").path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()

  private struct Pair: Hashable {
    let viewer: CardID
    let card: CardID
  }

  /// Everybody answers the other side in the order of the cards, which is the order of the deals.
  private struct Plan {
    var lines: [String] = []
    var likes: Set<Pair> = []

    init(_ records: [JSONValue], seed: UInt64, count: Int) {
      var random = SplitMix64(seed: seed)
      let people = records.map { ($0["id"]?.string ?? "", $0["gender"]?.string ?? "") }
      let others = Dictionary(grouping: people) { $0.1 == "woman" ? "man" : "woman" }
      for round in 0... {
        for (viewer, gender) in people {
          guard lines.count < count, let card = others[gender]?[round].0 else { return }
          let answer = random.next() % 3 == 0 ? "pass" : "like"
          if answer == "like" {
            likes.insert(Pair(viewer: CardID(viewer), card: CardID(card)))
          }
          lines.append(
            #"{"viewer":"\#(viewer)","card":"\#(card)","answer":"\#(answer)","#
              + #""event":"swipe-\#(round)"}"#)
        }
      }
    }

    var matches: Int {
      likes.count {
        $0.viewer.bytes.lexicographicallyPrecedes($0.card.bytes)
          && likes.contains(Pair(viewer: $0.card, card: $0.viewer))
      }
    }
  }

  @Test func nothingPrintedIsLostByKills() async throws {
    guard let executable = Self.executable else {
      return print("skipped: no program 'cardfeed' beside the test binary")
    }
    let folder = try ScratchFolder()
    let made = await Call.tool(
      "dataset", "make", "generated-dating", "--waves", "5", "--people", "15", "--out",
      folder.path)
    #expect(made.status == .fine)
    let records = try Call(
      status: .fine, output: folder.text(of: "dating/cards.jsonl"), errors: ""
    ).lines
    let plan = Plan(records, seed: 7, count: 10_000)
    #expect(plan.lines.count == 10_000)
    let swipes = try folder.write(plan.lines.joined(separator: "\n") + "\n", to: "swipes.jsonl")
    let configuration = try folder.write(
      """
      { "version": 1, "deck": "dating", "store": { "use": "sqlite", "path": "\(folder.file("d.db"))" },
        "hand": { "ties": "id" }, "sources": [{ "use": "all" }],
        "filters": [{ "use": "already-swiped" }, { "use": "mutual-preferences" }],
        "matchProbability": { "use": "constant" }, "ranking": { "use": "source-order" } }
      """, to: "feed.json")

    var random = SplitMix64(seed: 2_026)
    var acknowledged: [Pair: Int64] = [:]
    var kills = 0
    for round in 0..<6 {
      let output = try folder.write("", to: "output-\(round)")
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
      let process = try ChildProcess(
        [
          executable, "swipe", "--config", configuration, "--cards",
          folder.file("dating/cards.jsonl"), "--from", swipes, "--tasks", "8",
        ], output: .descriptor(file.fileDescriptor))
      // Killed when about so many new swipes have been printed; the last round may finish. A line
      // has fewer than 96 bytes.
      let fresh = Int(200 + random.next() % 1000)
      let size = round == 5 ? Int.max : (acknowledged.count + fresh) * 96
      while process.isRunning, self.size(of: output) < size { usleep(1000) }
      if round < 5 {
        usleep(UInt32(random.next() % 20_000))
        kill(process.processIdentifier, SIGKILL)
      }
      if process.wait() == .signal(SIGKILL) { kills += 1 }
      try note(output, in: &acknowledged)
      try await compare(configuration, with: acknowledged)
    }
    #expect(kills == 5)
    #expect(acknowledged.count == 10_000)

    let store = try await open(configuration)
    let events = try await store.events(after: .start, limit: .max)
    #expect(events.count { $0.kind == .swipe } == 10_000)
    #expect(events.count { $0.kind == .match } == plan.matches)
    try await store.close()
    let again = await Call.tool(
      "swipe", "--config", configuration, "--from", swipes, "--tasks", "3")
    #expect(again.status == .fine)
    #expect(try again.lines.count { $0["result"] == "repeated" } == 10_000)
    #expect(await Call.tool("store", "check", "--config", configuration).status == .fine)
  }

  private func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Adds what was printed; the same swipe must get the same place in the log every time.
  private func note(_ path: String, in acknowledged: inout [Pair: Int64]) throws {
    let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    // A line is one write: only the last can be cut off, and then its swipe was not acknowledged.
    let whole = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    var wrong: [Substring] = []
    for line in whole {
      let json = try JSONDocument(parsing: String(line)).root
      guard let result = json["result"]?.string, ["applied", "repeated"].contains(result),
        let viewer = json["viewer"]?.string, let card = json["card"]?.string,
        let event = json["event"]?.int64
      else {
        wrong.append(line)
        continue
      }
      let pair = Pair(viewer: CardID(viewer), card: CardID(card))
      if acknowledged.updateValue(event, forKey: pair) ?? event != event { wrong.append(line) }
    }
    #expect(wrong == [])
  }

  private func open(_ configuration: String) async throws -> any FeedStore {
    try await FeedConfiguration(
      parsing: FileSystem.read(configuration), file: configuration, plugins: .standard
    ).openStore(plugins: .standard)
  }

  /// Every acknowledged swipe is in the store at its place, none is there twice, and the store finds
  /// no fault with itself.
  private func compare(_ configuration: String, with acknowledged: [Pair: Int64]) async throws {
    let store = try await open(configuration)
    #expect(try await store.check() == [])
    let swipes = try await store.events(after: .start, limit: .max).filter { $0.kind == .swipe }
    let cards = try await store.cards(after: nil, limit: 10_000)
    let ids = Dictionary(uniqueKeysWithValues: cards.map { ($0.number, $0.id) })
    var stored: [Pair: Int64] = [:]
    for swipe in swipes {
      guard let viewer = ids[swipe.viewer], let card = swipe.card.flatMap({ ids[$0] }) else {
        Issue.record("a swipe is stored of somebody who is not in the deck")
        continue
      }
      stored[Pair(viewer: viewer, card: card)] = swipe.position.rawValue
    }
    #expect(stored.count == swipes.count, "a swipe was applied twice")
    let lost = acknowledged.filter { stored[$0.key] != $0.value }
    #expect(lost.isEmpty, "\(lost.count) acknowledged swipes are not in the store")
    try await store.close()
  }
}
