package import CardFeed
package import CardFeedLayout

/// An answer of a deck, and the keys that give it.
package struct PlayAnswer: Hashable, Sendable {
  /// The answer, as the deck calls it.
  package let name: String
  /// What it says of the card.
  package let meaning: AnswerMeaning
  /// Where the card flies.
  package var direction: SwipeDirection
  /// Whether an arrow gives it.
  package var hasArrow: Bool
  /// The letter, or the digit, that gives it; nil where all are taken.
  package var letter: Unicode.Scalar?
}

/// The keys of a deck's answers: positive ones to the right, negative ones to the left, an arrow up and
/// one down for two more, and a letter for each.
package struct PlayAnswers: Hashable, Sendable {
  /// Those with an arrow first.
  package let all: [PlayAnswer]

  /// What decks commonly call the answers that are given most, so that of several grades the usual
  /// one gets the arrow.
  private static let usual: [SwipeDirection: [String]] = [
    .right: ["like", "good", "save"], .left: ["pass", "again", "dislike"],
    .up: ["super-like", "easy", "buy"], .down: ["hard", "skip"],
  ]

  /// Letters that mean something else.
  package static let reserved: Set<Unicode.Scalar> = ["z", "m", "q"]

  /// The keys of a deck's answers.
  ///
  /// - Parameter answers: Names and what they say, in the deck's order.
  package init(_ answers: [(name: String, meaning: AnswerMeaning)]) {
    var left = answers
    func take(_ direction: SwipeDirection, _ meanings: [AnswerMeaning]) -> PlayAnswer? {
      let usual = Self.usual[direction] ?? []
      let allowed = left.filter { meanings.contains($0.meaning) }
      let named = usual.lazy.compactMap { name in allowed.first { $0.name == name } }.first
      let first = meanings.lazy.compactMap { meaning in allowed.first { $0.meaning == meaning } }
        .first
      guard let (name, meaning) = named ?? first else { return nil }
      left.removeAll { $0.name == name }
      return PlayAnswer(name: name, meaning: meaning, direction: direction, hasArrow: true)
    }
    let arrows = [
      take(.left, [.negative, .neutral]), take(.right, [.positive, .neutral]),
      take(.up, [.positive, .neutral, .negative]), take(.down, [.neutral, .negative, .positive]),
    ]
    var all = arrows.compactMap { $0 }
    all += left.map { name, meaning in
      let direction: SwipeDirection =
        switch meaning {
        case .positive: .right
        case .negative: .left
        case .neutral: .down
        }
      return PlayAnswer(name: name, meaning: meaning, direction: direction, hasArrow: false)
    }
    var taken = Self.reserved
    let digits = "123456789".unicodeScalars
    for index in all.indices {
      let letters = all[index].name.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) }
      let letter = (Array(letters) + Array(digits)).first { !taken.contains($0) }
      all[index].letter = letter
      if let letter { taken.insert(letter) }
    }
    self.all = all
  }

  /// The answer of an arrow.
  package func answer(_ direction: SwipeDirection) -> PlayAnswer? {
    all.first { $0.hasArrow && $0.direction == direction }
  }

  /// The answer of a letter, in either case.
  package func answer(_ letter: Unicode.Scalar) -> PlayAnswer? {
    let lower = letter.properties.lowercaseMapping.unicodeScalars.first
    return all.first { $0.letter != nil && $0.letter == lower }
  }
}
