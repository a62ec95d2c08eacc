/// Cards that one viewer has answered, oldest first: what a model is asked with.
///
/// A request carries its history, so that a viewer nobody has ever fitted gets answers at once.
public struct ViewerHistory: Hashable, Sendable {
  /// The cards, as rows of the model. A card may stand several times.
  public private(set) var cards: [Int32]
  /// When, in any unit, one for each card; never falling.
  public private(set) var times: [Double]
  /// How often or how much, above 0, one for each card.
  public private(set) var amounts: [Float]

  /// A history.
  ///
  /// - Parameters:
  ///   - cards: Rows of the model, oldest first.
  ///   - times: One for each card; without them 0, 1, 2 ….
  ///   - amounts: One for each card; without them 1.
  public init(cards: [Int32], times: [Double]? = nil, amounts: [Float]? = nil) {
    precondition(
      (times?.count ?? cards.count) == cards.count
        && (amounts?.count ?? cards.count) == cards.count,
      "A history has one time and one amount for each of its cards.")
    self.cards = cards
    self.times = times ?? cards.indices.map(Double.init)
    self.amounts = amounts ?? Array(repeating: 1, count: cards.count)
  }

  /// Adds a swipe at the end.
  public mutating func append(_ card: Int32, at time: Double, amount: Float = 1) {
    cards.append(card)
    times.append(time)
    amounts.append(amount)
  }

  /// How many swipes.
  public var count: Int { cards.count }
}

/// How much a swipe of a history still counts.
public enum HistoryDecay: Hashable, Sendable {
  /// Every swipe alike.
  case none
  /// γ to the number of swipes since.
  case perSwipe(Double)
  /// γ to the time since the present.
  case perTime(Double)

  /// The weight of each swipe.
  ///
  /// - Parameters:
  ///   - history: The swipes.
  ///   - now: The present, in the unit of the history's times.
  /// - Complexity: O(swipes).
  public func weights(of history: ViewerHistory, now: Double) -> [Float] {
    switch self {
    case .none: return Array(repeating: 1, count: history.count)
    case .perSwipe(let rate):
      let last = history.count - 1
      // Nothing vanishes wholly: what is long ago still breaks ties.
      return (0..<history.count).map { Float(power(rate, Double(last - $0)) + 1e-9) }
    case .perTime(let rate):
      return history.times.map { Float(power(rate, Swift.max(0, now - $0)) + 1e-9) }
    }
  }
}

/// The histories of many viewers, back to back.
public struct ViewerHistories: Sendable {
  /// Cards are numbered 0 ..< `cardCount`.
  public let cardCount: Int
  /// Where each viewer's swipes begin; one more than there are viewers.
  public let offsets: [Int]
  /// All cards, each viewer's oldest first.
  public let cards: [Int32]
  /// All times.
  public let times: [Double]
  /// All amounts.
  public let amounts: [Float]

  /// Sorts swipes by viewer and time; equal times keep their order.
  ///
  /// - Parameters:
  ///   - viewerCount: Viewers are numbered 0 ..< `viewerCount`.
  ///   - cardCount: Cards are numbered 0 ..< `cardCount`.
  ///   - viewers: Who, for each swipe.
  ///   - cards: What.
  ///   - times: When; without them in the order given.
  ///   - amounts: How much; without them 1.
  /// - Throws: ``RecommenderError`` for numbers out of range, times or amounts that are not finite,
  ///   lists of unequal lengths, or more than an `InteractionMatrix` may hold.
  /// - Complexity: O(n log n).
  public init(
    viewerCount: Int, cardCount: Int, viewers: [Int32], cards: [Int32], times: [Double]? = nil,
    amounts: [Float]? = nil
  ) throws(RecommenderError) {
    let count = viewers.count
    guard cards.count == count, (times?.count ?? count) == count,
      (amounts?.count ?? count) == count
    else {
      throw RecommenderError(
        .badInput, "the columns of swipes have unequal lengths; allowed: one value for each swipe")
    }
    try InteractionMatrix.check(rows: viewerCount, columns: cardCount, entries: count)
    var counts = [Int](repeating: 0, count: viewerCount)
    for index in 0..<count {
      guard 0..<viewerCount ~= Int(viewers[index]), 0..<cardCount ~= Int(cards[index]),
        times?[index].isFinite ?? true, amounts.map({ $0[index].isFinite && $0[index] > 0 }) ?? true
      else {
        throw RecommenderError(
          .badInput,
          "swipe \(index) is not usable; allowed: viewers below \(viewerCount), cards below "
            + "\(cardCount), finite times, amounts above 0")
      }
      counts[Int(viewers[index])] += 1
    }
    var offsets = try InteractionMatrix.offsets(of: counts)
    var order = [Int](repeating: 0, count: count)
    var next = offsets
    for index in 0..<count {
      order[next[Int(viewers[index])]] = index
      next[Int(viewers[index])] += 1
    }
    if let times {
      for viewer in 0..<viewerCount where counts[viewer] > 1 {
        order[offsets[viewer]..<offsets[viewer + 1]].sort { (times[$0], $0) < (times[$1], $1) }
      }
    }
    if viewerCount == 0 { offsets = [0] }
    self.cardCount = cardCount
    self.offsets = offsets
    self.cards = order.map { cards[$0] }
    self.times =
      times.map { times in order.map { times[$0] } }
      ?? (0..<viewerCount).flatMap { (0..<counts[$0]).map(Double.init) }
    self.amounts =
      amounts.map { amounts in order.map { amounts[$0] } }
      ?? Array(repeating: 1, count: count)
  }

  private init(
    cardCount: Int, offsets: [Int], cards: [Int32], times: [Double], amounts: [Float]
  ) {
    self.cardCount = cardCount
    self.offsets = offsets
    self.cards = cards
    self.times = times
    self.amounts = amounts
  }

  /// The swipes of some times, with the viewers and cards numbered as before. O(swipes).
  public func part(where isWanted: (Double) -> Bool) -> ViewerHistories {
    var part = (offsets: [0], cards: [Int32](), times: [Double](), amounts: [Float]())
    for viewer in 0..<viewerCount {
      for place in offsets[viewer]..<offsets[viewer + 1] where isWanted(times[place]) {
        part.cards.append(cards[place])
        part.times.append(times[place])
        part.amounts.append(amounts[place])
      }
      part.offsets.append(part.cards.count)
    }
    return ViewerHistories(
      cardCount: cardCount, offsets: part.offsets, cards: part.cards, times: part.times,
      amounts: part.amounts)
  }

  /// How many viewers.
  public var viewerCount: Int { offsets.count - 1 }

  /// The history of a viewer.
  public subscript(viewer: Int) -> ViewerHistory {
    let range = offsets[viewer]..<offsets[viewer + 1]
    return ViewerHistory(
      cards: Array(cards[range]), times: Array(times[range]), amounts: Array(amounts[range]))
  }

  /// For each card the number of viewers who have it. O(swipes).
  public func popularity() -> [Int32] {
    var counts = [Int32](repeating: 0, count: cardCount)
    var last = [Int32](repeating: -1, count: cardCount)
    for viewer in 0..<viewerCount {
      for place in offsets[viewer]..<offsets[viewer + 1] {
        let card = Int(cards[place])
        if last[card] != Int32(viewer) {
          last[card] = Int32(viewer)
          counts[card] += 1
        }
      }
    }
    return counts
  }
}
