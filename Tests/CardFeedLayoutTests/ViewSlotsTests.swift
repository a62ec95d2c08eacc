import CardFeedLayout
import CardFeedStack
import Testing

/// The pool of views: which one shows what, and what it is told.
struct ViewSlotsTests {
  static func positions(_ range: ClosedRange<Int>) -> [StackPosition] {
    range.map(StackPosition.init)
  }

  @Test func everyPositionOfAWindowHasAViewOfItsOwn() {
    for size in [1, 2, 5, 7] {
      let slots = ViewSlots(size: size)
      for top in -30...30 {
        let window = (top..<top + size).map { slots.slot(of: StackPosition($0)) }
        #expect(Set(window) == Set(0..<size))
      }
    }
  }

  @Test func aStepGivesOneViewAnotherCardAndSaysSo() {
    var slots = ViewSlots(size: 5)
    #expect(slots.show(Self.positions(-2...2)).map(\.action) == Array(repeating: .reset, count: 5))
    let step = slots.show(Self.positions(-1...3))
    #expect(step.count == 5)
    let changed = step.filter { $0.action != .keep }
    #expect(changed.map(\.slot) == [3])
    #expect(changed.first?.previous == StackPosition(-2))
    #expect(changed.first?.position == StackPosition(3))
    #expect(slots.reuseCount == 1)
    #expect(slots.position(inSlot: 3) == StackPosition(3))
    #expect(slots.position(inSlot: 5) == nil)
  }

  @Test func theSameWindowAgainChangesNothing() {
    var slots = ViewSlots(size: 7)
    _ = slots.show(Self.positions(0...4))
    #expect(slots.show(Self.positions(0...4)).allSatisfy { $0.action == .keep })
    #expect(slots.reuseCount == 0)
  }

  @Test func ofTwoCardsForOneViewTheMoreImportantOneGetsIt() {
    var slots = ViewSlots(size: 2)
    let changes = slots.show([StackPosition(4), StackPosition(2), StackPosition(3)])
    #expect(changes.map(\.position) == [StackPosition(4), StackPosition(3)])
  }

  @Test func anEmptyDeckReleasesEveryView() {
    var slots = ViewSlots(size: 5)
    _ = slots.show(Self.positions(0...2))
    let changes = slots.show([])
    #expect(changes.map(\.action) == [.release, .release, .release])
    #expect(changes.allSatisfy { $0.position == nil && $0.previous != nil })
    #expect(slots.show([]).isEmpty)
  }

  @Test func littleMemoryMeansFewerViews() {
    #expect(MemoryPressure.allCases.map { $0.slots(of: 7) } == [7, 5, 3])
    #expect(MemoryPressure.allCases.map { $0.slots(of: 2) } == [2, 2, 2])
    var slots = ViewSlots(size: 7)
    _ = slots.show(Self.positions(-2...2))
    let released = slots.resize(to: MemoryPressure.critical.slots(of: 7))
    #expect(released.map(\.action) == Array(repeating: .release, count: 5))
    #expect(slots.size == 3)
    #expect(slots.show(Self.positions(-1...1)).map(\.action) == [.reset, .reset, .reset])
  }
}
