import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("The table of cards and its lookups")
struct CardTableTests {
  private let deck = ToyDeck()

  private func cards(_ count: Int, seed: UInt64) -> [(card: ToyCard, number: CardNumber)] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { place in
      let tags = (0..<generator.index(below: 4)).map { _ in "tag \(generator.index(below: 5))" }
      let card = ToyCard(
        CardID("card \(place)"),
        group: generator.index(below: 4) == 0 ? nil : "group \(generator.index(below: 6))",
        weight: generator.index(below: 5) == 0 ? nil : generator.unitInterval(), tags: tags)
      return (card, CardNumber(Int64(place * 3 + 1)))
    }
  }

  private func values(_ column: Column?) -> String {
    switch column {
    // NaN is not equal to itself; its description is.
    case .float(let values): "\(values)"
    case .category(let codes, let names): "\(codes) \(names.names)"
    case .tags(let codes, let names): "\(codes) \(names.names)"
    default: "none"
    }
  }

  @Test("Pages joined are the table that its cards would make one by one", arguments: 0..<8)
  func joining(_ seed: Int) async throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let cards = cards(generator.index(below: 60), seed: UInt64(seed) + 100)
    var pages: [CardPage<ToyDeck>] = []
    var start = 0
    while start < cards.count {
      let end = min(cards.count, start + 1 + generator.index(below: 20))
      pages.append(
        try CardPage(
          pages.count,
          cards[start..<end].map { card, number in
            StoredCard(
              id: card.id, number: number, payload: deck.encode(card),
              isWithdrawn: number.rawValue % 2 == 0)
          }, deck: deck))
      start = end
    }
    let joined = await CardTable.joining(pages, deck: deck)
    let made = CardTable.make(cards, deck: deck)
    #expect(joined.count == made.count)
    for row in (0..<made.count).map(Row.init) {
      #expect(joined.card(at: row) == made.card(at: row))
      #expect(joined.id(at: row) == made.id(at: row))
      #expect(joined.row(of: made.id(at: row)) == row)
      #expect(joined.row(of: made.number(at: row)) == row)
      #expect(joined.isAvailable(row) == (made.number(at: row).rawValue % 2 == 1))
    }
    for declaration in deck.columns {
      #expect(
        values(joined.column(declaration.name)) == values(made.column(declaration.name)))
    }
  }

  @Test("Rows by number are those of a dictionary, near and far, set and taken out")
  func rowsByNumber() {
    var generator = SplitMix64(seed: 5)
    var rows = RowsByNumber()
    var oracle: [CardNumber: Row] = [:]
    for step in 0..<4_000 {
      let raw: Int64 =
        switch generator.index(below: 4) {
        case 0: Int64(generator.index(below: 50))
        case 1: Int64(generator.index(below: 3_000))
        case 2: Int64(generator.index(below: 6)) * 1_000_000_007
        default: -Int64(generator.index(below: 3))
        }
      let number = CardNumber(raw)
      let row = generator.index(below: 3) == 0 ? nil : Row(step)
      rows[number] = row
      oracle[number] = row
      #expect(rows[number] == row)
      if step % 500 == 0 {
        for (number, row) in oracle { #expect(rows[number] == row) }
      }
    }
    for number in (0..<3_100).map({ CardNumber(Int64($0)) }) {
      #expect(rows[number] == oracle[number])
    }
  }

  @Test("Rows by identifier are those of a dictionary, while it grows and loses some")
  func rowsByID() {
    var generator = SplitMix64(seed: 6)
    var ids: [CardID] = []
    var rows = RowsByID()
    var oracle: [CardID: Row] = [:]
    for _ in 0..<300 {
      let start = ids.count
      ids += (0..<1 + generator.index(below: 9)).map { CardID("id \(start + $0)") }
      rows.insert(start..<ids.count, ids: ids)
      for row in start..<ids.count { oracle[ids[row]] = Row(row) }
      if generator.index(below: 3) == 0 {
        let gone = ids[generator.index(below: ids.count)]
        rows.remove(gone, in: ids)
        oracle[gone] = nil
      }
    }
    for id in ids + [CardID("nobody"), CardID(bytes: [])] {
      #expect(rows.row(of: id, in: ids) == oracle[id])
    }
  }

  @Test("Learned numbers grow in both directions and keep what they hold")
  func learnedNumbers() {
    var generator = SplitMix64(seed: 7)
    let numbers = LearnedNumbers(stride: 16)
    var oracle: [LearnedKey: Int64] = [:]
    for step in 0..<2_000 {
      let owner =
        generator.index(below: 5) == 0
        ? nil : CardNumber(Int64(1 + generator.index(below: 1 + step)))
      let key = LearnedKey(
        owner: owner, slot: UInt8(generator.index(below: 1 + min(15, step / 100))))
      let amount = Int64(generator.index(below: 9)) - 4
      numbers.apply([Increment(key, amount)])
      oracle[key, default: 0] += amount
    }
    numbers.read { reader in
      for (key, value) in oracle { #expect(reader(key.owner, key.slot) == value) }
      #expect(reader(CardNumber(5_000), 3) == 0)
    }
    let expected = oracle.filter { $0.value != 0 }.map { Increment($0.key, $0.value) }
    #expect(Set(numbers.nonzero()) == Set(expected))
    let owners = numbers.nonzero().map { ($0.key.owner?.rawValue ?? 0, $0.key.slot) }
    #expect(zip(owners, owners.dropFirst()).allSatisfy { $0 < $1 })
  }
}
