/// The prepared statements of one connection, by SQL text; the least recently used one goes first.
///
/// A statement is taken while it is used, so that the same SQL inside a loop over its own rows gets
/// a second statement instead of disturbing the first.
struct StatementCache {
  let capacity: Int
  private var entries: [Key: Statement] = [:]
  private var clock = 0

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  /// Statements are long and few: to hash all of one costs more than many a statement does, and
  /// comparing equal constants compares their addresses.
  private struct Key: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
  }

  var count: Int { entries.count }

  enum Lookup {
    case found(Statement)
    case taken
    case missing
  }

  mutating func find(_ sql: String) -> Lookup {
    guard let statement = entries[Key(sql: sql)] else { return .missing }
    if statement.isTaken { return .taken }
    clock += 1
    statement.lastUse = clock
    return .found(statement)
  }

  /// Keeps a new statement that is about to be lent; complexity O(`capacity`) when another has to
  /// go for it.
  mutating func insert(_ statement: Statement) {
    clock += 1
    statement.lastUse = clock
    while entries.count >= capacity {
      let idle = entries.values.filter { !$0.isTaken }
      // Deep nesting may need more than there is room for; the next insertion makes up for it.
      guard let oldest = idle.min(by: { $0.lastUse < $1.lastUse }) else { break }
      entries[Key(sql: oldest.sql)] = nil
      oldest.finalize()
    }
    entries[Key(sql: statement.sql)] = statement
  }

  mutating func finalizeAll() {
    for statement in entries.values {
      statement.finalize()
    }
    entries = [:]
  }
}
