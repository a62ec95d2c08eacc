import CardFeedLayout
import CardFeedStack
import Testing

/// The pile of the documentation, used as a client would.
@Suite struct LayoutExampleTests {
  private let size = CardSize(width: 300, height: 450)

  @Test func aPileIsDrawnDecidedAndRewound() {
    var pile = Pile(.stackOfThree, cards: 4, width: 300)
    let still = pile.picture(draggedBy: Drag(x: 0), size: size)
    #expect(still.map(\.index) == [0, 1, 2])
    #expect(still.map(\.2.scale) == [1, 0.95, 0.9])
    let dragged = pile.picture(draggedBy: Drag(x: 150), size: size)
    #expect(dragged[0].2.offsetX == 150 && abs(dragged[1].2.scale - 0.975) < 1e-12)
    #expect(pile.release(Drag(x: 60), size: size) == nil)
    #expect(pile.release(Drag(x: 200), size: size) != nil)
    #expect(pile.picture(draggedBy: Drag(x: 0), size: size).map(\.index) == [1, 2, 3])
    #expect(pile.press(.left, .button, size: size) != nil)
    pile.rewind()
    #expect(pile.picture(draggedBy: Drag(x: 0), size: size).map(\.index) == [1, 2, 3])
  }

  @Test func aVetoHoldsForEveryPath() {
    var pile = Pile(.stackOfThree, cards: 4, width: 300) { request in
      request.direction == .right ? "not yet" : nil
    }
    #expect(pile.release(Drag(x: 200), size: size) == nil)
    for path in DecisionPath.allCases { #expect(pile.press(.right, path, size: size) == nil) }
    #expect(pile.picture(draggedBy: Drag(x: 0), size: size).map(\.index) == [0, 1, 2])
    #expect(pile.press(.left, .keyboard, size: size) != nil)
  }
}
