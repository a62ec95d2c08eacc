/// Why a hand has fewer cards than wanted.
public enum Shortfall: Hashable, Sendable {
  /// No source proposed any card.
  case starved
  /// Cards were proposed, and none that may be dealt is left.
  case exhausted(Exhaustion)
  /// The deal stopped early; there may be more.
  case degraded

  /// The shortfall as the viewer may see it: when a card is due, and not what was removed by which
  /// filter, since that would tell of blocks and of other people's wishes.
  public var forViewer: Shortfall {
    guard case .exhausted(let exhaustion) = self else { return self }
    return .exhausted(Exhaustion(removed: [], nextDue: exhaustion.nextDue))
  }
}

/// What would refill an exhausted hand. For operators: `Shortfall.forViewer` leaves the filters out.
public struct Exhaustion: Hashable, Sendable {
  /// How many candidates each filter or rule removed, most first.
  public let removed: [Removal]
  /// When the first of them may be dealt by itself, if ever.
  public let nextDue: Timestamp?

  /// What one filter removed for one reason.
  public struct Removal: Hashable, Sendable {
    /// The filter's or rule's name in the configuration.
    public let filter: String
    /// Why.
    public let reason: String
    /// How many candidates.
    public let count: Int
  }
}

/// What was left out of a deal.
public enum Degradation: Hashable, Sendable {
  /// The time budget ended in front of this stage.
  case timeBudget(stage: String)
  /// The sources have more, but the deal has asked often enough; the next deal goes on from there.
  case batchLimit
  /// A source could propose less than it has.
  case source(name: String, failure: SourceFailure)
  /// A strategy failed; its stage was left out.
  case strategy(name: String)
}
