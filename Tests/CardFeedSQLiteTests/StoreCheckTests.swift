import CardFeed
import CardFeedTesting
import Testing

@testable import CardFeedSQLite

/// Damages a store by hand; `check()` must find each fault, and name its part.
@Suite struct StoreCheckTests {
  let folder: ScratchFolder

  init() async throws {
    folder = try ScratchFolder()
    try await Self.fill(folder.file())
  }

  /// Ana (1), Ben (2), Cleo (3), Dan (4) and Eve (5). Events: 1 a deal to Ana, 2 she likes Ben,
  /// 3 he likes her, 4 their match, 5 Ana passes Cleo, 6 and rewinds that, 7 Cleo blocks Dan,
  /// 8 and 9 Ana passes Eve twice.
  private static func fill(_ path: String) async throws {
    let store = try await SQLiteStore.open(path: path, options: .forTests)
    let n = try await store.numbers(for: ["@ana", "@ben", "@cleo", "@dan", "@eve"])
    _ = try await store.put([StoredCard(id: "@ben", payload: [1, 2, 3])])
    let learned = [
      LearnerDelta(learner: "elo", increments: [Increment(LearnedKey(owner: n[2], slot: 0), 7)])
    ]
    let hand = try await store.dealt(deal([n[1], n[2]], to: n[0]))
    try await store.applied(
      swipe(
        n[0], n[1], event: "a1", expectation: .top(generation: 0, position: 0), deal: hand,
        learned: learned))
    try await store.applied(swipe(n[1], n[0], event: "b1", at: 1))
    let pass = try await store.applied(
      swipe(
        n[0], n[2], .negative, event: "a2", expectation: .top(generation: 0, position: 1),
        deal: hand, at: 2, learned: learned))
    _ = try await store.commit(
      RewindCommand(
        viewer: n[0], event: "a3", swipe: pass, time: time(3),
        stack: StoredStack(generation: 0, top: 1, imageStart: 0, image: [1, 2])))
    _ = try await store.commit(
      BlockCommand(viewer: n[2], card: n[3], event: "c1", kind: .block, time: time(4)))
    try await store.applied(swipe(n[0], n[4], .negative, event: "a4", at: 5))
    try await store.applied(swipe(n[0], n[4], .negative, event: "a5", at: 6))
    try await store.save(
      LearnerBlob(position: LogPosition(4), stride: 1, numbers: []), of: "elo")
    try await store.close()
  }

  @Test func aSoundStoreHasNoProblems() async throws {
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    #expect(try await store.check() == [])
    #expect(try await store.lastPosition() == LogPosition(9))
    try await store.close()
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let part: String
    let sql: String
    /// Part of what must be said.
    let says: String

    init(_ part: String, _ sql: String, says: String) {
      self.part = part
      self.sql = sql
      self.says = says
    }

    var testDescription: String { sql }
  }

