import CardFeedLayout
import CardFeedStack
import Testing

/// Positions, indices and offsets of a line of cards, against plain loops.
struct CardLineTests {
  static func line(_ count: Int, _ policy: StackPolicy, _ direction: LayoutDirection = .leftToRight)
    -> CardLine
  {
    CardLine(count: count, policy: policy, pitch: 320, direction: direction)
  }

  @Test func indexOfALoopingDeckWindsAroundInBothDirections() {
    for count in 1...6 {
      let line = Self.line(count, .loop)
      var expected = 0
      for position in 0..<40 {
        #expect(line.index(at: StackPosition(position)) == expected)
        expected = expected + 1 == count ? 0 : expected + 1
      }
      expected = 0
      for position in stride(from: 0, through: -40, by: -1) {
        #expect(line.index(at: StackPosition(position)) == expected)
        expected = expected == 0 ? count - 1 : expected - 1
      }
    }
  }

  @Test func aDeckThatEndsHasNoCardBeyondItsEnds() {
    let line = Self.line(3, .stop)
    #expect((-2...4).map { line.index(at: StackPosition($0)) } == [nil, nil, 0, 1, 2, nil, nil])
    #expect(Self.line(0, .loop).index(at: StackPosition(5)) == nil)
    #expect(CardLine(count: -4, policy: .loop, pitch: 1).count == 0)
  }

  @Test func positionOfAnIndexIsTheNearestOne() throws {
    for count in 1...7 {
      let line = Self.line(count, .loop)
      for other in -20...20 {
        for index in 0..<count {
          let found = try #require(line.position(ofIndex: index, nearest: StackPosition(other)))
          #expect(line.index(at: found) == index)
          let candidates = (other - count...other + count).filter {
            line.index(at: StackPosition($0)) == index
          }
          let least = try #require(candidates.map { abs($0 - other) }.min())
          #expect(abs(found.value - other) == least)
        }
        #expect(line.position(ofIndex: count, nearest: StackPosition(other)) == nil)
      }
    }
    #expect(Self.line(5, .stop).position(ofIndex: 4, nearest: StackPosition(0)) == StackPosition(4))
  }

  @Test(arguments: LayoutDirection.allCases, [StackPolicy.stop, .loop])
  func scrollOffsetAndPlaceAreInverse(direction: LayoutDirection, policy: StackPolicy) {
    let line = Self.line(9, policy, direction)
    for step in 0...160 {
      let scroll = Double(step) * 16 * direction.sign
      let place = line.place(atScroll: scroll)
      #expect(abs(line.scroll(of: place) - scroll) < 1e-9)
      #expect(abs(place.offset) <= 0.5)
    }
  }

  @Test func rightToLeftIsTheMirrorImage() {
    let left = Self.line(9, .loop)
    let right = Self.line(9, .loop, .rightToLeft)
    for step in -50...50 {
      let scroll = Double(step) * 37
      #expect(left.place(atScroll: scroll) == right.place(atScroll: -scroll))
    }
  }

  @Test func beyondTheEndsOfADeckTheEndStaysTheCurrentCard() {
    let line = Self.line(3, .stop)
    #expect(line.place(atScroll: -960) == CardPlace(position: StackPosition(0), offset: -3))
    #expect(line.place(atScroll: 320 * 5) == CardPlace(position: StackPosition(2), offset: 3))
    #expect(line.place(atScroll: .nan) == CardPlace(position: StackPosition(0), offset: 0))
  }

  @Test func theCurrentCardChangesOnlyBeyondTheHoldDistance() {
    let place = CardPlace(position: StackPosition(4), offset: 0)
    #expect(place.moved(by: 1.2).settled() == CardPlace(position: StackPosition(4), offset: 1.2))
    #expect(place.moved(by: -1.2).settled().position == StackPosition(4))
    let further = place.moved(by: 1.25).settled()
    #expect(further.position == StackPosition(5))
    #expect(abs(further.offset - 0.25) < 1e-12)
    let far = place.moved(by: -3.5).settled()
    #expect(far.position == StackPosition(0))
    #expect(abs(far.offset - 0.5) < 1e-12)
    // Back over the same way: no flutter at the border.
    #expect(further.moved(by: -0.2).settled().position == StackPosition(5))
  }

