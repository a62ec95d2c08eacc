extension CardTable {
  /// The next snapshot without a card: nothing in it tells what the card was. Rows keep their places,
  /// so another card's values fill the row, and nobody can be dealt it or find it. O(n).
  func purging(_ number: CardNumber, deck: D) -> CardTable<D> {
    guard let row = row(of: number) else { return self }
    let rows = (0..<count).map { Row($0) }
    guard let other = rows.first(where: { $0 != row && index.rows[self.number(at: $0)] == $0 })
    else {
      var empty = CardTableIndex()
      empty.version = index.version + 1
      return CardTable([], empty)
    }
    var next = index
    next.version += 1
    next.rows[number] = nil
    next.rowsByID.remove(id(at: row), in: next.ids)
    next.ids[row.index] = CardID(bytes: [])
    next.isAvailable[row.index] = false
    next.changeTimes[row.index] = 0
    // Whoever keeps something of the row hears that it has changed.
    next.withdrawals[row.index] = next.version
    for declaration in deck.columns {
      next.columns[declaration.name] = next.columns[declaration.name]?.putting(
        [(row.index, card(at: other))], by: declaration.reader)
    }
    return CardTable(rows.map { card(at: $0 == row ? other : $0) }, next)
  }
}
