/// The row of a card in one table. Rows keep their place for as long as the process runs.
public struct Row: Hashable, Comparable, Sendable {
  /// 0 ..< table.count.
  public let index: Int

  /// Wraps an index into the columns of a table.
  public init(_ index: Int) { self.index = index }

  /// The order in which the cards came: what `source-order` means.
  public static func < (left: Row, right: Row) -> Bool { left.index < right.index }
}

/// All cards of a deck as columns: an immutable snapshot.
///
/// A deal takes one snapshot at its start and works on it to its end. A writer makes the next
/// snapshot; the old one lives until its last reader is done.
public final class CardTable<D: Deck>: Sendable {
  private let storage: Storage

  struct Storage: Sendable {
    var cards: [D.Card] = []
    var ids: [CardID] = []
    var numbers: [CardNumber] = []
    var isAvailable: [Bool] = []
    var rows: [CardNumber: Row] = [:]
    var rowsByID: [CardID: Row] = [:]
    var columns: [String: Column] = [:]
  }

  init(_ storage: Storage) { self.storage = storage }

  /// How many rows there are, withdrawn cards included.
  public var count: Int { storage.cards.count }

  /// The card in a row. O(1).
  public func card(at row: Row) -> D.Card { storage.cards[row.index] }

  /// The identity of the card in a row. O(1).
  public func id(at row: Row) -> CardID { storage.ids[row.index] }

  /// The number of the card in a row. O(1).
  public func number(at row: Row) -> CardNumber { storage.numbers[row.index] }

  /// Whether the card in a row may be dealt at all. O(1).
  public func isAvailable(_ row: Row) -> Bool { storage.isAvailable[row.index] }

  /// The row of a card, if the table has it. O(1).
  public func row(of number: CardNumber) -> Row? { storage.rows[number] }

  /// The row of a card, if the table has it. O(length of the identifier).
  public func row(of id: CardID) -> Row? { storage.rowsByID[id] }

  /// A column by name, or nil when the deck declares none of that name.
  public func column(_ name: String) -> Column? { storage.columns[name] }

  /// The next snapshot: `cards` added, or put in the place of those with the same identity. O(n).
  func putting(_ cards: [(card: D.Card, number: CardNumber)], deck: D) -> CardTable<D> {
    var next = storage
    let declarations = deck.columns
    for declaration in declarations where next.columns[declaration.name] == nil {
      next.columns[declaration.name] = Column(for: declaration.reader)
    }
    for (card, number) in cards {
      let row = next.rows[number] ?? Row(next.cards.count)
      if row.index == next.cards.count {
        let id = deck.id(of: card)
        next.cards.append(card)
        next.ids.append(id)
        next.numbers.append(number)
        next.isAvailable.append(true)
        next.rows[number] = row
        next.rowsByID[id] = row
      } else {
        next.cards[row.index] = card
        next.isAvailable[row.index] = true
      }
    }
    // Column by column, so that each is uniquely held while it grows.
    for declaration in declarations {
      guard var column = next.columns.removeValue(forKey: declaration.name) else { continue }
      for (card, number) in cards {
        guard let row = next.rows[number] else { continue }
        column.put(card, at: row.index, by: declaration.reader)
      }
      next.columns[declaration.name] = column
    }
    return CardTable(next)
  }

  /// The next snapshot without the cards: their rows stay, but nobody is dealt them.
  func withdrawing(_ numbers: [CardNumber]) -> CardTable<D> {
    var next = storage
    for number in numbers {
      if let row = next.rows[number] { next.isAvailable[row.index] = false }
    }
    return CardTable(next)
  }
}

extension CardTable {
  /// A table without cards.
  convenience init() { self.init(Storage()) }

  /// A table of its own, for tests and tools that need no feed. O(n).
  package convenience init(_ cards: [(card: D.Card, number: CardNumber)], deck: D) {
    self.init(CardTable().putting(cards, deck: deck).storage)
  }
}
