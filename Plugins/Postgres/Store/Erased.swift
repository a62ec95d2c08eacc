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
#endif
