#if XGBoost
  internal import CardFeed

  /// How many answers somebody has given and received, and how many of them were likes.
  struct LikeCounts: Hashable, Sendable {
    var given = 0
    var likesGiven = 0
    var received = 0
    var likesReceived = 0

    mutating func give(_ liked: Bool, sign: Int = 1) {
      given += sign
      if liked { likesGiven += sign }
    }

    mutating func receive(_ liked: Bool, sign: Int = 1) {
      received += sign
      if liked { likesReceived += sign }
    }

    /// The share of likes, drawn to a half by two answers while there are few.
    static func rate(_ likes: Int, of answers: Int) -> Double {
      (Double(max(0, likes)) + 1) / (Double(max(0, answers)) + 2)
    }
  }

  /// The counts of everybody, as they run: each swipe adds to them, a rewind takes it back.
  struct LikeRates<D: Deck>: Learner {
    private static var slots: (given: UInt8, liked: UInt8, received: UInt8, wanted: UInt8) {
      (0, 1, 2, 3)
    }

    let identity = "gradient-boosting-rates/1"
    let numbers: LearnedNumbers

    init(states: LearnerStates) { numbers = states.numbers(for: identity, stride: 4) }

    /// One answer more of either side, and one like more if it is one. O(1).
    func increments(for event: LearningEvent<D>) -> [Increment] {
      guard event.meaning != .neutral else { return [] }
      let slots = Self.slots
      var increments = [
        Increment(LearnedKey(owner: event.viewer, slot: slots.given), 1),
        Increment(LearnedKey(owner: event.card, slot: slots.received), 1),
      ]
      if event.meaning == .positive {
        increments.append(Increment(LearnedKey(owner: event.viewer, slot: slots.liked), 1))
        increments.append(Increment(LearnedKey(owner: event.card, slot: slots.wanted), 1))
      }
      return increments
    }

    /// The counts of some people, all of one moment. O(n).
    func counts(of people: [CardNumber]) -> [LikeCounts] {
      let slots = Self.slots
      return numbers.read { numbers in
        people.map { person in
          LikeCounts(
            given: Int(numbers(person, slots.given)), likesGiven: Int(numbers(person, slots.liked)),
            received: Int(numbers(person, slots.received)),
            likesReceived: Int(numbers(person, slots.wanted)))
        }
      }
    }
  }
#endif
