extension FactorModel {
  /// The best cards that are not left out, best first; equal scores by number.
  ///
  /// A product is at most the product of both lengths, by Cauchy and Schwarz. So cards are looked at
  /// by falling length, until the longest card that is left cannot reach the worst of the best: the
  /// list is that of all cards, from a small part of them. Where lengths say too little, all cards are
  /// scored (Teflioudi, Gemulla and Mykytiuk, LEMP, 2015, prune by length in the same way).
  ///
  /// - Parameters:
  ///   - count: Most cards.
  ///   - viewer: A viewer's vector of ``factorCount`` numbers.
  ///   - excluded: Cards that are left out; numbers that the model does not know do nothing.
  /// - Complexity: O(cards · factors) at worst; of cards whose lengths fall as their popularity does,
  ///   less than a tenth is looked at.
  public func top(
    _ count: Int, viewer: [Float], excluding excluded: some Collection<Int32>
  ) -> [ScoredCard] {
    precondition(
      viewer.count == factorCount, "A viewer's vector has \(factorCount) numbers.")
    guard count > 0, cardCount > 0, factorCount > 0 else { return [] }
    return topByLength(count, viewer, excluded) ?? topOfAll(count, viewer, excluded)
  }

  /// The best cards for a history; see ``Recommender``.
  public func top(
    _ count: Int, _ history: ViewerHistory, now: Double, excluding excluded: [Int32]
  ) -> [ScoredCard] {
    top(count, viewer: viewerVector(history, now: now), excluding: excluded)
  }

  /// The best cards for each of many viewers' vectors.
  ///
  /// - Parameters:
  ///   - count: Most cards of a list.
  ///   - viewers: Vectors of ``factorCount`` numbers, back to back.
  ///   - seen: For each viewer the cards that are left out.
  ///   - threads: How many work; the lists do not depend on it.
  /// - Complexity: That of a list for each viewer.
  public func top(
    _ count: Int, viewers: [Float], excluding seen: InteractionMatrix, threads: Int = 1
  ) -> [[ScoredCard]] {
    precondition(
      viewers.count == seen.rowCount * factorCount,
      "There is one vector for each row of what was seen.")
    let results = RowResults<[ScoredCard]>(count: seen.rowCount, repeating: [])
    let model = self
    forEachRow(seen.rowCount, threads: threads) { viewer in
      results[viewer] = model.top(
        count,
        viewer: Array(viewers[viewer * model.factorCount..<(viewer + 1) * model.factorCount]),
        excluding: seen.columns[seen.row(viewer)])
    }
    return results.take()
  }

  private func topOfAll(
    _ count: Int, _ viewer: [Float], _ excluded: some Collection<Int32>
  ) -> [ScoredCard] {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: cardCount) { scores in
      score(into: scores, viewer: viewer)
      for card in excluded where 0..<cardCount ~= Int(card) { scores[Int(card)] = -.infinity }
      return TopCards.select(count, of: UnsafeBufferPointer(scores))
    }
  }

  /// nil where more cards may be among the best than are looked at one by one as fast as all at once.
  private func topByLength(
    _ count: Int, _ viewer: [Float], _ excluded: some Collection<Int32>
  ) -> [ScoredCard]? {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: LengthOrder.step) { scores in
      viewer.withUnsafeBufferPointer { viewer in
        guard let scores = scores.baseAddress, let vector = viewer.baseAddress else { return nil }
        return topByLength(count, vector, excluded, scores)
      }
    }
  }

  private func topByLength(
    _ count: Int, _ vector: UnsafePointer<Float>, _ excluded: some Collection<Int32>,
    _ scores: UnsafeMutablePointer<Float>
  ) -> [ScoredCard]? {
    let order = lengthOrder
    var best = BestCards(count)
    let length = dot(vector, vector, count: factorCount).squareRoot()
    guard length.isFinite, length > 0 else { return nil }
    let left = CardMask(excluded, cardCount: cardCount)
    var start = 0
    while start < cardCount {
      let bound = order.lengths[start] * length * LengthOrder.rounding + order.greatestBias
      if bound < best.threshold { break }
      let end = min(cardCount, start + LengthOrder.step)
      // Judged once, when the longest cards have shown what the best ones may score.
      if start == LengthOrder.sample,
        order.reach(of: (best.threshold - order.greatestBias) / length)
          > cardCount / LengthOrder.greatestPart
      {
        return nil
      }
      products(
        of: order.cards.pointer(at: start), count: end - start, with: vector, into: scores)
      for place in start..<end {
        let card = Int(order.cards[place])
        var score = scores[place - start]
        if !biases.isEmpty { score += biases[card] }
        if best.mayTake(score), !left.contains(card) { best.consider(card, score) }
      }
      start = end
    }
    return best.kept
  }
}

/// The cards of factors by falling length of their vectors.
struct LengthOrder: Sendable {
  /// Cards between two looks at what is left.
  static let step = 256
  /// Cards after which it is judged whether lengths say enough.
  static let sample = 1024
  /// What rounding may add to a product of a few thousand factors, at most.
  static let rounding: Float = 1.001
  /// Where more than one of so many cards has to be looked at, scoring all of them at once is faster.
  static let greatestPart = 4

  /// The card at each place.
  let cards: Numbers<UInt32>
  /// The length of its vector.
  let lengths: Numbers<Float>
  /// At least 0.
  let greatestBias: Float

  init(factors: Numbers<Float>, biases: Numbers<Float>, factorCount: Int) {
    let count = factors.count / max(1, factorCount)
    let all = (0..<count).map { card -> Float in
      let vector = factors.pointer(at: card * factorCount)
      let length = dot(vector, vector, count: factorCount).squareRoot()
      // What is no number may be anything.
      return length.isNaN ? .infinity : length
    }
    let order = (0..<UInt32(count)).sorted {
      let (a, b) = (all[Int($0)], all[Int($1)])
      return a != b ? a > b : $0 < $1
    }
    cards = Numbers(order)
    lengths = Numbers(order.map { all[Int($0)] })
    greatestBias = biases.reduce(0, max)
  }

  /// How many cards are at least so long.
  func reach(of length: Float) -> Int {
    lengths.partitioningIndex { $0 * Self.rounding < length }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index from which on all elements are past, for elements in that order. O(log count).
  fileprivate func partitioningIndex(where isPast: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isPast(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// A set of cards, a bit for each.
private struct CardMask {
  private var words: [UInt64]

  init(_ cards: some Collection<Int32>, cardCount: Int) {
    words = Array(repeating: 0, count: (cardCount + 63) / 64)
    for card in cards where 0..<cardCount ~= Int(card) {
      words[Int(card) >> 6] |= 1 << UInt64(card & 63)
    }
  }

  func contains(_ card: Int) -> Bool { words[card >> 6] >> UInt64(card & 63) & 1 == 1 }
}
