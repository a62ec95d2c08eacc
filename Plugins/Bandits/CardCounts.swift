internal import CardFeed

/// Counts the answers about each card, and those that want it.
struct CardCounts<D: Deck>: Learner {
  private enum Slot {
    static var answers: UInt8 { 0 }
    static var likes: UInt8 { 1 }
  }

  let numbers: LearnedNumbers

  init(states: LearnerStates) {
    numbers = states.numbers(for: Self.version, stride: 2)
  }

  private static var version: String { "card-counts/1" }

  var identity: String { Self.version }

  func increments(for event: LearningEvent<D>) -> [Increment] {
    guard event.meaning != .neutral else { return [] }
    let answer = Increment(LearnedKey(owner: event.card, slot: Slot.answers), 1)
    guard event.meaning == .positive else { return [answer] }
    return [answer, Increment(LearnedKey(owner: event.card, slot: Slot.likes), 1)]
  }

  /// Of each card its answers and its likes, 0 or more.
  func counts(of cards: [CardNumber]) -> (answers: [Double], likes: [Double]) {
    numbers.read { read in
      let answers = cards.map { max(0, Double(read($0, Slot.answers))) }
      let likes = zip(cards, answers).map { card, answers in
        min(max(0, Double(read(card, Slot.likes))), answers)
      }
      return (answers, likes)
    }
  }
}
