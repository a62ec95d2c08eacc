internal import CardFeed

/// Counts the answers about each card, and those that want it.
struct CardCounts<D: Deck>: Learner {
  private enum Slot {
    static var answers: UInt8 { 0 }
    static var likes: UInt8 { 1 }
  }

  let numbers: LearnedNumbers

  init(states: LearnerStates) {
    numbers = states.numbers(for: Self.version, stride: Self.stride)
  }

  static var stride: Int { 2 }

  private static var version: String { "card-counts/2" }

  var identity: String { Self.version }

  func increments(for event: LearningEvent<D>) -> [Increment] {
    guard let outcome = event.outcome else { return [] }
    let answer = Increment(LearnedKey(owner: event.card, slot: Slot.answers), 1)
    guard outcome else { return [answer] }
    return [answer, Increment(LearnedKey(owner: event.card, slot: Slot.likes), 1)]
  }

  /// Slots as counts, whatever was taken back out of order.
  static func counts(_ sums: [[Double]]) -> (answers: [Double], likes: [Double]) {
    let answers = sums.map { max(0, $0[Int(Slot.answers)]) }
    let likes = zip(sums, answers).map { min(max(0, $0[Int(Slot.likes)]), $1) }
    return (answers, likes)
  }

  /// Of each card its answers and its likes, 0 or more.
  func counts(of cards: [CardNumber]) -> (answers: [Double], likes: [Double]) {
    numbers.read { read in
      Self.counts(cards.map { [Double(read($0, Slot.answers)), Double(read($0, Slot.likes))] })
    }
  }
}
