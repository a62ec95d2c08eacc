import CSQLite
import CSQLiteFaults
import CardFeed
import Foundation
import Testing

@testable import CardFeedSQLite

/// SQLite's calls to the operating system fail, the k-th of them and some after it, for every k.
/// Whatever was acknowledged is there afterwards, once, and the store finds nothing wrong with
/// itself.
@Suite(.serialized) struct StoreFaultTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let kinds: Int32
    let result: Int32
    let code: SQLiteError.Code
    var tears = false

    var testDescription: String { name }
  }

  static let faults: [Fault] = [
    Fault(
      name: "writing fails", kinds: Int32(CF_FAULT_WRITE.rawValue), result: 778, code: .ioError),
    Fault(
      name: "writing fails half way", kinds: Int32(CF_FAULT_WRITE.rawValue), result: 778,
      code: .ioError, tears: true),
    Fault(
      name: "the disk is full", kinds: Int32(CF_FAULT_WRITE.rawValue), result: SQLITE_FULL,
      code: .diskFull, tears: true),
    Fault(
      name: "syncing fails", kinds: Int32(CF_FAULT_SYNC.rawValue), result: 1034, code: .ioError),
    Fault(
      name: "the lock is busy", kinds: Int32(CF_FAULT_LOCK.rawValue), result: SQLITE_BUSY,
      code: .busy),
    Fault(
      name: "reading fails", kinds: Int32(CF_FAULT_READ.rawValue), result: 266, code: .ioError),
  ]

  private static var options: SQLiteStore.Options {
    var options = SQLiteStore.Options()
    options.busyTimeoutMilliseconds = 0
    options.readers = 1
    options.groupSize = 4
    options.fileSystem = "cardfeed-faults"
    return options
  }

  private struct Work {
    var acknowledged: [EventID: LogPosition] = [:]
    var deals: Set<LogPosition> = []
    var refusals: Set<SQLiteError.Code> = []

    /// Deals and swipes, some together, some alone; what is refused is only counted.
    mutating func run(_ store: SQLiteStore, _ n: [CardNumber], round: Int) async throws {
      for step in 0..<6 {
        let viewer = n[step % n.count]
        let card = n[(step + 1 + round % (n.count - 1)) % n.count]
        let events = (0..<3).map { EventID("r\(round)-\(step)-\($0)") }
        do {
          if step % 3 == 0 {
            deals.insert(try await store.dealt(deal([card], to: viewer, at: Int64(round))))
          }
          let commands = events.map { event in
            swipe(
              viewer, card, event: event,
              learned: [
                LearnerDelta(
                  learner: "elo", increments: [Increment(LearnedKey(owner: card, slot: 0), 1)])
              ])
          }
          try await withThrowingTaskGroup(of: (EventID, SQLiteResult).self) { group in
            for command in commands {
              group.addTask {
                do { return (command.event, .done(try await store.applied(command))) } catch let
                  error as SQLiteError
                { return (command.event, .refused(error.code)) }
              }
            }
            for try await (event, result) in group {
              switch result {
              case .done(let place): acknowledged[event] = place
              case .refused(let code): refusals.insert(code)
              }
            }
          }
        } catch let error as SQLiteError { refusals.insert(error.code) }
      }
    }
  }

  enum SQLiteResult: Sendable {
    case done(LogPosition)
    case refused(SQLiteError.Code)
  }

  @Test(arguments: faults)
  func nothingAcknowledgedIsMissing(_ fault: Fault) async throws {
    let layer = try #require(cf_faults_register())
    #expect(String(cString: layer) == "cardfeed-faults")
    let folder = try ScratchFolder()
    let path = folder.file()
    var work = Work()
    var rounds = 0
    var struck: Int64 = 0
    // Until the work needs fewer calls than k: every call of this work was the one that failed.
    for k in 1...400 {
      cf_faults_arm(fault.kinds, Int64(k), Int64(1 + k % 3), fault.result, fault.tears ? 1 : 0)
      var isOpen = false
      do {
        let store = try await SQLiteStore.open(path: path, options: Self.options)
        do {
          let n = try await store.numbers(for: (0..<4).map { CardID("person-\($0)") })
          isOpen = true
          try await work.run(store, n, round: k)
        } catch let error as SQLiteError { work.refusals.insert(error.code) }
        // A store that cannot be closed is let go of as it is, like one that was killed.
        try await store.close()
      } catch let error as SQLiteError { work.refusals.insert(error.code) }
      let calls = cf_faults_calls()
      struck += cf_faults_disarm()
      rounds = k
      // Where opening failed before the k-th call, such as for a lock that a store of the round
      // before has not let go of yet, the round says nothing.
      let isOver = isOpen && calls < Int64(k)
      if k % 8 == 0 || isOver { try await verify(work, path) }
      if isOver { break }
    }
    try await verify(work, path)
    #expect(rounds > 5 && struck > 5, "\(rounds) rounds with \(struck) faults prove little")
    #expect(work.refusals.contains(fault.code) || fault.code == .busy, "\(work.refusals)")
    #expect(work.refusals.isSubset(of: [fault.code, .cannotOpen, .misuse, .corrupt, .busy]))
    // Reads are all of the opening, so only the last of those rounds gets to work.
    let isOfReads = fault.kinds == Int32(CF_FAULT_READ.rawValue)
    // On a busy machine more rounds end at the lock of the round before.
    #expect(work.acknowledged.count >= (isOfReads ? 18 : 50), "\(work.acknowledged.count)")
  }

  private func verify(_ work: Work, _ path: String) async throws {
    let store = try await SQLiteStore.open(path: path, options: .forTests)
    try #require(try await store.check() == [])
    let events = try await store.events(after: .start, limit: 10_000_000)
    let swipes = Set(events.filter { $0.kind == .swipe }.map(\.position))
    let deals = Set(events.filter { $0.kind == .deal }.map(\.position))
    try #require(Set(work.acknowledged.values).isSubset(of: swipes), "a swipe is missing")
    try #require(work.deals.isSubset(of: deals), "a deal is missing")
    try #require(Set(work.acknowledged.values).count == work.acknowledged.count, "a place twice")
    try await store.close()
  }
}
