import CardFeedLayout
import CardFeedStack
import Testing

/// From a drag to a decision and to the picture on the way.
struct DragRuleTests {
  let size = CardSize(width: 320, height: 480)

  static func isSwipe(_ decision: DragDecision, _ direction: SwipeDirection) -> Bool {
    if case .swiped(let went, _) = decision { went == direction } else { false }
  }

  @Test func aThresholdDecides() {
    let pair = LayoutPreset.pair.drag
    #expect(pair.decision(for: Drag(x: 79.9), size: size) == .sprungBack)
    #expect(Self.isSwipe(pair.decision(for: Drag(x: 80), size: size), .right))
    #expect(Self.isSwipe(pair.decision(for: Drag(x: -80), size: size), .left))
    let three = LayoutPreset.stackOfThree.drag
    #expect(three.decision(for: Drag(x: 119), size: size) == .sprungBack)
    #expect(Self.isSwipe(three.decision(for: Drag(x: 0, y: -120), size: size), .up))
    let layered = LayoutPreset.layered.drag
    #expect(layered.decision(for: Drag(x: 159), size: size) == .sprungBack)
    #expect(Self.isSwipe(layered.decision(for: Drag(x: 160), size: size), .right))
    #expect(layered.decision(for: Drag(x: 0, y: 239), size: size) == .sprungBack)
    #expect(Self.isSwipe(layered.decision(for: Drag(x: 0, y: 240), size: size), .down))
  }

  @Test func aThrowDecidesBeforeTheThresholdAndTakesBackBeyondIt() {
    let rule = LayoutPreset.pair.drag
    #expect(Self.isSwipe(rule.decision(for: Drag(x: 20, velocityX: 1000), size: size), .right))
    #expect(rule.decision(for: Drag(x: 20, velocityX: 999), size: size) == .sprungBack)
    // Dragged far to the right, thrown back to the left: the viewer has changed their mind.
    #expect(rule.decision(for: Drag(x: 200, velocityX: -1000), size: size) == .sprungBack)
    // Thrown to the left while it lies a little to the right: not a swipe to either side.
    #expect(rule.decision(for: Drag(x: 20, velocityX: -1500), size: size) == .sprungBack)
  }

  @Test func aDirectionThatIsNotAllowedSpringsBack() {
    let rule = LayoutPreset.pair.drag
    #expect(rule.decision(for: Drag(x: 0, y: -400), size: size) == .sprungBack)
    #expect(rule.decision(forButton: .up, size: size) == .sprungBack)
    // Mostly upwards, but far enough to the right: the allowed axis counts.
    #expect(Self.isSwipe(rule.decision(for: Drag(x: 90, y: -400), size: size), .right))
  }

  @Test(arguments: LayoutPreset.all)
  func aButtonComesToTheSameDecisionAsADrag(preset: LayoutPreset) {
    for direction in SwipeDirection.allCases {
      let decision = preset.drag.decision(forButton: direction, size: size)
      #expect(Self.isSwipe(decision, direction) == preset.drag.directions.contains(direction))
    }
  }

  @Test(arguments: LayoutPreset.all)
  func leftAndRightAreMirrorImages(preset: LayoutPreset) {
    for x in stride(from: 0.0, through: 400, by: 20) {
      let right = preset.drag.decision(for: Drag(x: x, velocityX: 300), size: size)
      let left = preset.drag.decision(for: Drag(x: -x, velocityX: -300), size: size)
      switch (right, left) {
      case (.sprungBack, .sprungBack): break
      case (.swiped(.right, let one), .swiped(.left, let other)):
        #expect(one.x == -other.x && one.rotation == -other.rotation)
        #expect(one.duration == other.duration)
      default: Issue.record("a drag of \(x) points is not the mirror image of its opposite")
      }
    }
  }

  @Test func rotationFollowsTheDrag() {
    #expect(DragRotation.pointsPerDegree(20).rotation(x: 100, width: 320) == 5)
    #expect(DragRotation.pointsPerDegree(10).rotation(x: -100, width: 320) == -10)
    let bounded = DragRotation.bounded(degrees: 12)
    #expect(bounded.rotation(x: 80, width: 320) == 6)
    #expect(bounded.rotation(x: 160, width: 320) == 12)
    #expect(bounded.rotation(x: 900, width: 320) == 12)
  }

  @Test func theSignIsFullAtTheThreshold() {
    let rule = LayoutPreset.pair.drag
    #expect(rule.overlayOpacity(of: Drag(x: 0), size: size) == 0)
    #expect(rule.overlayOpacity(of: Drag(x: -40), size: size) == 0.5)
    #expect(rule.overlayOpacity(of: Drag(x: 300), size: size) == 1)
    #expect(rule.overlayOpacity(of: Drag(x: 0, y: 300), size: size) == 0)
  }

  @Test func aThrownCardFliesFasterAndAlongItsWay() {
    let rule = LayoutPreset.pair.drag
    guard case .swiped(_, let slow) = rule.decision(for: Drag(x: 100, y: 50), size: size),
      case .swiped(_, let fast) = rule.decision(for: Drag(x: 100, velocityX: 2400), size: size)
    else {
      Issue.record("neither springs back")
      return
    }
    #expect(slow.x == 480 && slow.y == 240)
    #expect(abs(slow.duration - 380.0 / 1200) < 1e-12)
    #expect(abs(fast.duration - 380.0 / 2400) < 1e-12)
    guard case .swiped(_, let steep) = rule.decision(for: Drag(x: 90, y: 900), size: size) else {
      Issue.record("it is beyond the threshold")
      return
    }
    #expect(steep.y == steep.x, "a card leaves by its own side")
  }

  @Test func aSpringComesBackAndNeverBeyond() {
    let rule = LayoutPreset.stackOfThree.drag
    var last = 1.0
    for step in 0...100 {
      let rest = rule.springRemainder(after: rule.springDuration * Double(step) / 100)
      #expect(rest <= last && rest >= 0)
      last = rest
    }
    #expect(rule.springRemainder(after: -1) == 1)
    #expect(abs(rule.springRemainder(after: rule.springDuration * 0.999999) - 0.01) < 1e-5)
    #expect(last == 0)
  }

  @Test func numbersThatAreNoneAreNoMovement() {
    let rule = LayoutPreset.pair.drag
    #expect(rule.decision(for: Drag(x: .nan, velocityX: .infinity), size: size) == .sprungBack)
    #expect(CardSize(width: .nan, height: -3) == CardSize(width: 1, height: 1))
  }

  @Test func everyPathPassesTheSameGate() {
    for path in DecisionPath.allCases {
      var gate = DecisionGate(top: StackPosition(3)) {
        $0.direction == .right ? "Answer the question first." : nil
      }
      let right = DecisionRequest(position: StackPosition(3), direction: .right, path: path)
      #expect(gate.decide(right) == .refused(reason: "Answer the question first."))
      #expect(gate.top == StackPosition(3))
      let left = DecisionRequest(position: StackPosition(3), direction: .left, path: path)
      #expect(gate.decide(left) == .passed)
      #expect(gate.decide(left) == .stale(expected: StackPosition(4)), "a second press")
      gate.reset(to: StackPosition(3))
      #expect(gate.decide(left) == .passed)
    }
  }
}
