#if Postgres
  import CardFeed
  import Foundation
  import Testing

  @testable import CardFeedPostgres

  /// The server that most tests share, and schemas in it that are emptied and used again: making the
  /// tables takes longer than most tests.
  actor SharedServer {
    static let server = SharedServer()

    private var cluster: PrivateCluster?
    private var free: [Int: [String]] = [:]
    private var waiting: [Int: [CheckedContinuation<String, Never>]] = [:]
    private var made: [Int: Int] = [:]

    func conninfo() throws -> String {
      if let cluster { return cluster.conninfo }
      let new = try PrivateCluster(isDurable: false)
      cluster = new
      return new.conninfo
    }

    /// Options of a store that nobody else uses until it is given back.
    func options(partitions: Int) async throws -> PostgresStore.Options {
      var options = PostgresStore.Options(conninfo: try conninfo())
      options.partitions = partitions
      options.connections = 4
      options.schema = await schema(partitions)
      options.backOff.seed = UInt64(options.schema.utf8.reduce(0) { $0 + Int($1) })
      return options
    }

    private func schema(_ partitions: Int) async -> String {
      if let schema = free[partitions]?.popLast() { return schema }
      let count = made[partitions, default: 0]
      if count < 4 {
        made[partitions] = count + 1
        return "test \(count) of \(partitions)"
      }
      return await withCheckedContinuation { waiting[partitions, default: []].append($0) }
    }

    func giveBack(_ options: PostgresStore.Options) {
      if waiting[options.partitions]?.isEmpty == false {
        waiting[options.partitions]?.removeFirst().resume(returning: options.schema)
      } else {
        free[options.partitions, default: []].append(options.schema)
      }
    }
  }

  /// Runs a test on an empty store.
  func withStore(
    partitions: Int = 0, _ body: (PostgresStore.Options) async throws -> Void
  ) async throws {
    let options = try await SharedServer.server.options(partitions: partitions)
    do {
      try await emptied(options)
      try await body(options)
    } catch {
      await SharedServer.server.giveBack(options)
      throw error
    }
    await SharedServer.server.giveBack(options)
  }

  /// Removes every row a test before left in the schema.
  func emptied(_ options: PostgresStore.Options) async throws {
    let store = try await PostgresStore.open(options)
    try await store.pool.run("empty") { connection in
      try connection.execute(
        ["BEGIN"] + PostgresSchema.tables.map { "DELETE FROM \($0.name)" } + [
          "INSERT INTO counters (name, last) VALUES ('numbers', 0), ('cards', 0), "
            + "('removals', 0), ('doors', 0)",
          "ALTER SEQUENCE log_positions RESTART", "COMMIT",
        ])
      return ()
    }
    try await store.close()
  }

  extension PostgresStore {
    /// The one number that a query answers with.
    func integer(_ query: String) async throws -> Int64 {
      try await pool.run("query of a test") { connection in
        try connection.execute([query]).first?.first { try $0.integer(0) } ?? 0
      }
    }
  }

  /// How often a statement ran.
  final class Statements: Sendable {
    private let counts = Lock([String: Int]())

    init(of store: PostgresStore) {
      store.pool.breakConnections { step in
        if case .before(let name) = step {
          self.counts.withLock { $0[name, default: 0] += 1 }
        }
        return false
      }
    }

    subscript(_ statement: PostgresStatement) -> Int {
      counts.withLock { $0[statement.name] ?? 0 }
    }
  }

  /// A swipe that is recorded without a hand.
  func swipe(
    _ viewer: CardNumber, _ card: CardNumber, _ event: String,
    _ meaning: AnswerMeaning = .positive, at milliseconds: Int64 = 1_000_000_000_000,
    learned: [LearnerDelta] = []
  ) -> SwipeCommand {
    SwipeCommand(
      viewer: viewer, card: card, event: EventID(event),
      answer: meaning == .positive ? "like" : "pass", meaning: meaning,
      time: Timestamp(milliseconds: milliseconds), expectation: .recorded, deal: nil,
      compatibility: nil, remaining: 0, matchRule: MutualLike(), learned: learned)
  }

  /// What a learner knows: its blob, and what came after it.
  func learned(_ learner: String, _ store: PostgresStore) async throws -> [LearnedKey: Int64] {
    let blob = try await store.learnerBlob(learner)
    var sums: [LearnedKey: Int64] = [:]
    for increment in blob?.numbers ?? [] { sums[increment.key, default: 0] &+= increment.amount }
    let deltas = try await store.learnerDeltas(
      of: learner, after: blob?.position ?? .start, limit: 1_000_000)
    for increment in deltas.flatMap(\.increments) {
      sums[increment.key, default: 0] &+= increment.amount
    }
    return sums.filter { $0.value != 0 }
  }

  struct MutualLike: MatchRule {
    func isMatch(_ circumstances: MatchCircumstances) -> Bool {
      circumstances.meaning == .positive && circumstances.reverse == .positive
    }
  }
#endif
