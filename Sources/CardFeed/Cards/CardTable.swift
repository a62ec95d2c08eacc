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
  private let cards: [D.Card]
  /// What does not depend on the type of the cards, for loops over many rows.
  let index: CardTableIndex

  init(_ cards: [D.Card], _ index: CardTableIndex) {
    self.cards = cards
    self.index = index
  }

  /// A table without cards.
  convenience init() { self.init([], CardTableIndex()) }

  /// How many rows there are, withdrawn cards included.
  public var count: Int { index.ids.count }

  /// The card in a row. O(1).
  public func card(at row: Row) -> D.Card { cards[row.index] }

  /// The identity of the card in a row. O(1).
  public func id(at row: Row) -> CardID { index.ids[row.index] }

  /// The number of the card in a row. O(1).
  public func number(at row: Row) -> CardNumber { index.numbers[row.index] }

  /// The numbers of the cards in some rows, in their order. O(rows).
  public func numbers(at rows: [Row]) -> [CardNumber] { index.numbers(at: rows) }

  /// Whether the card in a row may be dealt at all. O(1).
  public func isAvailable(_ row: Row) -> Bool { index.isAvailable[row.index] }

  /// The row of a card, if the table has it. O(1).
  public func row(of number: CardNumber) -> Row? { index.rows[number] }

  /// The row of a card, if the table has it. O(length of the identifier).
  public func row(of id: CardID) -> Row? { index.rowsByID.row(of: id, in: index.ids) }

  /// Grows with every change; 0 is the table that was read when the feed was opened.
  var version: UInt64 { index.version }

  /// Whether the card in a row was put after a version. O(1).
  func hasChanged(_ row: Row, since version: UInt64) -> Bool {
    index.changes[row.index] > version
  }

  /// Whether the card in a row was withdrawn after a version, though it may be back. O(1).
  func wasWithdrawn(_ row: Row, since version: UInt64) -> Bool {
    index.withdrawals[row.index].map { $0 > version } ?? false
  }

  /// When what is kept of the card in a row was last replaced by something else, by the clock of
  /// the feed that did it; nil if that is not known, or if it never was since the card was first
  /// put. O(1).
  public func changedAt(_ row: Row) -> Timestamp? {
    let time = index.changeTimes[row.index]
    return time == 0 ? nil : Timestamp(milliseconds: time)
  }

  /// A card that is put, with its number and when it last changed.
  typealias Placed = (card: D.Card, number: CardNumber, changedAt: Timestamp?)

  /// The last place of the log when the card in a row came back after it was withdrawn; nil if it
  /// did not while this process runs. O(1).
  func returned(_ row: Row) -> LogPosition? { index.returns[row.index] }

  /// Whether one of the cards is withdrawn. O(numbers).
  func hasWithdrawn(_ numbers: some Sequence<CardNumber>) -> Bool {
    numbers.contains { row(of: $0).map { !isAvailable($0) } ?? false }
  }

  /// A column by name, or nil when the deck declares none of that name.
  public func column(_ name: String) -> Column? { index.columns[name] }

  /// The next snapshot: `cards` added, or put in the place of those with the same identity. O(n).
  ///
  /// - Parameter end: The last place of the log, if one of them is withdrawn.
  func putting(_ cards: [Placed], deck: D, end: LogPosition? = nil) -> CardTable<D> {
    var next = index
    next.version += 1
    var nextCards = self.cards
    let declarations = deck.columns
    for declaration in declarations where next.columns[declaration.name] == nil {
      next.columns[declaration.name] = Column(for: declaration.reader)
    }
    var placed: [(row: Int, card: D.Card)] = []
    placed.reserveCapacity(cards.count)
    for (card, number, changedAt) in cards {
      let time = changedAt?.milliseconds ?? 0
      let row = next.rows[number] ?? Row(nextCards.count)
      placed.append((row.index, card))
      if row.index == nextCards.count {
        let id = deck.id(of: card)
        nextCards.append(card)
        next.ids.append(id)
        next.numbers.append(number)
        next.isAvailable.append(true)
        next.changes.append(next.version)
        next.changeTimes.append(time)
        next.rows[number] = row
      } else {
        nextCards[row.index] = card
        next.makeAvailable(row, end: end)
        next.changes[row.index] = next.version
        next.changeTimes[row.index] = time
      }
    }
    next.rowsByID.insert(count..<next.ids.count, ids: next.ids)
    for declaration in declarations {
      next.columns[declaration.name] = next.columns[declaration.name]?.putting(
        placed, by: declaration.reader)
    }
    return CardTable(nextCards, next)
  }

  /// The next snapshot without the cards: their rows stay, but nobody is dealt them.
  func withdrawing(_ numbers: [CardNumber]) -> CardTable<D> {
    var next = index
    next.version += 1
    for number in numbers {
      guard let row = next.rows[number] else { continue }
      next.isAvailable[row.index] = false
      next.withdrawals[row.index] = next.version
    }
    return CardTable(cards, next)
  }
}

/// The part of a card table that is the same for every deck.
struct CardTableIndex: Sendable {
  /// The same in every snapshot that is made of this one.
  private(set) var lineage = TableLineage()
  var ids: [CardID] = []
  var numbers: [CardNumber] = []
  var isAvailable: [Bool] = []
  var version: UInt64 = 0
  /// The version in which each row was last put.
  var changes: [UInt64] = []
  /// When the card of each row last became another one, in milliseconds; 0 where that is not known.
  var changeTimes: [Int64] = []
  /// The version in which a row was last withdrawn.
  var withdrawals: [Int: UInt64] = [:]
  /// The last place of the log when a row came back last.
  var returns: [Int: LogPosition] = [:]
  var rows = RowsByNumber()
  var rowsByID = RowsByID()
  var columns: [String: Column] = [:]

  func numbers(at rows: [Row]) -> [CardNumber] { rows.map { numbers[$0.index] } }

  mutating func makeAvailable(_ row: Row, end: LogPosition?) {
    if !isAvailable[row.index], let end { returns[row.index] = end }
    isAvailable[row.index] = true
  }

  func availability(at rows: [Row]) -> [Bool] { rows.map { isAvailable[$0.index] } }
}
