/// What happened in a deal, stage by stage. Each stage accounts for every card it was given:
/// `kept + removed = entered`, and for a hard filter `kept + removed + unavailable = entered`.
public struct DealTrace: Sendable {
  /// One stage of one round.
  public struct Stage: Hashable, Sendable {
    /// What kind of stage it is.
    public let kind: Kind
    /// The strategy's name in the configuration.
    public let name: String
    /// How many cards it was given, or for a source how many it proposed.
    public var entered: Int
    /// How many went on.
    public var kept: Int
    /// How many it removed, or for a source how many were known already.
    public var removed: Int
    /// How many it removed (hard) or kept (soft) because their data were missing.
    public var unavailable: Int
    /// How many it gave no number.
    public var unscored: Int
    /// What went wrong, if something did. Names the strategy, never a person.
    public var failure: String?
    /// What a match probability says of its estimates, such as why they are not calibrated.
    public var note: String?

    init(_ kind: Kind, _ name: String, entered: Int) {
      self.kind = kind
      self.name = name
      self.entered = entered
      kept = entered
      removed = 0
      unavailable = 0
      unscored = 0
      failure = nil
      note = nil
    }
  }

  /// What kind of stage it is.
  public enum Kind: String, Hashable, Sendable {
    /// Proposed candidates.
    case source
    /// Filtered them.
    case filter
    /// Filtered again, more leniently.
    case relaxation
    /// Estimated P(match).
    case matchProbability = "match-probability"
    /// Scored.
    case ranking
    /// Looked at the whole hand.
    case slateRule = "slate-rule"
    /// Hard filters once more over the chosen cards.
    case lateFilter = "late-filter"
  }

  /// What became of one candidate.
  public struct Candidate: Sendable {
    /// The card.
    public let id: CardID
    /// The sources that proposed it, first one first.
    public let source: String
    /// What became of it.
    public let fate: CandidateFate
    /// Its numbers, if it came so far.
    public let numbers: CandidateNumbers?
  }

  /// The stages in the order in which they ran.
  public internal(set) var stages: [Stage] = []
  /// How many rounds of pages were asked for.
  public internal(set) var batches = 0
  /// Every candidate; only in traces that were asked for or drawn by sampling.
  public internal(set) var candidates: [Candidate]?
  /// Who looked.
  public let viewer: ViewerID
  /// The pipeline that dealt.
  public let fingerprint: String
  /// The variant of the pipeline, if the viewer is in one.
  public let variant: String?
}

/// What became of a candidate of a deal.
public enum CandidateFate: Hashable, Sendable {
  /// Dealt, at this place of the hand.
  case dealt(place: Int)
  /// Removed by a filter, for a reason; perhaps until a moment.
  case removed(filter: String, reason: String, due: Timestamp?)
  /// Withheld because a hard filter's data were missing; asked again at the next deal.
  case unavailable(filter: String)
  /// Kept back by a slate rule.
  case withheld(rule: String, reason: String)
  /// Without a score, and such cards are not dealt.
  case unscored
  /// Others were better; this was its rank, 0 is the best.
  case outranked(rank: Int)
  /// The deal ended before it was looked at.
  case notReached
}

/// The numbers by which a candidate was placed.
public struct CandidateNumbers: Sendable, Hashable {
  /// How likely a match is.
  public let estimate: MatchEstimate
  /// The score it was ranked by.
  public let score: Score
  /// The parts of the score.
  public let terms: [ScoreTerm]
  /// What the estimate is made of, as its strategy tells; all of it private. Empty in a deal, where
  /// nobody asks.
  public var reasons: [ScoreTerm] = []

  init(estimate: MatchEstimate, score: Score, terms: [ScoreTerm]) {
    self.estimate = estimate
    self.score = score
    self.terms = terms
  }
}

/// One part of one score.
public struct ScoreTerm: Hashable, Sendable {
  /// What it is called.
  public let name: String
  /// What it adds; nil where it adds nothing.
  public let value: Double?
  /// Whether it reveals what another person did, so that only operators may see it.
  public let isPrivate: Bool

  /// One part of one score.
  public init(name: String, value: Double?, isPrivate: Bool = false) {
    self.name = name
    self.value = value
    self.isPrivate = isPrivate
  }
}
