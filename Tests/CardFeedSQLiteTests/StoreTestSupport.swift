import CardFeed
import Glibc
import Testing

@testable import CardFeedSQLite

/// Says match when both sides like each other.
struct MutualRule: MatchRule {
  func isMatch(_ circumstances: MatchCircumstances) -> Bool {
    circumstances.meaning == .positive && circumstances.reverse == .positive
  }
}

/// Says match for each positive answer, as a deck without a second side does.
struct OneSidedRule: MatchRule {
  func isMatch(_ circumstances: MatchCircumstances) -> Bool { circumstances.meaning == .positive }
}

extension SQLiteStore.Options {
  /// Without the wait for the disk and with a short wait for locks.
  static var forTests: SQLiteStore.Options {
    var options = SQLiteStore.Options()
    options.synchronous = .normal
    options.busyTimeoutMilliseconds = 200
    return options
  }
}

/// Where a store of a test lives.
enum Place: String, CaseIterable, Sendable {
  case memory, disk

  func open(_ folder: ScratchFolder) async throws -> SQLiteStore {
    switch self {
    case .memory: try await SQLiteStore.openInMemory(options: .forTests)
    case .disk: try await SQLiteStore.open(path: folder.file(), options: .forTests)
    }
  }
}

func time(_ offset: Int64) -> Timestamp {
  Timestamp(milliseconds: 1_700_000_000_000 + offset)
}

func swipe(
  _ viewer: CardNumber, _ card: CardNumber, _ meaning: AnswerMeaning = .positive,
  event: EventID, expectation: SwipeCommand.Expectation = .recorded, deal: LogPosition? = nil,
  at offset: Int64 = 0, learned: [LearnerDelta] = []
) -> SwipeCommand {
  SwipeCommand(
    viewer: viewer, card: card, event: event, answer: "\(meaning)", meaning: meaning,
    time: time(offset), expectation: expectation, deal: deal, compatibility: nil, remaining: 3,
    matchRule: MutualRule(), learned: learned)
}

func deal(
  _ cards: [CardNumber], to viewer: CardNumber, generation: Int64 = 0, at offset: Int64 = 0
) -> DealCommand {
  DealCommand(
    viewer: viewer, time: time(offset), fingerprint: "print",
    exposures: cards.enumerated().map { place, card in
      Exposure(card: card, position: place, score: 0.5, probability: nil, propensity: 0.25)
    },
    stack: { _ in
      StoredStack(generation: generation, top: 0, imageStart: 0, image: [1, UInt8(cards.count)])
    })
}

extension SQLiteStore {
  /// Applies one swipe that must count and returns its place.
  @discardableResult
  func applied(_ command: SwipeCommand) async throws -> LogPosition {
    guard case .applied(let receipt) = try await commit([command]).first else {
      throw LogicalError(number: 1)
    }
    return receipt.event
  }

  @discardableResult
  func dealt(_ command: DealCommand) async throws -> LogPosition {
    guard case .dealt(let position) = try await commit(command) else {
      throw LogicalError(number: 2)
    }
    return position
  }
}

/// Writes noise over the first page of each table.
func overwriteRootPages(of tables: [String], in path: String) throws {
  let connection = try Connection(.file(path), options: .forTests)
  let pages = try tables.map { table in
    try connection.integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = ?1", .text(table))
  }
  let pageSize = try connection.integer("PRAGMA page_size")
  try connection.close()
  let file = try #require(fopen(path, "r+b"))
  defer { fclose(file) }
  for page in pages {
    fseek(file, Int((page - 1) * pageSize), SEEK_SET)
    let noise = (0..<pageSize).map { UInt8(truncatingIfNeeded: $0 &* 167 + 13) }
    #expect(fwrite(noise, 1, noise.count, file) == noise.count)
  }
}

func fileSize(_ path: String) throws -> Int {
  var status = stat()
  guard stat(path, &status) == 0 else { throw LogicalError(number: Int(errno)) }
  return Int(status.st_size)
}
