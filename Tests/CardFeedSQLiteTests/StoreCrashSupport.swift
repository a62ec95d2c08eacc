import CardFeed
import Foundation

@testable import CardFeedSQLite

/// What a process does until it is killed.
enum CrashWork: String, CaseIterable {
  case swipes, backups, migration, maintenance
}

/// Orders to a process that is going to be killed, as one environment variable.
struct CrashOrder {
  static let variable = "CARDFEED_CRASH_ROUND"

  let work: CrashWork
  let round: Int
  let microseconds: UInt32
  let folder: String

  var text: String { "\(work.rawValue) \(round) \(microseconds) \(folder)" }

  init(work: CrashWork, round: Int, microseconds: UInt32, folder: String) {
    self.work = work
    self.round = round
    self.microseconds = microseconds
    self.folder = folder
  }

  init(text: String) throws {
    let values = text.split(separator: " ", maxSplits: 3).map(String.init)
    guard values.count == 4, let work = CrashWork(rawValue: values[0]), let round = Int(values[1]),
      let microseconds = UInt32(values[2])
    else { throw LogicalError(number: 5) }
    self.init(work: work, round: round, microseconds: microseconds, folder: values[3])
  }

  /// Works until the process dies. Never returns: the killer comes first, or the work is over and
  /// the killer is waited for.
  func workUntilKilled() async throws {
    let killer = Thread { [microseconds] in
      usleep(microseconds)
      kill(getpid(), SIGKILL)
    }
    switch work {
    case .migration:
      killer.start()
      _ = try await SQLiteStore.migrate(path: "\(folder)/old.db", options: .forTests)
    case .swipes, .backups, .maintenance:
      var options = SQLiteStore.Options()
      options.synchronous = round % 2 == 0 ? .full : .normal
      let store = try await SQLiteStore.open(path: "\(folder)/cards.db", options: options)
      let people = try await store.numbers(for: (0..<8).map { CardID("person-\($0)") })
      killer.start()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for viewer in people {
          group.addTask { try await act(as: viewer, among: people, on: store) }
        }
        if work == .backups {
          group.addTask {
            for index in 0... {
              try await store.backup(to: "\(folder)/backup-\(round)-\(index)")
            }
          }
        }
        if work == .maintenance {
          group.addTask {
            for index in 0... {
              _ = try await store.ageOut(
                negativesBefore: time(Int64(index)), unansweredLikesBefore: nil)
              _ = try await store.prune(exposuresBefore: time(Int64(index)))
              try await erase(somebody: index, among: people, on: store)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    sleep(600)
  }

  /// Deals to itself and answers, and says so in a file each time the store acknowledged it. A line
  /// is one `write`: whole or not there.
  private func act(
    as viewer: CardNumber, among people: [CardNumber], on store: SQLiteStore
  ) async throws {
    let log = Glibc.open("\(folder)/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let others = people.filter { $0 != viewer }
    for index in 0... {
      let card = others[index % others.count]
      if index % 4 == 0 {
        let place = try await store.dealt(deal([card], to: viewer, at: Int64(index)))
        write("deal \(viewer.rawValue) - \(place.rawValue) \(card.rawValue) +\n", to: log)
      }
      let command = Self.swipe(
        viewer, card, event: "round-\(round)-\(index)", isLike: index % 3 != 0)
      let place = try await store.applied(command)
      let sign = command.meaning == .positive ? "+" : "-"
      write(
        "swipe \(viewer.rawValue) round-\(round)-\(index) \(place.rawValue) \(card.rawValue) "
          + "\(sign)\n", to: log)
    }
  }

  /// Somebody comes, likes everybody, and is erased.
  private func erase(
    somebody index: Int, among people: [CardNumber], on store: SQLiteStore
  ) async throws {
    let identity = CardID("gone-\(round)-\(index)")
    guard let guest = try await store.numbers(for: [identity]).first else { return }
    _ = try await store.commit(
      people.map { Self.swipe(guest, $0, event: "guest-\($0.rawValue)", isLike: true) })
    _ = try await store.erase(person: guest)
    let log = Glibc.open("\(folder)/erased", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    write("\(guest.rawValue)\n", to: log)
    Glibc.close(log)
  }

  private func write(_ line: String, to log: Int32) {
    Glibc.write(log, line, line.utf8.count)
  }

  static func swipe(
    _ viewer: CardNumber, _ card: CardNumber, event: String, isLike: Bool
  ) -> SwipeCommand {
    CardFeedSQLiteTests.swipe(
      viewer, card, isLike ? .positive : .negative, event: EventID(event), at: -1)
  }
}

/// One line of what a killed process was told.
struct Acknowledgement: Hashable {
  let isDeal: Bool
  let viewer: CardNumber
  let event: String
  let place: LogPosition
  let card: CardNumber
  let isLike: Bool

  static func all(in path: String) throws -> [Acknowledgement] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      let fields = line.split(separator: " ").map(String.init)
      guard fields.count == 6, let viewer = Int64(fields[1]), let place = Int64(fields[3]),
        let card = Int64(fields[4])
      else { throw LogicalError(number: 6) }
      return Acknowledgement(
        isDeal: fields[0] == "deal", viewer: CardNumber(viewer), event: fields[2],
        place: LogPosition(place), card: CardNumber(card), isLike: fields[5] == "+")
    }
  }
}