  static let faults: [Fault] = [
    // seen
    Fault("seen", "DELETE FROM seen WHERE viewer = 1 AND card = 2", says: "differ from the log"),
    Fault("seen", "DELETE FROM seen WHERE viewer = 1 AND card = 3", says: "differ from the log"),
    Fault("seen", "UPDATE seen SET meaning = 0 WHERE viewer = 2", says: "differ from the log"),
    Fault(
      "seen", "UPDATE seen SET answered_at = 7 WHERE viewer = 2", says: "whose last event is 4"),
    Fault("seen", "UPDATE seen SET dealt_at = 7 WHERE card = 3", says: "whose last event is 6"),
    Fault("seen", "UPDATE seen SET event = 8 WHERE event = 9", says: "whose last event is 9"),
    Fault(
      "seen",
      "UPDATE seen SET answer = 'x', meaning = 0, answered_at = 1, event = 5 WHERE card = 3",
      says: "1 entries differ"),
    Fault(
      "seen", "INSERT INTO seen (viewer, card, dealt_at) VALUES (4, 5, 1)",
      says: "1 entries are of pairs that the log does not know"),
    // matches
    Fault("matches", "DELETE FROM matches", says: "1 entries differ"),
    Fault("matches", "UPDATE matches SET time = 0", says: "1 entries differ"),
    Fault("matches", "UPDATE matches SET event = 2", says: "1 entries differ"),
    Fault(
      "matches", "INSERT INTO matches (low, high, event, time) VALUES (1, 3, 5, 0)",
      says: "1 entries differ"),
    Fault(
      "matches", "INSERT INTO matches (low, high, event, time) VALUES (2, 5, 3, 0)",
      says: "pairs that the log does not know"),
    Fault("matches", "DELETE FROM events WHERE kind = 7", says: "1 swipes made a match and have"),
    Fault(
      "matches",
      "INSERT INTO events (kind, viewer, card, time, about, remaining) VALUES (7, 2, 1, 0, 3, 0)",
      says: "1 swipes have more than one match event, the first at event 3"),
    Fault(
      "matches",
      "INSERT INTO events (kind, viewer, card, time, about, remaining) VALUES (7, 1, 5, 0, 8, 0)",
      says: "1 match events do not belong to a swipe that made a match, the first at event 10"),
    Fault(
      "matches", "UPDATE events SET match = 2 WHERE position = 8",
      says: "1 swipes name a match that no swipe made, the first at event 8"),
    // standings
    Fault("standings", "DELETE FROM standings", says: "2 entries differ"),
    Fault("standings", "DELETE FROM standings WHERE one = 3", says: "1 entries differ"),
    Fault("standings", "UPDATE standings SET standing = 2 WHERE one = 4", says: "last event is 7"),
    Fault(
      "standings", "INSERT INTO standings (one, other, standing) VALUES (4, 5, 1)",
      says: "pairs that the log does not know"),
    // the log
    Fault("log", "DELETE FROM events WHERE position = 5", says: "numbered 1 … 9; 1 … 8 is right"),
    Fault("log", "DELETE FROM events WHERE position = 1", says: "numbered 2 … 9"),
    Fault("log", "UPDATE events SET about = 2 WHERE kind = 4", says: "1 rewinds do not belong"),
    Fault(
      "log", "UPDATE events SET rewound_by = NULL", says: "1 rewinds do not belong to a swipe"),
    Fault(
      "log", "UPDATE events SET rewound_by = 9 WHERE position = 8",
      says: "1 swipes are marked as taken back by something else than their rewind"),
    Fault(
      "log", "UPDATE events SET about = 1 WHERE position = 3",
      says: "1 swipes name a deal that is no deal of their viewer, the first at event 3"),
    Fault(
      "log", "UPDATE events SET before = NULL WHERE position = 9",
      says: "remember something else than what was before them, the first at event 9"),
    Fault("pairs", "UPDATE events SET before = x'0107' WHERE position = 9", says: "ends early"),
    Fault("pairs", "UPDATE events SET before = x'02' WHERE position = 9", says: "version 2"),
    Fault(
      "entities", "DELETE FROM entities WHERE number = 4",
      says: "4 identifiers are numbered 1 … 5; 1 … 4 is right"),
    // the rest
    Fault("exposures", "UPDATE exposures SET deal = 2", says: "2 exposures belong to no deal"),
    Fault("exposures", "UPDATE exposures SET deal = 77", says: "2 exposures belong to no deal"),
    Fault("deals", "UPDATE deal_counts SET deals = 2", says: "1 counts of deals differ"),
    Fault("deals", "DELETE FROM deal_counts", says: "1 counts of deals differ"),
    Fault("deals", "INSERT INTO deal_counts VALUES (5, 1)", says: "1 counts of deals differ"),
    Fault("stacks", "UPDATE stacks SET image = x'ffff'", says: "1 images do not start with"),
    Fault(
      "learners", "UPDATE learner_deltas SET increments = x'0105' WHERE position = 2",
      says: "1 deltas cannot be read, the first of event 2"),
    Fault(
      "learners", "DELETE FROM learner_deltas WHERE position = 6",
      says: "1 deltas of rewound swipes are not taken back, the first at event 5"),
    Fault(
      "learners", "DELETE FROM learner_deltas WHERE position = 5",
      says: "1 deltas of rewinds take back what no swipe added, the first at event 6"),
    Fault(
      "learners", "UPDATE learner_deltas SET position = 4 WHERE position = 2",
      says: "1 deltas belong to neither a swipe, a rewind nor a removal, the first at event 4"),
    Fault("learners", "UPDATE learner_blobs SET blob = x'07'", says: "1 blobs cannot be read"),
    // rows that refer to nothing, and what SQLite itself finds
    Fault("file", "UPDATE events SET viewer = 77 WHERE position = 9", says: "missing row"),
    Fault(
      "file", "UPDATE cards SET number = 77", says: "cards refers to a missing row of entities"),
    Fault("file", "UPDATE seen SET event = 77 WHERE event = 9", says: "a missing row of events"),
    Fault("file", "UPDATE learner_deltas SET learner = 77", says: "missing row of learners"),
    Fault(
      "matches", "PRAGMA ignore_check_constraints = ON; UPDATE matches SET low = 2, high = 1",
      says: "1 entries differ"),
    Fault(
      "file", "PRAGMA ignore_check_constraints = ON; UPDATE stacks SET image_start = 9",
      says: "CHECK constraint failed in stacks"),
    Fault(
      "file",
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'seen (card, event)', 'seen (card, dealt_at)')
        WHERE name = 'seen_by_card'
      """, says: "missing from index seen_by_card"),
  ]

  @Test(arguments: faults)
  func aPlantedFaultIsFound(_ fault: Fault) async throws {
    let vandal = try Connection(.file(folder.file()), options: .forTests)
    try vandal.execute("PRAGMA foreign_keys = OFF")
    try vandal.execute(fault.sql)
    try vandal.close()
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    let problems = try await store.check()
    let isFound = problems.contains { problem in
      problem.part == fault.part && problem.description.contains(fault.says)
    }
    #expect(isFound, "\(problems)")
    #expect(!problems.contains { $0.description.contains("@") }, "an identifier is given away")
    try await store.close()
  }

  @Test func aDamagedPageIsFound() async throws {
    let path = folder.file()
    try overwriteRootPages(of: ["events", "seen"], in: path)
    let store = try await SQLiteStore.open(path: path, options: .forTests)
    let problems = try await store.check()
    #expect(problems.contains { $0.part == "file" }, "\(problems)")
    try? await store.close()
  }
}
