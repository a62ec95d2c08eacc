import CardFeed
import Foundation
import Testing

@testable import CardFeedSQLite

/// A process that swipes is killed at a random moment, again and again on the same file. What it
/// was told is applied must be there, once.
@Suite struct StoreCrashTests {
  private static let variable = "CARDFEED_CRASH_ROUND"

  @Test func nothingAcknowledgedIsLostByKills() async throws {
    let folder = try ScratchFolder()
    let path = folder.file()
    var random = SplitMix64(seed: 2_026)
    var acknowledged: [String] = []
    for round in 0..<20 {
      let delay = 500 + random.next() % 40_000
      setenv(Self.variable, "\(round) \(delay) \(path)", 1)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let values = (ProcessInfo.processInfo.environment["CARDFEED_CRASH_ROUND"] ?? "")
          .split(separator: " ", maxSplits: 2).map(String.init)
        let round = try #require(Int(values[0]))
        try await swipeUntilKilled(
          values[2], round: round, microseconds: try #require(UInt32(values[1])))
      }
      acknowledged = try lines(of: folder.file("acknowledged"))
      let store = try await SQLiteStore.open(path: path, options: .forTests)
      #expect(try await store.check() == [])
      let events = try await store.events(after: .start, limit: 10_000_000)
      let places = Dictionary(grouping: events.filter { $0.kind == .swipe }, by: \.position)
      for line in acknowledged {
        let fields = line.split(separator: " ")
        let position = try #require(Int64(fields[2]))
        #expect(places[LogPosition(position)]?.count == 1, "lost after round \(round)")
      }
      // Whoever repeats what was acknowledged, gets the same receipt.
      for line in acknowledged.suffix(40) {
        let fields = line.split(separator: " ")
        let decisions = try await store.commit([
          crashSwipe(
            CardNumber(try #require(Int64(fields[0]))), CardID(String(fields[1])),
            number: CardNumber(try #require(Int64(fields[3]))))
        ])
        guard case .repeated(let receipt) = try #require(decisions.first) else {
          Issue.record("an acknowledged swipe was answered with \(decisions)")
          continue
        }
        #expect(receipt.event.rawValue == Int64(fields[2]))
      }
      try await store.close()
    }
    unsetenv(Self.variable)
    // A test in which every kill came before the first swipe would prove nothing.
    #expect(acknowledged.count > 100)
    #expect(Set(acknowledged).count == acknowledged.count)
  }
}

private func crashSwipe(_ viewer: CardNumber, _ event: CardID, number: CardNumber) -> SwipeCommand {
  swipe(viewer, number, event: EventID(bytes: event.bytes))
}

private func lines(of path: String) throws -> [String] {
  guard FileManager.default.fileExists(atPath: path) else { return [] }
  let text = try String(contentsOfFile: path, encoding: .utf8)
  return text.split(separator: "\n").map(String.init)
}

/// Eight people like each other and say so in a file, each time after the store acknowledged it.
/// A line is one `write`: whole or not there.
private func swipeUntilKilled(
  _ path: String, round: Int, microseconds: UInt32
) async throws {
  let folder = path.prefix { $0 != "\0" }.split(separator: "/").dropLast().joined(separator: "/")
  let log = Glibc.open("/\(folder)/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
  var options = SQLiteStore.Options()
  options.synchronous = round % 2 == 0 ? .full : .normal
  let store = try await SQLiteStore.open(path: path, options: options)
  let people = try await store.numbers(for: (0..<8).map { CardID("person-\($0)") })
  let killer = Thread {
    usleep(microseconds)
    kill(getpid(), SIGKILL)
  }
  killer.start()
  await withThrowingTaskGroup(of: Void.self) { group in
    for viewer in people {
      group.addTask {
        for index in 0... {
          let others = people.filter { $0 != viewer }
          let card = others[index % others.count]
          let event = "round-\(round)-swipe-\(index)"
          let position = try await store.applied(crashSwipe(viewer, CardID(event), number: card))
          let line = "\(viewer.rawValue) \(event) \(position.rawValue) \(card.rawValue)\n"
          Glibc.write(log, line, line.utf8.count)
        }
      }
    }
  }
}
