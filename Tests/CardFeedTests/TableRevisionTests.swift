import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("What has changed between two snapshots of a table")
struct TableRevisionTests {
  private let deck = ToyDeck()

  private func numbered(_ ids: ClosedRange<Int>) -> [(card: ToyCard, number: CardNumber)] {
    ids.map { (ToyCard(CardID("\($0)")), CardNumber(Int64($0))) }
  }

  private func placed(_ ids: ClosedRange<Int>) -> [CardTable<ToyDeck>.Placed] {
    numbered(ids).map { ($0.card, $0.number, nil) }
  }

  private func rows(_ table: CardTable<ToyDeck>, since earlier: TableRevision) -> [Int]? {
    table.rows(changedSince: earlier)?.map(\.index)
  }

  @Test("rows of cards added, put again, withdrawn, reinstated and erased are named, and no others")
  func changes() {
    let first = CardTable.make(numbered(1...9), deck: deck)
    let put = first.putting(placed(3...3) + placed(10...11), deck: deck)
    let withdrawn = put.withdrawing([CardNumber(5)])
    let back = withdrawn.putting(placed(5...5), deck: deck)
    let erased = back.purging(CardNumber(8), deck: deck)
    #expect(rows(put, since: first.revision) == [2, 9, 10])
    #expect(rows(withdrawn, since: put.revision) == [4])
    #expect(rows(back, since: withdrawn.revision) == [4])
    #expect(rows(erased, since: back.revision) == [7])
    #expect(rows(erased, since: first.revision) == [2, 4, 7, 9, 10])
    #expect(rows(erased, since: erased.revision) == [])
    #expect(erased.revision.isLater(than: first.revision))
    #expect(!first.revision.isLater(than: first.revision))
  }

  @Test("a later snapshot, and one of another table, is nothing to compare with")
  func strangers() {
    let one = CardTable.make(numbered(1...3), deck: deck)
    let other = CardTable.make(numbered(1...3), deck: deck)
    let later = one.putting(placed(4...4), deck: deck)
    #expect(rows(one, since: later.revision) == nil)
    #expect(rows(one, since: other.revision) == nil)
    #expect(!later.revision.isLater(than: other.revision))
    // Erasing the last card leaves an empty table, which is a new one.
    let single = CardTable.make(numbered(1...1), deck: deck)
    #expect(rows(single.purging(CardNumber(1), deck: deck), since: single.revision) == nil)
  }
}
