#if XGBoost
  internal import CardFeed

  /// How many answers there were, and how many of them were positive.
  struct AnswerTally: Hashable, Sendable {
    private(set) var answers = 0
    private(set) var positives = 0

    /// How many answers the rate of something wider counts as.
    private static var weight: Double { 10 }

    init() {}

    /// Sums that others' rewinds took below zero count as none.
    init(answers: Int64, positives: Int64) {
      self.answers = Int(max(0, answers))
      self.positives = Int(min(max(0, positives), max(0, answers)))
    }

    mutating func add(_ outcome: Bool) {
      answers += 1
      if outcome { positives += 1 }
    }

    /// The share of positive answers, near a half of none.
    var share: Double { (Double(positives) + 1) / (Double(answers) + 2) }

    /// The share, drawn to a wider one while there are few answers.
    func rate(towards wider: Double) -> Double {
      (Double(positives) + Self.weight * wider) / (Double(answers) + Self.weight)
    }
  }

  /// The tallies that a row is made of, all of one moment.
  struct AnswerTallies: Hashable, Sendable {
    /// Of the whole deck.
    var deck = AnswerTally()
    /// Of what the viewer has answered.
    var viewer = AnswerTally()
    /// Of what was answered about the card.
    var card = AnswerTally()
  }

  /// The tallies of everybody and everything, as they run: each swipe adds to them, a rewind takes it
  /// back.
  struct AnswerSums<D: Deck>: Learner {
    let identity = "gradient-boosting-answers/1"
    let numbers: LearnedNumbers

    init(states: LearnerStates) { numbers = states.numbers(for: identity, stride: 4) }

    /// One answer more of the viewer, the card and the deck, and one positive one if it is. O(1).
    func increments(for event: LearningEvent<D>) -> [Increment] {
      guard let outcome = event.outcome else { return [] }
      var keys = [
        LearnedKey(owner: event.viewer, slot: Slot.given),
        LearnedKey(owner: event.card, slot: Slot.received),
        LearnedKey(owner: nil, slot: Slot.given),
      ]
      if outcome {
        keys += [
          LearnedKey(owner: event.viewer, slot: Slot.wanted),
          LearnedKey(owner: event.card, slot: Slot.wantedBy),
          LearnedKey(owner: nil, slot: Slot.wanted),
        ]
      }
      return keys.map { Increment($0, 1) }
    }

    /// The tallies of a viewer and some cards, all of one moment. O(n).
    func tallies(of viewer: ViewerNumber, cards: [CardNumber]) -> [AnswerTallies] {
      numbers.read { numbers in
        func tally(_ owner: CardNumber?, _ answers: UInt8, _ positives: UInt8) -> AnswerTally {
          AnswerTally(answers: numbers(owner, answers), positives: numbers(owner, positives))
        }
        let deck = tally(nil, Slot.given, Slot.wanted)
        let own = tally(viewer, Slot.given, Slot.wanted)
        return cards.map {
          AnswerTallies(deck: deck, viewer: own, card: tally($0, Slot.received, Slot.wantedBy))
        }
      }
    }
  }

  // A viewer and a card never have the same number; with slots of their own they need not.
  private enum Slot {
    static let given: UInt8 = 0
    static let wanted: UInt8 = 1
    static let received: UInt8 = 2
    static let wantedBy: UInt8 = 3
  }
#endif
