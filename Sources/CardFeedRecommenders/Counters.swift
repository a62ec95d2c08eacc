/// How many viewers have each card, recent ones counting more if asked.
public struct Popularity: Recommender, Equatable {
  /// What each card counts.
  public private(set) var counts: [Double]

  /// Cards are numbered 0 ..< `cardCount`.
  public var cardCount: Int { counts.count }

  /// No swipes yet.
  public init(cardCount: Int) { counts = Array(repeating: 0, count: cardCount) }

  init(counts: [Double]) { self.counts = counts }

  /// Counts swipes, each viewer's of a card once.
  ///
  /// - Parameters:
  ///   - histories: The swipes.
  ///   - rate: What each unit of time before `now` multiplies, 0 … 1.
  ///   - now: The present; without one the latest swipe.
  /// - Complexity: O(swipes).
  public init(_ histories: ViewerHistories, rate: Double = 1, now: Double? = nil) {
    var counts = [Double](repeating: 0, count: histories.cardCount)
    let present = now ?? histories.times.max() ?? 0
    var last = [Int32](repeating: -1, count: histories.cardCount)
    for viewer in 0..<histories.viewerCount {
      // From the newest, so that the latest of several swipes is the one that counts.
      for place in (histories.offsets[viewer]..<histories.offsets[viewer + 1]).reversed() {
        let card = Int(histories.cards[place])
        guard last[card] != Int32(viewer) else { continue }
        last[card] = Int32(viewer)
        counts[card] += rate == 1 ? 1 : power(rate, max(0, present - histories.times[place]))
      }
    }
    self.counts = counts
  }

  /// Adds, or takes back, what a first swipe of a viewer counts.
  public mutating func change(_ card: Int32, by amount: Double) {
    guard 0..<cardCount ~= Int(card) else { return }
    counts[Int(card)] += amount
  }

  /// Writes a score for each card; see ``Recommender``.
  public func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    for card in 0..<cardCount { scores[card] = Float(counts[card]) }
  }
}

/// The viewer's own cards again: how often, and how long ago. For goods that are bought again.
///
/// score = amount^a · γ^(now − last) of own cards; popularity breaks ties and ranks all others.
public struct PersonalCounts: Recommender {
  /// a.
  public var exponent: Double
  /// γ for each unit of time.
  public var rate: Double
  private let popularity: [Float]

  /// Counters over a popularity.
  public init(exponent: Double = 1, rate: Double = 0.9, popularity: Popularity) {
    self.exponent = exponent
    self.rate = rate
    let most = max(1e-9, popularity.counts.max() ?? 0)
    self.popularity = popularity.counts.map { Float($0 / most * 1e-3) }
  }

  init(exponent: Double, rate: Double, scaled: [Float]) {
    self.exponent = exponent
    self.rate = rate
    popularity = scaled
  }

  /// The part that breaks ties.
  var scaledPopularity: [Float] { popularity }

  /// Cards are numbered 0 ..< `cardCount`.
  public var cardCount: Int { popularity.count }

  /// Writes a score for each card; see ``Recommender``.
  public func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    for card in 0..<cardCount { scores[card] = popularity[card] }
    for own in OwnCard.all(of: history) where 0..<cardCount ~= Int(own.card) {
      let amount = exponent == 1 ? own.amount : power(own.amount, exponent)
      scores[Int(own.card)] += Float(amount * power(rate, max(0, now - own.last)))
    }
  }
}

/// What a viewer's history holds of one card.
struct OwnCard {
  let card: Int32
  /// The sum of its amounts.
  var amount: Double
  /// When it stands for the last time.
  var last: Double
  /// In how many places it stands.
  var places: Int

  /// Each card of a history once, by number. O(swipes · log).
  static func all(of history: ViewerHistory) -> [OwnCard] {
    var cards: [OwnCard] = []
    for index in history.cards.indices.sorted(by: { history.cards[$0] < history.cards[$1] }) {
      let card = history.cards[index]
      let amount = Double(history.amounts[index])
      if let last = cards.indices.last, cards[last].card == card {
        cards[last].amount += amount
        cards[last].last = max(cards[last].last, history.times[index])
        cards[last].places += 1
      } else {
        cards.append(OwnCard(card: card, amount: amount, last: history.times[index], places: 1))
      }
    }
    return cards
  }
}
