internal import CardFeed

/// How often each card was liked; a rewind takes it back.
struct CardLikes<D: Deck>: Learner {
  let numbers: LearnedNumbers

  init(states: LearnerStates) {
    numbers = states.numbers(for: Self.identity, stride: 1)
  }

  private static var identity: String { "collaborative-likes/1" }

  var identity: String { Self.identity }

  func increments(for event: LearningEvent<D>) -> [Increment] {
    event.meaning == .positive ? [Increment(LearnedKey(owner: event.card, slot: 0), 1)] : []
  }

  /// The counts of some cards. O(n).
  func counts(of cards: [CardNumber]) -> [Double] {
    numbers.read { numbers in cards.map { Double(numbers($0, 0)) } }
  }
}
