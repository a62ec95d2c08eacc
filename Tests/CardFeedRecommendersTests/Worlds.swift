import CardFeedRecommenders

/// Swipes that a seed decides: some cards popular, viewers with tastes.
struct World {
  let histories: ViewerHistories
  var matrix: InteractionMatrix { InteractionMatrix(histories) }

  init(viewers: Int = 40, cards: Int = 30, swipes: Int = 12, seed: UInt64 = 1) throws {
    var state = seed
    func draw(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    var who: [Int32] = []
    var what: [Int32] = []
    for viewer in 0..<viewers {
      var own = Set<Int>()
      while own.count < swipes {
        let isOwnTaste = draw(4) > 0
        let card =
          isOwnTaste ? (viewer % 3) * cards / 3 + draw(cards / 3) : min(draw(cards), draw(cards))
        if own.insert(card).inserted {
          who.append(Int32(viewer))
          what.append(Int32(card))
        }
      }
    }
    histories = try ViewerHistories(
      viewerCount: viewers, cardCount: cards, viewers: who, cards: what)
  }
}

extension Array where Element == Float {
  func isClose(to other: [Float], within tolerance: Float = 1e-4) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy { abs($0 - $1) <= tolerance * Swift.max(1, abs($1)) }
  }
}
