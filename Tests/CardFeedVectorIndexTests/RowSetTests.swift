import Testing

@testable import CardFeedVectorIndex

@Suite("Sets of rows")
struct RowSetTests {
  @Test("a set of rows is a set of numbers")
  func equalsSet() {
    var numbers = SeededNumbers(seed: 21)
    var rows = RowSet()
    var oracle: Set<Int> = []
    for _ in 0..<2000 {
      let row = numbers.below(300)
      if numbers.below(3) == 0 {
        rows.remove(row)
        oracle.remove(row)
      } else {
        rows.insert(row)
        oracle.insert(row)
      }
      #expect(rows.count == oracle.count)
    }
    #expect((0..<400).allSatisfy { rows.contains($0) == oracle.contains($0) })
    #expect(RowSet(below: 300) { oracle.contains($0) }.count == oracle.count)
    #expect(RowSet(oracle).contains(oracle.max() ?? 0))
  }
}
