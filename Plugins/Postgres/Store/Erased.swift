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
  /// it would find. Otherwise it looks people up, and afterwards those are read who are new. Marks are
  /// drawn at random, so that none is met again on a server that lost an erasure in a failover; what
  /// is known is compared with sums over all, and read anew where they differ.
  final class ErasedPeople: Sendable {
    private struct State {
      var mark: Int64?
      var numbers: Set<CardNumber> = []
      /// The last change of cards by which somebody is known to be erased.
      var change: Int64 = 0
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

    /// Reads who was erased since the last time, and whose erasure is under way. One round trip, which
    /// asks every shard; a second one if what was known does not hold any more.
    ///
    /// - Returns: How many people were sent.
    @discardableResult
    func read(_ connection: PostgresConnection) throws -> Int {
      let known = state.withLock { $0 }
      let rows = try connection.run(
        PostgresCommand(.beginReading), Self.findMark,
        PostgresCommand(StoreSQL.erasedSince, .integer(known.change)),
        PostgresCommand(StoreSQL.erasedSums))
      let sums = try rows[3].first { row in
        Sums(
          count: try row.integer(0), sum: try row.text(1), squares: try row.text(2),
          change: try row.integer(3))
      }
      let new = try Erased.numbers(rows[2])
      var (numbers, sent) = (known.numbers.union(new), new.count)
      if let sums, !sums.hold(for: numbers) {
        numbers = try Erased.numbers(connection.rows(PostgresCommand(StoreSQL.erasedNumbers)))
        sent += numbers.count
      }
      try connection.confirm()
      let mark = try Self.mark(rows[1])
      state.withLock {
        $0 = State(mark: mark, numbers: numbers, change: sums?.change ?? 0)
      }
      return sent
    }

    /// What the server says of everybody who was erased.
    private struct Sums {
      let count: Int64
      let sum: String
      let squares: String
      let change: Int64

      func hold(for numbers: Set<CardNumber>) -> Bool {
        guard numbers.count == count else { return false }
        var (sum, squares): (Int128, Int128) = (0, 0)
        for number in numbers {
          let value = Int128(number.rawValue)
          sum &+= value
          squares &+= value &* value
        }
        return sum.description == self.sum && squares.description == self.squares
      }
    }
  }
#endif