  @Test func theWindowShowsEachCardOnce() {
    for count in 0...8 {
      for policy in [StackPolicy.stop, .loop] {
        let line = Self.line(count, policy)
        for top in -9...9 {
          let cards = line.visible(around: StackPosition(top))
          #expect(Set(cards.map(\.index)).count == cards.count)
          #expect(cards.map(\.distance) == cards.map(\.distance).sorted())
          #expect(cards.allSatisfy { $0.position.value == top + $0.distance })
          #expect(cards.allSatisfy { line.index(at: $0.position) == $0.index })
          let there =
            policy == .loop
            ? min(5, count) : (top - 2...top + 2).count { (0..<count).contains($0) }
          #expect(cards.count == there)
        }
      }
    }
    // Of four cards the fifth place stays empty, and the ones that come stay.
    let four = Self.line(4, .loop).visible(around: StackPosition(0))
    #expect(four.map(\.distance) == [-1, 0, 1, 2])
  }

  @Test func aSavedIndexIsFoundAgainInADeckThatChanged() {
    #expect(Self.line(9, .stop).restored(index: 4) == StackPosition(4))
    #expect(Self.line(3, .stop).restored(index: 4) == StackPosition(2))
    #expect(Self.line(3, .loop).restored(index: -1) == StackPosition(0))
    #expect(Self.line(0, .loop).restored(index: 4) == nil)
  }

  @Test func emptyStateComesAndGoesOnce() {
    #expect(DeckTransition(from: 1, to: 0) == .becameEmpty)
    #expect(DeckTransition(from: 0, to: 3) == .becameFilled)
    #expect(DeckTransition(from: 0, to: 0) == .none)
    #expect(DeckTransition(from: 3, to: 2) == .none)
  }

  @Test func rebasingShowsTheSamePicture() {
    for count in 1...6 {
      let content = LoopingContent(count: count, pitch: 100, viewport: 250)
      for step in -40...60 {
        let offset = Double(step) * 37.5
        let rebased = content.rebased(offset)
        #expect((0..<count).contains(Int((rebased - content.start) / 100)))
        let laps = (offset - rebased) / content.lap
        #expect(abs(laps - laps.rounded()) < 1e-9)
        #expect(content.boundary(from: rebased, velocity: 0, within: 0) == nil)
      }
      #expect(content.rebased(.infinity) == content.start)
    }
  }

  @Test func aBoundaryIsSeenBeforeItComesIntoView() {
    let content = LoopingContent(count: 4, pitch: 100, viewport: 300)
    #expect(content.laps == 5)
    #expect(content.boundary(from: content.start, velocity: 0, within: 1) == nil)
    #expect(content.boundary(from: content.start, velocity: -700, within: 1) == .beginning)
    #expect(content.boundary(from: content.start, velocity: 900, within: 1) == .end)
    #expect(content.boundary(from: content.start, velocity: 900, within: 0.1) == nil)
  }

  @Test func aHundredThousandSwipesOverTwelveCardsKeepEveryIndexRight() {
    let line = Self.line(12, .loop)
    var slots = ViewSlots(size: 7)
    var position = StackPosition(0)
    var index = 0
    // As far back as it went forward, so that both directions are as long.
    for step in 0..<100_000 {
      let forward = (step % 7 != 3) == (step < 50_000)
      position = position.advanced(by: forward ? 1 : -1)
      index = forward ? (index == 11 ? 0 : index + 1) : (index == 0 ? 11 : index - 1)
      guard line.index(at: position) == index else {
        Issue.record("wrong index after \(step) swipes")
        return
      }
      let changes = slots.show(line.visible(around: position).map(\.position))
      let resets = changes.count(where: { $0.action == .reset })
      guard resets <= (step == 0 ? 5 : 1), slots.size == 7 else {
        Issue.record("more than one view got another card after \(step) swipes")
        return
      }
    }
    #expect(position == StackPosition(0))
  }

  @Test func aPlaceSettlesWithinTheDeck() {
    let line = Self.line(3, .stop)
    let end = line.settled(CardPlace(position: StackPosition(2), offset: 1.25))
    #expect(end == CardPlace(position: StackPosition(2), offset: 1.25))
    #expect(line.index(at: end.position) == 2)
    let start = line.settled(CardPlace(position: StackPosition(0), offset: -7.5))
    #expect(start == CardPlace(position: StackPosition(0), offset: -7.5))
    let inner = line.settled(CardPlace(position: StackPosition(0), offset: 1.25))
    #expect(inner == CardPlace(position: StackPosition(1), offset: 0.25))
    #expect(
      Self.line(3, .loop).settled(CardPlace(position: StackPosition(2), offset: 1.25))
        == CardPlace(position: StackPosition(3), offset: 0.25))
  }
}
