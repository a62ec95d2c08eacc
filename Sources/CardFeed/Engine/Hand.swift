/// A card in a viewer's hand, with why it came.
public struct DealtCard<Card: Sendable>: Sendable {
  /// Its identity.
  public let id: CardID
  /// The card.
  public let card: Card
  /// The deal that brought it.
  public let deal: LogPosition
  /// Why it came. For operators; `forViewer` has the part that the viewer may see.
  public let reason: DealReason

  /// The card with the part of the reason that the viewer may see (`DealReason.forViewer`).
  public var forViewer: DealtCard {
    DealtCard(id: id, card: card, deal: deal, reason: reason.forViewer)
  }
}

/// Why a card came: how it was found, how likely a match is, and what its score is made of.
public struct DealReason: Sendable, Hashable {
  /// The source that proposed it.
  public let source: String
  /// How likely a match is; empty where it is not known. For operators: `forViewer` has none.
  public let estimate: MatchEstimate
  /// What it was ranked by.
  public let score: Score
  /// What the score is made of. For operators: `forViewer` leaves private parts out.
  public let terms: [ScoreTerm]
  /// With which probability it came to its place, given the candidates of the deal.
  public let propensity: Double
  /// The pipeline that dealt it.
  public let fingerprint: String
  /// The variant that dealt it, if any.
  public let variant: String?

  init(_ card: HandCard) {
    source = card.source
    estimate = card.estimate
    score = Score(card.score)
    terms = card.terms
    propensity = card.propensity
    fingerprint = card.fingerprint
    variant = card.variant
  }

  private init(publicPartOf reason: DealReason) {
    // A name that only some cards lack would tell as much as the name.
    source = ""
    // It follows from what everybody answered, this card about this viewer among them.
    estimate = MatchEstimate(match: nil)
    score = .unscored
    terms = reason.terms.filter { !$0.isPrivate }
    // Where cards are drawn by their scores it tells what the score knows.
    propensity = 1
    fingerprint = reason.fingerprint
    variant = reason.variant
  }

  /// The reason as the viewer may see it: the same whether or not the card's person has answered about
  /// the viewer. So it has the public terms, and no source, no estimate, no score, and a propensity of
  /// 1, whatever they are.
  public var forViewer: DealReason { DealReason(publicPartOf: self) }
}

/// What a viewer holds now, top first.
public struct Hand<Card: Sendable>: Sendable {
  /// The cards; it does not change until the viewer swipes, rewinds or somebody is taken out.
  public let cards: [DealtCard<Card>]
  /// Why there are fewer cards than the hand's size, if the last deal fell short.
  public let shortfall: Shortfall?
  /// What the last deal left out.
  public let degradations: [Degradation]
  /// The generation of the hand.
  public let generation: Int
}

/// A viewer's answer to the top card.
public struct Swipe<Answer: Sendable>: Sendable {
  /// Who swipes.
  public let viewer: ViewerID
  /// Which card.
  public let card: CardID
  /// The answer.
  public let answer: Answer
  /// The client's identity of this swipe, unique for the viewer. Send the same one when a request
  /// is repeated.
  public let event: EventID
  /// When the client swiped; nil is now, and so is what lies ahead of the feed's clock. An answer
  /// that a quota counts happens now, whatever stands here.
  public let time: Timestamp?

  /// An answer to a card.
  public init(
    viewer: ViewerID, card: CardID, answer: Answer, event: EventID, time: Timestamp? = nil
  ) {
    self.viewer = viewer
    self.card = card
    self.answer = answer
    self.event = event
    self.time = time
  }
}

/// Proof that a swipe counts. The same event gives the same receipt, however often it is sent.
public struct SwipeReceipt: Sendable, Hashable {
  /// Its place in the log.
  public let event: LogPosition
  /// The card.
  public let card: CardID
  /// The answer's raw value.
  public let answer: String
  /// The match that it made or confirmed, if any.
  public let match: LogPosition?
  /// Cards left in the hand right after it.
  public let remaining: Int
}

/// What became of a swipe.
public enum SwipeOutcome<Card: Sendable>: Sendable {
  /// It counts. `top` is the card that lies on top now.
  case applied(SwipeReceipt, top: DealtCard<Card>?)
  /// It was applied before; the receipt of then.
  case repeated(SwipeReceipt)
  /// The card is not on top of the hand any more; nothing changed. `top` is what lies there.
  case stale(top: DealtCard<Card>?)
  /// The viewer has no such answer left; nothing changed, and the card still lies on top. The quota
  /// says until when.
  case overQuota(Allowance, top: DealtCard<Card>?)

  /// The receipt, if the swipe counts.
  public var receipt: SwipeReceipt? {
    switch self {
    case .applied(let receipt, _), .repeated(let receipt): receipt
    case .stale, .overQuota: nil
    }
  }
}

/// What became of a rewind.
public enum RewindOutcome<Card: Sendable>: Sendable {
  /// The swipe is taken back, and the card is back on top; nil where it may not be shown any more,
  /// or cannot be judged now. Whether a match ended with the swipe.
  case applied(DealtCard<Card>?, endedMatch: Bool)
  /// The rewind was applied before.
  case repeated
  /// There is no swipe to take back.
  case nothingToRewind
  /// There were swipes, but the rewind depth does not reach them.
  case tooOld
}

/// What became of the end of a match.
public enum UnmatchOutcome: Hashable, Sendable {
  /// The match is over, and the two meet no more.
  case applied
  /// It was applied before.
  case repeated
  /// There is no match of the two, or not any more, whoever ended it. Nothing changed.
  case noMatch
}

/// What became of the report that a card was shown.
public enum ImpressionOutcome: Hashable, Sendable {
  /// It counts.
  case applied
  /// It was applied before.
  case repeated
  /// The card was never dealt to the viewer. Nothing changed, and the event id is unspent.
  case notDealt
}

/// A swipe that happened elsewhere, to be recorded.
public struct RecordedSwipe<Answer: Sendable>: Sendable {
  /// What happened.
  public let swipe: Swipe<Answer>

  /// A swipe that happened elsewhere.
  public init(_ swipe: Swipe<Answer>) { self.swipe = swipe }
}

/// What a feed tells those who listen. Told after the store has made it durable.
public enum FeedOutcome: Sendable {
  /// Cards were dealt.
  case dealt(DealTrace, deal: LogPosition)
  /// A swipe was applied.
  case swiped(viewer: ViewerID, SwipeReceipt)
  /// A swipe was taken back.
  case rewound(viewer: ViewerID, card: CardID, event: LogPosition)
  /// A match was made; the two in the order (who swiped last, whose card).
  case matched(ViewerID, CardID, match: LogPosition)
}

/// Why a card is in a viewer's hand, or why it is not.
public enum CardExplanation: Sendable {
  /// It is in the hand.
  case inHand(place: Int, DealReason)
  /// It would be dealt next.
  case wouldBeDealt(place: Int, CandidateNumbers?)
  /// It is not dealt now; this is what becomes of it.
  case notDealt(CandidateFate, CandidateNumbers?)
  /// No source proposes it, or not within the pages of one deal.
  case notProposed
  /// The deck has no such card.
  case unknown
}
