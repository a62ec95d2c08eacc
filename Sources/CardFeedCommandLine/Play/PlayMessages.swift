package import CardFeed
package import CardFeedTerminal

/// A card of the hand, as it is shown.
package struct PlayCard: Hashable, Sendable {
  /// Its identity.
  package let id: CardID
  /// What is seen of it.
  package let face: PileCard

  /// A card of the hand.
  package init(id: CardID, face: PileCard) {
    self.id = id
    self.face = face
  }
}

/// What a session asks of the world.
package enum PlayEffect: Hashable, Sendable {
  /// Ask for the hand.
  case hand
  /// Answer a card. A repeated one has the number of the first.
  case swipe(card: CardID, answer: String, number: Int)
  /// Take the last swipe back.
  case rewind(number: Int)
  /// Tell that a card was shown.
  case seen(CardID)
  /// Ask why a card is there.
  case explain(CardID, title: String)
  /// Ask for the matches.
  case matches
  /// Stop for a while.
  case suspend
  /// Draw everything anew.
  case redraw
  /// End.
  case quit
}

/// What became of an effect. They come in the order in which the effects were asked for.
package enum PlayReport: Hashable, Sendable {
  /// What the viewer holds, and in paragraphs why there is no more.
  case hand([PlayCard], reasons: [String])
  /// The swipe is durable; whether it made a match.
  case swiped(isMatch: Bool)
  /// The swipe was refused, for a reason; whether the hand is another one than is shown.
  case refused(String, isStale: Bool)
  /// The last swipe is taken back; the card is nil where it may not be shown any more.
  case rewound(PlayCard?, endedMatch: Bool)
  /// Nothing was taken back, for a reason.
  case notRewound(String)
  /// It is known that the card was shown.
  case seen
  /// Why a card is there.
  case explained(title: String, [String])
  /// The matches, newest first.
  case matches([String])
  /// It did not work. Nothing is known to have changed.
  case failed(PlayEffect, String)
}
