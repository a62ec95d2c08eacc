/// What viewers swipe after what: decayed counts of pairs within a window of each history, forwards
/// and, at a discount, backwards.
///
/// c(i → j) = Σ over pairs (i at place p, j at place p + s) of rate^(s − 1), plus `backward` times the
/// same of pairs in which j came first; w(i → j) = c · |i|^−½ · |j|^−β. Simple as it is, it beats
/// sequence models where order matters. Weights are added up as whole multiples of 2⁻³², so that
/// taking a swipe back restores every count exactly, and the order of adding does not matter.
public struct DirectionalCooccurrence: Hashable, Sendable {
  /// How many swipes apart two cards may be.
  public var window: Int
  /// What each further swipe between them multiplies, 0 … 1.
  public var rate: Double
  /// What the direction against time counts, 0 … 1.
  public var backward: Double
  /// The exponent with which popular cards are held back.
  public var beta: Double
  /// How much a swipe of the history still counts.
  public var decay: HistoryDecay

  /// A way to count.
  public init(
    window: Int = 20, rate: Double = 0.8, backward: Double = 0.8, beta: Double = 0.2,
    decay: HistoryDecay = .perSwipe(0.6)
  ) {
    self.window = window
    self.rate = rate
    self.backward = backward
    self.beta = beta
    self.decay = decay
  }

  /// For each distance what a pair forwards and one backwards adds, in units of 2⁻³².
  var units: [(forward: Int64, backward: Int64)] {
    (0..<max(0, window)).map { step in
      let forward = power(rate, Double(step)) * 0x1p32
      return (Int64(forward.rounded()), Int64((forward * backward).rounded()))
    }
  }

  /// Counts all pairs.
  ///
  /// - Throws: ``RecommenderError`` where the weights do not fit.
  /// - Complexity: O(swipes · window), divided among the threads.
  public func fit(
    _ histories: ViewerHistories, threads: Int = 1
  ) throws(RecommenderError) -> ItemWeights {
    let occurrences = Occurrences(histories)
    let units = units
    let popularity = histories.popularity()
    let results = RowResults<[(card: Int32, weight: Float)]>(
      count: histories.cardCount, repeating: [])
    let settings = self
    forEachBlock(histories.cardCount, of: 16, threads: threads) { block in
      var sums = [Int64](repeating: 0, count: histories.cardCount)
      var touched: [Int32] = []
      for card in block {
        for place in occurrences.places(of: card) {
          let viewer = occurrences.viewers[place]
          let start = histories.offsets[Int(viewer)]
          let end = histories.offsets[Int(viewer) + 1]
          func add(_ unit: Int64, _ other: Int32) {
            guard Int(other) != card, unit != 0 else { return }
            if sums[Int(other)] == 0 { touched.append(other) }
            sums[Int(other)] += unit
          }
          for step in 0..<units.count {
            if place + step + 1 < end {
              add(units[step].forward, histories.cards[place + step + 1])
            }
            if place - step - 1 >= start {
              add(units[step].backward, histories.cards[place - step - 1])
            }
          }
        }
        touched.sort()
        results[card] = touched.map { other in
          let weight = settings.weight(
            sums[Int(other)], from: popularity[card], to: popularity[Int(other)])
          return (other, weight)
        }
        for other in touched { sums[Int(other)] = 0 }
        touched.removeAll(keepingCapacity: true)
      }
    }
    return try ItemWeights(rows: results.take(), decay: decay)
  }

  /// The weight of a count in units.
  func weight(_ units: Int64, from: Int32, to: Int32) -> Float {
    let source = Double(max(from, 1)).squareRoot()
    return Float(Double(units) * 0x1p-32 / source * power(Double(max(to, 1)), -beta))
  }
}

/// The places in all histories at which each card stands.
private struct Occurrences: Sendable {
  private let offsets: [Int]
  private let order: [Int]
  /// The viewer of each place.
  let viewers: [Int32]

  init(_ histories: ViewerHistories) {
    var offsets = [Int](repeating: 0, count: histories.cardCount + 1)
    for card in histories.cards { offsets[Int(card) + 1] += 1 }
    for card in 0..<histories.cardCount { offsets[card + 1] += offsets[card] }
    var next = offsets
    var order = [Int](repeating: 0, count: histories.cards.count)
    for (place, card) in histories.cards.enumerated() {
      order[next[Int(card)]] = place
      next[Int(card)] += 1
    }
    var viewers = [Int32](repeating: 0, count: histories.cards.count)
    for viewer in 0..<histories.viewerCount {
      for place in histories.offsets[viewer]..<histories.offsets[viewer + 1] {
        viewers[place] = Int32(viewer)
      }
    }
    self.offsets = offsets
    self.order = order
    self.viewers = viewers
  }

  func places(of card: Int) -> ArraySlice<Int> { order[offsets[card]..<offsets[card + 1]] }
}
