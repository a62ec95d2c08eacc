/// What was made of the table that was asked about last, so that deals of one table share it.
///
/// Does not keep the table alive. Tasks that ask at once may make the value twice, which costs time
/// and changes nothing.
package final class TableMemo<D: Deck, Value: Sendable>: Sendable {
  private struct Entry {
    weak var table: CardTable<D>?
    var value: Value
  }

  private let last = Lock<Entry?>(nil)

  /// Nothing yet.
  package init() {}

  /// The value of a table, made by `make` if the last question was about another table.
  package func value(
    of table: CardTable<D>, _ make: (CardTable<D>) -> Value
  ) -> Value {
    let known = last.withLock { $0.flatMap { $0.table === table ? $0.value : nil } }
    if let known { return known }
    let value = make(table)
    last.withLock { $0 = Entry(table: table, value: value) }
    return value
  }
}
