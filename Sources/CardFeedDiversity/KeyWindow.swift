/// Counts the keys of the cards in front of a place, over a window that spans hands.
///
/// A card has any number of keys, as its maker, its kind or its tags. In front of the next place
/// lie the cards that were placed, before them those that lie in the hand, and before those the
/// answers that were given. A key is full where the window holds `most` cards with it.
public struct KeyWindow: Sendable, Equatable {
  /// How many places count.
  public let window: Int
  /// How many of them may have one key.
  public let most: Int
  private var cards: [[Int32]]
  /// The cards that lie in the hand, in an order that is not known: each may be the last of them.
  private let held: [[Int32]]
  private var placed = 0
  private var counts: [Int32: Int] = [:]

  /// A window.
  ///
  /// - Parameters:
  ///   - window: How many places count, 1 or more.
  ///   - most: How many of them may have one key, 1 or more.
  ///   - held: The keys of each card that lies in the hand.
  ///   - answered: The keys of each card that was answered, latest last.
  public init(window: Int, most: Int = 1, held: [[Int32]] = [], answered: [[Int32]] = []) {
    precondition(window > 0 && most > 0, "A window has a place, and a key may come once, at least.")
    self.window = window
    self.most = most
    self.held = held
    cards = answered.suffix(max(0, window - held.count))
    refresh()
  }

  /// Places a card. O(window · keys).
  public mutating func append(_ keys: [Int32]) {
    cards.append(keys)
    placed += 1
    refresh()
  }

  private mutating func refresh() {
    // Answers leave the window as places fill; held cards lie between them and the places.
    let reach = placed < window ? max(placed, window - held.count) : window
    cards = Array(cards.suffix(reach))
    counts = [:]
    for key in cards.joined() { counts[key, default: 0] += 1 }
    if placed < window {
      for key in held.joined() { counts[key, default: 0] += 1 }
    }
  }

  /// Whether a card with these keys would be one too many. O(keys).
  public func isFull(for keys: [Int32]) -> Bool {
    keys.contains { counts[$0, default: 0] >= most }
  }

  /// Puts candidates in an order in which no window holds too many cards of one key.
  ///
  /// Place by place the best candidate that fits is taken. Where none fits, `penalty` says what
  /// happens: the best one that does not fit is taken and loses so much, or with nil those that do
  /// not fit are kept back.
  ///
  /// - Parameters:
  ///   - scores: Of each candidate, best first; nil is unscored, and among those nothing is moved.
  ///   - keys: Of each candidate.
  ///   - places: How many places are looked at; the others follow in their order.
  ///   - penalty: What one that does not fit loses, and how much worse a card may be that is taken
  ///     before it; nil for any.
  ///   - mayBeEmpty: Whether even the first card may be kept back.
  /// - Complexity: O(places · n).
  public func spread(
    scores: [Double?], keys: [[Int32]], places: Int, penalty: Double?, mayBeEmpty: Bool
  ) -> Spread {
    precondition(scores.count == keys.count, "Each candidate has a score, or nil, and keys.")
    var window = self
    var order = OrderPenalties(scores: scores)
    var withheld: [Int] = []
    var left = Array(scores.indices)
    for _ in 0..<min(left.count, places) {
      let choice = window.next(in: left, scores, keys, penalty)
      if !choice.fits, penalty == nil, mayBeEmpty || order.count > 0 {
        for place in left {
          if window.isFull(for: keys[place]) {
            withheld.append(place)
          } else {
            order.append(place)
            window.append(keys[place])
          }
        }
        return Spread(penalties: order.penalties, withheld: withheld)
      }
      let place = left.remove(at: choice.index)
      order.append(place, penalty: choice.fits ? 0 : penalty ?? 0)
      window.append(keys[place])
    }
    for place in left { order.append(place) }
    return Spread(penalties: order.penalties, withheld: withheld)
  }

  /// The best candidate that is left, and whether it fits.
  private func next(
    in left: [Int], _ scores: [Double?], _ keys: [[Int32]], _ penalty: Double?
  ) -> (index: Int, fits: Bool) {
    guard isFull(for: keys[left[0]]) else { return (0, true) }
    guard let best = scores[left[0]] else { return (0, false) }
    let lowest = best - (penalty ?? .infinity)
    for (index, place) in left.enumerated().dropFirst() {
      guard let score = scores[place], score >= lowest else { break }
      if !isFull(for: keys[place]) { return (index, true) }
    }
    return (0, false)
  }

  /// What spreading candidates asks for.
  public struct Spread: Sendable, Equatable {
    /// Subtracted from the scores, 0 or more.
    public let penalties: [Double]
    /// Candidates that are kept back.
    public let withheld: [Int]
  }
}
