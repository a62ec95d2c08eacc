import CardFeed
import Testing

@testable import CardFeedSQLite

/// No statement of a store reads a whole table: SQLite's own plan of each says so.
@Suite struct StorePlanTests {
  private static let statements = [
    StoreStatements.number, StoreStatements.insertEntity, StoreStatements.id,
    StoreStatements.putCard, StoreStatements.withdrawCard, StoreStatements.cards,
    StoreStatements.reviseCard, StoreStatements.reinstateCard, StoreStatements.isWithdrawn,
    StoreStatements.insertEvent, StoreStatements.nameOwnMatch, StoreStatements.clientEvent,
    StoreStatements.standingSwipe, StoreStatements.markRewound, StoreStatements.events,
    StoreStatements.standingOfPair, StoreStatements.folds,
    StoreStatements.handAnswers, StoreStatements.answersGiven,
    StoreStatements.impressions,
    StoreStatements.seen, StoreStatements.setSeen,
    StoreStatements.removeSeen, StoreStatements.answersReceived,
    StoreStatements.unansweredLikers, StoreStatements.standing, StoreStatements.setStanding,
    StoreStatements.removeStanding,
    StoreStatements.standings, StoreStatements.match, StoreStatements.insertMatch,
    StoreStatements.removeMatch, StoreStatements.matches,
    StoreStatements.handRevision, StoreStatements.advanceStack, StoreStatements.setStack,
    StoreStatements.countDeal, StoreStatements.insertExposure,
    StoreStatements.exposures, StoreStatements.learner, StoreStatements.insertLearner,
    StoreStatements.learnerBlob, StoreStatements.setLearnerBlob, StoreStatements.insertDelta,
    StoreStatements.learnerDeltas, StoreStatements.rewoundBy,
  ]

  private let connection: Connection

  init() throws {
    connection = try Connection(.memory("plans-\(UInt64.random(in: 0...UInt64.max))"))
    try StoreSchema.migrations.apply(to: connection)
  }

  private func plan(_ sql: String) throws -> [String] {
    try connection.withStatement("EXPLAIN QUERY PLAN \(sql)") { statement in
      try statement.rows { try $0.text(at: 3) }
    }
  }

  @Test(arguments: statements)
  func searchesAndDoesNotScanOrSort(_ sql: String) throws {
    let plan = try plan(sql)
    // Only the two halves of `matches` are sorted: they are the viewer's own matches.
    let isSorted = plan.contains { $0.contains("TEMP B-TREE") }
    #expect(!isSorted || sql == StoreStatements.matches, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
  }

  @Test func aSwipeIsDecidedByFiveSearches() throws {
    let plan = try plan(StoreStatements.circumstances)
    for search in [
      "SEARCH e USING INDEX events_by_client (viewer=? AND client_id=?) LEFT-JOIN",
      "SEARCH s USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      "SEARCH b USING PRIMARY KEY (viewer=? AND card=?) LEFT-JOIN",
      "SEARCH r USING PRIMARY KEY (viewer=? AND card=?) LEFT-JOIN",
      "SEARCH standings USING PRIMARY KEY (one=? AND other=?)",
    ] { #expect(plan.contains(search), "\(plan)") }
    // What is scanned is the one row that the others are joined to.
    #expect(
      plan.filter { $0.hasPrefix("SCAN") }.allSatisfy {
        $0.contains("CONSTANT ROW") || $0 == "SCAN only"
      }, "\(plan)")
  }

  @Test func aDealIsDecidedBySearchesForEachCard() throws {
    let plan = try plan(StoreStatements.dealCircumstances)
    for search in [
      "SEARCH s USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      "SEARCH d USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      "SEARCH b USING PRIMARY KEY (viewer=? AND card=?) LEFT-JOIN",
      "SEARCH standings USING PRIMARY KEY (one=? AND other=?)",
    ] { #expect(plan.contains(search), "\(plan)") }
    // What is scanned is the one row that the others are joined to, and the list that was given.
    #expect(
      plan.filter { $0.hasPrefix("SCAN") }.allSatisfy {
        $0.contains("CONSTANT ROW") || $0 == "SCAN only" || $0.contains("SCAN q VIRTUAL TABLE")
      }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  @Test(arguments: [StoreStatements.nextOrdinal, StoreStatements.deltasOfEvent])
  func scansTheLearnersOnly(_ sql: String) throws {
    let plan = try plan(sql)
    // SQLite calls the scan for a maximum a search.
    #expect(try #require(plan.first).contains(/^(SCAN|SEARCH) l$/), "\(plan)")
    #expect(
      plan.dropFirst().first == "SEARCH d USING PRIMARY KEY (learner=? AND position=?)", "\(plan)")
  }

  @Test func unansweredLikesSearchForEachCard() throws {
    let plan = try plan(StoreStatements.unansweredLikes)
    #expect(plan.contains("SEARCH s USING INDEX seen_by_card (card=? AND event>?)"), "\(plan)")
    #expect(plan.contains("SEARCH o USING PRIMARY KEY (viewer=? AND card=?)"), "\(plan)")
    // What is scanned is the list that was given, and the likes that were found for a card.
    #expect(
      plan.filter { $0.hasPrefix("SCAN") }.allSatisfy {
        $0.contains("SCAN q VIRTUAL TABLE") || $0.contains("SCAN (subquery")
      }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  @Test func theIndexesAreTheOnesMeant() throws {
    let viewer = try plan(StoreStatements.viewer)
    let index = "SEARCH events USING INDEX events_to_rewind (viewer=?)"
    #expect(viewer.contains(index), "\(viewer)")
    // What is scanned is the result of that search, `?2` rows at most.
    #expect(viewer.count { $0.hasPrefix("SCAN") } == 1, "\(viewer)")
    #expect(!viewer.contains { $0.contains("TEMP B-TREE") }, "\(viewer)")
    #expect(
      try plan(StoreStatements.answersReceived) == [
        "SEARCH seen USING INDEX seen_by_card (card=? AND event>?)"
      ])
    #expect(
      try plan(StoreStatements.clientEvent) == [
        "SEARCH events USING INDEX events_by_client (viewer=? AND client_id=?)"
      ])
  }
}
