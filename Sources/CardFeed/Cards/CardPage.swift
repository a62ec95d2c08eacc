/// Some cards of a store, decoded, with their columns: what can be done for them apart from the
/// others, and so on several processors at once.
struct CardPage<D: Deck>: Sendable {
  /// Its place among the pages.
  let index: Int
  let cards: [D.Card]
  let ids: [CardID]
  /// `hashValue` of each identifier.
  let hashes: [Int]
  let numbers: [CardNumber]
  let isAvailable: [Bool]
  /// 0 where it is not known.
  let changeTimes: [Int64]
  /// In the order of the deck's declarations.
  let columns: [Column]

  /// - Throws: The decoding error of a card.
  init(_ index: Int, _ page: [StoredCard], deck: D) throws {
    self.index = index
    var builders = deck.columns.map {
      ColumnBuilder<D.Card>($0.reader, capacity: page.count)
    }
    var cards: [D.Card] = []
    var ids: [CardID] = []
    var hashes: [Int] = []
    var numbers: [CardNumber] = []
    var isAvailable: [Bool] = []
    var changeTimes: [Int64] = []
    cards.reserveCapacity(page.count)
    ids.reserveCapacity(page.count)
    hashes.reserveCapacity(page.count)
    numbers.reserveCapacity(page.count)
    isAvailable.reserveCapacity(page.count)
    changeTimes.reserveCapacity(page.count)
    for stored in page {
      guard let number = stored.number else { continue }
      let card = try deck.decode(stored.payload)
      for builder in builders.indices { builders[builder].append(card) }
      let id = deck.id(of: card)
      ids.append(id)
      hashes.append(id.hashValue)
      numbers.append(number)
      isAvailable.append(!stored.isWithdrawn)
      changeTimes.append(stored.changedAt?.milliseconds ?? 0)
      cards.append(card)
    }
    self.cards = cards
    self.ids = ids
    self.hashes = hashes
    self.numbers = numbers
    self.isAvailable = isAvailable
    self.changeTimes = changeTimes
    columns = builders.map(\.column)
  }
}

extension CardTable {
  /// The table of all cards of a store. Columns and lookups are joined side by side. O(cards).
  ///
  /// - Parameter pages: Every card once, in the order of their numbers.
  static func joining(_ pages: [CardPage<D>], deck: D) async -> CardTable<D> {
    let count = pages.reduce(0) { $0 + $1.cards.count }
    let declarations = deck.columns
    async let index = joinedIndex(pages, count: count)
    let columns = await withTaskGroup(of: (String, Column).self) { group in
      for (place, declaration) in declarations.enumerated() {
        group.addTask {
          let parts = pages.map { $0.columns[place] }
          return (
            declaration.name,
            Column.joined(parts, rows: count) ?? Column(for: declaration.reader)
          )
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    var cards: [D.Card] = []
    cards.reserveCapacity(count)
    for page in pages { cards.append(contentsOf: page.cards) }
    var joined = await index
    joined.columns = columns
    return CardTable(cards, joined)
  }

  private static func joinedIndex(_ pages: [CardPage<D>], count: Int) async -> CardTableIndex {
    var index = CardTableIndex()
    index.ids.reserveCapacity(count)
    index.numbers.reserveCapacity(count)
    index.isAvailable.reserveCapacity(count)
    index.changeTimes.reserveCapacity(count)
    var hashes: [Int] = []
    hashes.reserveCapacity(count)
    for page in pages {
      index.ids.append(contentsOf: page.ids)
      index.numbers.append(contentsOf: page.numbers)
      index.isAvailable.append(contentsOf: page.isAvailable)
      index.changeTimes.append(contentsOf: page.changeTimes)
      hashes.append(contentsOf: page.hashes)
    }
    index.changes = Array(repeating: 0, count: count)
    for (row, number) in index.numbers.enumerated() { index.rows[number] = Row(row) }
    index.rowsByID.insert(0..<count, ids: index.ids, hashes: hashes)
    return index
  }
}
