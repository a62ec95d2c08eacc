#if Postgres
  internal import CardFeed

  /// People who were erased. Whoever writes about somebody asks first, in the transaction that
  /// writes and behind its lock on the table of viewers, so that an erasure which waits for that
  /// lock knows of everything that was written before.
  enum Erased {
    static func find(_ numbers: some Sequence<CardNumber>) -> PostgresCommand {
      PostgresCommand(StoreSQL.findErased, .integers(Set(numbers).sorted().map(\.rawValue)))
    }

    static func numbers(_ rows: PostgresRows) throws -> Set<CardNumber> {
      rows.count == 0 ? [] : Set(try rows.map { try $0.number(0) })
    }
  }

  /// The people who were erased, as a process knows them, for whoever would look many up.
  ///
  /// Instead of the people a transaction asks for the mark of closed doors, at the same place: behind
  /// its lock on the table of viewers. Where that is the mark of what is known, what is known is what
  /// it would find. Otherwise it looks people up, and afterwards all are read once more. Marks are
  /// drawn at random, so that none is met again on a server that lost an erasure in a failover.
  final class ErasedPeople: Sendable {
    private struct State {
      var mark: Int64?
      var numbers: Set<CardNumber> = []
      var isBehind = false
    }

    private let state = Lock(State())

    static let findMark = PostgresCommand(
      StoreSQL.findDoorMark, .text(PostgresSchema.doorMark))

    static func mark(_ rows: PostgresRows) throws -> Int64? {
      try rows.first { try $0.integer(0) }
    }

    /// Whether somebody looked for another mark than that of what is known.
    var isBehind: Bool { state.withLock { $0.isBehind } }

    /// Everybody who was erased at a mark; nil if that is not known.
    func numbers(at mark: Int64?) -> Set<CardNumber>? {
      state.withLock { state in
        if let mark, mark == state.mark { return state.numbers }
        state.isBehind = true
        return nil
      }
    }

    /// Reads everybody who was erased. One round trip, which asks every shard.
    func read(_ connection: PostgresConnection) throws {
      let rows = try connection.run(
        PostgresCommand(.beginReading), Self.findMark, PostgresCommand(StoreSQL.erasedNumbers),
        PostgresCommand(.commit))
      let (mark, numbers) = (try Self.mark(rows[1]), try Erased.numbers(rows[2]))
      state.withLock { $0 = State(mark: mark, numbers: numbers) }
    }
  }
#endif
